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
  /// Values of the input tensors. The key is the index into JobProgram::tensors(). There is either one value, which all inferences use, or
  /// one for each inference, back to back.
  std::map<std::size_t, std::vector<std::uint8_t>> inputs;
  /// Contents of windows, the same for all inferences. The key is the window's number. The bytes begin at the window's base and may be
  /// fewer than its size. A window with constants has no entry.
  std::map<unsigned, std::vector<std::uint8_t>> contents;
  std::vector<std::uint8_t> signed_image;  ///< the program's file, if it is a signed image

  /// Returns the image for a load job.
  [[nodiscard]] std::span<const std::uint8_t> image() const {
    return signed_image.empty() ? std::span(program->interface().image) : std::span(signed_image);
  }
};

/// Returns what DRAM holds when an inference begins. The spans are those of `workload`.
[[nodiscard]] RunContents contents_of(const Workload &workload, std::size_t inference);

/// The value NAME=FILE of an option --in, --out or --window.
struct FileBinding {
  std::string name;
  std::string file;
};

/// How messages name the source of a value: as an option of `cox run`, or as a member of an entry in the jobs file.
struct SourceNames {
  const char *in = "--in", *out = "--out", *window = "--window", *repeat = "--repeat";
  const char *zero = "--zero-inputs";  ///< nullptr: inputs cannot be left out
};

/// What read_workload() does with an input tensor that has no file.
enum class MissingInputs : std::uint8_t { refused, zero };

/// Throws Failure(usage) if the name or the file is missing.
FileBinding parse_binding(const std::string &text, const char *option);

/// Reads the program at `path`, as text or as binary, in the format that job_format() chooses. Also reads the files of `inputs` and
/// `windows`. The number of inferences is `repeat`; if that is 0, the inputs determine it. Throws Failure:
/// - bad_input: a file cannot be read;
/// - usage: the task has no tensor or window with a given name, a name is given twice, or an input is missing and `missing` is refused;
/// - failed: the size of a file does not fit its tensor or window, or two inputs have values for different numbers of inferences.
Workload read_workload(ProgramFormats formats, const std::string &path, const std::vector<FileBinding> &inputs,
                       const std::vector<FileBinding> &windows, std::size_t repeat, const SourceNames &sources = {},
                       MissingInputs missing = MissingInputs::refused);

/// read_workload() for a run with a request (ProgramFormat::RunRequest). Sets `outputs` to the files of the outputs that the request has
/// added.
Workload read_workload(ProgramFormats formats, const std::string &path, const ProgramFormat::RunRequest &request,
                       std::vector<FileBinding> inputs, const std::vector<FileBinding> &windows, std::size_t repeat,
                       std::vector<FileBinding> &outputs, const SourceNames &sources = {}, MissingInputs missing = MissingInputs::refused);

/// Returns the output tensor with this name. If there is none, throws Failure(usage) with the existing names.
const JobProgram::Tensor &output_named(const JobProgram &program, const std::string &name, const SourceNames &sources = {});

}  // namespace cox::tools::run
