// SPDX-License-Identifier: MIT
// cox_host_task: reads a task image with the checks of the firmware.
#include "coxswain/host/coxswain_task.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "coxswain/base/c_status.h"
#include "coxswain/base/result.h"
#include "coxswain/firmware/image/flatbuffer.h"
#include "coxswain/firmware/image/loader.h"
#include "coxswain/firmware/load/container.h"
#include "coxswain/firmware/load/contents.h"

struct cox_host_task {
  std::string name;
  cox_host_task_info info{};
  std::vector<std::string> names;  ///< of the tensors
  std::vector<cox_host_task_tensor> tensors;
  std::vector<cox_host_task_window> windows;
};

namespace cox::host {
namespace {

using firmware::image::Task;

/// An image in memory that is aligned as the firmware wants it.
class AlignedImage {
 public:
  AlignedImage(const void *image, std::size_t bytes) : blocks_(bytes / sizeof(Block) + 1), bytes_(bytes) {
    if (bytes != 0) std::memcpy(blocks_.data(), image, bytes);
  }
  [[nodiscard]] std::span<const std::byte> bytes() const { return std::as_bytes(std::span(blocks_)).first(bytes_); }

 private:
  struct alignas(firmware::image::kImageAlignment) Block {
    std::byte bytes[firmware::image::kImageAlignment];
  };
  std::vector<Block> blocks_;
  std::size_t bytes_;
};

Status too_many_dimensions(std::size_t tensor, std::size_t dimensions) {
  return {ErrorCode::image_malformed, "tensors.shape", static_cast<std::int32_t>(tensor), static_cast<std::int64_t>(dimensions),
          COX_HOST_DIMENSIONS};
}

Status read_tensors(const Task &task, cox_host_task &read) {
  if (task.tensors() == nullptr) return {};
  for (const firmware::image::Tensor *tensor : *task.tensors()) {
    cox_host_task_tensor found{};
    found.is_output = tensor->direction() == firmware::image::Direction::output ? 1 : 0;
    found.format = static_cast<std::uint32_t>(tensor->format());
    const std::size_t dimensions = tensor->shape()->size();
    if (dimensions != COX_HOST_DIMENSIONS) return too_many_dimensions(read.tensors.size(), dimensions);
    std::ranges::copy(*tensor->shape(), found.shape);
    found.window = tensor->window();
    found.is_padded = tensor->padded() ? 1 : 0;
    found.offset = tensor->offset();
    found.size = tensor->size();
    read.names.push_back(tensor->name()->str());
    read.tensors.push_back(found);
  }
  for (std::size_t i = 0; i < read.names.size(); ++i) read.tensors[i].name = read.names[i].c_str();
  return {};
}

/// Returns true if a constant is the whole of the window, which no run changes and no tensor fills.
bool is_in_image(const Task &task, const cox_host_task_window &window, const cox_host_task &read) {
  const auto in_window = [&](const cox_host_task_tensor &tensor) { return tensor.window == window.index; };
  if (window.is_writable != 0 || task.constants() == nullptr || std::ranges::any_of(read.tensors, in_window)) return false;
  return std::any_of(task.constants()->begin(), task.constants()->end(), [&](const firmware::image::Constant *constant) {
    return constant->window() == window.index && constant->offset() == 0 && constant->data() != nullptr &&
           constant->data()->size() == window.size;
  });
}

/// Does all steps of a check.
template <typename Check>
Status finish(Check &check) {
  while (!check.done()) {
    firmware::load::Budget budget;
    if (Status status = check.step(budget); !status.ok()) return status;
  }
  return {};
}

Result<std::unique_ptr<cox_host_task>> read_task(std::span<const std::byte> image) {
  const Result<std::size_t> workspace = firmware::image::workspace_bytes(image);
  if (!workspace) return workspace.status();
  firmware::load::Container container;
  if (Status status = container.begin(image); !status.ok()) return status;
  if (Status status = finish(container); !status.ok()) return status;
  const Task &task = container.task();
  firmware::load::Contents contents;
  if (Status status = contents.begin(task); !status.ok()) return status;
  if (Status status = finish(contents); !status.ok()) return status;

  auto read = std::make_unique<cox_host_task>();
  if (task.name() != nullptr) read->name = task.name()->str();
  if (Status status = read_tensors(task, *read); !status.ok()) return status;
  for (std::uint32_t index = 0; index < contents.windows().size(); ++index) {
    const firmware::image::WindowNeed &need = contents.windows()[index];
    if (need.size == 0) continue;
    cox_host_task_window window{.index = index, .is_writable = need.writable ? 1U : 0U, .is_in_image = 0, .reserved = 0, .size = need.size};
    window.is_in_image = is_in_image(task, window, *read) ? 1 : 0;
    read->windows.push_back(window);
  }
  read->info = {.name = read->name.c_str(),
                .engine = task.program() == nullptr ? COX_HOST_TILE_CORES : task.program()->engine(),
                .cores = task.geometry()->tile_cores(),
                .tensors = static_cast<std::uint32_t>(read->tensors.size()),
                .windows = static_cast<std::uint32_t>(read->windows.size()),
                .instructions = task.instructions()->size(),
                .reserved = 0,
                .workspace_bytes = workspace.value()};
  return read;
}

template <typename Item>
cox_status give(const std::vector<Item> &items, std::uint32_t number, Item *item) {
  if (item == nullptr) return to_c({ErrorCode::invalid_argument, "item"});
  if (number >= items.size()) {
    return to_c({ErrorCode::invalid_argument, "number", -1, number, static_cast<std::int64_t>(items.size()) - 1});
  }
  *item = items[number];
  return to_c({});
}

}  // namespace
}  // namespace cox::host

cox_status cox_host_task_read(const void *image, std::size_t bytes, cox_host_task **task) {
  if (image == nullptr || task == nullptr) return cox::to_c({cox::ErrorCode::invalid_argument, image == nullptr ? "image" : "task"});
  try {
    const cox::host::AlignedImage aligned(image, bytes);
    auto read = cox::host::read_task(aligned.bytes());
    if (read.ok()) *task = read.value().release();
    return cox::to_c(read.status());
  } catch (const std::bad_alloc &) {
    return cox::to_c({cox::ErrorCode::no_room, "memory of the host"});
  }
}

void cox_host_task_free(cox_host_task *task) { delete task; }

cox_status cox_host_task_get(const cox_host_task *task, cox_host_task_info *info) {
  if (task == nullptr || info == nullptr) return cox::to_c({cox::ErrorCode::invalid_argument, task == nullptr ? "task" : "info"});
  *info = task->info;
  return cox::to_c({});
}

cox_status cox_host_task_get_tensor(const cox_host_task *task, std::uint32_t number, cox_host_task_tensor *tensor) {
  if (task == nullptr) return cox::to_c({cox::ErrorCode::invalid_argument, "task"});
  return cox::host::give(task->tensors, number, tensor);
}

cox_status cox_host_task_get_window(const cox_host_task *task, std::uint32_t number, cox_host_task_window *window) {
  if (task == nullptr) return cox::to_c({cox::ErrorCode::invalid_argument, "task"});
  return cox::host::give(task->windows, number, window);
}
