// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "boards/native/native_board.h"
#include "coxswain/firmware/firmware.h"
#include "coxswain/firmware/job/job_queue.h"
#include "coxswain/host/native_transport.h"
#include "tests/host/machines.h"

namespace cox::tests {
namespace {

class NativeMachine final : public Machine {
 public:
  explicit NativeMachine(const MachineSettings &settings) {
    board::NativeBoardSettings board;
    board.model_options = settings.model_options;
    board.idle_tick = std::chrono::microseconds(settings.idle_tick_us);
    board.on_idle_tick = [this, settle = settings.runs_settle] {
      if (std::atomic_ref(header().submitted).load() != header().completed && !(settle && any_runs())) ++waits_;
    };
    board.console = [](std::string_view) {};
    board.log = [](int, std::string_view) {};
    std::string error;
    board_ = board::NativeBoard::create(std::move(board), error);
    EXPECT_NE(board_, nullptr) << error;
    firmware_ = std::thread([] { firmware::firmware_main(); });
  }
  ~NativeMachine() override { stop(); }

  cox_status open(const cox_host_options &options, cox_host **host) override {
    const cox_host_transport transport = host::native_transport(*board_);
    return cox_host_open(&transport, &options, host);
  }
  void ring() override { board_->mailbox().ring_core(); }
  void stop() override {
    if (!firmware_.joinable()) return;
    std::atomic_ref(header().flags).store(firmware::job::kExitWhenDone);
    board_->mailbox().ring_core();
    firmware_.join();
  }
  unsigned waits_for_ticks() const override { return waits_; }

 private:
  /// Called while the firmware sleeps.
  bool any_runs() {
    const auto *ring = reinterpret_cast<const firmware::job::Descriptor *>(&header() + 1);
    for (std::uint32_t i = 0; i < header().capacity; ++i) {
      if (ring[i].outcome.state == firmware::job::State::running) return true;
    }
    return false;
  }
  firmware::job::Header &header() { return *reinterpret_cast<firmware::job::Header *>(board_->dram().data()); }

  unsigned waits_ = 0;  ///< the firmware's thread counts
  std::unique_ptr<board::NativeBoard> board_;
  std::thread firmware_;
};

}  // namespace

std::unique_ptr<Machine> native_machine(const MachineSettings &settings) { return std::make_unique<NativeMachine>(settings); }

}  // namespace cox::tests
