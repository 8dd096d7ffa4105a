// SPDX-License-Identifier: MIT
// The listing of a program, and how a text is recognised as one.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "tools/assembly/line.h"
#include "tools/file/error.h"
#include "tools/pim/assemble.h"
#include "tools/pim/directives.h"
#include "tools/pim/instruction_reader.h"
#include "tools/pim/token.h"

namespace cox::tools::pim {

bool begins_like_program(std::string_view text) {
  const std::string file;
  const std::vector<assembly::Word> no_words;
  try {
    while (!text.empty()) {
      const std::size_t end = std::min(text.find('\n'), text.size());
      const assembly::Line line(file, 1, no_words);
      Tokens tokens(line, text.substr(0, end));
      text.remove_prefix(std::min(end + 1, text.size()));
      skip_labels(tokens);
      if (tokens.peek().kind == TokenKind::end) continue;
      const std::string_view head = tokens.take_head().text;
      if (head == ".equ" || head == ".time_limit") continue;  // programs of the Unity units have them, too
      return is_instruction_name(head) || std::ranges::find(kDirectives, head) != std::end(kDirectives);
    }
  } catch (const FileError &) {  // a line that has no tokens is not of this text form
  }
  return false;
}

std::string listing(std::string_view text, const Assembled &assembled) {
  std::string list;
  auto next = assembled.lines.begin();
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view source = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (next == assembled.lines.end() || next->line != number) {
      list += fmt::format("{:22}  {}\n", "", source);
      continue;
    }
    const Code &code = assembled.parts.codes[next->code];
    const auto core = std::ranges::find(assembled.parts.cores, std::optional(next->code)) - assembled.parts.cores.begin();
    for (std::uint32_t i = 0; i < next->count; ++i) {
      const std::uint32_t instruction = next->instruction + i;
      list += fmt::format("{:>2} {:>6}  {:08x}    {}\n", core, instruction, code[instruction], i == 0 ? source : "");
    }
    ++next;
  }
  return list;
}

}  // namespace cox::tools::pim
