// SPDX-License-Identifier: MIT
// Checks a task image as a container: header, checksum, and the structure of the FlatBuffer (docs/task-image.md).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "coxswain/base/status.h"
#include "coxswain/firmware/load/budget.h"

namespace cox::firmware::image {
struct Task;  // the FlatBuffer, firmware/image/task.fbs
}

namespace cox::firmware::load {

class Container {
 public:
  /// Checks alignment and header. The image must outlive the last step. Errors of this function and of step(): those of image::load() for
  /// header and FlatBuffer.
  [[nodiscard]] Status begin(std::span<const std::byte> image);
  /// Works until the check is complete or the budget is used.
  [[nodiscard]] Status step(Budget &budget);
  [[nodiscard]] bool done() const { return phase_ == Phase::done; }
  /// The task, when done() is true.
  [[nodiscard]] const image::Task &task() const { return *task_; }

 private:
  enum class Phase : std::uint8_t { checksum, windows, constants, tensors, mapping, done };

  Status check_sum(Budget &budget);
  Status check_root();
  Status check_tables(Budget &budget);

  std::span<const std::byte> payload_;
  const image::Task *task_ = nullptr;
  std::size_t next_ = 0;  ///< next byte of the payload, or next table of the list
  std::uint32_t checksum_ = 0, expected_ = 0;
  Phase phase_ = Phase::done;
  bool has_program_ = false;  ///< the header has the version of images with a program
};

}  // namespace cox::firmware::load
