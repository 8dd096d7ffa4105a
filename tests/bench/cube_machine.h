// SPDX-License-Identifier: MIT
// The native board with the matrix unit brought up, for benchmarks of its kernels.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "boards/native/native_board.h"
#include "coxswain/kernels/cube/engine.h"
#include "coxswain/kernels/cube/stream.h"

namespace cox::bench {

/// Throws std::runtime_error if `status` is an error.
void expect_ok(const Status &status, const char *what);

class CubeMachine {
 public:
  /// Brings up a board with `tensor_bytes` of DRAM for tensors and, behind them, `stream_bytes` for the stream.
  CubeMachine(std::uint64_t tensor_bytes, std::uint64_t stream_bytes);

  [[nodiscard]] std::uint64_t base() const;  ///< bus address of the tensors
  [[nodiscard]] std::span<std::byte> tensors() const { return board_->dram().first(tensor_bytes_); }
  [[nodiscard]] kernels::cube::Stream &stream() { return stream_; }
  [[nodiscard]] kernels::cube::Engine &engine() { return engine_; }
  /// Memory for streams, behind the tensors.
  [[nodiscard]] std::span<std::byte> stream_memory() const { return board_->core_dram().subspan(tensor_bytes_, stream_bytes_); }
  /// Runs the stream, which keeps its slots for further runs. Returns device cycles from the doorbell to the completion, minus those of a
  /// stream with only a BARRIER.
  std::uint64_t run();

 private:
  std::uint64_t cycles_from_doorbell();

  std::uint64_t tensor_bytes_, stream_bytes_;
  std::unique_ptr<board::NativeBoard> board_;
  hal::Accelerator accelerator_;
  isa::Window window_;
  kernels::cube::Engine engine_;
  kernels::cube::Stream stream_;
  std::uint64_t around_ = 0;
};

}  // namespace cox::bench
