// SPDX-License-Identifier: MIT
// The memory of a Unity container. The device puts its bus behind it, tools and tests a vector.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "coxswain/base/status.h"

namespace cox::model::unity {

/// Errors: address_outside_window if no window of the context holds the bytes or permits the access, `value` the address; device_fault if
/// the bus or the memory fails, `value` the FaultCode and `limit` its detail.
class Dram {
 public:
  /// Called for each access of an instruction before the instruction changes anything, but not for reads of the container itself. `bytes`
  /// is at least 1.
  [[nodiscard]] virtual Status check(bool write, std::uint64_t address, std::uint64_t bytes) = 0;
  /// Called after check() of the same bytes, or for bytes of the container. If it fails, the instruction faults, and `bytes` is not used.
  [[nodiscard]] virtual Status read(std::uint64_t address, std::span<std::byte> bytes) = 0;
  [[nodiscard]] virtual Status write(std::uint64_t address, std::span<const std::byte> bytes) = 0;

 protected:
  ~Dram() = default;
};

}  // namespace cox::model::unity
