// SPDX-License-Identifier: MIT
#include "tools/command/format_option.h"

#include <CLI/CLI.hpp>
#include <cstdint>
#include <optional>
#include <vector>

#include "tools/command/usage.h"
#include "tools/file/error.h"
#include "tools/file/file.h"
#include "tools/registry/file_kind.h"
#include "tools/registry/job_program.h"

namespace cox::tools {
namespace {

bool has_ending(const ProgramFormat &format, const std::string &file, Form form) {
  return (form != Form::binary && file.ends_with(format.text_ending())) || (form != Form::text && file.ends_with(format.binary_ending()));
}

[[noreturn]] void refuse(const std::string &file, const FileKind &kind) {
  throw FileError(file + ": this is " + kind.what + "; " + kind.taken_by);
}

/// Returns nullopt for standard input, which can be read only once.
std::optional<FileKind> kind_of(const std::string &file) {
  return file == "-" ? std::nullopt : identify(program_formats(), read_file(file));
}

}  // namespace

void add_format_option(CLI::App &command, std::string &isa, Form form) {
  std::vector<std::string> keys;
  std::string text = "Instruction set; default: ";
  for (const ProgramFormat *format : program_formats()) {
    keys.emplace_back(format->key());
    if (!format->engine().has_ring()) continue;
    text.append(format->key()).append(" for a FILE that ends in ");
    if (form != Form::text) text.append(format->binary_ending());
    if (form == Form::either) text.append(" or ");
    if (form != Form::binary) text.append(format->text_ending());
    text.append(", ");
  }
  command.add_option("--isa", isa, text + "else " + keys.front())->check(one_of(keys));
}

const ProgramFormat &format_of(const std::string &isa, const std::string &file, Form form) {
  if (const ProgramFormat *format = isa.empty() ? format_of_image(program_formats(), file) : nullptr) return *format;
  for (const ProgramFormat *format : program_formats()) {
    if (isa.empty() ? has_ending(*format, file, form) : isa == format->key()) return *format;
  }
  return *program_formats().front();
}

void refuse_other_kinds(const std::string &file, const ProgramFormat &format, Form form) {
  const std::optional<FileKind> kind = kind_of(file);
  if (!kind.has_value()) return;
  const bool right_form = form == Form::either || format.is_task() || kind->text == (form == Form::text);
  if (kind->format != &format || !right_form) refuse(file, *kind);
}

void refuse_other_kinds(const std::string &file, const std::string &what) {
  const std::optional<FileKind> kind = kind_of(file);
  if (kind.has_value() && kind->what != what) refuse(file, *kind);
}

}  // namespace cox::tools
