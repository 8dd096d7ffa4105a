// SPDX-License-Identifier: MIT
// The accelerator without scheduler and verifier: instructions go to their queues unchanged.
#pragma once

#include <array>
#include <memory>
#include <span>
#include <vector>

#include "boards/native/native_board.h"
#include "coxswain/hal/completion_queue.h"
#include "coxswain/hal/context.h"
#include "coxswain/hal/tile/submission_queue.h"

namespace cox::tests {

/// Uses the board of the process, which must have at least two tile cores: core 0 and core 1.
class DirectDevice {
 public:
  DirectDevice(std::span<std::byte> memory, board::NativeBoard &board);

  [[nodiscard]] const hal::Geometry &geometry() const { return geometry_; }
  /// Puts each instruction into the queue of its class, on the core that its header names, in order and without regard to tokens. Waits for
  /// the end of each instruction if `one_by_one`, otherwise for the end of all. Returns the status of each instruction that asked for a
  /// completion: all except configurations.
  std::vector<hal::FaultCode> run(std::span<const isa::tile::MachineCode> codes, unsigned context, bool one_by_one);

 private:
  static constexpr unsigned kCores = 2, kSizeLog2 = 7;
  void wait(std::vector<hal::FaultCode> &statuses);

  board::NativeBoard &board_;
  hal::Geometry geometry_;
  std::array<std::array<hal::tile::SubmissionQueue, isa::tile::kClasses>, kCores> queues_;
  std::array<hal::CompletionQueue, kCores> completions_;
};

}  // namespace cox::tests
