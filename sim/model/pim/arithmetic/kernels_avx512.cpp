// SPDX-License-Identifier: MIT
// AVX-512 with VNNI. Its dot products of four bytes do not saturate; they wrap as 32-bit sums do. They multiply unsigned by signed bytes,
// so weights are made unsigned by adding 128, and 128 times the sum of the inputs is taken off again.
#include "sim/model/pim/arithmetic/kernels_columns.h"
#include "sim/model/pim/arithmetic/kernels_simd.h"

namespace cox::model::pim {
namespace {

struct Wide {
  using Words = __m512i;
  static constexpr int kBytes = 64;
  static Words load(const std::byte *from) { return _mm512_loadu_si512(from); }
  static Words broadcast(const std::byte *word) { return _mm512_set1_epi32(loose<std::int32_t>(word)->of); }
  static Words low8(Words a, Words b) { return _mm512_unpacklo_epi8(a, b); }
  static Words high8(Words a, Words b) { return _mm512_unpackhi_epi8(a, b); }
  static Words low16(Words a, Words b) { return _mm512_unpacklo_epi16(a, b); }
  static Words high16(Words a, Words b) { return _mm512_unpackhi_epi16(a, b); }
  static Words add_pairs(Words sum, Words a, Words b) { return _mm512_dpwssd_epi32(sum, a, b); }
  static Words add_fours(Words sum, Words a, Words b) { return _mm512_dpbusd_epi32(sum, a, b); }
  static Words add32(Words a, Words b) { return _mm512_add_epi32(a, b); }
  static Words subtract32(Words a, Words b) { return _mm512_sub_epi32(a, b); }
  static Words multiply32(Words a, Words b) { return _mm512_mullo_epi32(a, b); }
  static Words flip(Words a, Words b) { return _mm512_xor_si512(a, b); }
  static Words all_bytes(char byte) { return _mm512_set1_epi8(byte); }
};

struct MediumFours : Medium {
  static Words add_fours(Words sum, Words a, Words b) { return _mm256_dpbusd_epi32(sum, a, b); }
  static Words subtract32(Words a, Words b) { return _mm256_sub_epi32(a, b); }
  static Words flip(Words a, Words b) { return _mm256_xor_si256(a, b); }
  static Words all_bytes(char byte) { return _mm256_set1_epi8(byte); }
};

struct NarrowFours : Narrow {
  static Words add_fours(Words sum, Words a, Words b) { return _mm_dpbusd_epi32(sum, a, b); }
  static Words subtract32(Words a, Words b) { return _mm_sub_epi32(a, b); }
  static Words flip(Words a, Words b) { return _mm_xor_si128(a, b); }
  static Words all_bytes(char byte) { return _mm_set1_epi8(byte); }
};

/// Only the lower half of a register, 8 columns.
struct HalfFours : NarrowFours {
  static Words load(const std::byte *from) { return _mm_loadl_epi64(reinterpret_cast<const __m128i *>(from)); }
};

/// A register of columns of 8 bits; half a register if kParts is 2.
template <typename Vector, int kParts>
void multiply_bytes(const Product &product, const std::byte *column, std::uint32_t *sums) {
  using Words = typename Vector::Words;
  Words parts[kParts] = {}, excess = {};
  const Words bias = Vector::all_bytes(-128);
  for (std::uint32_t step = 0; step < product.steps; ++step) {
    const std::byte *line = column + step * product.weights_step_bytes;
    const std::byte *inputs = product.inputs + step * product.inputs_step_bytes;
    for (std::uint32_t k = 0; k < product.compartments; k += 4, inputs += product.inputs_pitch) {
      Words of[4];
#pragma GCC unroll 4
      for (Words &weights : of) {
        weights = Vector::flip(Vector::load(line), bias);
        line += product.compartment_bytes;
      }
      const Words four = Vector::broadcast(inputs);
      const Words a = Vector::low8(of[0], of[1]), b = Vector::low8(of[2], of[3]);
      parts[0] = Vector::add_fours(parts[0], Vector::low16(a, b), four);
      parts[1] = Vector::add_fours(parts[1], Vector::high16(a, b), four);
      if constexpr (kParts == 4) {
        const Words c = Vector::high8(of[0], of[1]), d = Vector::high8(of[2], of[3]);
        parts[2] = Vector::add_fours(parts[2], Vector::low16(c, d), four);
        parts[3] = Vector::add_fours(parts[3], Vector::high16(c, d), four);
      }
      excess = Vector::add_fours(excess, bias, four);
    }
  }
#pragma GCC unroll 4
  for (Words &part : parts) part = Vector::subtract32(part, excess);
  add_lanes<kParts>(parts, sums);
}

void multiply8(const Product &product) {
  std::uint32_t done = multiply_blocks<64>(product, Element::bits8, 0, multiply_bytes<Wide, 4>);
  done = multiply_blocks<32>(product, Element::bits8, done, multiply_bytes<MediumFours, 4>);
  done = multiply_blocks<16>(product, Element::bits8, done, multiply_bytes<NarrowFours, 4>);
  multiply_blocks<8>(product, Element::bits8, done, multiply_bytes<HalfFours, 2>);
}

/// A register of columns of 8 bits with eight inputs at once. Lane l of the interleaved weights has columns of macros 2 * l and 2 * l + 1.
void multiply_macros_block(const Product &product, const std::byte *column, std::uint32_t *sums) {
  __m512i parts[4] = {}, excess[2] = {};
  const __m512i bias = _mm512_set1_epi8(-128);
  const __m512i even = _mm512_setr_epi32(0, 0, 0, 0, 2, 2, 2, 2, 4, 4, 4, 4, 6, 6, 6, 6);
  const __m512i odd = _mm512_setr_epi32(1, 1, 1, 1, 3, 3, 3, 3, 5, 5, 5, 5, 7, 7, 7, 7);
  const std::byte *first_inputs = product.inputs + (column - product.weights) / kColumnsAtOnce * 4;
  for (std::uint32_t step = 0; step < product.steps; ++step) {
    const std::byte *line = column + step * product.weights_step_bytes;
    const std::byte *inputs = first_inputs + step * product.inputs_step_bytes;
    for (std::uint32_t k = 0; k < product.compartments; k += 4, inputs += product.inputs_pitch) {
      __m512i of[4];
#pragma GCC unroll 4
      for (__m512i &weights : of) {
        weights = _mm512_xor_si512(_mm512_loadu_si512(line), bias);
        line += product.compartment_bytes;
      }
      const __m512i fours = _mm512_castsi256_si512(_mm256_loadu_si256(reinterpret_cast<const __m256i *>(inputs)));
      const __m512i first = _mm512_permutexvar_epi32(even, fours), second = _mm512_permutexvar_epi32(odd, fours);
      const __m512i a = _mm512_unpacklo_epi8(of[0], of[1]), b = _mm512_unpacklo_epi8(of[2], of[3]);
      const __m512i c = _mm512_unpackhi_epi8(of[0], of[1]), d = _mm512_unpackhi_epi8(of[2], of[3]);
      parts[0] = _mm512_dpbusd_epi32(parts[0], _mm512_unpacklo_epi16(a, b), first);
      parts[1] = _mm512_dpbusd_epi32(parts[1], _mm512_unpackhi_epi16(a, b), first);
      parts[2] = _mm512_dpbusd_epi32(parts[2], _mm512_unpacklo_epi16(c, d), second);
      parts[3] = _mm512_dpbusd_epi32(parts[3], _mm512_unpackhi_epi16(c, d), second);
      excess[0] = _mm512_dpbusd_epi32(excess[0], bias, first);
      excess[1] = _mm512_dpbusd_epi32(excess[1], bias, second);
    }
  }
#pragma GCC unroll 4
  for (int part = 0; part < 4; ++part) parts[part] = _mm512_sub_epi32(parts[part], excess[part / 2]);
  add_lanes<4>(parts, sums);
}

void multiply_macros(const Product &product) {
  const std::uint32_t done = multiply_blocks<64>(product, Element::bits8, 0, multiply_macros_block);
  multiply_single_macros(product, done, multiply_bytes<HalfFours, 2>);
}

void multiply16(const Product &product) {
  std::uint32_t done = multiply_blocks<64>(product, Element::bits16, 0, multiply_words<Wide, 2>);
  done = multiply_blocks<32>(product, Element::bits16, done, multiply_words<Wide, 1>);
  done = multiply_blocks<16>(product, Element::bits16, done, multiply_words<Medium, 1>);
  multiply_blocks<8>(product, Element::bits16, done, multiply_words<Narrow, 1>);
}

void multiply32(const Product &product) {
  std::uint32_t done = multiply_blocks<64>(product, Element::bits32, 0, multiply_doublewords<Wide, 4>);
  done = multiply_blocks<16>(product, Element::bits32, done, multiply_doublewords<Wide, 1>);
  multiply_blocks<8>(product, Element::bits32, done, multiply_doublewords<Medium, 1>);
}

void apply_cells(const std::int8_t *digits, const std::byte *cells, std::size_t count, std::int16_t *to) {
  std::size_t first = 0;
  for (; first + 32 <= count; first += 32) {
    const __m512i digit = _mm512_cvtepi8_epi16(_mm256_loadu_si256(reinterpret_cast<const __m256i *>(digits + first)));
    const auto set = static_cast<__mmask32>(loose<std::int32_t>(cells + first / 8)->of);
    _mm512_storeu_si512(to + first, _mm512_mask_add_epi16(digit, set, digit, digit));
  }
  apply_last_cells(digits, cells, first, count, to);
}

}  // namespace

const Kernels kAvx512Kernels{
    "avx512_vnni", {multiply8, multiply16, multiply32}, multiply_macros, widen_with_vectors, narrow, decode_meta_vectors, apply_cells,
    simd};

}  // namespace cox::model::pim
