// SPDX-License-Identifier: MIT
#include "cube_machine.h"

#include <stdexcept>
#include <string>

#include "coxswain/hal/board.h"
#include "coxswain/hal/bus.h"
#include "coxswain/hal/context.h"
#include "coxswain/hal/device.h"
#include "coxswain/isa/cube/build.h"

namespace cox::bench {

void expect_ok(const Status &status, const char *what) {
  if (!status.ok()) throw std::runtime_error(std::string(what) + ": " + error_name(status.code()) + " " + status.what());
}

CubeMachine::CubeMachine(std::uint64_t tensor_bytes, std::uint64_t stream_bytes)
    : tensor_bytes_(tensor_bytes), stream_bytes_(stream_bytes) {
  constexpr std::uint64_t kMiB = 1U << 20;
  std::string error;
  board::NativeBoardSettings settings;
  settings.dram_bytes = (tensor_bytes + stream_bytes + 2 * kMiB) / kMiB * kMiB;
  board_ = board::NativeBoard::create(std::move(settings), error);
  if (board_ == nullptr) throw std::runtime_error(error);
  expect_ok(accelerator_.open(), "open");
  window_ = {.base = hal::dram_range().address, .bytes = tensor_bytes, .read = true, .write = true};
  expect_ok(engine_.init(accelerator_, {.context = 0, .windows = {&window_, 1}}), "engine");
  expect_ok(stream_.init(stream_memory(), {&window_, 1}), "stream");
  expect_ok(stream_.append(isa::cube::encode(isa::cube::Barrier{.pipes = 1})), "BARRIER");
  around_ = cycles_from_doorbell();
  stream_.clear();
}

std::uint64_t CubeMachine::base() const { return hal::dram_range().address; }

std::uint64_t CubeMachine::cycles_from_doorbell() {
  const std::uint64_t start = board_->now();
  expect_ok(engine_.run(stream_), "run");
  return engine_.end_cycle() - start;
}

std::uint64_t CubeMachine::run() { return cycles_from_doorbell() - around_; }

}  // namespace cox::bench
