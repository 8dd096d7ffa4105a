// SPDX-License-Identifier: MIT
#include "tools/registry/job_program.h"

#include <filesystem>

#include "tools/file/error.h"
#include "tools/image/container.h"
#include "tools/image/signed_file.h"
#include "tools/image/stream_image.h"

namespace cox::tools {

ProgramFormat::RunPlan ProgramFormat::plan_run(const std::string &path, const RunRequest &request) const {
  if (!request.set.empty() || !request.memory.empty() || !request.dump.empty())
    throw FileError(path + ": --set, --memory and --dump: programs of this engine have no registers and memories that they could name");
  return {read_job(path), {}, {}};
}

void JobProgram::step(const RunContents & /*contents*/, std::istream & /*in*/, std::ostream & /*out*/, bool /*prompt*/) const {
  throw FileError(name() + ": --step: programs of this engine cannot be run step by step");
}

std::string ProgramFormat::listing(const std::string &path, const model::Options & /*device*/) const {
  throw FileError(path + ": " + text_name() + " has no listing");
}

const ProgramFormat *format_of_image(ProgramFormats formats, const std::string &file) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(file, error)) return nullptr;
  const std::vector<std::uint8_t> bytes = read_program_file(file);
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
