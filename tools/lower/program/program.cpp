// SPDX-License-Identifier: MIT
#include "tools/lower/program/program.h"

#include <stdexcept>

#include "coxswain/isa/tile/encode.h"

namespace cox::lower {
namespace {

void require(const Status &status, const Instruction &instruction) {
  if (!status) throw std::logic_error(std::string(instruction.name) + ": " + status.what());
}

void set_cores(isa::tile::MachineCode &code, const Instruction &instruction, std::string_view field, std::uint32_t cores) {
  const isa::Field *found = isa::tile::find_field(*isa::tile::find_instruction(instruction.name), field);
  if (found == nullptr) throw std::logic_error(std::string(instruction.name) + " has no tokens of other cores");
  require(isa::tile::set_integer(code, *found, 0, cores), instruction);
}

}  // namespace

std::vector<task::Instruction> assembled(const Program &program) {
  std::vector<task::Instruction> result;
  result.reserve(program.size());
  for (const Instruction &instruction : program) {
    task::Instruction &line = result.emplace_back();
    line.code = instruction.code;
    require(isa::tile::set_dependencies(line.code, instruction.previous, instruction.next), instruction);
    if (instruction.previous_cores != 0) set_cores(line.code, instruction, "Prev_Cores", instruction.previous_cores);
    if (instruction.next_cores != 0) set_cores(line.code, instruction, "Next_Cores", instruction.next_cores);
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
