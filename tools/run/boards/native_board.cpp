// SPDX-License-Identifier: MIT
// Runs the firmware in this process. firmware_main() returns only when the jobs are done, so a second thread watches the progress.
#include "boards/native/native_board.h"

#include <fmt/format.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <stop_token>
#include <thread>

#include "coxswain/firmware/firmware.h"
#include "coxswain/firmware/job/job_queue.h"
#include "tools/command/failure.h"
#include "tools/run/boards/board.h"
#include "tools/run/report/fault_tally.h"

namespace cox::tools::run {
namespace {

class HostBoard final : public Board {
 public:
  explicit HostBoard(const BoardSettings &settings) : settings_(settings) {
    board::NativeBoardSettings machine;
    machine.model_options = settings.model_options;
    machine.dram_bytes = settings.dram_bytes;
    machine.console = [this](std::string_view text) {
      console_ += text;
      if (settings_.verbose) std::fwrite(text.data(), 1, text.size(), stderr);
    };
    machine.log = [this](int, std::string_view text) {
      if (const std::string_view fault = fault_line(text); settings_.on_fault && !fault.empty()) return settings_.on_fault(fault);
      fmt::print(stderr, "npu: {}\n", text);
    };
    std::string error;
    machine_ = board::NativeBoard::create(std::move(machine), error);
    if (!machine_) throw Failure(ExitCode::failed, "the board native: " + error);
  }

  std::span<std::byte> dram() override { return machine_->dram(); }
  std::string console() const override { return console_; }
  void power_off() override { machine_.reset(); }

  void run() override {
    if (settings_.before_boot) settings_.before_boot();
    const std::jthread watcher([this](const std::stop_token &stop) { watch(stop); });
    if (firmware::firmware_main() != 0) throw Failure(ExitCode::failed, "the firmware stopped; its console:\n" + console_);
  }

 private:
  void watch(const std::stop_token &stop) {
    if (!settings_.progress) return;
    auto &header = *reinterpret_cast<firmware::job::Header *>(dram().data());
    while (!stop.stop_requested()) {
      settings_.progress(std::atomic_ref(header.completed).load(std::memory_order_acquire));
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
  }

  BoardSettings settings_;
  std::string console_;
  std::unique_ptr<board::NativeBoard> machine_;
};

}  // namespace

const BoardMap &native_board_map() {
  static const BoardMap kMap = [] {
    BoardMap map = *board_map(kDefaultBoard);
    map.dram_base = board::NativeBoard::default_dram_address();
    return map;
  }();
  return kMap;
}

std::unique_ptr<Board> make_native_board(const BoardSettings &settings) { return std::make_unique<HostBoard>(settings); }

}  // namespace cox::tools::run
