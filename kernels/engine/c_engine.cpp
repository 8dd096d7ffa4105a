// SPDX-License-Identifier: MIT
#include "kernels/engine/c_engine.h"

namespace cox::kernels::c_interface {
namespace {

void ignore_completion() {}
void ignore_fault() { hal::clear_fault(); }

}  // namespace

void connect_interrupts() { board::connect_npu_interrupts(ignore_completion, ignore_fault); }

}  // namespace cox::kernels::c_interface
