// SPDX-License-Identifier: MIT
// The instructions that one core carries out by itself. Each throws Stop if it faults, before it has changed anything.
#pragma once

#include "tests/sim/pim/reference/decode.h"
#include "tests/sim/pim/reference/state.h"

namespace cox::model::pim::oracle {

/// `batch` is the pim-batch right before it, or nullptr.
void pim_compute(const View &view, const Decoded &instruction, const Decoded *batch);
void pim_output(const View &view, const Decoded &instruction);
void pim_transfer(const View &view, const Decoded &instruction);
void simd_compute(const View &view, const Decoded &instruction);
/// Calculations, loads, stores, assignments and trans.
void scalar(const View &view, const Decoded &instruction);
/// The number of the instruction after a branch or jump in code of `length` instructions.
std::uint32_t branch(const View &view, const Decoded &instruction, std::uint32_t length);

}  // namespace cox::model::pim::oracle
