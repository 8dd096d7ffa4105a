// SPDX-License-Identifier: MIT
#include "tools/check/bits.h"

#include <fmt/format.h>

#include "tools/task/message.h"

namespace cox::tools {

namespace hazard = model::hazard;

namespace {

bool between_cores(const hazard::DependencyBit &bit, const task::Task &task) {
  return hazard::core_of(bit.other) != isa::tile::core_of(task.instructions[static_cast<std::size_t>(bit.instruction)].code);
}

}  // namespace

const char *list_name(const hazard::DependencyBit &bit, const task::Task &task) {
  if (between_cores(bit, task)) return bit.next ? "Next_Cores" : "Prev_Cores";
  return bit.next ? "Next_Insts" : "Prev_Insts";
}

std::string element_name(const hazard::DependencyBit &bit, const task::Task &task) {
  if (between_cores(bit, task)) return std::to_string(hazard::core_of(bit.other));
  return isa::tile::kClassNames[static_cast<std::size_t>(hazard::class_of(bit.other))];
}

std::string bit_text(const hazard::DependencyBit &bit, const task::Task &task) {
  return fmt::format("'{}' to {} of {}", element_name(bit, task), list_name(bit, task), name_of(task, bit.instruction));
}

std::string name_of(const task::Task &task, std::int32_t index) {
  return task::instruction_name(task.instructions[static_cast<std::size_t>(index)], index);
}

}  // namespace cox::tools
