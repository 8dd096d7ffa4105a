// SPDX-License-Identifier: MIT
// Makes MX instructions for tests from the names and values of their fields.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "coxswain/isa/mx/table.h"

namespace cox::isa::mx {

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

/// The smallest instruction that check() accepts: all zero, except fields that a POOL needs.
inline MachineCode smallest(Opcode opcode) {
  if (opcode == Opcode::POOL) return instruction(opcode, {{"Kernel", 1}, {"Stride", 1}});
  return begin(opcode);
}

inline constexpr std::size_t kBlocks = 3;
using Blocks = std::array<std::uint64_t, kBlocks>;

/// The code as the 64-bit blocks of the specification.
inline Blocks blocks_of_code(const MachineCode &code) {
  Blocks blocks{};
  for (std::size_t b = 0; b < kBlocks; ++b) blocks[b] = code[2 * b] | std::uint64_t{code[2 * b + 1]} << 32;
  return blocks;
}

inline MachineCode code_of_blocks(const Blocks &blocks) {
  MachineCode code{};
  for (std::size_t b = 0; b < kBlocks; ++b) {
    code[2 * b] = static_cast<std::uint32_t>(blocks[b]);
    code[2 * b + 1] = static_cast<std::uint32_t>(blocks[b] >> 32);
  }
  return code;
}

}  // namespace cox::isa::mx
