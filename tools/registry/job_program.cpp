// SPDX-License-Identifier: MIT
#include "tools/registry/job_program.h"

#include <filesystem>

#include "tools/file/file.h"
#include "tools/image/container.h"
#include "tools/image/stream_image.h"

namespace cox::tools {

const ProgramFormat *format_of_image(ProgramFormats formats, const std::string &file) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(file, error)) return nullptr;
  const std::vector<std::uint8_t> bytes = read_file(file);
  if (!is_program_image(bytes)) return nullptr;
  const unsigned engine = parse_stream_image(bytes, file).engine;
  for (const ProgramFormat *format : formats) {
    if (format->engine().number() == engine) return format;
  }
  fail_image(file, ErrorCode::unsupported, "engine " + std::to_string(engine));
}

const ProgramFormat &job_format(ProgramFormats formats, const std::string &file) {
  if (const ProgramFormat *format = format_of_image(formats, file)) return *format;
  const ProgramFormat *first = nullptr;
  for (const ProgramFormat *format : formats) {
    if (!format->is_task()) continue;
    if (file.ends_with(format->text_ending()) || file.ends_with(format->binary_ending())) return *format;
    if (first == nullptr) first = format;
  }
  return first == nullptr ? *formats.front() : *first;
}

}  // namespace cox::tools
