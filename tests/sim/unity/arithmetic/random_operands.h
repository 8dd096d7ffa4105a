// SPDX-License-Identifier: MIT
// Random numbers and operands for the tests of the fast path.
#pragma once

#include <cstring>
#include <initializer_list>
#include <random>
#include <stdexcept>
#include <vector>

#include "tests/sim/unity/arithmetic/test_memory.h"

namespace cox::test::unity_operands {

class Random {
 public:
  explicit Random(unsigned seed) : generator_(seed) {}
  std::int64_t operator()(std::int64_t first, std::int64_t last) { return std::uniform_int_distribution(first, last)(generator_); }
  std::uint32_t size(std::uint32_t most) { return static_cast<std::uint32_t>((*this)(1, most)); }
  template <typename Value>
  Value one_of(std::initializer_list<Value> values) {
    return values.begin()[(*this)(0, static_cast<std::int64_t>(values.size()) - 1)];
  }

 private:
  std::mt19937 generator_;
};

/// Memory of random bytes, whose parts are handed out one after another.
class Bytes {
 public:
  explicit Bytes(Random &random, std::size_t size = std::size_t{1} << 19) : bytes_(size) {
    std::uint64_t state = static_cast<std::uint64_t>(random(1, INT64_MAX));
    for (std::byte &byte : bytes_) {
      state = state * 6364136223846793005U + 1442695040888963407U;
      byte = static_cast<std::byte>(state >> 56);
    }
  }
  std::uint64_t reserve(std::uint64_t count) {
    const std::uint64_t first = next_;
    next_ += (count + 15) / 8 * 8;
    if (next_ > bytes_.size()) throw std::length_error("too much memory for one case");
    return TestMemory::kBase + first;
  }
  void set(std::uint64_t address, std::byte value) { bytes_[address - TestMemory::kBase] = value; }
  void set(std::uint64_t address, std::uint32_t word) { std::memcpy(&bytes_[address - TestMemory::kBase], &word, sizeof word); }
  [[nodiscard]] TestMemory memory() const { return TestMemory(bytes_); }
  [[nodiscard]] const std::vector<std::byte> &all() const { return bytes_; }

 private:
  std::vector<std::byte> bytes_;
  std::uint64_t next_ = 0;
};

/// Gives a map dense strides: by channels, or as planes.
inline void set_dense(isa::unity::FeatureMap &map, bool planes) {
  const std::uint64_t size = isa::unity::nibbles_of(map.unit);
  if (planes) {
    map.column = size;
    map.row = (map.width * size + 1) / 2 * 2;
    map.channel = map.height * map.row;
  } else {
    map.channel = size;
    map.column = map.channels * size;
    map.row = (map.width * map.column + 1) / 2 * 2;
  }
}

/// Sets the size of a convolution's result, which follows from its other fields.
inline void set_result_size(isa::unity::Convolution &c) {
  const auto out = [](std::uint32_t size, std::uint32_t enlarge, std::uint32_t pads, std::uint32_t kernel, std::uint32_t rate,
                      std::uint32_t stride) { return ((size - 1) * enlarge + pads - (kernel - 1) * rate) / stride + 1; };
  c.result.height = out(c.source.height, c.enlarge_vertical, c.top + c.bottom, c.kernel.height, c.rate_vertical, c.stride_vertical);
  c.result.width = out(c.source.width, c.enlarge_horizontal, c.left + c.right, c.kernel.width, c.rate_horizontal, c.stride_horizontal);
  c.result.channels = c.kernel.number;
}

}  // namespace cox::test::unity_operands
