// SPDX-License-Identifier: MIT
// AVX2. Columns of 8 bits are multiplied as pairs of 16-bit numbers.
#include "sim/model/pim/arithmetic/kernels_columns.h"
#include "sim/model/pim/arithmetic/kernels_simd.h"

namespace cox::model::pim {
namespace {

/// 8 columns, or 16, of 8 bits. Interleaving before widening keeps the columns in order. kOwnInputs: each 8 columns have inputs of their
/// own.
template <int kParts, bool kOwnInputs = false>
void multiply_bytes(const Product &product, const std::byte *column, std::uint32_t *sums) {
  __m256i parts[kParts][2] = {};  // compartments 0 and 1 of each four, and compartments 2 and 3
  const auto load = [](const std::byte *from) {
    const auto *words = reinterpret_cast<const __m128i *>(from);
    return kParts == 1 ? _mm_loadl_epi64(words) : _mm_loadu_si128(words);
  };
  const auto pair_of = [](const std::byte *inputs) { return _mm256_cvtepi8_epi16(_mm_set1_epi16(loose<std::int16_t>(inputs)->of)); };
  for (std::uint32_t step = 0; step < product.steps; ++step) {
    const std::byte *line = column + step * product.weights_step_bytes;
    const std::byte *inputs = product.inputs + step * product.inputs_step_bytes;
    for (std::uint32_t k = 0; k < product.compartments; k += 4, inputs += product.inputs_pitch) {
#pragma GCC unroll 2
      for (int half = 0; half < 2; ++half, line += 2 * product.compartment_bytes) {
        const __m256i pair = pair_of(inputs + std::ptrdiff_t{half} * 2);
        const __m128i a = load(line), b = load(line + product.compartment_bytes);
        parts[0][half] = Medium::add_pairs(parts[0][half], _mm256_cvtepi8_epi16(_mm_unpacklo_epi8(a, b)), pair);
        if constexpr (kParts == 2) {
          const __m256i other = kOwnInputs ? pair_of(inputs + 4 + std::ptrdiff_t{half} * 2) : pair;
          parts[1][half] = Medium::add_pairs(parts[1][half], _mm256_cvtepi8_epi16(_mm_unpackhi_epi8(a, b)), other);
        }
      }
    }
  }
  for (int part = 0; part < kParts; ++part) {
    const __m256i sum = _mm256_add_epi32(parts[part][0], parts[part][1]);
    add_lanes<1>(&sum, sums + std::ptrdiff_t{part} * 8);
  }
}

void multiply8(const Product &product) {
  const std::uint32_t done = multiply_blocks<16>(product, Element::bits8, 0, multiply_bytes<2>);
  multiply_blocks<8>(product, Element::bits8, done, multiply_bytes<1>);
}

void multiply_macros(const Product &product) {
  std::uint32_t done = 0;
  Product macros = product;
  for (; done + 16 <= product.columns; done += 16, macros.inputs += 8) {
    multiply_bytes<2, true>(macros, product.weights + done, product.sums + done);
  }
  multiply_single_macros(product, done, multiply_bytes<1>);
}

void multiply16(const Product &product) {
  std::uint32_t done = multiply_blocks<32>(product, Element::bits16, 0, multiply_words<Medium, 2>);
  done = multiply_blocks<16>(product, Element::bits16, done, multiply_words<Medium, 1>);
  multiply_blocks<8>(product, Element::bits16, done, multiply_words<Narrow, 1>);
}

void multiply32(const Product &product) {
  const std::uint32_t done = multiply_blocks<32>(product, Element::bits32, 0, multiply_doublewords<Medium, 4>);
  multiply_blocks<8>(product, Element::bits32, done, multiply_doublewords<Medium, 1>);
}

void apply_cells(const std::int8_t *digits, const std::byte *cells, std::size_t count, std::int16_t *to) {
  const __m256i bit = _mm256_setr_epi16(1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, -32768);
  std::size_t first = 0;
  for (; first + 16 <= count; first += 16) {
    const __m256i digit = _mm256_cvtepi8_epi16(_mm_loadu_si128(reinterpret_cast<const __m128i *>(digits + first)));
    const __m256i bits = _mm256_set1_epi16(loose<std::int16_t>(cells + first / 8)->of);
    const __m256i set = _mm256_cmpeq_epi16(_mm256_and_si256(bits, bit), bit);
    _mm256_storeu_si256(reinterpret_cast<__m256i *>(to + first), _mm256_add_epi16(digit, _mm256_and_si256(digit, set)));
  }
  apply_last_cells(digits, cells, first, count, to);
}

}  // namespace

const Kernels kAvx2Kernels{
    "avx2", {multiply8, multiply16, multiply32}, multiply_macros, widen_with_vectors, narrow, decode_meta_vectors, apply_cells, simd};

}  // namespace cox::model::pim
