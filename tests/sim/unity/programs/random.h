// SPDX-License-Identifier: MIT
// Random numbers that depend on nothing but the seed.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <random>
#include <vector>

#include "coxswain/isa/unity/units.h"

namespace cox::test::unity_programs {

class Random {
 public:
  explicit Random(std::uint64_t seed) : generator_(seed) {}

  std::uint64_t bits() { return generator_(); }
  /// A number from `first` to `last`.
  std::int64_t between(std::int64_t first, std::int64_t last) {
    return first + static_cast<std::int64_t>(bits() % (static_cast<std::uint64_t>(last - first) + 1));
  }
  /// A number from 1 to `most`.
  std::uint32_t size(std::uint32_t most) { return 1 + static_cast<std::uint32_t>(bits() % most); }
  /// A number below `end`.
  std::size_t below(std::size_t end) { return static_cast<std::size_t>(bits() % end); }
  bool chance(unsigned percent) { return bits() % 100 < percent; }
  template <typename Value>
  Value one_of(std::initializer_list<Value> values) {
    return values.begin()[below(values.size())];
  }
  template <typename Value>
  const Value &one_of(const std::vector<Value> &values) {
    return values[below(values.size())];
  }

  isa::unity::Unit unit() { return static_cast<isa::unity::Unit>(below(isa::unity::kUnits)); }
  isa::unity::Unit integer() { return static_cast<isa::unity::Unit>(below(10)); }
  isa::unity::Unit real() { return static_cast<isa::unity::Unit>(10 + below(3)); }

 private:
  std::mt19937_64 generator_;
};

}  // namespace cox::test::unity_programs
