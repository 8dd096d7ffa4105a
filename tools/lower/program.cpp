// SPDX-License-Identifier: MIT
#include "tools/lower/program.h"

#include <stdexcept>

#include "isa/tile/encode.h"

namespace cox::lower {

std::vector<task::Instruction> assembled(const Program &program) {
  std::vector<task::Instruction> result;
  result.reserve(program.size());
  for (const Instruction &instruction : program) {
    task::Instruction &line = result.emplace_back();
    line.code = instruction.code;
    if (const Status status = isa::tile::set_dependencies(line.code, instruction.previous, instruction.next); !status) {
      throw std::logic_error(std::string(instruction.name) + ": " + status.what());
    }
    const Origin &origin = instruction.origin;
    line.mapping.slyr = line.mapping.wkl = origin.layer;
    line.mapping.clyr = origin.data_of;
    line.mapping.s_flyr = 0;
    if (!origin.data_of.empty()) line.mapping.c_flyr = {0};
    line.mapping.tile = origin.tile;
  }
  return result;
}

}  // namespace cox::lower
