// SPDX-License-Identifier: MIT
#include "tools/lower/program.h"

namespace cox::lower {

using nlohmann::ordered_json;

namespace {

ordered_json class_names(std::uint32_t classes) {
  ordered_json names = ordered_json::array();
  for (unsigned c = 0; c < isa::tile::kClasses; ++c) {
    if ((classes >> c & 1U) != 0) names.push_back(isa::tile::kClassNames[c]);
  }
  return names;
}

}  // namespace

std::string line_of(const Instruction &instruction) {
  const Origin &origin = instruction.origin;
  ordered_json mapping;
  mapping["slyr"] = origin.layer;
  mapping["clyr"] = origin.data_of;
  mapping["s_flyr"] = 0;
  mapping["c_flyr"] = origin.data_of.empty() ? ordered_json::array() : ordered_json::array({0});
  mapping["wkl"] = origin.layer;
  mapping["tile"] = origin.tile;
  ordered_json fields = instruction.fields.is_null() ? ordered_json::object() : instruction.fields;
  if (!instruction.configuration) {
    fields["Prev_Insts"] = class_names(instruction.previous);
    fields["Next_Insts"] = class_names(instruction.next);
  }
  return ordered_json::array({instruction.name, mapping, fields}).dump();
}

}  // namespace cox::lower
