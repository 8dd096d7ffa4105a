// SPDX-License-Identifier: MIT
// An MX9 tensor in DRAM: [channel block][row][column] of blocks of 18 bytes (docs/mx9.md, Layout).
#pragma once

#include <cstdint>

#include "isa/numbers/mx9_block.h"

namespace cox::kernels::mx {

/// Describes, owns nothing. Channels that are no multiple of 16 end in a block whose last elements are padding: zero, or ignored.
struct Tensor {
  std::uint64_t address = 0;  ///< bus address, aligned to 2 bytes
  std::uint32_t channels = 0;
  std::uint32_t height = 0, width = 0;

  [[nodiscard]] constexpr std::uint32_t blocks() const { return isa::mx::blocks_of(channels); }  ///< channel blocks
  [[nodiscard]] constexpr std::uint64_t plane() const { return std::uint64_t{height} * width; }  ///< blocks of a channel block
  [[nodiscard]] constexpr std::uint64_t count() const { return blocks() * plane(); }             ///< blocks in all
  [[nodiscard]] constexpr std::uint64_t bytes() const { return count() * isa::mx::kBlockBytes; }
  /// Channels [first, first + channels), `first` a multiple of 16: no copy, since channel blocks lie one behind the other.
  [[nodiscard]] constexpr Tensor slice(std::uint32_t first, std::uint32_t slice_channels) const {
    return {address + first / isa::mx::kBlockElements * plane() * isa::mx::kBlockBytes, slice_channels, height, width};
  }
};

/// Memory of the caller's in DRAM that a kernel may use until its stream has ended.
struct Scratch {
  std::uint64_t address = 0;  ///< bus address, aligned to 4 bytes
  std::uint64_t bytes = 0;
};

}  // namespace cox::kernels::mx
