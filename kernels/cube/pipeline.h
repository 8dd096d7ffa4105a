// SPDX-License-Identifier: MIT
// Flags that order the four pipes, and buffers that are used in turn so that the pipes stay busy (docs/kernels/cube.md, Pipelining).
// Internal to the kernels.
#pragma once

#include <cstdint>

#include "coxswain/isa/cube/instruction.h"

namespace cox::kernels::cube {

/// A flag that pipe `from` sets and pipe `to` waits for. One word of a slot has the flags to wait for, another the flags to set. wait() and
/// set() return this flag's bit in these words.
struct Flag {
  isa::cube::Pipe from, to;
  unsigned event = 0;

  [[nodiscard]] constexpr std::uint32_t wait() const { return 1U << (isa::cube::kWaitBit % 32 + isa::cube::mask_bit(to, from, event)); }
  [[nodiscard]] constexpr std::uint32_t set() const { return 1U << (isa::cube::kSetBit % 32 + isa::cube::mask_bit(from, to, event)); }
};
static_assert(isa::cube::kWaitBit / 32 == 0 && isa::cube::kSetBit / 32 == 1);

// There is one flag for each kind of event between two pipes. All buffers of a Ring share the flag. This works because a flag is a counter:
// each set adds 1, and each wait takes 1 away.
inline constexpr Flag kBlockReady{isa::cube::Pipe::MTE2, isa::cube::Pipe::MTE1};    ///< operands are in L1
inline constexpr Flag kBlockFree{isa::cube::Pipe::MTE1, isa::cube::Pipe::MTE2};     ///< operands in L1 were read for the last time
inline constexpr Flag kOperandsReady{isa::cube::Pipe::MTE1, isa::cube::Pipe::M};    ///< all that a MAD reads is in L0A and L0B
inline constexpr Flag kOperandsFree{isa::cube::Pipe::M, isa::cube::Pipe::MTE1};     ///< all operands of a MAD in L0A and L0B were read
inline constexpr Flag kTileReady{isa::cube::Pipe::M, isa::cube::Pipe::FIX};         ///< a tile of L0C is complete
inline constexpr Flag kTileFree{isa::cube::Pipe::FIX, isa::cube::Pipe::M};          ///< a tile of L0C was written out
inline constexpr Flag kResidualReady{isa::cube::Pipe::MTE2, isa::cube::Pipe::FIX};  ///< C, biases and factors that FIX reads are in L1
inline constexpr Flag kResidualFree{isa::cube::Pipe::FIX, isa::cube::Pipe::MTE2};   ///< C was read from L1

/// Buffers that are used in turn, `uses` times in all. A use waits for the flag of the previous use of its buffer. No flag is left over at
/// the end: a use sets its flag only if a later use will wait for it.
class Ring {
 public:
  constexpr Ring() = default;
  constexpr Ring(std::uint32_t buffers, std::uint32_t uses) : buffers_(buffers), uses_(uses) {}

  [[nodiscard]] constexpr bool waits() const { return used_ >= buffers_; }
  [[nodiscard]] constexpr bool is_awaited() const { return uses_ - used_ > buffers_; }
  [[nodiscard]] constexpr std::uint32_t buffer() const { return buffer_; }
  /// Returns true if waits() and is_awaited() will be true for each of the next `uses` uses.
  [[nodiscard]] constexpr bool is_steady(std::uint32_t uses) const { return used_ >= buffers_ && uses_ - used_ >= buffers_ + uses; }
  constexpr void next() {
    ++used_;
    if (++buffer_ == buffers_) buffer_ = 0;
  }
  constexpr void next(std::uint32_t uses) {
    used_ += uses;
    buffer_ = (buffer_ + uses) % buffers_;
  }

 private:
  std::uint32_t buffers_ = 1, uses_ = 0, used_ = 0, buffer_ = 0;
};

/// Number of buffers of L0A, L0B and L0C that are used in turn. Each is in a bank of its own, so that pipes do not wait for each other's
/// banks.
inline constexpr std::uint32_t kBanks = 2;

}  // namespace cox::kernels::cube
