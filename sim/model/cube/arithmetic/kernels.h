// SPDX-License-Identifier: MIT
// The inner loops of the matrix unit's fast path, built once for each instruction set. All sets give the same bits.
#pragma once

#include <cstddef>
#include <cstdint>

#include "coxswain/isa/cube/operation.h"

namespace cox::model::cube {

/// The product c = a * b + start: its sizes, and where its operands are.
struct Multiplication {
  isa::cube::Type type = isa::cube::Type::bfloat16;
  std::uint32_t m = 0, k = 0, n = 0;  ///< all above 0
  std::uint32_t m_count = 0;          ///< fractals in a column of L0C
  std::uint32_t k_count = 0;          ///< fractals in a row of L0A
  std::uint32_t n_count = 0;          ///< fractals in a row of L0B
  const std::byte *left = nullptr;    ///< in L0A
  const std::byte *right = nullptr;   ///< in L0B
  std::byte *accumulators = nullptr;  ///< in L0C
  const std::byte *start = nullptr;   ///< n_count * 16 initial values, the same for every row; nullptr: those in `accumulators`
  std::byte *left_steps = nullptr;    ///< working memory: m_count * k_count * kStepBytes bytes, aligned to 64
  std::byte *right_steps = nullptr;   ///< working memory: kMostGroups * k_count * kStepBytes bytes, aligned to 64
};
/// Largest size of an unpacked fractal in bytes: 16 rows of 32 words of 4 bytes.
inline constexpr std::size_t kStepBytes = std::size_t{16} * 32 * 4;
inline constexpr std::uint32_t kMostGroups = 3;

/// A row of results to compute from accumulators.
struct OutputRow {
  isa::cube::OutputType to = isa::cube::OutputType::float32;
  bool integer = false;  ///< accumulators are INT32
  std::uint32_t columns = 0;
  const std::byte *accumulators = nullptr;  ///< groups of 16 words; the groups are `pitch` bytes apart
  std::size_t pitch = 0;
  const std::byte *scales = nullptr;  ///< one for each column; nullptr: `scale` for all
  bool scaled = false;
  float scale = 1;
  const std::byte *biases = nullptr;    ///< one for each column; nullptr: no biases
  const std::byte *residual = nullptr;  ///< of type `to`; nullptr: no residual
  float beta = 0;
  isa::cube::Activation activation = isa::cube::Activation::None;
  float activation_parameter = 0;
  std::int32_t zero_point = 0;
  std::byte *out = nullptr;
};

struct Kernels {
  const char *name;
  void (*multiply)(const Multiplication &multiplication);
  void (*finish)(const OutputRow &row);
};

extern const Kernels kPortableKernels;
#if defined(__x86_64__)
extern const Kernels kAvx2Kernels;    ///< with FMA and F16C
extern const Kernels kAvx512Kernels;  ///< with VNNI
#endif

}  // namespace cox::model::cube
