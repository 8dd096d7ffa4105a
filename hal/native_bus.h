// SPDX-License-Identifier: MIT
// Receiver of register accesses in a host process: the model of the native board, or the strict mock of a unit test.
#pragma once

#include <cstdint>

namespace cox::hal::native {

/// 32-bit accesses by bus address. The implementation decides what a bus fault is; the firmware continues with the value of `read`.
class Bus {
 public:
  virtual std::uint32_t read(std::uintptr_t address) = 0;
  virtual void write(std::uintptr_t address, std::uint32_t value) = 0;
  /// A memory barrier between two accesses, to registers or to memory that the device shares. Tests watch their order.
  virtual void barrier() {}

 protected:
  ~Bus() = default;
};

/// Sends all later accesses to `bus`, which must outlive its use. After nullptr, an access ends the process with a message.
void set_bus(Bus *bus);

/// Only for hal/mmio.h.
[[nodiscard]] std::uint32_t read(std::uintptr_t address);
void write(std::uintptr_t address, std::uint32_t value);
/// For hal/barrier.h. Without a bus it does nothing.
void barrier();

}  // namespace cox::hal::native
