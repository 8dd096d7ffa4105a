// SPDX-License-Identifier: MIT
// Checks what a task image says about the task's memory: windows, constants and tensors.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "coxswain/base/status.h"
#include "coxswain/firmware/image/loaded_task.h"
#include "coxswain/firmware/load/budget.h"

namespace cox::firmware::image {
struct Constant;
struct Tensor;
}  // namespace cox::firmware::image

namespace cox::firmware::load {

using Windows = std::array<image::WindowNeed, verify::kWindows>;

class Contents {
 public:
  /// Checks the windows of `task`, which has passed Container and must outlive the last step. Errors of this function and of step():
  /// image_malformed and tensor_size, as in image::load().
  [[nodiscard]] Status begin(const image::Task &task);
  /// Works until the check is complete or the budget is used.
  [[nodiscard]] Status step(Budget &budget);
  [[nodiscard]] bool done() const { return done_; }
  /// The windows, when done() is true.
  [[nodiscard]] const Windows &windows() const { return windows_; }

 private:
  Status check_constant(const image::Constant &constant, std::int32_t at);
  [[nodiscard]] Status check_tensor(const image::Tensor &tensor, std::int32_t at) const;

  const image::Task *task_ = nullptr;
  Windows windows_{};
  std::array<std::uint64_t, verify::kWindows> total_{};  ///< bytes of the constants of each window
  std::array<std::uint64_t, verify::kWindows> end_{};    ///< end of the last constant of each window
  std::size_t next_ = 0;                                 ///< the next one of all constants and, behind them, all tensors
  bool done_ = true;
};

}  // namespace cox::firmware::load
