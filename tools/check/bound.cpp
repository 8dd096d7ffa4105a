// SPDX-License-Identifier: MIT
#include "tools/check/bound.h"

#include <fmt/format.h>

#include <set>

#include "coxswain/base/status.h"
#include "coxswain/isa/tile/configuration.h"

namespace cox::tools {
namespace {

Finding finding(ErrorCode code, std::string message, std::string mend) {
  return {error_name(code), {}, std::move(message), std::move(mend)};
}

const task::Window *find_window(const task::Task &task, unsigned index) {
  for (const task::Window &window : task.windows) {
    if (window.index == index) return &window;
  }
  return nullptr;
}

void check_range(const task::Task &task, const std::string &what, unsigned window, std::uint64_t offset, std::uint64_t bytes,
                 std::vector<Finding> &findings) {
  const task::Window *found = find_window(task, window);
  if (found == nullptr) {
    findings.push_back(finding(ErrorCode::window_missing,
                               fmt::format("{} is in window {}, which the image does not describe", what, window),
                               fmt::format("describe window {} in the bindings", window)));
  } else if (offset > found->size || bytes > found->size - offset) {
    findings.push_back(
        finding(ErrorCode::address_outside_window,
                fmt::format("{} has bytes {} to {} of window {}, which has {}", what, offset, offset + bytes, window, found->size),
                fmt::format("make window {} larger in the bindings", window)));
  }
}

}  // namespace

std::vector<Finding> check_bound(const task::Task &task) {
  std::vector<Finding> findings;
  std::set<unsigned> windows;
  for (const task::Window &window : task.windows) {
    if (window.index >= isa::tile::kWindows) {
      findings.push_back(finding(ErrorCode::image_malformed,
                                 fmt::format("window {}: there are windows 0 to {}", window.index, isa::tile::kWindows - 1), ""));
    }
    if (!windows.insert(window.index).second) {
      findings.push_back(
          finding(ErrorCode::image_malformed, fmt::format("window {} is described twice", window.index), "describe it once"));
    }
  }
  for (std::size_t i = 0; i < task.constants.size(); ++i) {
    const task::Constant &constant = task.constants[i];
    check_range(task, fmt::format("constant {}", i), constant.window, constant.offset, constant.data.size(), findings);
  }
  std::set<std::string> names;
  for (const task::Tensor &tensor : task.tensors) {
    const std::string what = fmt::format("tensor '{}'", tensor.name);
    check_range(task, what, tensor.window, tensor.offset, tensor.size, findings);
    const task::Window *window = find_window(task, tensor.window);
    if (tensor.direction == task::Direction::output && window != nullptr && !window->writable) {
      findings.push_back(finding(ErrorCode::address_outside_window,
                                 fmt::format("{} is an output in window {}, which is read-only", what, tensor.window),
                                 fmt::format("make window {} writable in the bindings", tensor.window)));
    }
    if (!names.insert(tensor.name).second) {
      findings.push_back(finding(ErrorCode::image_malformed, fmt::format("{} is there twice", what), "give each tensor a name of its own"));
    }
  }
  return findings;
}

}  // namespace cox::tools
