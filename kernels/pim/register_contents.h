// SPDX-License-Identifier: MIT
// What a program under construction knows of a core's registers. Internal to ProgramBuilder.
#pragma once

#include <array>
#include <cstdint>

#include "coxswain/isa/pim/instruction.h"

namespace cox::kernels::pim {

/// Constants that registers hold, and registers that variables own. SIMD instructions name pairs of neighbours, so the registers below
/// kPairs * 2 serve for pairs only.
struct RegisterContents {
  static constexpr unsigned kPairs = 4;
  static constexpr unsigned kNone = isa::pim::kRegisters;

  std::array<std::uint32_t, isa::pim::kRegisters> general{};
  std::array<std::uint32_t, isa::pim::kRegisters> special{};
  std::uint32_t known = 0;                                 ///< bit i: general register i holds general[i]
  std::uint32_t known_special = 0;                         ///< bit i: special register i holds special[i]
  std::uint32_t reserved = 0;                              ///< bit i: a variable owns register i, or a special register is bound to it
  std::array<std::uint32_t, isa::pim::kRegisters> used{};  ///< when the register was used last
  std::uint32_t clock = 0;

  [[nodiscard]] constexpr bool holds(unsigned number, std::uint32_t value) const {
    return (known >> number & 1) != 0 && general[number] == value;
  }
  constexpr void touch(unsigned number) { used[number] = ++clock; }
  constexpr void learn(unsigned number, std::uint32_t value) {
    general[number] = value;
    known |= 1U << number;
  }
  constexpr void forget(unsigned number) { known &= ~(1U << number); }

  /// Returns a register above the pairs that holds `value`, or kNone.
  [[nodiscard]] constexpr unsigned find(std::uint32_t value) const {
    for (unsigned i = 2 * kPairs; i < isa::pim::kRegisters; ++i) {
      if (holds(i, value)) return i;
    }
    return kNone;
  }
  /// Returns the register of the constants that was not used for the longest time, or kNone if variables own all.
  [[nodiscard]] constexpr unsigned oldest() const {
    unsigned oldest = kNone;
    for (unsigned i = 2 * kPairs; i < isa::pim::kRegisters; ++i) {
      if ((reserved >> i & 1) == 0 && (oldest == kNone || used[i] < used[oldest])) oldest = i;
    }
    return oldest;
  }

  /// Keeps only what `other` knows as well, with the same values. Returns false if something was dropped.
  constexpr bool keep_common(const RegisterContents &other) {
    std::uint32_t common = known & other.known, common_special = known_special & other.known_special;
    for (unsigned i = 0; i < isa::pim::kRegisters; ++i) {
      if (general[i] != other.general[i]) common &= ~(1U << i);
      if (special[i] != other.special[i]) common_special &= ~(1U << i);
    }
    const bool is_unchanged = common == known && common_special == known_special;
    known = common;
    known_special = common_special;
    return is_unchanged;
  }
};

}  // namespace cox::kernels::pim
