// SPDX-License-Identifier: MIT
#include "tools/run/jobs/task_placement.h"

#include <algorithm>

#include "coxswain/firmware/image/image_header.h"

namespace cox::tools::run {

using firmware::job::Kind;
using firmware::job::Request;

TaskPlacement::TaskPlacement(const Workload &workload, std::size_t first, std::size_t count, JobMemory &memory)
    : workload_(workload), first_(first), memory_(memory) {
  // Aligns the FlatBuffer behind the image's header, instead of the image itself. Then the constants, which are aligned within the
  // FlatBuffer, are also aligned in memory.
  image_ = memory.reserve(workload.image().size(), JobMemory::kAlignment - sizeof(firmware::image::ImageHeader));
  workspace_bytes_ = workload.program->interface().workspace_bytes;
  workspace_ = memory.reserve(workspace_bytes_);

  Windows shared{};
  for (const JobProgram::Window &window : workload.program->interface().windows) {
    if (!own_for_each(window) && !in_place(window)) shared.at(window.index) = {memory.reserve(window.size), window.size};
  }
  for (std::size_t i = 0; i < count; ++i) {
    Windows windows = shared;
    for (const JobProgram::Window &window : workload.program->interface().windows) {
      if (own_for_each(window)) windows.at(window.index) = {memory.reserve(window.size), window.size};
    }
    windows_.push_back(windows);
  }
}

Request TaskPlacement::load_job() const {
  Request load{};
  load.kind = Kind::load;
  load.image_address = image_;
  load.image_bytes = workload_.image().size();
  load.workspace_address = workspace_;
  load.workspace_bytes = workspace_bytes_;
  return load;
}

Request TaskPlacement::run_job(std::size_t inference, std::size_t count) const {
  Request run{};
  run.kind = Kind::run;
  std::ranges::copy(windows_.at(inference), run.windows);
  if (count == 1) return run;
  // Each inference reserves the same sizes in the same order, so its windows are always equally far behind those of the one before.
  firmware::job::Strides strides{};
  for (std::size_t i = 0; i < strides.size(); ++i) strides[i] = windows_.at(inference + 1)[i].address - windows_[inference][i].address;
  firmware::job::set_inferences(run, static_cast<std::uint32_t>(count), strides);
  return run;
}

bool TaskPlacement::in_place(const JobProgram::Window &window) const {
  if (window.writable) return false;
  const auto &tensors = workload_.program->tensors();
  // A window that the task only reads may hold an input tensor; then the caller fills it.
  if (std::ranges::any_of(tensors, [&](const JobProgram::Tensor &tensor) { return tensor.window == window.index; })) return false;
  return std::ranges::any_of(workload_.program->interface().constants, [&](const JobProgram::Constant &constant) {
    return constant.window == window.index && constant.offset == 0 && constant.size == window.size;
  });
}

bool TaskPlacement::own_for_each(const JobProgram::Window &window) const {
  return window.writable || std::ranges::any_of(workload_.inputs, [&](const auto &input) {
           const JobProgram::Tensor &tensor = workload_.program->tensors().at(input.first);
           return tensor.window == window.index && input.second.size() > tensor.size;
         });
}

void TaskPlacement::write(std::uint64_t address, std::span<const std::uint8_t> bytes) const {
  std::ranges::copy(std::as_bytes(bytes), memory_.at(address, bytes.size()).begin());
}

void TaskPlacement::fill_window(const JobProgram::Window &window, std::uint64_t address, std::size_t inference) const {
  if (const auto contents = workload_.contents.find(window.index); contents != workload_.contents.end()) write(address, contents->second);
  for (const auto &[index, bytes] : workload_.inputs) {
    const JobProgram::Tensor &tensor = workload_.program->tensors().at(index);
    if (tensor.window != window.index) continue;
    const std::size_t offset = bytes.size() > tensor.size ? (first_ + inference) * tensor.size : 0;
    write(address + tensor.offset, std::span(bytes).subspan(offset, tensor.size));
  }
}

void TaskPlacement::fill() const {
  write(image_, workload_.image());
  for (std::size_t i = 0; i < windows_.size(); ++i) {
    for (const JobProgram::Window &window : workload_.program->interface().windows) {
      const firmware::job::Window &placed = windows_[i].at(window.index);
      if (placed.size != 0 && (i == 0 || own_for_each(window))) fill_window(window, placed.address, i);
    }
  }
}

std::span<const std::byte> TaskPlacement::tensor(std::size_t inference, const JobProgram::Tensor &tensor) const {
  return memory_.at(windows_.at(inference).at(tensor.window).address + tensor.offset, tensor.size);
}

}  // namespace cox::tools::run
