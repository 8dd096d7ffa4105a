// SPDX-License-Identifier: MIT
// A quick test of an instruction's fields (InstructionSet::check()). The compiler turns the ranges of each row of the table into a few
// tests of whole words. An instruction that passes all tests of its row has no field out of range.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>

#include "coxswain/isa/field.h"
#include "coxswain/isa/machine_code.h"

namespace cox::isa::detail {

/// What a test requires of a word.
enum class Requirement : std::uint8_t {
  nonzero_lanes,  ///< no lane is zero. A lane has `shift` + 1 bits, and `mask` has its highest bit
  nonzero_lack,   ///< some bit of `mask` is 0: the number is finite
  zero,           ///< all bits of `mask` are 0
  member,         ///< bit n of `mask` is 1, where n are the five bits from bit `shift` on, without those beyond `width`
  never,          ///< no instruction passes: the field needs the complete check
};

struct ScreenTest {
  std::uint8_t word = 0;
  Requirement requirement = Requirement::never;
  std::uint8_t shift = 0;
  std::uint8_t width = 0;
  std::uint32_t mask = 0;

  [[nodiscard]] constexpr bool passes(std::uint32_t value) const {
    switch (requirement) {
      case Requirement::nonzero_lanes: return ((value - (mask >> shift)) & ~value & mask) == 0;
      case Requirement::nonzero_lack: return (~value & mask) != 0;
      case Requirement::zero: return (value & mask) == 0;
      case Requirement::member: return (mask >> ((value >> shift) & ((1U << width) - 1)) & 1) != 0;
      case Requirement::never: break;
    }
    return false;
  }
};

/// Returns a mask of the `width` lowest bits, at most 32.
constexpr std::uint32_t low_bits(unsigned width) { return static_cast<std::uint32_t>((std::uint64_t{1} << width) - 1); }

/// Returns the values of a field of at most five bits that are in range, one bit each.
constexpr std::uint32_t members(const Field &field, unsigned element) {
  std::uint32_t legal = 0;
  for (std::int64_t value = 0; value < std::int64_t{1} << field.width; ++value) {
    const bool in =
        field.kind == Kind::enumeration ? field.type_of(element)->find(value) != nullptr : value >= field.minimum && value <= field.maximum;
    if (in) legal |= 1U << value;
  }
  return legal;
}

/// Returns true if every bit pattern of the element is in range.
template <typename Traits>
constexpr bool needs_no_test(const Field &field, unsigned element) {
  switch (field.kind) {
    case Kind::boolean: return field.width == 1;
    case Kind::floating_point: return !Traits::kFiniteFloats;
    case Kind::enumeration: return field.width <= 5 && members(field, element) == low_bits(1U << field.width);
    case Kind::integer:
    case Kind::bfloat16: break;
  }
  const bool is_signed = field.kind == Kind::integer && field.minimum < 0;
  const std::int64_t lowest = is_signed ? -(std::int64_t{1} << (field.width - 1)) : 0;
  return field.minimum <= lowest && field.maximum >= lowest + (std::int64_t{1} << field.width) - 1;
}

/// Returns the test of an element that needs one.
constexpr ScreenTest test_of(const Field &field, unsigned element) {
  const unsigned bit = field.bit_of(element), shift = bit % 32, width = field.width;
  ScreenTest test{.word = static_cast<std::uint8_t>(bit / 32), .shift = static_cast<std::uint8_t>(shift)};
  if (shift + width > 32) return test;
  const std::int64_t most = (std::int64_t{1} << width) - 1;
  const bool whole = field.kind == Kind::integer && field.minimum >= 0;
  if (field.kind == Kind::floating_point) {
    test.requirement = Requirement::nonzero_lack;
    test.mask = 0x7F800000U << shift;
  } else if (whole && field.minimum == 1 && field.maximum >= most && width > 1) {
    test.requirement = Requirement::nonzero_lanes;
    test.shift = static_cast<std::uint8_t>(width - 1);
    test.mask = 1U << (shift + width - 1);
  } else if (whole && field.minimum == 0 && std::has_single_bit(static_cast<std::uint64_t>(field.maximum) + 1)) {
    test.requirement = Requirement::zero;
    test.mask = (low_bits(width) & ~static_cast<std::uint32_t>(field.maximum)) << shift;
  } else if (width <= 5 && (whole || field.kind == Kind::enumeration)) {
    test.requirement = Requirement::member;
    test.width = static_cast<std::uint8_t>(width);
    test.mask = members(field, element);
  }
  return test;
}

/// Returns true if one test can do the work of both, because they look at the same word in the same way.
constexpr bool can_join(const ScreenTest &a, const ScreenTest &b) {
  if (a.word != b.word || a.requirement != b.requirement) return false;
  return a.requirement == Requirement::zero || (a.requirement == Requirement::nonzero_lanes && a.shift == b.shift);
}

/// Calls `visit(test)` for each test of the row.
template <typename Traits, typename Visit>
constexpr void for_each_test(const typename Traits::Instruction &row, Visit visit) {
  std::array<ScreenTest, 64> tests{};
  std::size_t count = 0;
  for (const Field &field : row.fields) {
    for (unsigned element = 0; element < field.count; ++element) {
      if (needs_no_test<Traits>(field, element)) continue;
      const ScreenTest test = test_of(field, element);
      std::size_t at = 0;
      while (at < count && !can_join(tests[at], test)) ++at;
      if (at == count) {
        tests[count++] = test;
      } else {
        tests[at].mask |= test.mask;
      }
    }
  }
  for (std::size_t i = 0; i < count; ++i) visit(tests[i]);
}

/// The tests of all rows, one row after the other. Row r has the tests from first[r] to first[r + 1] - 1.
template <typename Traits, std::size_t Tests>
struct Screen {
  std::array<std::uint16_t, std::size(Traits::kInstructions) + 1> first{};
  std::array<ScreenTest, Tests> tests{};

  [[nodiscard]] constexpr std::span<const ScreenTest> of(std::size_t row) const {
    return std::span<const ScreenTest>(tests).subspan(first[row], first[row + 1] - first[row]);
  }
};

template <typename Traits>
inline constexpr auto kScreen = [] {
  constexpr std::size_t kTests = [] {
    std::size_t count = 0;
    for (const auto &row : Traits::kInstructions) for_each_test<Traits>(row, [&](const ScreenTest &) { ++count; });
    return count;
  }();
  Screen<Traits, kTests> screen;
  std::uint16_t next = 0;
  for (std::size_t row = 0; row < std::size(Traits::kInstructions); ++row) {
    screen.first[row] = next;
    for_each_test<Traits>(Traits::kInstructions[row], [&](const ScreenTest &test) { screen.tests[next++] = test; });
  }
  screen.first.back() = next;
  return screen;
}();

}  // namespace cox::isa::detail
