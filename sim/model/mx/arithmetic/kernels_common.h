// SPDX-License-Identifier: MIT
// Loops that compilers vectorise well, and loops that AVX2 and AVX-512 share. Each instruction set has one source file that includes this;
// the loops have internal linkage there and use nothing of the standard library. Otherwise the linker could give all callers the same copy
// of a function, perhaps the one that was built with AVX-512. Built without contraction: each multiply and each add rounds on its own.
#pragma once

#if defined(__AVX2__)
#include <immintrin.h>
#endif

#include "coxswain/isa/numbers/bfloat16.h"
#include "coxswain/isa/numbers/clamped_exponential.h"
#include "sim/model/mx/arithmetic/kernels.h"

namespace cox::model::mx {
namespace {

using isa::mx::kBlockBytes;
using isa::mx::kBlockElements;

constexpr std::uint32_t kHeaderBytes = 2;   // E and the D bits of a block
constexpr std::uint32_t kChunkBlocks = 16;  // blocks of element-wise work that stay in the first-level cache

/// of[E] is the scale of an unpacked block with exponent E (kernels.h).
struct Scales {
  float of[256];

  constexpr Scales() : of{} {
    of[0] = 1.0F;
    for (std::uint32_t e = 1; e < 255; ++e) of[e] = __builtin_bit_cast(float, e < 8 ? 1U << (e + 15) : (e - 7) << 23);
    of[255] = __builtin_nanf("");
  }
};
constexpr Scales kScales;

std::uint8_t byte_at(const std::byte *bytes, std::uint32_t index) { return static_cast<std::uint8_t>(bytes[index]); }

#if defined(__AVX2__)
__m256i unpack_elements(const std::byte *block) {
  __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i *>(block + kHeaderBytes));
  if (byte_at(block, 0) == 0 || byte_at(block, 0) == isa::mx::kNanExponent) bytes = _mm_setzero_si128();
  const __m256i magnitudes = _mm256_cvtepu8_epi16(_mm_and_si128(bytes, _mm_set1_epi8(0x7F)));
  const __m256i shifted = _mm256_srlv_epi32(_mm256_set1_epi32(byte_at(block, 1)), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
  const __m256i whole = _mm256_andnot_si256(shifted, _mm256_set1_epi32(1));  // 1 - D; D is the pair's shift bit
  // One 32-bit shift for the two elements of a pair. Results are at most 254, so no bit moves from one element into the other.
  const __m256i doubled = _mm256_sllv_epi32(magnitudes, whole);
  return _mm256_sign_epi16(doubled, _mm256_cvtepi8_epi16(bytes));
}

void store_elements(const std::byte *block, std::int16_t *elements) {
  _mm256_storeu_si256(reinterpret_cast<__m256i *>(elements), unpack_elements(block));
}
#else
void store_elements(const std::byte *block, std::int16_t *elements) {
  const bool zero = byte_at(block, 0) == 0 || byte_at(block, 0) == isa::mx::kNanExponent;
  for (std::uint32_t i = 0; i < kBlockElements; ++i) {
    const std::int32_t element = zero ? 0 : byte_at(block, kHeaderBytes + i);
    const std::int32_t magnitude = (element & 0x7F) << (1 - (byte_at(block, 1) >> (i / 2) & 1));
    elements[i] = static_cast<std::int16_t>(element >= 0x80 ? -magnitude : magnitude);
  }
}
#endif

void widen(ExponentRange &range, std::uint32_t exponent) {
  if (exponent == 0) return;
  if (exponent == isa::mx::kNanExponent) {
    range.nan = true;
    return;
  }
  range.least = exponent < range.least ? exponent : range.least;
  range.most = exponent > range.most ? exponent : range.most;
}

void unpack(const std::byte *in, std::uint32_t count, std::int64_t stride, std::int16_t *elements, float *scales, ExponentRange &range) {
  for (std::uint32_t i = 0; i < count; ++i, in += kBlockBytes, elements += stride * kUnpackedElements, scales += stride) {
    store_elements(in, elements);
    *scales = kScales.of[byte_at(in, 0)];
    widen(range, byte_at(in, 0));
  }
}

void unpack_weights(const std::byte *in, std::int64_t count, std::int16_t *elements, float *scales, ExponentRange &range) {
  constexpr std::uint32_t kPairBytes = 2 * sizeof(std::int16_t);
  for (std::int64_t i = 0; i < count; ++i, elements += kUnpackedWeights, scales += kBlockElements) {
    for (std::uint32_t channel = 0; channel < kBlockElements; ++channel, in += kBlockBytes) {
      std::int16_t block[kUnpackedElements];
      store_elements(in, block);
      for (std::uint32_t pair = 0; pair < isa::mx::kPairs; ++pair) {
        __builtin_memcpy(elements + (std::size_t{pair} * kBlockElements + channel) * 2, block + std::size_t{pair} * 2, kPairBytes);
      }
      scales[channel] = kScales.of[byte_at(in, 0)];
      widen(range, byte_at(in, 0));
    }
  }
}

/// Computes the products in double precision, which holds them for all exponents, and rounds once to FP32.
void accumulate_any(const Accumulation &a) {
  for (std::uint32_t g = 0; g < a.groups; ++g) {
    for (std::uint32_t p = 0; p < a.pixels; ++p) {
      float *__restrict sums = a.sums + (std::size_t{g} * a.pixels + p) * kBlockElements;
      for (std::uint32_t t = 0; t < a.tap_count; ++t) {
        for (std::uint32_t c = 0; c < a.blocks; ++c) {
          const std::int64_t input = a.corners[p] + a.taps[t].input + c;
          const std::int64_t weight = g * a.group_blocks + a.taps[t].weights + c;
          const std::int16_t *x = a.inputs + input * kUnpackedElements;
          const std::int16_t *w = a.weights + weight * kUnpackedWeights;
          const double scale = a.input_scales[input];
          const float *scales = a.weight_scales + weight * kBlockElements;
          std::int32_t dots[kBlockElements] = {};
          for (std::size_t pair = 0; pair < isa::mx::kPairs; ++pair, w += std::size_t{2} * kBlockElements) {
            const std::int32_t x0 = x[2 * pair], x1 = x[2 * pair + 1];
            for (std::size_t k = 0; k < kBlockElements; ++k) dots[k] += x0 * w[2 * k] + x1 * w[2 * k + 1];
          }
          for (std::uint32_t k = 0; k < kBlockElements; ++k) {
            const auto product = static_cast<float>(dots[k] * (scales[k] * scale));
            sums[k] = sums[k] + product;
          }
        }
      }
    }
  }
}

/// Writes the 16 numbers of a block.
void store_values(const std::byte *block, float *out) {
  const float scale = kScales.of[byte_at(block, 0)];
#if defined(__AVX512F__)
  const __m512 values = _mm512_cvtepi32_ps(_mm512_cvtepi16_epi32(unpack_elements(block)));
  _mm512_storeu_ps(out, _mm512_mul_ps(values, _mm512_set1_ps(scale)));
#elif defined(__AVX2__)
  const __m256i elements = unpack_elements(block);
  const __m256 low = _mm256_cvtepi32_ps(_mm256_cvtepi16_epi32(_mm256_castsi256_si128(elements)));
  const __m256 high = _mm256_cvtepi32_ps(_mm256_cvtepi16_epi32(_mm256_extracti128_si256(elements, 1)));
  _mm256_storeu_ps(out, _mm256_mul_ps(low, _mm256_set1_ps(scale)));
  _mm256_storeu_ps(out + kBlockElements / 2, _mm256_mul_ps(high, _mm256_set1_ps(scale)));
#else
  std::int16_t elements[kUnpackedElements];
  store_elements(block, elements);
  for (std::uint32_t i = 0; i < kBlockElements; ++i) out[i] = static_cast<float>(elements[i]) * scale;
#endif
}

void dequantise(const std::byte *in, std::uint32_t blocks, float *out) {
  for (std::uint32_t b = 0; b < blocks; ++b) store_values(in + std::size_t{b} * kBlockBytes, out + std::size_t{b} * kBlockElements);
}

/// Each file that includes this header defines quantise().
void quantise(const float *in, std::uint32_t blocks, std::byte *out);

void sigmoid(float *x, std::uint32_t count) {
  for (std::uint32_t i = 0; i < count; ++i) x[i] = isa::numbers::sigmoid(x[i]);
}

/// `count` is a multiple of 16.
void silu(float *x, std::uint32_t count) {
  for (std::uint32_t done = 0; done < count; done += kBlockElements, x += kBlockElements) {
    float gates[kBlockElements];
    for (std::uint32_t i = 0; i < kBlockElements; ++i) gates[i] = isa::numbers::sigmoid(x[i]);
    for (std::uint32_t i = 0; i < kBlockElements; ++i) x[i] = x[i] * gates[i];
  }
}

void relu(float *x, std::uint32_t count) {
  for (std::uint32_t i = 0; i < count; ++i) x[i] = x[i] <= 0.0F ? 0.0F : x[i];  // a NaN stays
}

void finish(float *sums, std::uint32_t count, const float *__restrict biases, isa::mx::Activation activation, std::byte *out) {
  for (std::size_t b = 0; b < count; ++b) {
    for (std::uint32_t k = 0; k < kBlockElements; ++k) sums[b * kBlockElements + k] = sums[b * kBlockElements + k] + biases[k];
  }
  if (activation == isa::mx::Activation::SiLU) silu(sums, count * kBlockElements);
  if (activation == isa::mx::Activation::ReLU) relu(sums, count * kBlockElements);
  quantise(sums, count, out);
}

void softmax(float *x, std::uint32_t blocks) {
  for (std::size_t b = 0; b < blocks; ++b) {
    float largest = x[b * kBlockElements];
    for (std::uint32_t i = 1; i < kBlockElements; ++i) {
      largest = x[b * kBlockElements + i] > largest ? x[b * kBlockElements + i] : largest;
    }
    for (std::uint32_t i = 0; i < kBlockElements; ++i) x[b * kBlockElements + i] = x[b * kBlockElements + i] - largest;
  }
  for (std::uint32_t i = 0; i < blocks * kBlockElements; ++i) x[i] = isa::numbers::clamped_exponential(x[i]);
  for (std::size_t b = 0; b < blocks; ++b) {
    float sum = 0.0F;
    for (std::uint32_t i = 0; i < kBlockElements; ++i) sum = sum + x[b * kBlockElements + i];
    for (std::uint32_t i = 0; i < kBlockElements; ++i) x[b * kBlockElements + i] = x[b * kBlockElements + i] / sum;
  }
}

void elementwise(const isa::mx::Elementwise &operation, const std::byte *in1, const std::byte *in2, std::byte *out) {
  using Function = isa::mx::ElementwiseFunction;
  alignas(64) float x[kChunkBlocks * kBlockElements];
  alignas(64) float y[kChunkBlocks * kBlockElements];
  const float immediate = __builtin_bit_cast(float, std::uint32_t{operation.immediate} << 16);
  const bool two = takes_two_tensors(operation.function);
  for (std::uint32_t done = 0; done < operation.blocks;) {
    const std::uint32_t blocks = operation.blocks - done < kChunkBlocks ? operation.blocks - done : kChunkBlocks;
    const std::uint32_t count = blocks * kBlockElements;
    const std::size_t offset = std::size_t{done} * kBlockBytes;
    dequantise(in1 + offset, blocks, x);
    if (two) dequantise(in2 + offset, blocks, y);
    switch (operation.function) {
      case Function::add:
        for (std::uint32_t i = 0; i < count; ++i) x[i] = x[i] + y[i];
        break;
      case Function::multiply:
        for (std::uint32_t i = 0; i < count; ++i) x[i] = x[i] * y[i];
        break;
      case Function::scale:
        for (std::uint32_t i = 0; i < count; ++i) x[i] = x[i] * immediate;
        break;
      case Function::sigmoid: sigmoid(x, count); break;
      case Function::softmax: softmax(x, blocks); break;
    }
    quantise(x, blocks, out + offset);
    done += blocks;
  }
}

template <bool kAverage>
void pool_row(const PoolRow &row) {
  for (std::uint32_t column = 0; column < row.out_width; ++column) {
    const std::int64_t first = std::int64_t{column} * row.stride - row.padding;
    const std::int64_t begin = first < 0 ? 0 : first;
    const std::int64_t end = first + row.kernel < row.width ? first + row.kernel : row.width;
    float state[kBlockElements];
    for (float &value : state) value = kAverage ? 0.0F : -__builtin_inff();
    for (std::uint32_t r = 0; r < row.row_count; ++r) {
      const float *in = row.rows[r] + begin * kBlockElements;
      for (std::int64_t x = begin; x < end; ++x, in += kBlockElements) {
        for (std::uint32_t i = 0; i < kBlockElements; ++i) {
          if constexpr (kAverage) {
            state[i] = state[i] + in[i];
          } else {
            const float larger = in[i] > state[i] ? in[i] : state[i];  // keeps a NaN in `state`, because every comparison with it is false
            state[i] = in[i] == in[i] ? larger : in[i];
          }
        }
      }
    }
    const auto count = static_cast<float>((end - begin) * row.row_count);
    float *out = row.out + std::size_t{column} * kBlockElements;
    for (std::uint32_t i = 0; i < kBlockElements; ++i) out[i] = kAverage ? state[i] / count : state[i];
  }
}

void pool_row(const PoolRow &row) { row.average ? pool_row<true>(row) : pool_row<false>(row); }

}  // namespace
}  // namespace cox::model::mx
