// SPDX-License-Identifier: MIT
// Instructions of the control core that a piece of code takes.
#pragma once

#include <cstdint>

#include "coxswain/hal/board.h"

namespace unity_selftest {

/// Instructions of `function`, without those that read the counter.
template <typename Function>
unsigned long cost_of(const Function &function) {
  const std::uint64_t first = cox::board::executed_instructions(), second = cox::board::executed_instructions();
  function();
  const std::uint64_t third = cox::board::executed_instructions();
  return static_cast<unsigned long>((third - second) - (second - first));
}

}  // namespace unity_selftest
