// SPDX-License-Identifier: MIT
// What is to be run: a task, and the bytes of its inputs and windows.
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
  task::Task task;                  ///< the same, read
  std::size_t inferences = 1;
  /// By index into task.tensors: `size` bytes for all inferences, or `inferences` times as many, back to back.
  std::map<std::size_t, std::vector<std::uint8_t>> inputs;
  /// By window number: bytes from the window's base on, the same for all inferences. Not more than the window's size, and of no window that
  /// has constants.
  std::map<unsigned, std::vector<std::uint8_t>> contents;
};

/// NAME=FILE of --in, --out and --window.
struct FileBinding {
  std::string name;
  std::string file;
};

/// What the sources of FileBindings are called in messages: as options, or as members of a list of jobs.
struct SourceNames {
  const char *in = "--in", *out = "--out", *window = "--window", *repeat = "--repeat";
};

/// Throws Failure(usage) where there is no name or no file.
FileBinding parse_binding(const std::string &text, const char *option);

/// Reads the task image (or a stream, which is assembled with the bindings beside it) and all files, and settles how many inferences there
/// are: `repeat` if that is not 0, else what the inputs hold. Throws Failure: bad_input for a file that cannot be read, usage for a name
/// that the task does not have or that comes twice, and for an input that is not given; failed for a size that does not fit, which names
/// tensor, expected and actual size.
Workload read_workload(const std::string &image, const std::vector<FileBinding> &inputs, const std::vector<FileBinding> &windows,
                       std::size_t repeat, const SourceNames &sources = {});

/// The output tensor with that name. Throws Failure(usage) naming those that there are.
const task::Tensor &output_named(const task::Task &task, const std::string &name, const SourceNames &sources = {});

}  // namespace cox::tools::run
