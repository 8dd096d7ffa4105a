// SPDX-License-Identifier: MIT
// A task image that has passed all checks: its parts, and its tensors by name.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "coxswain/base/result.h"
#include "coxswain/firmware/image/stream_program.h"
#include "coxswain/firmware/plan/plan.h"
#include "coxswain/firmware/verify/verifier.h"

namespace cox::firmware::image {

struct Task;  // the FlatBuffer, firmware/image/task.fbs

/// The memory that the task needs behind one base address register.
struct WindowNeed {
  std::uint64_t size = 0;  ///< bytes; 0: the task has no such window
  bool writable = false;
  bool has_constants = false;
  /// Bytes of the window's constants, if each begins behind the end of the one before it in the image. Their order then does not matter.
  /// Otherwise 0.
  std::uint64_t ascending_bytes = 0;
  std::span<const std::byte> in_place;  ///< the result of LoadedTask::constant_in_place()
};

/// Bytes that a window holds before the task starts.
struct ConstantView {
  unsigned window = 0;
  std::uint64_t offset = 0;
  std::span<const std::byte> data;
};

/// A tensor as the image names it. The layout is NHWC. If `padded` is true, each pixel's channels are padded to a multiple of 8 bytes;
/// else there are no gaps.
struct TensorView {
  std::string_view name;
  bool output = false;
  std::uint8_t format = 0;               ///< isa::tile::DataFmt
  std::array<std::uint32_t, 4> shape{};  ///< N, C, H, W
  unsigned window = 0;
  std::uint64_t offset = 0;  ///< bytes from the window's base
  std::uint64_t size = 0;    ///< bytes
  bool padded = false;
};

/// A task whose image has passed all checks. It refers to the image and to the loader's workspace, which must outlive it and stay
/// unchanged.
class LoadedTask {
 public:
  LoadedTask() = default;
  LoadedTask(const Task *task, std::span<const isa::tile::MachineCode> instructions, const verify::TaskNeeds &needs, const plan::Plan &plan,
             const std::array<WindowNeed, verify::kWindows> &windows)
      : task_(task), instructions_(instructions), needs_(needs), plan_(plan) {
    set_windows(windows);
  }
  LoadedTask(const Task *task, const StreamProgram &program, const std::array<WindowNeed, verify::kWindows> &windows)
      : task_(task), program_(program) {
    set_windows(windows);
  }

  /// Returns false for a task made by the default constructor.
  [[nodiscard]] bool valid() const { return task_ != nullptr; }
  /// Returns the name that the image gives, or "".
  [[nodiscard]] std::string_view name() const;
  [[nodiscard]] std::span<const isa::tile::MachineCode> instructions() const { return instructions_; }
  /// Returns the program if the task is one of an engine that runs streams, otherwise nullptr. Such a task has no instructions() and no
  /// plan().
  [[nodiscard]] const StreamProgram *program() const { return program_.kind == nullptr ? nullptr : &program_; }
  /// Returns the number of instructions of either kind of task.
  [[nodiscard]] std::size_t instruction_count() const { return program() == nullptr ? instructions_.size() : program_.instructions; }
  /// Returns what the task needs of the device.
  [[nodiscard]] const verify::TaskNeeds &needs() const { return needs_; }
  [[nodiscard]] const plan::Plan &plan() const { return plan_; }
  [[nodiscard]] const std::array<WindowNeed, verify::kWindows> &windows() const { return windows_; }
  /// Bit i of the result: the task has window i.
  [[nodiscard]] std::uint32_t needed_windows() const { return needed_windows_; }

  [[nodiscard]] std::size_t constants() const;
  /// `index` < constants().
  [[nodiscard]] ConstantView constant(std::size_t index) const;
  /// Returns the constant that fills the window, if the task cannot write to the window. The constant then stays in the image. The result
  /// is empty if the window has no such constant. `window` < 4.
  [[nodiscard]] std::span<const std::byte> constant_in_place(unsigned window) const { return windows_[window].in_place; }

  [[nodiscard]] std::size_t tensors() const;
  /// `index` < tensors().
  [[nodiscard]] TensorView tensor(std::size_t index) const;
  /// Error: tensor_unknown.
  [[nodiscard]] Result<TensorView> find_tensor(std::string_view name) const;

 private:
  void set_windows(const std::array<WindowNeed, verify::kWindows> &windows) {
    windows_ = windows;
    for (unsigned i = 0; i < verify::kWindows; ++i) {
      if (windows[i].size != 0) needed_windows_ = static_cast<std::uint8_t>(needed_windows_ | 1U << i);
    }
  }

  const Task *task_ = nullptr;
  std::span<const isa::tile::MachineCode> instructions_;
  verify::TaskNeeds needs_;
  plan::Plan plan_;
  std::array<WindowNeed, verify::kWindows> windows_{};
  std::uint8_t needed_windows_ = 0;
  StreamProgram program_;
};

}  // namespace cox::firmware::image
