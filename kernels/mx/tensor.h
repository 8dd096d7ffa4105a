// SPDX-License-Identifier: MIT
// An MX9 tensor in DRAM: [channel block][row][column] of blocks of 18 bytes (docs/mx9.md, Layout).
#pragma once

#include <cstdint>

#include "coxswain/isa/numbers/mx9_block.h"

namespace cox::kernels::mx {

/// Describes a tensor and does not own its memory. If the number of channels is no multiple of 16, the last elements of the last block are
/// padding.
struct Tensor {
  std::uint64_t address = 0;  ///< bus address, aligned to 2 bytes
  std::uint32_t channels = 0;
  std::uint32_t height = 0, width = 0;

  [[nodiscard]] constexpr std::uint32_t blocks() const { return isa::mx::blocks_of(channels); }  ///< groups of 16 channels
  [[nodiscard]] constexpr std::uint64_t plane() const { return std::uint64_t{height} * width; }  ///< pixels: MX9 blocks in one group
  [[nodiscard]] constexpr std::uint64_t count() const { return blocks() * plane(); }             ///< MX9 blocks in all
  [[nodiscard]] constexpr std::uint64_t bytes() const { return count() * isa::mx::kBlockBytes; }
  /// Returns channels [first, first + channels); `first` is a multiple of 16. Channel blocks are contiguous, so no copy is needed.
  [[nodiscard]] constexpr Tensor slice(std::uint32_t first, std::uint32_t slice_channels) const {
    return {address + first / isa::mx::kBlockElements * plane() * isa::mx::kBlockBytes, slice_channels, height, width};
  }
};

/// The caller's memory in DRAM that a kernel may use until its stream has ended.
struct Scratch {
  std::uint64_t address = 0;  ///< bus address, aligned to 4 bytes
  std::uint64_t bytes = 0;
};

}  // namespace cox::kernels::mx
