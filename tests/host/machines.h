// SPDX-License-Identifier: MIT
// Control cores with the real firmware for tests of the host library: in a thread of this process, or under QEMU.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "coxswain/host/coxswain_host.h"

namespace cox::tests {

class Machine {
 public:
  virtual ~Machine() = default;
  /// Opens a link. Links are opened one after another.
  virtual cox_status open(const cox_host_options &options, cox_host **host) = 0;
  /// Rings the control core. Under QEMU only while no link is open, because QEMU talks to one host at a time.
  virtual void ring() = 0;
  /// Ends the firmware: natively by the ring's flag kExitWhenDone, under QEMU by force. The last link is closed.
  virtual void stop() = 0;
  /// Returns how often jobs have waited for a tick; after stop(). Natively: how often the firmware slept until a tick while jobs were in
  /// the ring. Under QEMU, if there is a mailbox log: the round trips that took longer than half a tick. A busy computer may cause some of
  /// those.
  [[nodiscard]] virtual unsigned waits_for_ticks() const = 0;
};

struct MachineSettings {
  std::string model_options = "{}";
  /// Natively: real time of a tick in which nothing happens. By default so long that a test that waits for a tick fails.
  std::uint32_t idle_tick_us = 60'000'000;
  /// Natively: waits_for_ticks() leaves out ticks while a job runs. A run of a task that was stopped settles at a tick.
  bool runs_settle = false;
  std::string mailbox_log = {};  ///< under QEMU: file for the times of rings
};

std::unique_ptr<Machine> native_machine(const MachineSettings &settings);
/// Returns null if QEMU or the firmware's image is not there.
std::unique_ptr<Machine> qemu_machine(const MachineSettings &settings);

}  // namespace cox::tests
