// SPDX-License-Identifier: MIT
// The DRAM of a Unity container: the windows of its context, and the bus behind them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "sim/model/device/stream_port.h"
#include "sim/model/host.h"
#include "sim/model/unity/machine/dram.h"

namespace cox::model::unity {

class DramPort final : public Dram {
 public:
  /// The arguments outlive this object.
  DramPort(const Host &host, const StreamPort &port) : host_(host), port_(port) {}

  /// A container of this context begins.
  void begin(const model::Context &context) { context_ = &context; }
  /// The time of the accesses that follow.
  void set_time(Cycle now) { now_ = now; }

  [[nodiscard]] Status check(bool write, std::uint64_t address, std::uint64_t bytes) override;
  [[nodiscard]] Status read(std::uint64_t address, std::span<std::byte> bytes) override;
  [[nodiscard]] Status write(std::uint64_t address, std::span<const std::byte> bytes) override;

 private:
  const Host &host_;
  const StreamPort &port_;
  const model::Context *context_ = nullptr;
  Cycle now_ = 0;
};

}  // namespace cox::model::unity
