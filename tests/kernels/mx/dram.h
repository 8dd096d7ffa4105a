// SPDX-License-Identifier: MIT
// Memory of a test with a stream over it: kernels append, run() does what the device would, through the model's arithmetic. Bus addresses
// are this process's pointers.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <random>
#include <span>
#include <vector>

#include "kernels/mx/stream.h"
#include "kernels/mx/tensor.h"

namespace cox::tests {

using isa::mx::Block;
using kernels::mx::Scratch;
using kernels::mx::Stream;
using kernels::mx::Tensor;

class Dram {
 public:
  /// Zeroed. Streams hold up to `stream_bytes`.
  explicit Dram(std::size_t bytes, std::size_t stream_bytes = 1U << 20);

  [[nodiscard]] Stream &stream() { return stream_; }
  /// A tensor behind those of before, with a gap between; ends the process where there is no room.
  Tensor tensor(std::uint32_t channels, std::uint32_t height, std::uint32_t width);
  Scratch scratch(std::uint64_t bytes);
  /// Gives all tensors back; memory stays as it is.
  void clear() { used_ = 0; }
  [[nodiscard]] std::span<Block> blocks(const Tensor &tensor) const;
  [[nodiscard]] std::uint64_t base() const;
  [[nodiscard]] std::span<const std::byte> bytes() const { return {reinterpret_cast<const std::byte *>(memory_.data()), size_}; }

  /// Executes operations_of() the stream, clears it, and returns how many they were.
  unsigned run();

 private:
  std::uint64_t take(std::uint64_t bytes);

  std::size_t size_;
  std::vector<std::uint64_t> memory_, stream_memory_;
  std::uint64_t used_ = 0;
  Stream stream_;
};

/// The stream's instructions, fetched, checked and resolved as the device does, without CONFBADDRs. One that the device would refuse fails
/// the test and ends the list.
std::vector<isa::mx::Operation> operations_of(const Stream &stream);

/// What tensors are filled with: blocks of normally distributed numbers of very different magnitude; a few are zero, or tiny, or hold a
/// single number; and with `nan`, one in 32 is NaN.
void fill(std::span<Block> blocks, std::mt19937 &random, bool nan = false);

/// 16 numbers of FP32 from a block.
std::array<float, 16> values_of(const Block &block);

/// The furthest that an MX9 element may be from a number: one unit of its pair (saturation costs up to one, rounding half), in a block of
/// those 16 numbers.
double format_bound(std::span<const double, 16> numbers, unsigned element);

/// That every element of `actual` is within the format's bound of `numbers`, and a relative `slack` for what FP32 rounds before. A block
/// with a NaN or beyond FP32 among its numbers is NaN.
void expect_within_format(const Block &actual, std::span<const double, 16> numbers, double slack, const char *what);

}  // namespace cox::tests
