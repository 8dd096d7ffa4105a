// SPDX-License-Identifier: MIT
// Reads any text and any bytes as a program of each instruction set. Text that assembles is printed, and the printed text
// must assemble to the same bytes. If bytes can be printed as text, this text must assemble.
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "tools/file/error.h"
#include "tools/registry/file_kind.h"
#include "tools/registry/registry.h"

namespace {

using cox::tools::FileError;
using cox::tools::ProgramFormat;

void from_text(const ProgramFormat &format, std::string_view text) {
  std::vector<std::uint8_t> program;
  try {
    program = format.assemble_text(text, "fuzz");
  } catch (const FileError &) {
    return;
  }
  if (format.assemble_text(format.print(program, "program"), "again") != program) std::abort();
}

void from_bytes(const ProgramFormat &format, std::span<const std::uint8_t> bytes) {
  std::string text;
  try {
    text = format.print(bytes, "fuzz");
  } catch (const FileError &) {
    return;
  }
  static_cast<void>(format.assemble_text(text, "again"));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
  const std::span bytes(data, size);
  for (const ProgramFormat *format : cox::tools::program_formats()) {
    from_text(*format, {reinterpret_cast<const char *>(data), size});
    from_bytes(*format, bytes);
  }
  static_cast<void>(cox::tools::identify(cox::tools::program_formats(), bytes));
  return 0;
}
