// SPDX-License-Identifier: MIT
// The DRAM address in the machine code of a slot.
#pragma once

#include <cstddef>
#include <cstdint>

#include "coxswain/isa/cube/operation.h"

namespace cox::isa::cube {

// Both instructions have their DRAM address in the same bits.
inline constexpr const Field &kLowAddress = field<Opcode::DRAM_TO_L1, "Source">();
inline constexpr const Field &kHighAddress = field<Opcode::DRAM_TO_L1, "SourceHigh">();
constexpr bool same_bits(const Field &a, const Field &b) { return a.bit == b.bit && a.width == b.width; }
static_assert(same_bits(kLowAddress, field<Opcode::L0C_TO_DRAM, "Destination">()) &&
              same_bits(kHighAddress, field<Opcode::L0C_TO_DRAM, "DestinationHigh">()));
static_assert(kLowAddress.bit % 32 == 0 && kLowAddress.width == 32 && kHighAddress.bit == kLowAddress.bit + 32 && kHighAddress.width == 16);
inline constexpr std::size_t kLowAddressWord = kLowAddress.bit / 32, kHighAddressWord = kHighAddress.bit / 32;

constexpr bool has_dram_address(Opcode opcode) { return opcode == Opcode::DRAM_TO_L1 || opcode == Opcode::L0C_TO_DRAM; }

// The words of these functions are those of a slot for which has_dram_address() is true.

[[nodiscard]] inline std::uint64_t read_dram_address(const std::uint32_t *words) {
  return words[kLowAddressWord] | std::uint64_t{words[kHighAddressWord] & 0xFFFFU} << 32;
}
inline void write_dram_address(std::uint32_t *words, std::uint64_t address) {
  words[kLowAddressWord] = static_cast<std::uint32_t>(address);
  words[kHighAddressWord] = (words[kHighAddressWord] & ~0xFFFFU) | (static_cast<std::uint32_t>(address >> 32) & 0xFFFFU);
}

}  // namespace cox::isa::cube
