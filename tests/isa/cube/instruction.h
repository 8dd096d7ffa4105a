// SPDX-License-Identifier: MIT
// Makes instructions of the matrix unit for tests from the names and values of their fields.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <string_view>
#include <vector>

#include "coxswain/isa/cube/encode.h"

namespace cox::isa::cube {

struct Setting {
  const char *field;
  std::int64_t value;
};

/// Makes an instruction with these fields. All other fields are zero.
inline MachineCode instruction(Opcode opcode, const std::vector<Setting> &settings) {
  MachineCode code = begin(opcode);
  for (const Setting &setting : settings) {
    const Field *field = find_field(instruction_of(opcode), setting.field);
    if (field == nullptr) {
      ADD_FAILURE() << "no field " << setting.field;
      continue;
    }
    EXPECT_TRUE(set(code, *field, setting.value).ok()) << setting.field << " " << setting.value;
  }
  return code;
}

/// An instruction with the smallest value in each field.
inline MachineCode smallest(Opcode opcode) {
  MachineCode code = begin(opcode);
  for (const Field &field : instruction_of(opcode).fields) {
    if (field.minimum > 0) {
      EXPECT_TRUE(set(code, field, field.minimum).ok());
    }
  }
  return code;
}

/// Returns a MAD that is empty, because the field `side` (M, K or N) is 0. Type is bfloat16. All other fields have all bits set, which
/// would be refused in a MAD that is not empty.
inline MachineCode empty_mad_with_every_bit(std::string_view side) {
  MachineCode code = begin(Opcode::MAD);
  for (const Field &field : instruction_of(Opcode::MAD).fields) {
    if (field.name != side && field.name != std::string_view("Type")) insert_bits(code, field.bit, field.width, ~std::uint32_t{0});
  }
  return code;
}

inline std::vector<Setting> with(std::vector<Setting> settings, const std::vector<Setting> &more) {
  settings.insert(settings.end(), more.begin(), more.end());
  return settings;
}

inline constexpr Pipe kAllPipes[] = {Pipe::MTE2, Pipe::MTE1, Pipe::M, Pipe::FIX};

}  // namespace cox::isa::cube
