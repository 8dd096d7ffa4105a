// SPDX-License-Identifier: MIT
// Random MX operations. Their operands have any alignment and end at the end of their memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <random>
#include <vector>

#include "sim/model/mx/arithmetic/execute.h"

namespace cox::test {

class Random {
 public:
  explicit Random(std::uint32_t seed) : engine_(seed) {}

  std::uint32_t in(std::uint32_t low, std::uint32_t high) { return std::uniform_int_distribution<std::uint32_t>(low, high)(engine_); }
  bool one_of(std::uint32_t n) { return in(1, n) == 1; }
  float normal() { return normal_(engine_); }
  std::byte byte() { return static_cast<std::byte>(engine_()); }

 private:
  std::mt19937 engine_;
  std::normal_distribution<float> normal_;
};

/// Bytes at the end of an allocation, so that a sanitizer sees an access past the end.
class Bytes {
 public:
  Bytes() = default;
  Bytes(Random &random, std::uint64_t size) : offset_(random.in(0, 17)), memory_(offset_ + size) {
    for (std::byte &byte : memory_) byte = std::byte{0xA5};
  }

  [[nodiscard]] std::byte *data() { return size() == 0 ? nullptr : memory_.data() + offset_; }
  [[nodiscard]] const std::byte *data() const { return size() == 0 ? nullptr : memory_.data() + offset_; }
  [[nodiscard]] std::size_t size() const { return memory_.size() - offset_; }
  friend bool operator==(const Bytes &a, const Bytes &b) {
    return a.size() == b.size() && std::equal(a.memory_.begin() + static_cast<std::ptrdiff_t>(a.offset_), a.memory_.end(),
                                              b.memory_.begin() + static_cast<std::ptrdiff_t>(b.offset_));
  }

 private:
  std::size_t offset_ = 0;
  std::vector<std::byte> memory_;
};

/// The kind of random blocks in a tensor.
enum class Style : std::uint8_t {
  usual,    ///< quantised normal numbers
  varied,   ///< a wide range of exponents; the products stay finite
  extreme,  ///< any exponents
  nan,      ///< as usual, but some blocks are NaN, and some have exponent E = 0 and are random otherwise
  noise,    ///< any bytes
};

void fill(Random &random, Bytes &blocks, Style style);
Style random_style(Random &random);

struct Case {
  isa::mx::Operation operation;
  Bytes input1, input2, weights;
  std::size_t output1_bytes = 0, output2_bytes = 0;
};

struct Shape {
  std::uint32_t input_blocks = 1, output_blocks = 1, height = 1, width = 1, kernel = 1, stride = 1, padding = 0;
  isa::mx::Activation activation = isa::mx::Activation::None;
  bool split = false;
};

Case convolution(Random &random, const Shape &shape, Style inputs, Style weights);
Case random_convolution(Random &random);
Case random_elementwise(Random &random, isa::mx::ElementwiseFunction function);
Case random_pool(Random &random, bool average);
Case random_move(Random &random);

struct Outputs {
  Bytes output1, output2;
  friend bool operator==(const Outputs &, const Outputs &) = default;
};

/// Outputs before the operation: all bytes are 0xA5.
Outputs fresh_outputs(Random &random, const Case &test_case);
model::mx::Operands operands_of(const Case &test_case, Outputs &outputs);

}  // namespace cox::test
