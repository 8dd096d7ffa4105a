// SPDX-License-Identifier: MIT
// The sources and the destination of a vector operation on the fast path: runs of pixels as contiguous FP32 values.
#pragma once

#include <cstdint>

#include "coxswain/isa/tile/operation.h"
#include "sim/model/tile/arithmetic/staging.h"
#include "sim/model/tile/arithmetic/vector_kernels.h"
#include "sim/model/tile/arithmetic/vector_scalars.h"

namespace cox::model::arithmetic::fast {

/// Number of values processed at once; they stay in the first-level cache.
inline constexpr std::int64_t kChunk = 2048;

/// Working memory for `count` values.
[[nodiscard]] inline float *scratch_values(ScratchUse use, std::int64_t count) {
  return reinterpret_cast<float *>(scratch(use, count * static_cast<std::int64_t>(sizeof(float))));
}

/// Rows and columns of a map that an operation reads.
struct Area {
  std::int64_t first_row = 0, rows = 0, first_column = 0, columns = 0;
};

/// A source of the operation and how its elements become numbers.
class Tensor {
 public:
  Tensor() = default;
  /// The operation reads `channels` channels of each pixel of `area`.
  Tensor(const isa::tile::Map &map, const Memory &memory, const Area &area, std::int64_t channels, const Preparation &preparation,
         ScratchUse use);

  /// Loads `count` pixels of a row, `step` columns apart.
  void load(const VectorKernels &kernels, std::int64_t row, std::int64_t column, std::int64_t step, std::int64_t count, float *out) const;

  [[nodiscard]] const Source &source() const { return source_; }
  [[nodiscard]] const isa::tile::Map &map() const { return *map_; }
  [[nodiscard]] std::int64_t channels() const { return channels_; }

 private:
  const isa::tile::Map *map_ = nullptr;
  Source source_;
  std::int64_t channels_ = 0;
  Preparation preparation_;
};

/// A tensor that may lack dimensions. It repeats its elements along each dimension that it lacks.
class Broadcast {
 public:
  Broadcast() = default;
  /// `channels`, `height`, `width`: the extent of the operation.
  Broadcast(const isa::tile::Map &map, const Memory &memory, std::uint8_t dimensions, std::int64_t channels, std::int64_t height,
            std::int64_t width, const Preparation &preparation, ScratchUse use);

  /// Loads `count` pixels of a row.
  void load(const VectorKernels &kernels, std::int64_t row, std::int64_t column, std::int64_t count, float *out) const;

  [[nodiscard]] const Source &source() const { return tensor_.source(); }

 private:
  Tensor tensor_;
  std::uint8_t dimensions_ = 7;
  std::int64_t channels_ = 0;
};

/// What happens to the values after the vector function: the operation with a scalar (field SG1M), then value * factor + summand (field
/// SUMM), then the conversion to the destination.
class Output {
 public:
  /// `channels`, `height` and `width` are the size of the tensor to write. If it overlaps a source, only commit() changes the destination.
  Output(const isa::tile::Vector &operation, const Memories &memories, const VectorScalars &scalars, std::int64_t channels,
         std::int64_t height, std::int64_t width, const Source &source, const Source &source1);

  /// Writes `count` pixels of a row. Overwrites `values`.
  void store(const VectorKernels &kernels, float *values, std::int64_t row, std::int64_t column, std::int64_t count) const;
  void commit() const { destination_.commit(); }

 private:
  const isa::tile::Vector &operation_;
  const VectorScalars &scalars_;
  std::int64_t channels_;
  Destination destination_;
  Storage storage_;
  float power_ = 1;  ///< 2^-SHMD
};

}  // namespace cox::model::arithmetic::fast
