// SPDX-License-Identifier: MIT
// Where register accesses go in a host process: the native board's model, or the strict mock of a unit test.
#pragma once

#include <cstdint>

namespace cox::hal::native {

/// 32-bit accesses by bus address. An implementation decides what a bus fault is; the firmware goes on with what `read` returns.
class Bus {
 public:
  virtual std::uint32_t read(std::uintptr_t address) = 0;
  virtual void write(std::uintptr_t address, std::uint32_t value) = 0;

 protected:
  ~Bus() = default;
};

/// From here on accesses go to `bus`, which must outlive its use; nullptr: to nobody, and an access ends the process with a message.
void set_bus(Bus *bus);

/// For hal/mmio.h alone.
[[nodiscard]] std::uint32_t read(std::uintptr_t address);
void write(std::uintptr_t address, std::uint32_t value);

}  // namespace cox::hal::native
