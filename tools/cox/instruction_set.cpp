// SPDX-License-Identifier: MIT
#include "tools/cox/instruction_set.h"

#include <CLI/CLI.hpp>

namespace cox::tools {

void add_instruction_set_option(CLI::App &command, std::string &isa, const Endings &endings) {
  command
      .add_option(
          "--isa", isa,
          std::string("Instruction set; default: mx for a FILE that ends in ") + endings.mx + ", cube for " + endings.cube + ", else tile")
      ->check(CLI::IsMember({"tile", "mx", "cube"}));
}

InstructionSet instruction_set_of(const std::string &isa, const std::string &file, const Endings &endings) {
  if (isa == "mx" || (isa.empty() && file.ends_with(endings.mx))) return InstructionSet::mx;
  if (isa == "cube" || (isa.empty() && file.ends_with(endings.cube))) return InstructionSet::cube;
  return InstructionSet::tile;
}

}  // namespace cox::tools
