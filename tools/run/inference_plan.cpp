// SPDX-License-Identifier: MIT
#include "tools/run/inference_plan.h"

#include <fmt/format.h>

#include <algorithm>

#include "firmware/image/image_header.h"
#include "firmware/image/loader.h"
#include "hal/fault_log.h"
#include "tools/command/failure.h"
#include "tools/run/control_trace.h"

namespace cox::tools::run {

using firmware::job::Descriptor;
using firmware::job::Kind;

namespace {

constexpr std::size_t kFaultReadingBytes =
    sizeof(firmware::job::FaultReading) + hal::fault_log::kCapacity * sizeof(firmware::job::FaultEntry);

}  // namespace

InferencePlan::InferencePlan(const Workload &workload, std::size_t first, std::size_t count, std::uint32_t time_limit_us,
                             const Options &options)
    : workload_(workload), first_(first), count_(count), memory_(options.dram_base, static_cast<std::uint32_t>(count + 3)) {
  Descriptor load{};
  load.kind = Kind::load;
  // The FlatBuffer follows the image's header, and its constants, which are aligned in it, are so in memory too.
  image_ = memory_.reserve(workload.image.size(), JobMemory::kAlignment - sizeof(firmware::image::ImageHeader));
  load.image_address = image_;
  load.image_bytes = workload.image.size();
  load.workspace_bytes = firmware::image::workspace_bytes(workload.task.instructions.size(), workload.task.geometry.tile_cores);
  load.workspace_address = memory_.reserve(load.workspace_bytes);
  memory_.add(load);

  Windows shared{};
  for (const task::Window &window : workload.task.windows) {
    if (!own_for_each(window) && !in_place(window)) shared.at(window.index) = {memory_.reserve(window.size), window.size};
  }
  for (std::size_t i = 0; i < count; ++i) {
    Windows windows = shared;
    for (const task::Window &window : workload.task.windows) {
      if (own_for_each(window)) windows.at(window.index) = {memory_.reserve(window.size), window.size};
    }
    Descriptor run{};
    run.kind = Kind::run;
    run.time_limit_us = time_limit_us;
    run.retries = options.retries;
    std::ranges::copy(windows, run.windows);
    runs_.push_back(memory_.add(run));
    windows_.push_back(windows);
    if (i == 0 && options.trace) add_reading(Kind::read_trace, trace_, kTraceReadingBytes);
  }
  add_reading(Kind::read_faults, faults_, kFaultReadingBytes);
}

void InferencePlan::add_reading(Kind kind, firmware::job::Window &window, std::size_t bytes) {
  window = {memory_.reserve(bytes), bytes};
  Descriptor reading{};
  reading.kind = kind;
  reading.windows[0] = window;
  memory_.add(reading);
}

bool InferencePlan::in_place(const task::Window &window) const {
  if (window.writable) return false;
  const auto &tensors = workload_.task.tensors;
  // An input tensor may be in a window that the task only reads: then the caller fills it.
  if (std::ranges::any_of(tensors, [&](const task::Tensor &tensor) { return tensor.window == window.index; })) return false;
  return std::ranges::any_of(workload_.task.constants, [&](const task::Constant &constant) {
    return constant.window == window.index && constant.offset == 0 && constant.data.size() == window.size;
  });
}

bool InferencePlan::own_for_each(const task::Window &window) const {
  return window.writable || std::ranges::any_of(workload_.inputs, [&](const auto &input) {
           const task::Tensor &tensor = workload_.task.tensors.at(input.first);
           return tensor.window == window.index && input.second.size() > tensor.size;
         });
}

void InferencePlan::write(std::uint64_t address, std::span<const std::uint8_t> bytes) const {
  std::ranges::copy(std::as_bytes(bytes), memory_.at(address, bytes.size()).begin());
}

void InferencePlan::fill_window(const task::Window &window, std::uint64_t address, std::size_t inference) const {
  if (const auto contents = workload_.contents.find(window.index); contents != workload_.contents.end()) write(address, contents->second);
  for (const auto &[index, bytes] : workload_.inputs) {
    const task::Tensor &tensor = workload_.task.tensors.at(index);
    if (tensor.window != window.index) continue;
    const std::size_t offset = bytes.size() > tensor.size ? (first_ + inference) * tensor.size : 0;
    write(address + tensor.offset, std::span(bytes).subspan(offset, tensor.size));
  }
}

void InferencePlan::fill(std::span<std::byte> dram) {
  memory_.attach(dram);
  write(image_, workload_.image);
  for (std::size_t i = 0; i < count_; ++i) {
    for (const task::Window &window : workload_.task.windows) {
      const firmware::job::Window &placed = windows_[i].at(window.index);
      if (placed.size != 0 && (i == 0 || own_for_each(window))) fill_window(window, placed.address, i);
    }
  }
  memory_.publish(firmware::job::kExitWhenDone);
}

std::span<const std::byte> InferencePlan::tensor(std::size_t inference, const task::Tensor &tensor) const {
  return memory_.at(windows_[inference].at(tensor.window).address + tensor.offset, tensor.size);
}

std::size_t inferences_that_fit(const Workload &workload, std::size_t first, std::uint64_t dram_bytes) {
  const std::uint64_t one = InferencePlan(workload, first, 1, 0).bytes();
  if (one > dram_bytes) {
    throw Failure(ExitCode::failed,
                  fmt::format("no room in DRAM: image, windows and jobs take {} bytes; the board has at most {}", one, dram_bytes));
  }
  const std::uint64_t each = InferencePlan(workload, first, 2, 0).bytes() - one + JobMemory::kAlignment;
  const std::size_t left = workload.inferences - first;
  return std::min<std::uint64_t>(left, 1 + (dram_bytes - one) / each);
}

}  // namespace cox::tools::run
