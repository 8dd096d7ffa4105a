// SPDX-License-Identifier: MIT
#include "tools/cox/task_files.h"

#include "tools/command/failure.h"
#include "tools/tile/error.h"
#include "tools/tile/file.h"
#include "tools/tile/image.h"

namespace cox::tools {

task::Task load_task_file(const std::string &path, const std::string &bindings) {
  try {
    return task::load_task(path, bindings);
  } catch (const task::FileError &error) {
    throw Failure(ExitCode::bad_input, error.what());
  }
}

std::vector<std::uint8_t> read_input(const std::string &path) {
  try {
    return task::read_file(path);
  } catch (const task::FileError &error) {
    throw Failure(ExitCode::bad_input, error.what());
  }
}

void write_output(const std::string &path, std::span<const std::uint8_t> bytes) {
  try {
    task::write_file(path, bytes);
  } catch (const task::OutputError &error) {
    throw Failure(ExitCode::bad_output, error.what());
  }
}

void write_output(const std::string &path, std::string_view text) {
  write_output(path, std::span(reinterpret_cast<const std::uint8_t *>(text.data()), text.size()));
}

}  // namespace cox::tools
