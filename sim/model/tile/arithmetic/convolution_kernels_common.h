// SPDX-License-Identifier: MIT
// The loops of ConvolutionKernels. Like kernels_common.h, this is included by one source file for each instruction set and has internal
// linkage there.
#pragma once

#if defined(__AVX2__)
#include <immintrin.h>
#endif

#include "sim/model/tile/arithmetic/conversion_kernels.h"
#include "sim/model/tile/arithmetic/convolution_kernels.h"

namespace cox::model::arithmetic {
namespace {

#if defined(__AVX512F__)
constexpr std::int64_t kVectorBytes = 64;
constexpr std::uint32_t kTilePixels = 4;
#elif defined(__AVX2__)
constexpr std::int64_t kVectorBytes = 32;
constexpr std::uint32_t kTilePixels = 2;
#else
constexpr std::int64_t kVectorBytes = 16;
constexpr std::uint32_t kTilePixels = 1;
#endif

template <typename Number>
struct Lanes {
  static constexpr std::uint32_t kCount = kVectorBytes / sizeof(Number);
  typedef Number Vector __attribute__((vector_size(kVectorBytes)));

  static Vector load(const Number *from) {
    Vector vector;
    __builtin_memcpy(&vector, from, sizeof vector);
    return vector;
  }
  static void store(const Vector &vector, Number *to) { __builtin_memcpy(to, &vector, sizeof vector); }
};

Lanes<float>::Vector product(const Lanes<float>::Vector &a, const Lanes<float>::Vector &b) { return a * b; }

/// Both operands must be sign-extended from 32 bits.
Lanes<std::uint64_t>::Vector product(const Lanes<std::uint64_t>::Vector &a, const Lanes<std::uint64_t>::Vector &b) {
#if defined(__AVX512F__)
  return (Lanes<std::uint64_t>::Vector)_mm512_maskz_mul_epi32(0xFF, (__m512i)a, (__m512i)b);
#elif defined(__AVX2__)
  return (Lanes<std::uint64_t>::Vector)_mm256_mul_epi32((__m256i)a, (__m256i)b);
#else
  return a * b;
#endif
}

template <typename Number, std::uint32_t kPixels>
void accumulate_words_tile(const WordAccumulation<Number> &a, std::uint32_t first) {
  using Vector = typename Lanes<Number>::Vector;
  constexpr std::uint32_t kVectors = kWordKernels / Lanes<Number>::kCount;
  // Number of vectors of sums to compute together: as many as fit into registers.
  constexpr std::uint32_t kTogether = kVectors < 4 ? kVectors : 4;
  for (std::uint32_t v = 0; v < kVectors; v += kTogether) {
    Vector sums[kPixels][kTogether];
#pragma GCC unroll 8
    for (std::uint32_t p = 0; p < kPixels; ++p) {
#pragma GCC unroll 8
      for (std::uint32_t i = 0; i < kTogether; ++i)
        sums[p][i] = Lanes<Number>::load(a.sums + (first + p) * kWordKernels + (v + i) * Lanes<Number>::kCount);
    }
    const Number *weights = a.weights + v * Lanes<Number>::kCount;
    for (std::uint32_t t = 0; t < a.tap_count; ++t) {
      for (std::uint32_t c = 0; c < a.channels; ++c, weights += kWordKernels) {
        Vector line[kTogether];
#pragma GCC unroll 8
        for (std::uint32_t i = 0; i < kTogether; ++i) line[i] = Lanes<Number>::load(weights + i * Lanes<Number>::kCount);
#pragma GCC unroll 8
        for (std::uint32_t p = 0; p < kPixels; ++p) {
          const Vector source = Vector{} + a.pixels[first + p][a.taps[t] + c];
#pragma GCC unroll 8
          for (std::uint32_t i = 0; i < kTogether; ++i) sums[p][i] = sums[p][i] + product(source, line[i]);
        }
      }
    }
#pragma GCC unroll 8
    for (std::uint32_t p = 0; p < kPixels; ++p) {
#pragma GCC unroll 8
      for (std::uint32_t i = 0; i < kTogether; ++i)
        Lanes<Number>::store(sums[p][i], a.sums + (first + p) * kWordKernels + (v + i) * Lanes<Number>::kCount);
    }
  }
}

template <typename Number>
void accumulate_words(const WordAccumulation<Number> &a) {
  std::uint32_t done = 0;
  for (; done + kTilePixels <= a.pixel_count; done += kTilePixels) accumulate_words_tile<Number, kTilePixels>(a, done);
  for (; done < a.pixel_count; ++done) accumulate_words_tile<Number, 1>(a, done);
}

template <typename Number>
void depthwise_words(const WordDepthwise<Number> &d) {
  for (std::int64_t lane = 0; lane < d.lanes; lane += Lanes<Number>::kCount) {
    auto sums = Lanes<Number>::load(d.sums + lane);
    for (std::uint32_t t = 0; t < d.tap_count; ++t) {
      sums = sums + product(Lanes<Number>::load(d.pixel + d.taps[t] + lane), Lanes<Number>::load(d.weights + t * d.lanes + lane));
    }
    Lanes<Number>::store(sums, d.sums + lane);
  }
}

/// Multiplies bytes by weights, which are 16-bit numbers in the range of a byte. The products fit into 16 bits, even -128 * -128. Uses AVX2
/// intrinsics if possible, because the compiler makes three times as many instructions from vector types.
struct FewLanes {
  static constexpr std::int64_t kCount = kByteLanes;
  typedef std::int8_t Bytes __attribute__((vector_size(kByteLanes)));
  typedef std::int16_t Halves __attribute__((vector_size(2 * kByteLanes)));
  typedef std::int32_t Words __attribute__((vector_size(4 * kByteLanes)));
  typedef std::uint32_t Sums __attribute__((vector_size(4 * kByteLanes)));  // unsigned, because they wrap

  static void add_products(const std::int8_t *source, const std::int16_t *weights, Sums &sums) {
#if defined(__AVX2__)
    const __m128i wide = _mm_cvtepi8_epi16(_mm_loadl_epi64(reinterpret_cast<const __m128i *>(source)));
    sums = sums + (Sums)_mm256_cvtepi16_epi32(_mm_mullo_epi16(wide, _mm_loadu_si128(reinterpret_cast<const __m128i *>(weights))));
#else
    Bytes bytes;
    Halves factors;
    __builtin_memcpy(&bytes, source, sizeof bytes);
    __builtin_memcpy(&factors, weights, sizeof factors);
    const Halves halves = __builtin_convertvector(bytes, Halves) * factors;
    sums = sums + (Sums) __builtin_convertvector(halves, Words);
#endif
  }
};

#if defined(__AVX512F__)
struct ManyLanes {
  static constexpr std::int64_t kCount = 2 * kByteLanes;
  typedef std::uint32_t Sums __attribute__((vector_size(8 * kByteLanes)));

  static void add_products(const std::int8_t *source, const std::int16_t *weights, Sums &sums) {
    const __m256i wide = _mm256_cvtepi8_epi16(_mm_loadu_si128(reinterpret_cast<const __m128i *>(source)));
    const __m256i halves = _mm256_mullo_epi16(wide, _mm256_loadu_si256(reinterpret_cast<const __m256i *>(weights)));
    sums = sums + (Sums)_mm512_maskz_cvtepi16_epi32(0xFFFF, halves);
  }
};
#else
using ManyLanes = FewLanes;
#endif

template <typename Width>
void depthwise_bytes_at(const ByteDepthwise &d, std::int64_t lane) {
  typename Width::Sums sums;
  __builtin_memcpy(&sums, d.sums + lane, sizeof sums);
  const std::int8_t *source = d.pixel + lane;
  const std::int16_t *weights = d.weights + lane;
  for (std::uint32_t t = 0; t < d.tap_count; ++t, weights += d.lanes) Width::add_products(source + d.taps[t], weights, sums);
  __builtin_memcpy(d.sums + lane, &sums, sizeof sums);
}

void depthwise_bytes(const ByteDepthwise &d) {
  std::int64_t lane = 0;
  for (; lane + ManyLanes::kCount <= d.lanes; lane += ManyLanes::kCount) depthwise_bytes_at<ManyLanes>(d, lane);
  for (; lane < d.lanes; lane += FewLanes::kCount) depthwise_bytes_at<FewLanes>(d, lane);
}

/// Applies the activation. A NaN fails every comparison and so stays unchanged.
void activate(const Finish &finish, std::uint32_t first, std::uint32_t count, float *values) {
  const float parameter = finish.parameter;
  switch (finish.activation) {
    case isa::tile::ActMode::DISABLE: return;
    case isa::tile::ActMode::SILU:
      for (std::uint32_t i = 0; i < count; ++i) values[i] = look_up(finish.table, values[i]);
      return;
    case isa::tile::ActMode::RELU:
      for (std::uint32_t i = 0; i < count; ++i) values[i] = values[i] < 0.0f ? 0.0f : values[i];
      return;
    case isa::tile::ActMode::RELUX:
      for (std::uint32_t i = 0; i < count; ++i) {
        const float below = values[i] > parameter ? parameter : values[i];
        values[i] = values[i] < 0.0f ? 0.0f : below;
      }
      return;
    case isa::tile::ActMode::LEAKY_RELU:
      for (std::uint32_t i = 0; i < count; ++i) {
        const float product = values[i] * parameter;
        values[i] = values[i] < 0.0f ? product : values[i];
      }
      return;
    case isa::tile::ActMode::PRELU:
      for (std::uint32_t i = 0; i < count; ++i) {
        const float product = values[i] * finish.slope[first + i];
        values[i] = values[i] < 0.0f ? product : values[i];
      }
      return;
  }
}

void dequantise(const Finish &finish, std::uint32_t count, float *values) {
  constexpr float kLow[] = {0, -128, -32768, -65504};
  constexpr float kHigh[] = {0, 127, 32767, 65504};
  for (std::uint32_t i = 0; i < count; ++i) {
    const float scaled = values[i] * finish.dequantisation_scale;
    values[i] = scaled + finish.dequantisation_zero_point;
  }
  if (finish.clip == 0) return;
  const float low = kLow[finish.clip];
  const float high = kHigh[finish.clip];
  for (std::uint32_t i = 0; i < count; ++i) {
    const float above = values[i] < low ? low : values[i];
    values[i] = above > high ? high : above;
  }
}

float real_sum(std::int32_t sum) { return static_cast<float>(sum); }
float real_sum(std::uint64_t sum) { return static_cast<float>(static_cast<std::int64_t>(sum)); }
float real_sum(float sum) { return sum; }

template <typename Sum>
void finish_sums(const Sum *__restrict sums, std::uint32_t first, std::uint32_t count, const Finish &finish, void *out) {
  float values[kFinished];
  const float *__restrict scale = finish.scale + first;
  const float *__restrict bias = finish.bias + first;
  if (!finish.dequantise && finish.activation == isa::tile::ActMode::RELU) {
    for (std::uint32_t i = 0; i < count; ++i) {
      const float scaled = real_sum(sums[i]) * scale[i];
      const float value = scaled + bias[i];
      values[i] = value < 0.0f ? 0.0f : value;
    }
    return store_elements(values, count, finish.storage, out);
  }
  if (!finish.dequantise) {
    for (std::uint32_t i = 0; i < count; ++i) {
      const float scaled = real_sum(sums[i]) * scale[i];
      values[i] = scaled + bias[i];
    }
  } else {
    for (std::uint32_t i = 0; i < count; ++i) values[i] = real_sum(sums[i]);
    dequantise(finish, count, values);
    for (std::uint32_t i = 0; i < count; ++i) {
      const float scaled = values[i] * scale[i];
      values[i] = scaled + bias[i];
    }
  }
  activate(finish, first, count, values);
  store_elements(values, count, finish.storage, out);
}

constexpr ConvolutionKernels kConvolutionKernels{depthwise_bytes,
                                                 depthwise_words<float>,
                                                 depthwise_words<std::uint64_t>,
                                                 accumulate_words<float>,
                                                 accumulate_words<std::uint64_t>,
                                                 finish_sums<std::int32_t>,
                                                 finish_sums<std::uint64_t>,
                                                 finish_sums<float>};

}  // namespace
}  // namespace cox::model::arithmetic
