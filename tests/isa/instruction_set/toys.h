// SPDX-License-Identifier: MIT
// Three instruction sets that no engine has. Each uses features of the class template InstructionSet that the other two do not use.
#pragma once

#include "coxswain/isa/instruction_set.h"
#include "coxswain/isa/named_field.h"

/// A toy set with instructions of 8 or 16 bytes. The opcode is spread over two fields, and not all its values are used. Some instructions
/// have a header. There are fields of each kind, arrays, and fields that reach from one word into the next.
namespace cox::isa::toy {

using MachineCode = Words32<4>;
enum class Opcode : std::uint8_t { NOP, MIX, FLOATS, CROSS };

struct Instruction {
  const char *name;
  Opcode opcode;
  std::uint8_t code, variant, size;
  std::span<const Field> fields;
  Meaning meaning;
};

inline constexpr EnumValue kColourValues[] = {{"red", 0}, {"blue", 3}};
inline constexpr EnumType kColour{"Colour", kColourValues};
inline constexpr EnumValue kShapeValues[] = {{"round", 1}, {"square", 2}};
inline constexpr EnumType kShape{"Shape", kShapeValues};

// clang-format off
inline constexpr Field kOpcodeFields[] = {
    {"code", 0, 3, 1, Kind::integer, 0, 7, {}, "bits 2 to 0"},
    {"variant", 3, 2, 1, Kind::integer, 0, 3, {}, "bits 4 and 3"},
};
inline constexpr Field kHeader[] = {{"Tokens", 5, 6, 1, Kind::integer, 0, 63, {}, "every value is legal"}};
inline constexpr Field kMix[] = {
    {"Small", 16, 4, 1, Kind::integer, 2, 11, {}, "a range narrower than its bits"},
    {"Signed", 26, 12, 1, Kind::integer, -2048, 2047, {}, "from word 0 into word 1"},
    {"Flag", 38, 1, 1, Kind::boolean, 0, 1, {}, "one bit"},
    {"Look", 39, 2, 2, Kind::enumeration, 0, 0, {&kColour, &kShape}, "two elements of two types"},
    {"Whole", 64, 32, 1, Kind::integer, 0, 4294967295, {}, "a word to itself"},
    {"Triple", 96, 5, 3, Kind::integer, -16, 15, {}, "three signed elements"},
    {"Zero", 111, 3, 1, Kind::integer, 0, 0, {}, "must be 0"},
};
inline constexpr Field kFloats[] = {
    {"Half", 8, 16, 1, Kind::bfloat16, 0, 65535, {}, "bits of a BF16"},
    {"Reals", 32, 32, 2, Kind::floating_point, 0, 0, {}, "two FP32"},
};
inline constexpr Field kCross[] = {{"Cross", 31, 2, 1, Kind::integer, 0, 3, {}, "one bit of each of two words"}};
inline constexpr Instruction kInstructions[] = {
    {"NOP", Opcode::NOP, 0, 0, 8, {}, "nothing"},
    {"MIX", Opcode::MIX, 5, 1, 16, kMix, "all kinds of whole numbers"},
    {"FLOATS", Opcode::FLOATS, 5, 2, 16, kFloats, "floating point"},
    {"CROSS", Opcode::CROSS, 5, 3, 8, kCross, "a field in two words"},
};
// clang-format on

struct Traits {
  using Opcode = toy::Opcode;
  using Instruction = toy::Instruction;
  using MachineCode = toy::MachineCode;
  static constexpr const auto &kInstructions = toy::kInstructions;
  static constexpr bool kFiniteFloats = true;
  static constexpr std::span<const Field> opcode_fields(const Instruction & /*row*/) { return kOpcodeFields; }
  static constexpr std::uint32_t first_word(const Instruction &row) { return static_cast<std::uint32_t>(row.code | row.variant << 3); }
  static constexpr std::span<const Field> header(const Instruction &row) {
    return row.opcode == Opcode::MIX ? std::span<const Field>(kHeader) : std::span<const Field>();
  }
  static constexpr std::size_t bytes(const Instruction &row) { return row.size; }
};
using Set = InstructionSet<Traits>;
Traits traits_of(Opcode);

}  // namespace cox::isa::toy

/// A toy set with a jump instruction. Instructions have 4 bytes. Opcodes have two or three bits at the top of the word. Floats may be NaN.
namespace cox::isa::jumps {

using MachineCode = Words32<1>;
enum class Opcode : std::uint8_t { ADD, JUMP, LOAD };

struct Instruction {
  const char *name;
  Opcode opcode;
  std::uint8_t width;  ///< bits of the opcode; its highest bit is bit 31
  std::uint8_t code;
  std::span<const Field> fields;
  Meaning meaning;
};

// clang-format off
inline constexpr Field kTwoBits[] = {{"opcode", 30, 2, 1, Kind::integer, 0, 3, {}, ""}};
inline constexpr Field kThreeBits[] = {{"opcode", 29, 3, 1, Kind::integer, 0, 7, {}, ""}};
inline constexpr Field kAdd[] = {{"Rd", 0, 5, 1, Kind::integer, 0, 31, {}, "register"}};
inline constexpr Field kJump[] = {{"Offset", 0, 26, 1, Kind::integer, -33554432, 33554431, {}, "instructions from here"}};
inline constexpr Field kLoad[] = {{"Value", 0, 16, 1, Kind::bfloat16, 0, 65535, {}, "register"}};
inline constexpr Instruction kInstructions[] = {
    {"ADD", Opcode::ADD, 2, 2, kAdd, ""},
    {"JUMP", Opcode::JUMP, 3, 7, kJump, ""},
    {"LOAD", Opcode::LOAD, 3, 6, kLoad, ""},
};
// clang-format on

struct Traits {
  using Opcode = jumps::Opcode;
  using Instruction = jumps::Instruction;
  using MachineCode = jumps::MachineCode;
  static constexpr const auto &kInstructions = jumps::kInstructions;
  static constexpr bool kFiniteFloats = false;
  static constexpr std::span<const Field> opcode_fields(const Instruction &row) { return row.width == 2 ? kTwoBits : kThreeBits; }
  static constexpr std::uint32_t first_word(const Instruction &row) { return std::uint32_t{row.code} << (32 - row.width); }
  static constexpr std::span<const Field> header(const Instruction & /*row*/) { return {}; }
};
using Set = InstructionSet<Traits>;
Traits traits_of(Opcode);

}  // namespace cox::isa::jumps

/// A toy set whose instructions come in groups of 4: four opcode bytes, then four payloads of 4 bytes. A position in a program counts
/// instructions, not bytes. The opcodes are consecutive numbers, and integer fields are read as 64-bit values.
namespace cox::isa::groups {

using MachineCode = Words32<2>;  ///< the opcode, then the payload
enum class Opcode : std::uint8_t { FIRST = 0x40, SECOND, THIRD };

struct Instruction {
  const char *name;
  Opcode opcode;
  std::span<const Field> fields;
  Meaning meaning;
};

// clang-format off
inline constexpr Field kOpcodeFields[] = {{"opcode", 0, 8, 1, Kind::integer, 0, 255, {}, ""}};
inline constexpr Field kPayload[] = {
    {"Value", 32, 16, 1, Kind::integer, 0, 65535, {}, ""},
    {"Real", 32, 32, 1, Kind::floating_point, 0, 0, {}, ""},
};
inline constexpr Instruction kInstructions[] = {
    {"FIRST", Opcode::FIRST, {kPayload, 1}, ""},
    {"SECOND", Opcode::SECOND, {kPayload + 1, 1}, ""},
    {"THIRD", Opcode::THIRD, {}, ""},
};
// clang-format on

struct Traits {
  using Opcode = groups::Opcode;
  using Instruction = groups::Instruction;
  using MachineCode = groups::MachineCode;
  using Integer = std::int64_t;
  static constexpr const auto &kInstructions = groups::kInstructions;
  static constexpr bool kFiniteFloats = false;
  static constexpr std::span<const Field> opcode_fields(const Instruction & /*row*/) { return kOpcodeFields; }
  static constexpr std::uint32_t first_word(const Instruction &row) { return static_cast<std::uint32_t>(row.opcode); }
  static constexpr std::span<const Field> header(const Instruction & /*row*/) { return {}; }
  static Result<isa::Fetched<Traits>> fetch(std::span<const std::byte> program, std::uint32_t position);
  static std::uint32_t byte_of(std::uint32_t position);
};
using Set = InstructionSet<Traits>;
Traits traits_of(Opcode);

}  // namespace cox::isa::groups

extern template class cox::isa::InstructionSet<cox::isa::toy::Traits>;
extern template class cox::isa::InstructionSet<cox::isa::jumps::Traits>;
extern template class cox::isa::InstructionSet<cox::isa::groups::Traits>;
