// SPDX-License-Identifier: MIT
#include "tools/tile/stream.h"

#include "tools/file/error.h"
#include "tools/tile/assemble.h"
#include "tools/tile/instruction_text.h"

namespace cox::task {

std::vector<Instruction> read_stream(std::string_view text, const std::string &file) {
  std::vector<Instruction> instructions;
  int number = 0;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    ++number;
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    try {
      instructions.push_back(assemble_line(line));
      instructions.back().line = number;
    } catch (const TextError &error) {
      throw tools::FileError(file + ":" + std::to_string(number) + ":" + std::to_string(error.column()) + ": " + error.what());
    }
  }
  if (instructions.empty()) throw tools::FileError(file + ": no instructions");
  if (const int bad = set_batches(instructions); bad >= 0) {
    const Instruction &instruction = instructions[static_cast<std::size_t>(bad)];
    throw tools::FileError(file + ":" + std::to_string(instruction.line) + ":1: tile: " + std::to_string(instruction.mapping.tile) +
                           " is out of range as an index within a batch (0 to 255)");
  }
  return instructions;
}

}  // namespace cox::task
