// SPDX-License-Identifier: MIT
#include "tools/run/jobs/workload.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "tools/command/failure.h"
#include "tools/file/error.h"
#include "tools/file/file.h"
#include "tools/names/did_you_mean.h"
#include "tools/tile/image.h"

namespace cox::tools::run {
namespace {

std::string names_of(const task::Task &task, task::Direction direction) {
  std::string names;
  for (const task::Tensor &tensor : task.tensors) {
    if (tensor.direction == direction) names += (names.empty() ? "" : ", ") + tensor.name;
  }
  return names.empty() ? "none" : names;
}

std::size_t find_tensor(const task::Task &task, const std::string &name, task::Direction direction, const SourceNames &sources) {
  for (std::size_t i = 0; i < task.tensors.size(); ++i) {
    if (task.tensors[i].name == name && task.tensors[i].direction == direction) return i;
  }
  const bool input = direction == task::Direction::input;
  std::vector<std::string> known;
  for (const task::Tensor &tensor : task.tensors) {
    if (tensor.direction == direction) known.push_back(tensor.name);
  }
  throw Failure(ExitCode::usage, fmt::format("{} {}: the task has no such {} tensor; it has: {}{}", input ? sources.in : sources.out, name,
                                             input ? "input" : "output", names_of(task, direction), did_you_mean(name, known)));
}

void read_inputs(Workload &workload, const std::vector<FileBinding> &inputs, std::size_t repeat, const SourceNames &sources) {
  std::string first;  // the tensor that determined the number of inferences
  for (const FileBinding &input : inputs) {
    const std::size_t index = find_tensor(workload.task, input.name, task::Direction::input, sources);
    const task::Tensor &tensor = workload.task.tensors[index];
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
  for (std::size_t i = 0; i < workload.task.tensors.size(); ++i) {
    const task::Tensor &tensor = workload.task.tensors[i];
    if (tensor.direction == task::Direction::input && !workload.inputs.contains(i)) {
      throw Failure(ExitCode::usage, fmt::format("input tensor '{}' ({} bytes) is not given: {} {}=FILE", tensor.name, tensor.size,
                                                 sources.in, tensor.name));
    }
  }
  if (repeat > 1) workload.inferences = repeat;
}

void read_windows(Workload &workload, const std::vector<FileBinding> &windows, const SourceNames &sources) {
  for (const FileBinding &given : windows) {
    const auto &all = workload.task.windows;
    const auto window = std::ranges::find_if(all, [&](const task::Window &w) { return std::to_string(w.index) == given.name; });
    if (window == all.end())
      throw Failure(ExitCode::usage, fmt::format("{} {}: the task has no window of that number", sources.window, given.name));
    if (std::ranges::any_of(workload.task.constants, [&](const task::Constant &constant) { return constant.window == window->index; })) {
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

FileBinding parse_binding(const std::string &text, const char *option) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0 || equals + 1 == text.size()) {
    throw Failure(ExitCode::usage, fmt::format("{} {}: it should be NAME=FILE", option, text));
  }
  return {text.substr(0, equals), text.substr(equals + 1)};
}

Workload read_workload(const std::string &image, const std::vector<FileBinding> &inputs, const std::vector<FileBinding> &windows,
                       std::size_t repeat, const SourceNames &sources) {
  try {
    Workload workload;
    workload.image = read_file(image);
    if (task::is_image(workload.image)) {
      workload.task = task::parse_image(workload.image, image);
    } else {
      workload.task = task::load_task(image);
      workload.image = task::build_image(workload.task);
    }
    if (workload.task.name.empty()) workload.task.name = std::filesystem::path(image).stem().string();
    read_inputs(workload, inputs, repeat, sources);
    read_windows(workload, windows, sources);
    return workload;
  } catch (const FileError &error) {
    throw Failure(ExitCode::bad_input, error.what());
  }
}

const task::Tensor &output_named(const task::Task &task, const std::string &name, const SourceNames &sources) {
  return task.tensors[find_tensor(task, name, task::Direction::output, sources)];
}

}  // namespace cox::tools::run
