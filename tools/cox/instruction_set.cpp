// SPDX-License-Identifier: MIT
#include "tools/cox/instruction_set.h"

#include <CLI/CLI.hpp>

namespace cox::tools {

void add_instruction_set_option(CLI::App &command, std::string &isa, const char *mx_ending) {
  command.add_option("--isa", isa, std::string("Instruction set; default: mx for a FILE that ends in ") + mx_ending + ", else tile")
      ->check(CLI::IsMember({"tile", "mx"}));
}

bool is_mx(const std::string &isa, const std::string &file, const char *mx_ending) {
  return isa.empty() ? file.ends_with(mx_ending) : isa == "mx";
}

}  // namespace cox::tools
