// SPDX-License-Identifier: MIT
// The DRAM of a Unity container: the windows of its context, and the bus behind them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "sim/model/device/program_bus.h"
#include "sim/model/unity/machine/dram.h"

namespace cox::model::unity {

class DramPort final : public Dram, public ProgramBus {
 public:
  /// The arguments outlive this object.
  DramPort(const Host &host, const StreamPort &port) : ProgramBus(host, port) {}

  [[nodiscard]] Status check(bool write, std::uint64_t address, std::uint64_t bytes) override;
  [[nodiscard]] Status read(std::uint64_t address, std::span<std::byte> bytes) override { return read_bus(address, bytes); }
  [[nodiscard]] Status write(std::uint64_t address, std::span<const std::byte> bytes) override { return write_bus(address, bytes); }
};

}  // namespace cox::model::unity
