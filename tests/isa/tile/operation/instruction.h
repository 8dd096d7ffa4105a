// SPDX-License-Identifier: MIT
// Tile instructions for tests, with fields by name: instruction("lw_mov", {{"Wsize", {64, 3, 7, 7}}}). Fields that are not named are zero.
#pragma once

#include <gtest/gtest.h>

#include <initializer_list>
#include <string_view>
#include <utility>
#include <vector>

#include "coxswain/isa/tile/configuration.h"
#include "coxswain/isa/tile/encode.h"

namespace cox::isa::tile::test {

using Values = std::vector<double>;

inline MachineCode instruction(std::string_view name, std::initializer_list<std::pair<std::string_view, Values>> fields) {
  const Instruction *entry = find_instruction(name);
  EXPECT_NE(entry, nullptr) << name;
  MachineCode code = begin(entry->opcode);
  for (const auto &[field_name, values] : fields) {
    const Field *field = find_field(*entry, field_name);
    EXPECT_NE(field, nullptr) << name << '.' << field_name;
    for (unsigned i = 0; i < values.size(); ++i) {
      const Status status = field->kind == Kind::floating_point ? set_float(code, *field, i, static_cast<float>(values[i]))
                                                                : set_integer(code, *field, i, static_cast<std::int64_t>(values[i]));
      EXPECT_TRUE(status.ok()) << name << '.' << field_name << '[' << i << "]: " << error_name(status.code());
    }
  }
  return code;
}

/// The configuration after these instructions, applied in order.
inline Configuration configured(std::initializer_list<MachineCode> codes) {
  Configuration configuration;
  for (const MachineCode &code : codes) EXPECT_TRUE(configuration.apply(code).ok());
  return configuration;
}

}  // namespace cox::isa::tile::test
