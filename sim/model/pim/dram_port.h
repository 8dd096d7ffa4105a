// SPDX-License-Identifier: MIT
// The DRAM of a PIM program: the windows of its context, and the bus behind them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "sim/model/device/stream_port.h"
#include "sim/model/host.h"
#include "sim/model/pim/machine/dram.h"

namespace cox::model::pim {

class DramPort final : public Dram {
 public:
  /// The arguments outlive this object.
  DramPort(const Host &host, const StreamPort &port) : host_(host), port_(port) {}

  /// A program of this context begins.
  void begin(const model::Context &context) {
    context_ = &context;
    moved_ = 0;
  }
  /// The time of the accesses that follow.
  void set_time(Cycle now) { now_ = now; }
  /// Bytes that the program has moved.
  [[nodiscard]] std::uint64_t moved() const { return moved_; }
  /// The bus address of a byte of a window.
  [[nodiscard]] std::uint64_t address(unsigned window, std::uint64_t offset) const { return context_->windows[window].base + offset; }

  [[nodiscard]] Status check(bool write, unsigned window, std::uint64_t offset, std::uint64_t bytes) override;
  [[nodiscard]] Status read(unsigned window, std::uint64_t offset, std::span<std::byte> bytes) override;
  [[nodiscard]] Status write(unsigned window, std::uint64_t offset, std::span<const std::byte> bytes) override;

 private:
  const Host &host_;
  const StreamPort &port_;
  const model::Context *context_ = nullptr;
  Cycle now_ = 0;
  std::uint64_t moved_ = 0;
};

}  // namespace cox::model::pim
