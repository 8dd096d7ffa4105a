// SPDX-License-Identifier: MIT
// The receiver of register accesses in a host process: the model of the native board, or the strict mock of a unit test.
#pragma once

#include <cstddef>
#include <cstdint>

namespace cox::hal::native {

enum class CacheOperation : std::uint8_t { clean, invalidate, clean_and_invalidate };

/// Receives 32-bit accesses with their bus addresses. The implementation decides what is a bus fault. After a refused read, the firmware
/// continues with the value that read() returned.
class Bus {
 public:
  virtual std::uint32_t read(std::uintptr_t address) = 0;
  virtual void write(std::uintptr_t address, std::uint32_t value) = 0;
  /// Called at a memory barrier of the firmware. Tests override it to check the order of accesses to registers and to memory that the
  /// device shares.
  virtual void barrier() {}
  /// Called by the functions of hal/cache.h. A bus without a cache ignores the calls.
  virtual void maintain_cache(CacheOperation /*operation*/, std::uintptr_t /*address*/, std::size_t /*bytes*/) {}

 protected:
  ~Bus() = default;
};

/// Sends all later accesses to `bus`, which must outlive its use. After set_bus(nullptr), an access ends the process with a message.
void set_bus(Bus *bus);

/// Only for hal/mmio.h, hal/barrier.h and hal/cache.h.
[[nodiscard]] std::uint32_t read(std::uintptr_t address);
void write(std::uintptr_t address, std::uint32_t value);
/// Passes a barrier of hal/barrier.h to the bus, if a bus is set.
void barrier();
/// Passes a call of hal/cache.h to the bus, if a bus is set.
void maintain_cache(CacheOperation operation, const void *data, std::size_t bytes);

}  // namespace cox::hal::native
