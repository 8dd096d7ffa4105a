// SPDX-License-Identifier: MIT
// Random numbers of the tests of the PIM arithmetic.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <random>
#include <span>

namespace cox::test {

class Random {
 public:
  explicit Random(std::uint32_t seed) : engine_(seed) {}

  std::uint32_t in(std::uint32_t low, std::uint32_t high) { return std::uniform_int_distribution<std::uint32_t>(low, high)(engine_); }
  bool one_of(std::uint32_t n) { return in(1, n) == 1; }
  std::uint32_t word() { return static_cast<std::uint32_t>(engine_()); }
  template <typename T>
  T of(std::initializer_list<T> values) {
    return values.begin()[in(0, static_cast<std::uint32_t>(values.size()) - 1)];
  }
  std::uint8_t width() { return of<std::uint8_t>({1, 2, 4, 8, 16, 32}); }

  /// Random bytes. One time in four, all numbers in them are extreme ones of their width.
  void fill(std::span<std::byte> bytes) {
    const bool extreme = one_of(4);
    for (std::size_t i = 0; i < bytes.size(); i += 4) {
      const std::uint32_t number =
          extreme ? of({0U, 0x80000000U, 0x7FFFFFFFU, 0xFFFFFFFFU, 0x80808080U, 0x7F7F7F7FU, 0x80008000U}) : word();
      for (std::size_t j = i; j < bytes.size() && j < i + 4; ++j) bytes[j] = static_cast<std::byte>(number >> (8 * (j - i)));
    }
  }

 private:
  std::mt19937 engine_;
};

}  // namespace cox::test
