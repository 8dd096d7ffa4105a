// SPDX-License-Identifier: MIT
#include "coxswain/hal/pim/deadlock.h"

#include "coxswain/device/npu.h"
#include "coxswain/hal/mmio.h"

namespace cox::hal::pim {

std::uint64_t read_waiting() { return mmio::read_counter(NPU->PIM_WAITING_LO, NPU->PIM_WAITING_HI); }

}  // namespace cox::hal::pim
