// SPDX-License-Identifier: MIT
#include "tools/check/bits.h"

#include <fmt/format.h>

#include "tools/task/message.h"

namespace cox::tools {

const char *list_name(const model::hazard::DependencyBit &bit) { return bit.next ? "Next_Insts" : "Prev_Insts"; }

const char *class_name(isa::tile::Class queue) { return isa::tile::kClassNames[static_cast<std::size_t>(queue)]; }

std::string bit_text(const model::hazard::DependencyBit &bit, const task::Task &task) {
  return fmt::format("'{}' to {} of {}", class_name(bit.other), list_name(bit), name_of(task, bit.instruction));
}

std::string name_of(const task::Task &task, std::int32_t index) {
  return task::instruction_name(task.instructions[static_cast<std::size_t>(index)], index);
}

}  // namespace cox::tools
