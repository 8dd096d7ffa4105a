// SPDX-License-Identifier: MIT
// Reads any text as an instruction stream. Writing and reading it again must give the same instructions.
#include <cstdlib>
#include <string_view>

#include "tools/file/error.h"
#include "tools/tile/image.h"
#include "tools/tile/stream.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char *>(data), size);
  std::vector<cox::task::Instruction> instructions;
  try {
    instructions = cox::task::read_stream(text, "fuzz");
  } catch (const cox::tools::FileError &) {
    return 0;
  }
  const std::vector<cox::task::Instruction> again = cox::task::read_stream(cox::task::write_stream(instructions), "again");
  if (again.size() != instructions.size()) std::abort();
  for (std::size_t i = 0; i < again.size(); ++i) {
    if (!again[i].same_instruction(instructions[i])) std::abort();
  }
  cox::task::Task task;
  task.instructions = instructions;
  const cox::task::Task back = cox::task::parse_image(cox::task::build_image(task), "image");
  if (back.instructions.size() != instructions.size()) std::abort();
  return 0;
}
