// SPDX-License-Identifier: MIT
#include "tools/check/bits.h"

#include <fmt/format.h>

#include "tools/tile/message.h"

namespace cox::tools {

namespace hazard = model::hazard;

namespace {

bool goes_between_cores(const hazard::DependencyBit &bit, const task::Task &task) {
  return isa::tile::core_of_lane(bit.other) != isa::tile::core_of(task.instructions[static_cast<std::size_t>(bit.instruction)].code);
}

}  // namespace

const char *list_name(const hazard::DependencyBit &bit, const task::Task &task) {
  if (goes_between_cores(bit, task)) return bit.next ? "Next_Cores" : "Prev_Cores";
  return bit.next ? "Next_Insts" : "Prev_Insts";
}

std::string element_name(isa::tile::Lane lane, bool between_cores) {
  if (between_cores) return fmt::format("bit {}", isa::tile::core_of_lane(lane));
  return isa::tile::kClassNames[isa::tile::class_of_lane(lane)];
}

std::string element_name(const hazard::DependencyBit &bit, const task::Task &task) {
  return element_name(bit.other, goes_between_cores(bit, task));
}

std::string bit_text(const hazard::DependencyBit &bit, const task::Task &task) {
  return fmt::format("'{}' to {} of {}", element_name(bit, task), list_name(bit, task), task::instruction_name(task, bit.instruction));
}

}  // namespace cox::tools
