// SPDX-License-Identifier: MIT
// cox_native: the native board with the firmware in a thread.
#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstring>
#include <exception>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

#include "boards/native/native_board.h"
#include "coxswain/base/c_status.h"
#include "coxswain/firmware/firmware.h"
#include "coxswain/firmware/job/job_queue.h"
#include "coxswain/host/coxswain_native.h"
#include "coxswain/host/native_transport.h"

namespace {

constexpr std::uint32_t kStopLimit = 30'000'000;  // microseconds
// A tick of an idle device takes as long as it does for the firmware, so that time limits are in real time if the device hangs.
constexpr std::chrono::microseconds kIdleTick{cox::board::NativeBoard::kTickCycles / 1000};

}  // namespace

struct cox_native {
  void say(std::string_view text) {
    const std::lock_guard lock(mutex);
    console += text;
  }

  std::mutex mutex;
  std::string console;
  std::unique_ptr<cox::board::NativeBoard> board;
  std::thread firmware;
};

cox_status cox_native_start(const cox_native_options *options, char *reason, std::size_t reason_bytes, cox_native **machine) {
  if (reason == nullptr || reason_bytes == 0 || machine == nullptr) {
    return cox::to_c({cox::ErrorCode::invalid_argument, machine == nullptr ? "machine" : "reason"});
  }
  *reason = '\0';
  std::string error;
  try {
    auto made = std::make_unique<cox_native>();
    cox::board::NativeBoardSettings settings;
    if (options != nullptr && options->model_options != nullptr) settings.model_options = options->model_options;
    if (options != nullptr && options->dram_bytes != 0) settings.dram_bytes = options->dram_bytes;
    settings.console = [to = made.get()](std::string_view text) { to->say(text); };
    settings.log = [to = made.get()](int, std::string_view line) { to->say(std::string(line) + "\n"); };
    settings.idle_tick = kIdleTick;
    made->board = cox::board::NativeBoard::create(std::move(settings), error);
    if (made->board != nullptr) {
      made->firmware = std::thread([] { cox::firmware::firmware_main(); });
      *machine = made.release();
      return cox::to_c({});
    }
  } catch (const std::exception &exception) {
    error = exception.what();
  }
  std::snprintf(reason, reason_bytes, "%s", error.c_str());
  return cox::to_c({cox::ErrorCode::not_ready, "machine"});
}

cox_status cox_native_open(cox_native *machine, const cox_host_options *options, cox_host **host) {
  if (machine == nullptr) return cox::to_c({cox::ErrorCode::invalid_argument, "machine"});
  const cox_host_transport transport = cox::host::native_transport(*machine->board);
  return cox_host_open(&transport, options, host);
}

std::size_t cox_native_console(cox_native *machine, char *text, std::size_t bytes) {
  if (machine == nullptr) return 0;
  const std::lock_guard lock(machine->mutex);
  if (text != nullptr) std::memcpy(text, machine->console.data(), std::min(bytes, machine->console.size()));
  return machine->console.size();
}

cox_status cox_native_stop(cox_native *machine) {
  if (machine == nullptr) return cox::to_c({});
  // The firmware cancels the jobs of the last host when it gives up that host's ring.
  const cox_host_options options{.capacity = 1, .reserved = COX_HOST_NOTHING_RESERVED, .open_limit_us = kStopLimit};
  cox_host *last = nullptr;
  const cox_status status = cox_native_open(machine, &options, &last);
  if (status.error == COX_ERROR_TIMEOUT) return status;
  cox_host_close(last);
  auto *const header = reinterpret_cast<cox::firmware::job::Header *>(machine->board->dram().data());
  std::atomic_ref(header->flags).store(cox::firmware::job::kExitWhenDone);
  machine->board->mailbox().ring_core();
  machine->firmware.join();
  delete machine;
  return cox::to_c({});
}
