// SPDX-License-Identifier: MIT
#include "coxswain/firmware/load/contents.h"

#include <span>

#include "coxswain/firmware/image/flatbuffer.h"
#include "coxswain/isa/tile/format.h"
#include "coxswain/isa/tile/layout.h"

namespace cox::firmware::load {

using image::Constant;
using image::Direction;
using image::Format;
using image::Task;
using image::Tensor;
using image::Window;
using image::WindowNeed;

namespace {

constexpr std::int32_t kCheckCost = 600;  // estimated control-core instructions to check a constant or a tensor

constexpr std::uint64_t kMaximumWindowBytes = UINT32_MAX;  // the largest size that the device's window registers hold

Status collect_windows(const Task &task, Windows &windows) {
  if (task.windows() == nullptr) return {};
  for (flatbuffers::uoffset_t i = 0; i < task.windows()->size(); ++i) {
    const Window &window = *task.windows()->Get(i);
    const auto at = static_cast<std::int32_t>(i);
    if (window.index() >= verify::kWindows) return {ErrorCode::image_malformed, "windows.index", at, window.index(), verify::kWindows - 1};
    if (window.size() == 0 || window.size() > kMaximumWindowBytes) {
      return {ErrorCode::image_malformed, "windows.size", at, static_cast<std::int64_t>(window.size()), kMaximumWindowBytes};
    }
    WindowNeed &need = windows[window.index()];
    if (need.size != 0) return {ErrorCode::image_malformed, "windows.index", at, window.index()};  // a second entry for the same window
    need = {window.size(), window.writable(), false, 0, {}};
  }
  return {};
}

/// Returns true if [offset, offset + size) is inside the window. The check cannot overflow.
bool inside(const WindowNeed &window, std::uint64_t offset, std::uint64_t size) {
  return offset <= window.size && size <= window.size - offset;
}

/// Returns the number of bits of an element, or 0 if there is no such format.
std::uint64_t element_bits(Format format) {
  constexpr std::uint64_t kMx9Bits = 9;  // 18 bytes for 16 elements
  return format == Format::MX9 ? kMx9Bits : isa::tile::bits_of(static_cast<isa::tile::DataFmt>(format));
}

/// Returns the size of the tensor in bytes, or 0 if the shape is empty or larger than any window.
std::uint64_t tensor_bytes(const Tensor &tensor) {
  constexpr std::uint32_t kMx9Channels = 16;  // of a block
  if (tensor.format() == Format::MX9 && (tensor.shape()->Get(1) % kMx9Channels != 0 || tensor.padded())) return 0;
  const std::uint64_t pixel = (tensor.shape()->Get(1) * element_bits(tensor.format()) + 7) / 8;
  std::uint64_t bytes = tensor.padded() ? static_cast<std::uint64_t>(isa::tile::padded_pixel(static_cast<std::int64_t>(pixel))) : pixel;
  for (const flatbuffers::uoffset_t dimension : {0U, 2U, 3U}) {
    if (bytes > kMaximumWindowBytes) return 0;
    bytes *= tensor.shape()->Get(dimension);
  }
  return bytes > kMaximumWindowBytes ? 0 : bytes;
}

}  // namespace

Status Contents::begin(const Task &task) {
  task_ = &task;
  windows_ = {};
  total_ = {};
  end_ = {};
  next_ = 0;
  done_ = false;
  return collect_windows(task, windows_);
}

Status Contents::step(Budget &budget) {
  const std::size_t constants = task_->constants() == nullptr ? 0 : task_->constants()->size();
  const std::size_t tensors = task_->tensors() == nullptr ? 0 : task_->tensors()->size();
  for (; next_ < constants + tensors; ++next_) {
    if (!budget.is_left()) return {};
    budget.spend(kCheckCost);
    const bool is_constant = next_ < constants;
    const auto index = static_cast<flatbuffers::uoffset_t>(is_constant ? next_ : next_ - constants);
    const auto at = static_cast<std::int32_t>(index);
    const Status status =
        is_constant ? check_constant(*task_->constants()->Get(index), at) : check_tensor(*task_->tensors()->Get(index), at);
    if (!status) return status;
  }
  done_ = true;
  return {};
}

/// Checks also that all constants of a window together are not larger than the window. This bounds the time to copy them. It also means
/// that a constant in place (LoadedTask::constant_in_place) is the only one of its window, because it fills the window.
Status Contents::check_constant(const Constant &constant, std::int32_t at) {
  if (constant.window() >= verify::kWindows || windows_[constant.window()].size == 0) {
    return {ErrorCode::image_malformed, "constants.window", at, constant.window()};
  }
  if (constant.data() == nullptr || constant.data()->size() == 0) return {};
  WindowNeed &window = windows_[constant.window()];
  const std::span data = std::as_bytes(std::span(constant.data()->data(), constant.data()->size()));
  if (!inside(window, constant.offset(), data.size())) {
    return {ErrorCode::image_malformed, "constants.offset", at, signed_of(constant.offset()), signed_of(window.size)};
  }
  std::uint64_t &sum = total_[constant.window()];
  sum += data.size();
  if (sum > window.size) return {ErrorCode::image_malformed, "constants.data", at, signed_of(sum), signed_of(window.size)};
  std::uint64_t &end = end_[constant.window()];
  const bool ascends = constant.offset() >= end && window.has_constants == (window.ascending_bytes != 0);
  end = constant.offset() + data.size();
  window.ascending_bytes = ascends ? sum : 0;
  window.has_constants = true;
  if (!window.writable && data.size() == window.size) window.in_place = data;
  return {};
}

Status Contents::check_tensor(const Tensor &tensor, std::int32_t at) const {
  if (tensor.direction() > Direction::MAX) return {ErrorCode::image_malformed, "tensors.direction", at};
  if (element_bits(tensor.format()) == 0) {
    return {ErrorCode::image_malformed, "tensors.format", at, static_cast<std::int64_t>(tensor.format())};
  }
  if (tensor.shape()->size() != 4) return {ErrorCode::image_malformed, "tensors.shape", at, tensor.shape()->size(), 4};
  const std::uint64_t bytes = tensor_bytes(tensor);
  if (bytes == 0 || bytes != tensor.size()) {
    return {ErrorCode::tensor_size, "tensors.size", at, static_cast<std::int64_t>(tensor.size()), static_cast<std::int64_t>(bytes)};
  }
  if (tensor.window() >= verify::kWindows || windows_[tensor.window()].size == 0) {
    return {ErrorCode::image_malformed, "tensors.window", at, tensor.window()};
  }
  if (!inside(windows_[tensor.window()], tensor.offset(), tensor.size())) {
    return {ErrorCode::tensor_size, "tensors.offset", at, static_cast<std::int64_t>(tensor.offset()),
            static_cast<std::int64_t>(windows_[tensor.window()].size)};
  }
  if (tensor.direction() == Direction::output && !windows_[tensor.window()].writable) {
    return {ErrorCode::image_malformed, "windows.writable", at, tensor.window()};
  }
  return {};
}

}  // namespace cox::firmware::load
