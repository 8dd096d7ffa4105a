// SPDX-License-Identifier: MIT
// Reads a mask in a local memory. Private to isa/pim.
#pragma once

#include <array>
#include <cstdint>

#include "coxswain/isa/pim/operation.h"

namespace cox::isa::pim::detail {

/// Reads 512 bits at a time, so that masks of several macros beside each other cost few reads.
class Mask {
 public:
  /// The mask lies in a local memory.
  Mask(const Surroundings &around, std::uint32_t address, std::uint64_t bits);

  /// Number of bits that are set among `count` bits from `first` on. The call is fastest if `first` rises from call to call.
  [[nodiscard]] std::uint64_t count(std::uint64_t first, std::uint64_t count);
  [[nodiscard]] bool bit(std::uint64_t number) { return count(number, 1) != 0; }

 private:
  static constexpr unsigned kWordBits = 64;

  /// Word `number` of the mask, whose bit 0 is bit 64 * number. Bits behind the mask's bytes are 0.
  std::uint64_t word(std::uint64_t number);

  const LocalMemory &memory_;
  Place place_;
  std::uint64_t bytes_;
  std::array<std::uint64_t, 8> words_{};
  std::uint64_t first_word_ = 0, end_word_ = 0;  ///< numbers of the words in `words_`
};

}  // namespace cox::isa::pim::detail
