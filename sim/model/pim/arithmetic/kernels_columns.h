// SPDX-License-Identifier: MIT
// Products with vectors of x86, for one instruction set (kernels_numbers.h says why the functions have internal linkage).
//
// A kernel adds the products of a block of columns over all compartments and steps in registers. Weights of consecutive compartments are
// interleaved, so that 32 bits of a register have as many products of one column as the instruction set adds at once. The interleaving of
// two registers keeps 128-bit lanes apart; add_lanes() puts the columns in order again.
//
// `Vector` describes a register: the type of its words, its bytes, and the functions called below as Vector::name().
#pragma once

#include <immintrin.h>

#include "sim/model/pim/arithmetic/kernels_numbers.h"

namespace cox::model::pim {
namespace {

/// Adds the sums in kParts registers to kParts * lanes * 4 columns. Lane l of register i has columns (l * kParts + i) * 4 and the next
/// three.
template <int kParts, typename Words>
void add_lanes(const Words *parts, std::uint32_t *sums) {
  constexpr int kLanes = sizeof(Words) / 16;
  __m128i lanes[kParts][kLanes];
  __builtin_memcpy(lanes, parts, sizeof lanes);
#pragma GCC unroll 4
  for (int lane = 0; lane < kLanes; ++lane) {
#pragma GCC unroll 4
    for (int part = 0; part < kParts; ++part) {
      auto *to = reinterpret_cast<__m128i *>(sums + std::ptrdiff_t{lane * kParts + part} * 4);
      _mm_storeu_si128(to, _mm_add_epi32(_mm_loadu_si128(to), lanes[part][lane]));
    }
  }
}

/// kBlocks registers of columns of 16 bits.
template <typename Vector, int kBlocks>
void multiply_words(const Product &product, const std::byte *column, std::uint32_t *sums) {
  using Words = typename Vector::Words;
  Words parts[kBlocks][2] = {};
  for (std::uint32_t step = 0; step < product.steps; ++step) {
    const std::byte *line = column + step * product.weights_step_bytes;
    const std::byte *inputs = product.inputs + step * product.inputs_step_bytes;
    for (std::uint32_t k = 0; k < product.compartments; k += 2, inputs += 4) {
      const std::byte *next = line + product.compartment_bytes;
      const Words pair = Vector::broadcast(inputs);
#pragma GCC unroll 4
      for (int block = 0; block < kBlocks; ++block) {
        const Words a = Vector::load(line + block * Vector::kBytes), b = Vector::load(next + block * Vector::kBytes);
        parts[block][0] = Vector::add_pairs(parts[block][0], Vector::low16(a, b), pair);
        parts[block][1] = Vector::add_pairs(parts[block][1], Vector::high16(a, b), pair);
      }
      line = next + product.compartment_bytes;
    }
  }
  for (int block = 0; block < kBlocks; ++block) add_lanes<2>(parts[block], sums + std::ptrdiff_t{block} * Vector::kBytes / 2);
}

/// kBlocks registers of columns of 32 bits.
template <typename Vector, int kBlocks>
void multiply_doublewords(const Product &product, const std::byte *column, std::uint32_t *sums) {
  using Words = typename Vector::Words;
  Words parts[kBlocks] = {};
  for (std::uint32_t step = 0; step < product.steps; ++step) {
    const std::byte *line = column + step * product.weights_step_bytes;
    const std::byte *inputs = product.inputs + step * product.inputs_step_bytes;
    for (std::uint32_t k = 0; k < product.compartments; ++k, inputs += 4, line += product.compartment_bytes) {
      const Words input = Vector::broadcast(inputs);
#pragma GCC unroll 4
      for (int block = 0; block < kBlocks; ++block) {
        parts[block] = Vector::add32(parts[block], Vector::multiply32(Vector::load(line + block * Vector::kBytes), input));
      }
    }
  }
  for (int block = 0; block < kBlocks; ++block) add_lanes<1>(parts + block, sums + std::ptrdiff_t{block} * Vector::kBytes / 4);
}

/// Computes blocks of kColumns columns from column `first` on, as long as there are enough columns. Returns the column behind them.
template <std::uint32_t kColumns, typename Block>
std::uint32_t multiply_blocks(const Product &product, Element element, std::uint32_t first, Block block) {
  for (; first + kColumns <= product.columns; first += kColumns) {
    block(product, product.weights + std::size_t{first} * element_bytes(element), product.sums + first);
  }
  return first;
}

/// Computes a product of macros from column `first` on, eight columns at a time.
template <typename Block>
void multiply_single_macros(const Product &product, std::uint32_t first, Block block) {
  Product macro = product;
  for (; first < product.columns; first += kColumnsAtOnce) {
    macro.inputs = product.inputs + std::size_t{first} / kColumnsAtOnce * 4;
    block(macro, product.weights + first, product.sums + first);
  }
}

/// 128 bits.
struct Narrow {
  using Words = __m128i;
  static constexpr int kBytes = 16;
  static Words load(const std::byte *from) { return _mm_loadu_si128(reinterpret_cast<const __m128i *>(from)); }
  static Words broadcast(const std::byte *word) { return _mm_castps_si128(_mm_broadcast_ss(reinterpret_cast<const float *>(word))); }
  static Words low8(Words a, Words b) { return _mm_unpacklo_epi8(a, b); }
  static Words high8(Words a, Words b) { return _mm_unpackhi_epi8(a, b); }
  static Words low16(Words a, Words b) { return _mm_unpacklo_epi16(a, b); }
  static Words high16(Words a, Words b) { return _mm_unpackhi_epi16(a, b); }
  static Words add_pairs(Words sum, Words a, Words b) { return _mm_add_epi32(sum, _mm_madd_epi16(a, b)); }
};

/// 256 bits.
struct Medium {
  using Words = __m256i;
  static constexpr int kBytes = 32;
  static Words load(const std::byte *from) { return _mm256_loadu_si256(reinterpret_cast<const __m256i *>(from)); }
  static Words broadcast(const std::byte *word) { return _mm256_castps_si256(_mm256_broadcast_ss(reinterpret_cast<const float *>(word))); }
  static Words low8(Words a, Words b) { return _mm256_unpacklo_epi8(a, b); }
  static Words high8(Words a, Words b) { return _mm256_unpackhi_epi8(a, b); }
  static Words low16(Words a, Words b) { return _mm256_unpacklo_epi16(a, b); }
  static Words high16(Words a, Words b) { return _mm256_unpackhi_epi16(a, b); }
  static Words add_pairs(Words sum, Words a, Words b) { return _mm256_add_epi32(sum, _mm256_madd_epi16(a, b)); }
  static Words add32(Words a, Words b) { return _mm256_add_epi32(a, b); }
  static Words multiply32(Words a, Words b) { return _mm256_mullo_epi32(a, b); }
};

/// widen() for numbers of one bit, 32 at a time, to bytes.
void widen_single_bits(const std::byte *from, std::size_t count, std::int8_t *to) {
  const __m256i spread = _mm256_setr_epi8(0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3);
  const __m256i bit = _mm256_set1_epi64x(static_cast<std::int64_t>(0x8040201008040201U));
  std::size_t first = 0;
  for (; first + 32 <= count; first += 32) {
    const __m256i bits = _mm256_set1_epi32(loose<std::int32_t>(from + first / 8)->of);
    const __m256i set = _mm256_cmpeq_epi8(_mm256_and_si256(_mm256_shuffle_epi8(bits, spread), bit), bit);
    _mm256_storeu_si256(reinterpret_cast<__m256i *>(to + first), set);
  }
  widen_bits<1>(from + first / 8, count - first, to + first);
}

void widen_with_vectors(const std::byte *from, unsigned width, std::size_t count, Element element, void *to) {
  if (width == 1 && element == Element::bits8) return widen_single_bits(from, count, static_cast<std::int8_t *>(to));
  widen(from, width, count, element, to);
}

/// Decodes 32 meta data, 12 bytes, at a time. Each load reads 16 bytes.
void decode_meta_vectors(const std::byte *meta, std::size_t count, std::int8_t *digits) {
  // Three bytes to each of four 64-bit numbers. -1 gives 0.
  const __m256i bytes = _mm256_setr_epi8(0, 1, 2, -1, -1, -1, -1, -1, 3, 4, 5, -1, -1, -1, -1, -1, 6, 7, 8, -1, -1, -1, -1, -1, 9, 10, 11,
                                         -1, -1, -1, -1, -1);
  const __m256i digit =
      _mm256_setr_epi8(1, -1, 16, -16, 4, -4, 64, -64, 0, 0, 0, 0, 0, 0, 0, 0, 1, -1, 16, -16, 4, -4, 64, -64, 0, 0, 0, 0, 0, 0, 0, 0);
  std::size_t first = 0;
  for (; first + 32 + 11 <= count; first += 32) {  // 43 more data have at least 16 bytes
    const __m128i loaded = _mm_loadu_si128(reinterpret_cast<const __m128i *>(meta + first / 8 * 3));
    __m256i fields = _mm256_shuffle_epi8(_mm256_broadcastsi128_si256(loaded), bytes);
    fields = _mm256_and_si256(_mm256_or_si256(fields, _mm256_slli_epi64(fields, 20)), _mm256_set1_epi64x(0x00000FFF00000FFF));
    fields = _mm256_and_si256(_mm256_or_si256(fields, _mm256_slli_epi64(fields, 10)), _mm256_set1_epi64x(0x003F003F003F003F));
    fields = _mm256_and_si256(_mm256_or_si256(fields, _mm256_slli_epi64(fields, 5)), _mm256_set1_epi64x(0x0707070707070707));
    _mm256_storeu_si256(reinterpret_cast<__m256i *>(digits + first), _mm256_shuffle_epi8(digit, fields));
  }
  decode_last_meta(meta, first, count, digits);
}

}  // namespace
}  // namespace cox::model::pim
