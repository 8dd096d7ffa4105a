// SPDX-License-Identifier: MIT
// The input of `cox run`: a task, and the bytes of its inputs and windows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "tools/tile/task.h"

namespace cox::tools::run {

struct Workload {
  std::vector<std::uint8_t> image;  ///< the task image file
  task::Task task;                  ///< the parsed image
  std::size_t inferences = 1;
  /// Input bytes by index into task.tensors: `size` bytes that all inferences use, or `inferences` times as many, back to back.
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

/// Reads the task image and all files. Instead of an image, `image` may be a stream; the function assembles it with the bindings beside it.
/// The number of inferences is `repeat`, or that of the inputs if `repeat` is 0. Throws Failure: bad_input if a file cannot be read; usage
/// if the task does not have a name, a name comes twice or an input is missing; failed, with tensor, expected and actual size, if a size
/// does not fit.
Workload read_workload(const std::string &image, const std::vector<FileBinding> &inputs, const std::vector<FileBinding> &windows,
                       std::size_t repeat, const SourceNames &sources = {});

/// Returns the output tensor with this name. Otherwise throws Failure(usage) with the existing names.
const task::Tensor &output_named(const task::Task &task, const std::string &name, const SourceNames &sources = {});

}  // namespace cox::tools::run
