// SPDX-License-Identifier: MIT
// The accelerator without scheduler and verifier: instructions go to their queues as they are.
#pragma once

#include <array>
#include <memory>
#include <span>
#include <vector>

#include "boards/native/native_board.h"
#include "hal/completion_queue.h"
#include "hal/context.h"
#include "hal/submission_queue.h"

namespace cox::tests {

/// On the board that exists, of at least two tile cores: core 0 and 1.
class DirectDevice {
 public:
  DirectDevice(std::span<std::byte> memory, board::NativeBoard &board);

  [[nodiscard]] const hal::Geometry &geometry() const { return geometry_; }
  /// Sends each to the queue of its class, on the core that its header names, in order and without regard to tokens; waits for the end of
  /// each where `one_by_one`, else of all. Returns the status of those that asked for a completion: all of them, but configurations.
  std::vector<hal::FaultCode> run(std::span<const isa::tile::MachineCode> codes, unsigned context, bool one_by_one);

 private:
  static constexpr unsigned kCores = 2, kSizeLog2 = 7;
  void wait(std::vector<hal::FaultCode> &statuses);

  board::NativeBoard &board_;
  hal::Geometry geometry_;
  std::array<std::array<hal::SubmissionQueue, isa::tile::kClasses>, kCores> queues_;
  std::array<hal::CompletionQueue, kCores> completions_;
};

}  // namespace cox::tests
