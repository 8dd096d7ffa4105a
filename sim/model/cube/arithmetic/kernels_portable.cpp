// SPDX-License-Identifier: MIT
#include "coxswain/isa/numbers/float16.h"
#include "sim/model/cube/arithmetic/kernels_numbers.h"
#include "sim/model/cube/arithmetic/kernels_output.h"

namespace cox::model::cube {
namespace {

struct Real {
  struct Vector {
    float of[kSide];
  };
  static Vector load(const void *from) {
    Vector vector;
    __builtin_memcpy(&vector, from, sizeof vector);
    return vector;
  }
  static Vector begin(const void *from, const std::uint32_t * /*correction*/) { return load(from); }
  static float broadcast(const std::uint32_t *word) { return __builtin_bit_cast(float, *word); }
  static Vector multiply_add(float a, const Vector &b, const Vector &sum) {
    Vector result;
    for (std::uint32_t i = 0; i < kSide; ++i) result.of[i] = __builtin_fmaf(a, b.of[i], sum.of[i]);
    return result;
  }
  static void store(void *to, const Vector &sum) {
    std::uint32_t words[kSide];
    for (std::uint32_t i = 0; i < kSide; ++i) words[i] = sum.of[i] == sum.of[i] ? __builtin_bit_cast(std::uint32_t, sum.of[i]) : kFloatNan;
    __builtin_memcpy(to, words, sizeof words);
  }
  /// Converts 16 FP16 numbers to FP32.
  static void widen(const void *halves, void *out) {
    std::uint16_t from[kSide];
    __builtin_memcpy(from, halves, sizeof from);
    float numbers[kSide];
    for (std::uint32_t i = 0; i < kSide; ++i) numbers[i] = isa::numbers::half_to_float(from[i]);
    __builtin_memcpy(out, numbers, sizeof numbers);
  }
  /// Converts 16 pairs of FP16 numbers. Writes first the 16 lower numbers of the pairs, then the 16 upper ones.
  static void widen_pairs(const void *pairs, void *out) {
    std::uint16_t halves[2 * kSide], sorted[2 * kSide];
    __builtin_memcpy(halves, pairs, sizeof halves);
    for (std::uint32_t i = 0; i < 2 * kSide; ++i) sorted[i % 2 * kSide + i / 2] = halves[i];
    widen(sorted, out);
    widen(sorted + kSide, static_cast<float *>(out) + kSide);
  }
  static void narrow(const void *words, void *halves) {
    float from[kSide];
    __builtin_memcpy(from, words, sizeof from);
    std::uint16_t to[kSide];
    for (std::uint32_t i = 0; i < kSide; ++i) to[i] = isa::numbers::float_to_half(from[i]);
    __builtin_memcpy(halves, to, sizeof to);
  }
};

struct Whole {
  struct Vector {
    std::uint32_t of[kSide];
  };
  static Vector load(const void *from) {
    Vector vector;
    __builtin_memcpy(&vector, from, sizeof vector);
    return vector;
  }
  static Vector begin(const void *from, const std::uint32_t * /*correction*/) { return load(from); }
  static std::uint32_t broadcast(const std::uint32_t *word) { return *word; }
  static Vector multiply_add(std::uint32_t a, const Vector &b, const Vector &sum) {
    Vector result;
    for (std::uint32_t i = 0; i < kSide; ++i) result.of[i] = sum.of[i] + product(a, b.of[i]) + product(a >> 16, b.of[i] >> 16);
    return result;
  }
  static void store(void *to, const Vector &sum) { __builtin_memcpy(to, &sum, sizeof sum); }

 private:
  static std::uint32_t product(std::uint32_t a, std::uint32_t b) {
    return static_cast<std::uint32_t>(static_cast<std::int16_t>(a) * static_cast<std::int16_t>(b));
  }
};

struct Set {
  static constexpr std::uint32_t kRows = 4, kGroups = 1;
  using Bfloat16 = cube::Bfloat16<Real>;
  using Half = cube::Half<Real>;
  using Float = cube::Float<Real>;
  using Int8 = Int8Pairs<Whole>;
  using Int4 = Int4Pairs<Whole>;

  static void transpose(const std::byte *fractal, std::uint32_t *out) {
    std::uint32_t words[kFractalWords];
    __builtin_memcpy(words, fractal, sizeof words);
    for (std::uint32_t word = 0; word < kWords; ++word) {
      for (std::uint32_t i = 0; i < kSide; ++i) out[word * kSide + i] = words[i * kWords + word];
    }
  }
};

}  // namespace

const Kernels kPortableKernels{"portable", multiply<Set>, finish<Real>};

}  // namespace cox::model::cube
