// SPDX-License-Identifier: MIT
// The form of MX instructions in a stream (docs/isa/mx.md, Streams): 8, 16 or 24 bytes, little-endian, one after another.
#pragma once

#include <cstddef>
#include <cstdint>

#include "coxswain/isa/machine_code.h"

namespace cox::isa::mx {

/// Bit n of the specification's 64-bit block b (b counts from 1) is bit 64 * (b - 1) + n. Words past the instruction's length are zero.
using MachineCode = Words32<6>;

inline constexpr std::size_t kLongestBytes = sizeof(MachineCode);
inline constexpr std::size_t kStreamAlignment = 8;  ///< alignment of a stream's address; its length is a multiple of this too

enum class Opcode : std::uint8_t { CONFBADDR, CONVACT, ELADD, ELMUL, SMULI, SIGMOID, SOFTMAX, POOL, MOVE };

// The bits that identify an instruction: [3:0] and [5:4] of block 1.
inline constexpr unsigned kOpcodeBit = 0, kOpcodeWidth = 4;
inline constexpr unsigned kFunctBit = 4, kFunctWidth = 2;
inline constexpr std::uint32_t kIdentityMask = (1U << (kOpcodeWidth + kFunctWidth)) - 1;

inline constexpr unsigned kBaseRegisters = 32;
inline constexpr std::uint32_t kMostBlocks = 1U << 18;  ///< largest length of an element-wise instruction, and of a MOVE's run
inline constexpr std::uint32_t kMostOffset = (1U << 24) - 1;
inline constexpr std::uint32_t kMostChannels = 1024;
inline constexpr std::uint32_t kMostSide = 1024;  ///< largest height and width of a feature map

}  // namespace cox::isa::mx
