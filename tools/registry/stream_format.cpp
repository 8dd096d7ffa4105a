// SPDX-License-Identifier: MIT
#include "tools/registry/stream_format.h"

#include "tools/assembly/line.h"
#include "tools/file/error.h"
#include "tools/file/file.h"

namespace cox::tools {
namespace {

std::string_view text_of(std::span<const std::uint8_t> bytes) { return {reinterpret_cast<const char *>(bytes.data()), bytes.size()}; }

}  // namespace

std::string StreamFormat::text_name() const { return binary_name() + " as text"; }
std::string StreamFormat::binary_name() const {
  // The article follows the pronunciation of the first letter.
  const std::string name = engine().name;
  return (std::string_view("AEFHILMNORSX").find(name.front()) != std::string_view::npos ? "an " : "a ") + name + " stream";
}

bool StreamFormat::is_text(std::string_view text) const {
  assembly::Lines lines(text);
  return lines.next() && is_instruction(lines.words().front().text);
}

bool StreamFormat::is_binary(std::span<const std::uint8_t> bytes) const {
  try {
    return !print(bytes, "").empty();
  } catch (const FileError &) {
    return false;
  }
}

void StreamFormat::assemble(const std::string &path, const std::string & /*bindings*/, const model::Options & /*device*/,
                            const std::string &output) const {
  const std::vector<std::uint8_t> bytes = read_file(path);
  write_file(output, assemble_text(text_of(bytes), path));
}

void StreamFormat::disassemble(const std::string &path, const std::string &output) const {
  write_file(output, print(read_file(path), path));
}

ProgramFormat::Verdict StreamFormat::check(const std::string &path, const model::Options & /*device*/, bool json,
                                           const Print &print_report) const {
  std::vector<std::uint8_t> stream = read_file(path);
  if (path.ends_with(text_ending()) || is_text(text_of(stream))) stream = assemble_text(text_of(stream), path);
  const Report report = check_stream(stream);
  print_report(json ? report_json(report, count(stream), path) : report_text(report, count(stream), path));
  return {!report.errors.empty(), !report.warnings.empty()};
}

}  // namespace cox::tools
