// SPDX-License-Identifier: MIT
// Reads operations as 32-bit words from standard input. The NumPy scripts of this folder write them.
#pragma once

#include <cstdio>
#include <cstring>
#include <vector>

#include "core_memory.h"

namespace cox::test {

class Case {
 public:
  /// Reads the next operation. Returns false at the end of the input.
  [[nodiscard]] bool read() {
    std::int32_t count = 0;
    if (std::fread(&count, sizeof count, 1, stdin) != 1) return false;
    words_.resize(static_cast<std::size_t>(count));
    next_ = 0;
    return std::fread(words_.data(), sizeof(std::int32_t), words_.size(), stdin) == words_.size();
  }
  std::int32_t integer() { return next_ < words_.size() ? words_[next_++] : 0; }
  std::uint32_t size() { return static_cast<std::uint32_t>(integer()); }
  std::uint8_t byte() { return static_cast<std::uint8_t>(integer()); }
  bool flag() { return integer() != 0; }
  template <typename Enumeration>
  Enumeration name() {
    return static_cast<Enumeration>(integer());
  }
  float real() {
    const std::int32_t bits = integer();
    float value = 0;
    std::memcpy(&value, &bits, sizeof value);
    return value;
  }
  isa::tile::Scalar scalar() {
    const float value = real();
    return {value, static_cast<std::int8_t>(integer())};
  }
  Map map(std::int64_t base) {
    const auto format = name<DataFmt>();
    const bool is_signed = flag();
    const std::uint32_t channels = size();
    const std::uint32_t height = size();
    Map map = padded_map(format, channels, height, size(), base);
    map.format.is_signed = is_signed;
    return map;
  }
  void bytes(std::byte *to, std::int64_t count) {
    for (std::int64_t i = 0; i < count; i += 4) {
      const std::int32_t word = integer();
      std::memcpy(to + i, &word, sizeof word);
    }
  }

 private:
  std::vector<std::int32_t> words_;
  std::size_t next_ = 0;
};

}  // namespace cox::test
