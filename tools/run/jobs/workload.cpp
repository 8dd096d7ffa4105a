// SPDX-License-Identifier: MIT
#include "tools/run/jobs/workload.h"

#include <fmt/format.h>

#include <algorithm>

#include "tools/command/failure.h"
#include "tools/file/error.h"
#include "tools/file/file.h"
#include "tools/image/signed_file.h"
#include "tools/names/did_you_mean.h"

namespace cox::tools::run {
namespace {

using Direction = JobProgram::Direction;
using Tensor = JobProgram::Tensor;

std::string names_of(const JobProgram &program, Direction direction) {
  std::string names;
  for (const Tensor &tensor : program.tensors()) {
    if (tensor.direction == direction) names += (names.empty() ? "" : ", ") + tensor.name;
  }
  return names.empty() ? "none" : names;
}

std::size_t find_tensor(const JobProgram &program, const std::string &name, Direction direction, const SourceNames &sources) {
  for (std::size_t i = 0; i < program.tensors().size(); ++i) {
    if (program.tensors()[i].name == name && program.tensors()[i].direction == direction) return i;
  }
  const bool input = direction == Direction::input;
  std::vector<std::string> known;
  for (const Tensor &tensor : program.tensors()) {
    if (tensor.direction == direction) known.push_back(tensor.name);
  }
  throw Failure(ExitCode::usage, fmt::format("{} {}: the task has no such {} tensor; it has: {}{}", input ? sources.in : sources.out, name,
                                             input ? "input" : "output", names_of(program, direction), did_you_mean(name, known)));
}

/// Gives zero bytes to input tensors without values, or refuses them.
void complete_inputs(Workload &workload, const SourceNames &sources, MissingInputs missing) {
  for (std::size_t i = 0; i < workload.program->tensors().size(); ++i) {
    const Tensor &tensor = workload.program->tensors()[i];
    if (tensor.direction != Direction::input || workload.inputs.contains(i)) continue;
    if (missing == MissingInputs::refused) {
      throw Failure(ExitCode::usage,
                    fmt::format("input tensor '{}' ({} bytes) is not given: {} {}=FILE{}", tensor.name, tensor.size, sources.in,
                                tensor.name, sources.zero == nullptr ? "" : fmt::format(", or {} for zero bytes", sources.zero)));
    }
    workload.inputs.emplace(i, std::vector<std::uint8_t>(tensor.size));
  }
}

void read_inputs(Workload &workload, const std::vector<FileBinding> &inputs, std::size_t repeat, const SourceNames &sources,
                 MissingInputs missing) {
  std::string first;  // the tensor that determined the number of inferences
  for (const FileBinding &input : inputs) {
    const std::size_t index = find_tensor(*workload.program, input.name, Direction::input, sources);
    const Tensor &tensor = workload.program->tensors()[index];
    std::vector<std::uint8_t> bytes = read_file(input.file);
    const std::size_t count = tensor.size == 0 ? 0 : bytes.size() / tensor.size;
    if (count == 0 || bytes.size() % tensor.size != 0 || (repeat > 0 && count > 1)) {
      throw Failure(ExitCode::failed,
                    fmt::format("{}: input tensor '{}' takes {} bytes{}; the file has {}", input.file, tensor.name, tensor.size,
                                repeat > 0 ? fmt::format(", and with {} it is that of one inference", sources.repeat)
                                           : " (or several times as many, one inference each)",
                                bytes.size()));
    }
    if (count > 1) {
      if (!first.empty() && workload.inferences != count) {
        throw Failure(ExitCode::failed, fmt::format("{}: input tensor '{}' has values for {} inferences, but '{}' for {}", input.file,
                                                    tensor.name, count, first, workload.inferences));
      }
      first = tensor.name;
      workload.inferences = count;
    }
    if (!workload.inputs.emplace(index, std::move(bytes)).second) {
      throw Failure(ExitCode::usage, fmt::format("{} {} is given twice", sources.in, input.name));
    }
  }
  complete_inputs(workload, sources, missing);
  if (repeat > 1) workload.inferences = repeat;
}

void read_windows(Workload &workload, const std::vector<FileBinding> &windows, const SourceNames &sources) {
  for (const FileBinding &given : windows) {
    const auto &all = workload.program->interface().windows;
    const auto window = std::ranges::find_if(all, [&](const JobProgram::Window &w) { return std::to_string(w.index) == given.name; });
    if (window == all.end())
      throw Failure(ExitCode::usage, fmt::format("{} {}: the task has no window of that number", sources.window, given.name));
    if (std::ranges::any_of(workload.program->interface().constants,
                            [&](const JobProgram::Constant &constant) { return constant.window == window->index; })) {
      throw Failure(ExitCode::usage, fmt::format("{} {}: the image says what stands there", sources.window, given.name));
    }
    std::vector<std::uint8_t> bytes = read_file(given.file);
    if (bytes.size() > window->size) {
      throw Failure(ExitCode::failed,
                    fmt::format("{}: window {} has {} bytes; the file has {}", given.file, given.name, window->size, bytes.size()));
    }
    if (!workload.contents.emplace(window->index, std::move(bytes)).second) {
      throw Failure(ExitCode::usage, fmt::format("{} {} is given twice", sources.window, given.name));
    }
  }
}

}  // namespace

RunContents contents_of(const Workload &workload, std::size_t inference) {
  RunContents contents;
  for (const auto &[number, bytes] : workload.inputs) {
    const std::uint64_t size = workload.program->tensors()[number].size;
    const bool one_for_all = bytes.size() <= size;
    contents.inputs[number] =
        one_for_all ? std::span(bytes) : std::span(bytes).subspan(std::min(inference, workload.inferences - 1) * size, size);
  }
  for (const auto &[window, bytes] : workload.contents) contents.windows[window] = bytes;
  return contents;
}

FileBinding parse_binding(const std::string &text, const char *option) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0 || equals + 1 == text.size()) {
    throw Failure(ExitCode::usage, fmt::format("{} {}: it should be NAME=FILE", option, text));
  }
  return {text.substr(0, equals), text.substr(equals + 1)};
}

Workload read_workload(ProgramFormats formats, const std::string &path, const std::vector<FileBinding> &inputs,
                       const std::vector<FileBinding> &windows, std::size_t repeat, const SourceNames &sources, MissingInputs missing) {
  try {
    Workload workload;
    workload.program = job_format(formats, path).read_job(path);
    workload.signed_image = read_signed_file(path);
    read_inputs(workload, inputs, repeat, sources, missing);
    read_windows(workload, windows, sources);
    return workload;
  } catch (const FileError &error) {
    throw Failure(ExitCode::bad_input, error.what());
  }
}

Workload read_workload(ProgramFormats formats, const std::string &path, const ProgramFormat::RunRequest &request,
                       std::vector<FileBinding> inputs, const std::vector<FileBinding> &windows, std::size_t repeat,
                       std::vector<FileBinding> &outputs, const SourceNames &sources, MissingInputs missing) {
  try {
    const ProgramFormat::RunPlan plan = job_format(formats, path).plan_run(path, request);
    Workload workload;
    workload.program = plan.program;
    workload.signed_image = read_signed_file(path);
    for (const auto &[tensor, file] : plan.inputs) inputs.push_back({tensor, file});
    for (const auto &[tensor, file] : plan.outputs) outputs.push_back({tensor, file});
    read_inputs(workload, inputs, repeat, sources, missing);
    read_windows(workload, windows, sources);
    return workload;
  } catch (const FileError &error) {
    throw Failure(ExitCode::bad_input, error.what());
  }
}

const JobProgram::Tensor &output_named(const JobProgram &program, const std::string &name, const SourceNames &sources) {
  return program.tensors()[find_tensor(program, name, Direction::output, sources)];
}

}  // namespace cox::tools::run
