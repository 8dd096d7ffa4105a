// SPDX-License-Identifier: MIT
// The receiver of register accesses in a host process: the model of the native board, or the strict mock of a unit test.
#pragma once

#include <cstdint>

namespace cox::hal::native {

/// Receives 32-bit accesses with their bus addresses. The implementation decides what is a bus fault. After a refused read, the firmware
/// continues with the value that read() returned.
class Bus {
 public:
  virtual std::uint32_t read(std::uintptr_t address) = 0;
  virtual void write(std::uintptr_t address, std::uint32_t value) = 0;
  /// Called at a memory barrier of the firmware. Tests override it to check the order of accesses to registers and to memory that the
  /// device shares.
  virtual void barrier() {}

 protected:
  ~Bus() = default;
};

/// Sends all later accesses to `bus`, which must outlive its use. After set_bus(nullptr), an access ends the process with a message.
void set_bus(Bus *bus);

/// Only for hal/mmio.h.
[[nodiscard]] std::uint32_t read(std::uintptr_t address);
void write(std::uintptr_t address, std::uint32_t value);
/// Passes a barrier of hal/barrier.h to the bus, if a bus is set.
void barrier();

}  // namespace cox::hal::native
