// SPDX-License-Identifier: MIT
// The listing of a program.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "tools/unity/assemble.h"

namespace cox::tools::unity {

std::string listing(std::string_view text, const Assembled &assembled) {
  std::map<std::size_t, const AssembledInstruction *> by_line;
  std::size_t width = 0;
  for (const AssembledInstruction &instruction : assembled.instructions) {
    by_line[instruction.line] = &instruction;
    width = std::max(width, instruction.program.size());
  }
  std::string list;
  for (std::size_t line = 1; !text.empty(); ++line) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view source = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const auto found = by_line.find(line);
    std::string columns = fmt::format("{:{}} {:>5} {:36}", "", width, "", "");
    if (found != by_line.end()) {
      const AssembledInstruction &instruction = *found->second;
      columns = fmt::format("{:{}} {:>5}", instruction.program, width, instruction.number);
      for (const std::uint32_t word : instruction.code) columns += fmt::format(" {:08x}", word);
      columns += ' ';
    }
    list += fmt::format("{}  {}\n", columns, source);
  }
  return list;
}

}  // namespace cox::tools::unity
