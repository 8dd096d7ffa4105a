// SPDX-License-Identifier: MIT
// The accumulators of a convolution: their initial values and their conversion to results.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/model/tile/arithmetic/execute.h"
#include "sim/model/tile/arithmetic/kernels.h"
#include "sim/model/tile/arithmetic/staging.h"

namespace cox::model::arithmetic::fast {

/// One output pixel.
struct OutputPixel {
  std::int64_t image, row, column;
};

/// In the functions, Sum is the type of the operation's accumulators: std::int32_t, std::uint64_t or float.
class Output {
 public:
  /// `records` are the weight records; they must stay valid as long as this object. If results overlap `source`, only commit() writes them
  /// to memory.
  Output(const isa::tile::Convolution &operation, const Memories &memories, const Kernels &kernels, const Source &source,
         const std::byte *records);

  /// Sets the initial accumulators of kernels from `first` on: 0, or the values at `partial`.
  template <typename Sum>
  void begin(const OutputPixel &pixel, std::uint32_t first, std::uint32_t count, Sum *sums) const;
  /// Adds the values at `partial`, if there are any.
  void add_partial(const OutputPixel &pixel, std::uint32_t first, std::uint32_t count, std::int32_t *sums) const;
  /// Writes the results of `count` kernels from `first` on. If elements are INT4, `first` must be even.
  template <typename Sum>
  void write(const OutputPixel &pixel, std::uint32_t first, std::uint32_t count, const Sum *sums) const;
  void commit() const { destination_.commit(); }

 private:
  template <typename Sum>
  void write_parts(std::uint32_t first, std::uint32_t count, const Sum *sums, std::byte *out) const;

  const isa::tile::Convolution &operation_;
  const Kernels &kernels_;
  std::int64_t sum_bytes_;
  isa::tile::Map map_;
  Box written_;
  Source partial_;
  Destination destination_;
  std::vector<float> scale_, bias_, slope_, table_;
  Finish finish_;
};

}  // namespace cox::model::arithmetic::fast
