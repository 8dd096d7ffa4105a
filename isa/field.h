// SPDX-License-Identifier: MIT
// What an instruction set's table is made of: fields, enumerations, instructions. Freestanding and constexpr: the encoder, the decoder, the
// printer, the assembler, the range checks and the ISA page of the docs are all derived from such tables.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace cox::isa {

enum class Kind : std::uint8_t {
  integer,         ///< two's complement where the minimum is negative, else unsigned
  floating_point,  ///< IEEE 754 binary32, 32 bits wide
  bfloat16,        ///< the upper 16 bits of an IEEE 754 binary32; read and written as its bits
  boolean,         ///< one bit, printed true and false
  enumeration,     ///< printed by name
};

/// A sentence for people: what an instruction or a field is for. Nobody reads it on the control core, where it takes no memory.
#if defined(COX_ISA_WITHOUT_MEANINGS)
struct Meaning {
  constexpr Meaning(const char * /*text*/) {}  // NOLINT(google-explicit-constructor): tables say it as text
};
#else
using Meaning = const char *;
#endif

struct EnumValue {
  const char *name;
  std::int32_t value;
};

struct EnumType {
  const char *name;
  std::span<const EnumValue> values;

  /// The entry with that value or name, or nullptr.
  [[nodiscard]] constexpr const EnumValue *find(std::int64_t value) const {
    for (const EnumValue &entry : values) {
      if (entry.value == value) return &entry;
    }
    return nullptr;
  }
  [[nodiscard]] constexpr const EnumValue *find(std::string_view name_wanted) const {
    for (const EnumValue &entry : values) {
      if (name_wanted == entry.name) return &entry;
    }
    return nullptr;
  }
};

/// One parameter of an instruction: `count` elements of `width` bits each, side by side from bit `bit` up.
struct Field {
  const char *name;
  std::uint16_t bit;
  std::uint8_t width;
  std::uint8_t count;
  Kind kind;
  std::int64_t minimum;  ///< integers: smallest legal value
  std::int64_t maximum;  ///< integers: largest legal value
  /// Enumerations: the type of each element. A field of several elements of one type names it once.
  const EnumType *types[2];
  Meaning meaning;
  /// The text form may leave it out where its bits are 0: what the published description does not have.
  bool optional = false;

  [[nodiscard]] constexpr const EnumType *type_of(unsigned element) const {
    return element == 1 && types[1] != nullptr ? types[1] : types[0];
  }
  [[nodiscard]] constexpr unsigned bit_of(unsigned element) const { return bit + element * width; }
};

}  // namespace cox::isa
