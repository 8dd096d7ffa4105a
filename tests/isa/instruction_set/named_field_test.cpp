// SPDX-License-Identifier: MIT
// get() and put() access fields by name. Nearly all checks are static: if this file compiles, they hold.
#include "coxswain/isa/named_field.h"

#include <gtest/gtest.h>

#include "tests/isa/instruction_set/toys.h"

namespace cox::isa {
namespace {

using toy::Opcode;

constexpr toy::MachineCode kOnes{~0U, ~0U, ~0U, ~0U};

static_assert(get<Opcode::MIX, "Small">(kOnes) == 15);
static_assert(get<Opcode::MIX, "Signed">(kOnes) == -1);
static_assert(get<Opcode::MIX, "Signed">(toy::MachineCode{0xFC000000, 0x1F, 0, 0}) == 2047);
static_assert(get<Opcode::MIX, "Triple", 1>(toy::MachineCode{0, 0, 0, 0x200}) == -16);
static_assert(get<Opcode::MIX, "Tokens">(kOnes) == 63, "a field of the header");
static_assert(get<Opcode::FLOATS, "Reals", 1>(toy::MachineCode{0, 0, 0x3F800000, 0}) == 1.0F);
static_assert(get<Opcode::FLOATS, "Half">(kOnes) == 0xFFFF);

// get() returns the types that arithmetic on the control core uses.
static_assert(std::is_same_v<decltype(get<Opcode::MIX, "Whole">(kOnes)), std::uint32_t>);
static_assert(std::is_same_v<decltype(get<Opcode::MIX, "Signed">(kOnes)), std::int32_t>);
static_assert(std::is_same_v<decltype(get<groups::Opcode::FIRST, "Value">(groups::MachineCode{})), std::int64_t>);
static_assert(get<groups::Opcode::FIRST, "Value">(groups::MachineCode{0, 0xFFFFFFFF}) == 0xFFFF);

template <auto Op, FixedString Name, typename Value>
constexpr CodeOf<Op> written(CodeOf<Op> code, Value value) {
  put<Op, Name>(code, value);
  return code;
}

enum class Colour : std::uint8_t { blue = 3 };
static_assert(written<Opcode::MIX, "Small">(toy::MachineCode{}, 11U) == toy::MachineCode{11U << 16, 0, 0, 0});
static_assert(written<Opcode::MIX, "Signed">(toy::MachineCode{}, -2048) == toy::MachineCode{0, 0x20, 0, 0});
static_assert(written<Opcode::MIX, "Signed">(kOnes, 0) == toy::MachineCode{0x03FFFFFF, 0xFFFFFFC0, ~0U, ~0U}, "only its own bits");
static_assert(written<Opcode::MIX, "Flag">(toy::MachineCode{}, true) == toy::MachineCode{0, 0x40, 0, 0});
static_assert(written<Opcode::MIX, "Look">(toy::MachineCode{}, Colour::blue) == toy::MachineCode{0, 0x180, 0, 0});
static_assert(written<Opcode::MIX, "Small">(toy::MachineCode{}, 0xF5U) == toy::MachineCode{5U << 16, 0, 0, 0}, "cut to its width");
static_assert(written<Opcode::FLOATS, "Reals">(toy::MachineCode{}, -2.0F) == toy::MachineCode{0, 0xC0000000, 0, 0});

static_assert(word_of<Opcode::MIX, "Flag">() == 1 && shift_of<Opcode::MIX, "Flag">() == 6);
static_assert(whole_word_of<Opcode::MIX, "Whole">() == 2);
static_assert(same_bits<Opcode::MIX, Opcode::MIX, "Whole">());

static_assert(is_alone_in_its_word<Opcode::MIX, "Whole">());
static_assert(!is_alone_in_its_word<Opcode::MIX, "Small">(), "its value is not the word's");
static_assert(!is_alone_in_its_word<Opcode::MIX, "Triple">(), "it has more than one element");
// The first element of Reals fills a word, but the field Reals has two elements.
static_assert(!is_alone_in_its_word<Opcode::FLOATS, "Reals">());

/// At run time, get() and read_integer() return the value that put() wrote.
TEST(NamedField, RoundTrip) {
  for (int value = -2048; value <= 2047; ++value) {
    toy::MachineCode code{0x12345678, 0x9ABCDEF0, 0, 0};
    put<Opcode::MIX, "Signed">(code, value);
    EXPECT_EQ((get<Opcode::MIX, "Signed">(code)), value);
    EXPECT_EQ(read_integer(code, field<Opcode::MIX, "Signed">()), value);
    EXPECT_EQ(code[0] & 0x03FFFFFF, 0x12345678U & 0x03FFFFFF);
    EXPECT_EQ(code[1] & 0xFFFFFFC0, 0x9ABCDEF0U & 0xFFFFFFC0);
  }
}

}  // namespace
}  // namespace cox::isa
