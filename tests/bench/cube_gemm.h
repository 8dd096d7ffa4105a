// SPDX-License-Identifier: MIT
// A matrix product as the matrix unit's model executes it. The model moves the matrices from DRAM through the unit's buffers, and the
// results back to DRAM.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/model/cube/arithmetic/execute.h"

namespace cox::bench {

struct GemmShape {
  std::uint32_t m = 1024, k = 1024, n = 1024;

  [[nodiscard]] double multiply_accumulates() const { return static_cast<double>(m) * k * n; }
};

/// A product of matrices in row order; C holds the accumulators without conversion. A tile of C has 128 rows and 256 columns. Each step
/// along k multiplies 128 bytes of a row of A. The part of B that a tile needs stays in L1.
class CubeGemm {
 public:
  /// m must be a multiple of 128 and n of 256. A row of A must have a multiple of 128 bytes. The part of B for a tile must fit into half of
  /// L1.
  CubeGemm(const GemmShape &shape, isa::cube::Type type);

  void run(model::cube::Path path = model::cube::Path::fast);
  [[nodiscard]] const std::vector<std::byte> &output() const { return c_; }

 private:
  void load(std::vector<std::byte> &matrix, std::uint32_t pitch, std::uint32_t row, std::uint32_t column_bytes, std::uint32_t rows,
            std::uint32_t row_bytes, std::uint32_t destination, model::cube::Path path);

  GemmShape shape_;
  isa::cube::Type type_;
  std::vector<std::byte> a_, b_, c_;
  model::cube::Buffers buffers_;
};

}  // namespace cox::bench
