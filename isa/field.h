// SPDX-License-Identifier: MIT
// Fields and enumerations, the parts of an instruction set's table. Encoder, decoder, printer, assembler, checks and the ISA pages of the
// documentation are made from such tables (isa/instruction_set.h). Freestanding and constexpr.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace cox::isa {

enum class Kind : std::uint8_t {
  integer,         ///< two's complement if the minimum is negative, else unsigned
  floating_point,  ///< IEEE 754 binary32, 32 bits wide
  bfloat16,        ///< the upper 16 bits of an IEEE 754 binary32; its 16 bits are read and written as an integer
  boolean,         ///< one bit, printed true and false
  enumeration,     ///< printed by name
};

/// One sentence that says what an instruction or a field is for. The sentences take no memory on the control core, which does not read
/// them.
#if defined(COX_ISA_WITHOUT_MEANINGS)
struct Meaning {
  constexpr Meaning(const char * /*text*/) {}  // NOLINT(google-explicit-constructor): tables give it as text
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

  /// find() returns the entry with this value or name, or nullptr.
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

/// One parameter of an instruction: `count` elements of `width` bits each. The first element begins at bit `bit`. Each further element lies
/// directly above the one before.
struct Field {
  const char *name;
  std::uint16_t bit;
  std::uint8_t width;
  std::uint8_t count;
  Kind kind;
  std::int64_t minimum;  ///< integers: smallest legal value
  std::int64_t maximum;  ///< integers: largest legal value
  /// Enumerations: types[0] is the type of all elements. If types[1] is not nullptr, element 1 has the type types[1] instead.
  const EnumType *types[2];
  Meaning meaning;
  /// The text form may omit the field if its bits are 0, because the published description does not have such a field.
  bool optional = false;

  [[nodiscard]] constexpr const EnumType *type_of(unsigned element) const {
    return element == 1 && types[1] != nullptr ? types[1] : types[0];
  }
  [[nodiscard]] constexpr unsigned bit_of(unsigned element) const { return bit + element * width; }
};

}  // namespace cox::isa
