// SPDX-License-Identifier: MIT
// The DRAM of a PIM program: the windows of its context, and the bus behind them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "sim/model/device/program_bus.h"
#include "sim/model/pim/machine/dram.h"

namespace cox::model::pim {

class DramPort final : public Dram, public ProgramBus {
 public:
  /// The arguments outlive this object.
  DramPort(const Host &host, const StreamPort &port) : ProgramBus(host, port) {}

  /// The bus address of a byte of a window.
  [[nodiscard]] std::uint64_t address(unsigned window, std::uint64_t offset) const { return context().windows[window].base + offset; }

  [[nodiscard]] Status check(bool write, unsigned window, std::uint64_t offset, std::uint64_t bytes) override;
  [[nodiscard]] Status read(unsigned window, std::uint64_t offset, std::span<std::byte> bytes) override {
    return read_bus(address(window, offset), bytes);
  }
  [[nodiscard]] Status write(unsigned window, std::uint64_t offset, std::span<const std::byte> bytes) override {
    return write_bus(address(window, offset), bytes);
  }
};

}  // namespace cox::model::pim
