// SPDX-License-Identifier: MIT
// Memory of a test with a stream in it. Kernels append instructions. run() executes the stream with the model's arithmetic. Bus addresses
// are this process's pointers.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <random>
#include <span>
#include <vector>

#include "coxswain/kernels/mx/stream.h"
#include "coxswain/kernels/mx/tensor.h"

namespace cox::tests {

using isa::mx::Block;
using kernels::mx::Scratch;
using kernels::mx::Stream;
using kernels::mx::Tensor;

class Dram {
 public:
  /// The memory is zero. Streams hold up to `stream_bytes`.
  explicit Dram(std::size_t bytes, std::size_t stream_bytes = 1U << 20);

  [[nodiscard]] Stream &stream() { return stream_; }
  /// Allocates a tensor behind the previous ones, after a gap. Ends the process if there is no room.
  Tensor tensor(std::uint32_t channels, std::uint32_t height, std::uint32_t width);
  Scratch scratch(std::uint64_t bytes);
  /// Frees all tensors without changing the memory.
  void clear() { used_ = 0; }
  [[nodiscard]] std::span<Block> blocks(const Tensor &tensor) const;
  [[nodiscard]] std::uint64_t base() const;
  [[nodiscard]] std::span<const std::byte> bytes() const { return {reinterpret_cast<const std::byte *>(memory_.data()), size_}; }

  /// Executes the stream's operations (operations_of()), clears the stream, and returns the number of operations.
  unsigned run();

 private:
  std::uint64_t take(std::uint64_t bytes);

  std::size_t size_;
  std::vector<std::uint64_t> memory_, stream_memory_;
  std::uint64_t used_ = 0;
  Stream stream_;
};

/// The stream's instructions without CONFBADDRs, fetched, checked and resolved as the device does. An instruction that the device would
/// refuse fails the test and ends the list.
std::vector<isa::mx::Operation> operations_of(const Stream &stream);

/// Fills blocks with normally distributed numbers of very different magnitudes. A few blocks are zero, tiny, or hold a single number. With
/// `nan` one block in 32 is NaN.
void fill(std::span<Block> blocks, std::mt19937 &random, bool nan = false);

/// The 16 FP32 numbers of a block.
std::array<float, 16> values_of(const Block &block);

/// The largest error of one element if a block of these 16 numbers is quantised to MX9: one unit, which is the weight of the element's
/// lowest bit. Rounding costs up to half a unit, saturation up to one unit.
double format_bound(std::span<const double, 16> numbers, unsigned element);

/// Expects that the error of every element of `actual` is at most the sum of three terms: format_bound(), `slack` times the magnitude of
/// the exact result (the element of `numbers`), and 2^-125. The second term allows for rounding in FP32. The third is needed because the
/// exponential never returns less than exp(-87). If any of the numbers is NaN or exceeds FP32, the block must be NaN.
void expect_within_format(const Block &actual, std::span<const double, 16> numbers, double slack, const char *what);

}  // namespace cox::tests
