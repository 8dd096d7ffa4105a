// SPDX-License-Identifier: MIT
#include "tools/registry/job_program.h"

namespace cox::tools {

const ProgramFormat &job_format(ProgramFormats formats, const std::string &file) {
  const ProgramFormat *first = nullptr;
  for (const ProgramFormat *format : formats) {
    if (!format->is_task()) continue;
    if (file.ends_with(format->text_ending()) || file.ends_with(format->binary_ending())) return *format;
    if (first == nullptr) first = format;
  }
  return first == nullptr ? *formats.front() : *first;
}

}  // namespace cox::tools
