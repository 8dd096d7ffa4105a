// SPDX-License-Identifier: MIT
// The input of `cox run`: a task, and the bytes of its inputs and windows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "tools/registry/job_program.h"

namespace cox::tools::run {

struct Workload {
  std::shared_ptr<const JobProgram> program;  ///< never nullptr once read_workload() has returned
  std::size_t inferences = 1;
  /// Input bytes by index into JobProgram::tensors(): `size` bytes that all inferences use, or `inferences` times as many, back to back.
  std::map<std::size_t, std::vector<std::uint8_t>> inputs;
  /// Window contents by window number: bytes from the window's base on, the same for all inferences. They are at most as long as the
  /// window; a window with constants has none.
  std::map<unsigned, std::vector<std::uint8_t>> contents;
};

/// NAME=FILE of --in, --out and --window.
struct FileBinding {
  std::string name;
  std::string file;
};

/// The names in messages for the sources of FileBindings: options, or members of a list of jobs.
struct SourceNames {
  const char *in = "--in", *out = "--out", *window = "--window", *repeat = "--repeat";
};

/// Throws Failure(usage) if the name or the file is missing.
FileBinding parse_binding(const std::string &text, const char *option);

/// Reads the program in either form, by the format that job_format() chooses, and all files. The number of inferences is `repeat`, or that
/// of the inputs if `repeat` is 0. Throws Failure: bad_input if a file cannot be read; usage if the task does not have a name, a name comes
/// twice or an input is missing; failed, with tensor, expected and actual size, if a size does not fit.
Workload read_workload(ProgramFormats formats, const std::string &path, const std::vector<FileBinding> &inputs,
                       const std::vector<FileBinding> &windows, std::size_t repeat, const SourceNames &sources = {});

/// Returns the output tensor with this name. Otherwise throws Failure(usage) with the existing names.
const JobProgram::Tensor &output_named(const JobProgram &program, const std::string &name, const SourceNames &sources = {});

}  // namespace cox::tools::run
