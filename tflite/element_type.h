// SPDX-License-Identifier: MIT
// Types of a tensor's elements, with the numbers that TensorFlow Lite gives them.
#pragma once

#include <cstdint>

namespace cox::tflite {

enum class ElementType : std::int8_t {
  float32 = 0,
  float16 = 1,
  int32 = 2,
  uint8 = 3,
  int64 = 4,
  string = 5,
  boolean = 6,
  int16 = 7,
  complex64 = 8,
  int8 = 9,
  float64 = 10,
  complex128 = 11,
  uint64 = 12,
  resource = 13,
  variant = 14,
  uint32 = 15,
  uint16 = 16,
  int4 = 17,
};

/// Returns the size of an element in bits, or 0 if the type is unknown or has no fixed size.
constexpr unsigned element_bits(ElementType type) {
  switch (type) {
    case ElementType::int4: return 4;
    case ElementType::uint8:
    case ElementType::boolean:
    case ElementType::int8: return 8;
    case ElementType::float16:
    case ElementType::int16:
    case ElementType::uint16: return 16;
    case ElementType::float32:
    case ElementType::int32:
    case ElementType::uint32: return 32;
    case ElementType::int64:
    case ElementType::complex64:
    case ElementType::float64:
    case ElementType::uint64: return 64;
    case ElementType::complex128: return 128;
    case ElementType::string:
    case ElementType::resource:
    case ElementType::variant: break;
  }
  return 0;
}

/// Returns the type's name, for example `int8`, or `unknown`.
constexpr const char *element_name(ElementType type) {
  constexpr const char *kNames[] = {"float32", "float16", "int32",      "uint8",  "int64",    "string",  "bool",   "int16",  "complex64",
                                    "int8",    "float64", "complex128", "uint64", "resource", "variant", "uint32", "uint16", "int4"};
  const auto number = static_cast<unsigned>(static_cast<std::uint8_t>(type));
  return number < sizeof(kNames) / sizeof(kNames[0]) ? kNames[number] : "unknown";
}

/// A range of integers. `least` > `most` for types that are no integers.
struct IntegerRange {
  std::int64_t least = 0, most = -1;
  [[nodiscard]] constexpr bool contains(std::int64_t value) const { return value >= least && value <= most; }
};

/// Returns the range of a signed or unsigned integer type of at most 64 bits; of uint64 its lower half.
constexpr IntegerRange range_of(ElementType type) {
  switch (type) {
    case ElementType::int4: return {-8, 7};
    case ElementType::int8: return {INT8_MIN, INT8_MAX};
    case ElementType::uint8: return {0, UINT8_MAX};
    case ElementType::int16: return {INT16_MIN, INT16_MAX};
    case ElementType::uint16: return {0, UINT16_MAX};
    case ElementType::int32: return {INT32_MIN, INT32_MAX};
    case ElementType::uint32: return {0, UINT32_MAX};
    case ElementType::int64: return {INT64_MIN, INT64_MAX};
    case ElementType::uint64: return {0, INT64_MAX};
    default: return {};
  }
}

}  // namespace cox::tflite
