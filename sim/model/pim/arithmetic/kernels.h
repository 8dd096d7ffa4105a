// SPDX-License-Identifier: MIT
// The inner loops of the fast path, built once for each instruction set. All sets give the same bits.
#pragma once

#include <cstddef>
#include <cstdint>

#include "coxswain/isa/pim/configuration.h"

namespace cox::model::pim {

/// Signed integers that products are computed from.
enum class Element : std::uint8_t { bits8, bits16, bits32 };
[[nodiscard]] constexpr unsigned element_bytes(Element element) { return 1U << static_cast<unsigned>(element); }
/// Compartments that a kernel multiplies at once: the elements of 32 bits.
[[nodiscard]] constexpr std::uint32_t compartments_at_once(Element element) { return 4 / element_bytes(element); }

/// Columns that a kernel computes at once; the number of columns of a product is a multiple.
inline constexpr std::uint32_t kColumnsAtOnce = 8;

/// sums[j] += inputs[k] * weights[k][j] over all k of all steps, modulo 2^32. In products of macros, each eight columns have inputs of
/// their own: behind the inputs that are multiplied at once for the first eight columns come those for the next.
struct Product {
  const std::byte *weights = nullptr;  ///< elements of column 0, 1, ... of compartment 0 in step 0
  std::ptrdiff_t compartment_bytes = 0, weights_step_bytes = 0;
  const std::byte *inputs = nullptr;  ///< elements of compartment 0, 1, ... in step 0
  std::ptrdiff_t inputs_step_bytes = 0;
  std::ptrdiff_t inputs_pitch = 4;  ///< bytes from the inputs that are multiplied at once to the next ones
  std::uint32_t compartments = 0;   ///< a multiple of compartments_at_once()
  std::uint32_t steps = 0;
  std::uint32_t columns = 0;  ///< a multiple of kColumnsAtOnce
  std::uint32_t *sums = nullptr;
};

/// Elements of a SIMD operation, widened to 32 bits. Inputs that the operation does not have are 0.
struct SimdRow {
  isa::pim::SimdOpcode opcode = isa::pim::SimdOpcode::add;
  std::uint32_t count = 0;
  const std::int32_t *in[isa::pim::kMostSimdInputs] = {};  ///< of the operations with a block, only inputs 0 and 1
  const std::int32_t *block = nullptr;
  int headroom = 0;                ///< of quantify-resadd (fixed_point.h)
  std::int32_t low = 0, high = 0;  ///< bounds of the results
  std::int32_t *out = nullptr;
};

struct Kernels {
  const char *name;
  /// By Element.
  void (*multiply[3])(const Product &product);
  /// A product of macros, of 8-bit elements.
  void (*multiply_macros)(const Product &product);
  /// Extends the signs of `count` numbers of `width` bits, which is at most the element's.
  void (*widen)(const std::byte *from, unsigned width, std::size_t count, Element element, void *to);
  /// Writes a vector of the low `width` bits of `count` numbers. Spare bits of its last byte become 0.
  void (*narrow)(const std::uint32_t *from, std::size_t count, unsigned width, std::byte *to);
  /// Decodes `count` meta data of bit sparsity, three bits each, to (-1)^sign * 4^p.
  void (*decode_meta)(const std::byte *meta, std::size_t count, std::int8_t *digits);
  /// to[j] = digits[j] * (1 + bit j of cells), as 16-bit elements. `count` is a multiple of 8.
  void (*apply_cells)(const std::int8_t *digits, const std::byte *cells, std::size_t count, std::int16_t *to);
  void (*simd)(const SimdRow &row);
};

extern const Kernels kPortableKernels;
#if defined(__x86_64__)
extern const Kernels kAvx2Kernels;
extern const Kernels kAvx512Kernels;  ///< with VNNI
#endif

}  // namespace cox::model::pim
