// SPDX-License-Identifier: MIT
// Decisions of branches. A unit carries out a Branch by its own stack of programs:
//
//   COND, CASE, SWITCH_CASE: choose() once; run the program, if there is one; then the branch has ended.
//   WHILE_LOOP: run `first` (the condition), then choose(): run `second` (the body) and begin again, or end. A program 0 is empty.
#pragma once

#include <cstdint>

#include "coxswain/base/result.h"
#include "coxswain/isa/operand_memory.h"
#include "coxswain/isa/unity/operation.h"

namespace cox::isa::unity {

struct Choice {
  std::uint64_t program = 0;  ///< device address of the next program; 0: none
  bool taken = false;         ///< WHILE_LOOP: the body runs (`program` may be 0 even so)
};

/// Reads predicates, index and list entries, and tests them (not 0 is true; NaN is true). Errors:
/// - address_outside_window: "PRED", "INDEX", "PAIRS" or "PROGRAMS"; `value` is the address that the memory does not hold.
/// - misaligned_address: the same names; an entry of a list that is no multiple of kProgramAlignment, or a predicate that is no multiple of
///   its element's size. `index` is the number of the entry.
[[nodiscard]] Result<Choice> choose(const Branch &branch, const OperandMemory &memory);

/// Whether an element is not 0, from its bits. -0 is 0.
[[nodiscard]] bool is_true(Unit unit, std::uint64_t bits);

}  // namespace cox::isa::unity
