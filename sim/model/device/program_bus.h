// SPDX-License-Identifier: MIT
// The bus as a program of an engine sees it: with the windows of the program's context, and with the bus's injected faults.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "coxswain/base/status.h"
#include "sim/model/device/stream_port.h"
#include "sim/model/host.h"

namespace cox::model {

/// Classes derived from this one answer an engine's machine, in the machine's own terms.
class ProgramBus {
 public:
  /// A program of this context begins.
  void begin(const Context &context) {
    context_ = &context;
    moved_ = 0;
  }
  /// The time of the accesses that follow.
  void set_time(Cycle now) { now_ = now; }
  /// Bytes that the program has moved.
  [[nodiscard]] std::uint64_t moved() const { return moved_; }

 protected:
  /// The arguments outlive this object.
  ProgramBus(const Host &host, const StreamPort &port) : host_(host), port_(port) {}

  [[nodiscard]] const Context &context() const { return *context_; }
  /// Reads `bytes` at a bus address. The caller has checked the windows. Errors: device_fault, with the fault's code and detail.
  [[nodiscard]] Status read_bus(std::uint64_t address, std::span<std::byte> bytes);
  /// Writes `bytes` at a bus address. As read_bus().
  [[nodiscard]] Status write_bus(std::uint64_t address, std::span<const std::byte> bytes);

 private:
  const Host &host_;
  const StreamPort &port_;
  const Context *context_ = nullptr;
  Cycle now_ = 0;
  std::uint64_t moved_ = 0;
};

}  // namespace cox::model
