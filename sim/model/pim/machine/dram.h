// SPDX-License-Identifier: MIT
// The DRAM of a PIM program. The device puts its bus behind it, tools a vector.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "coxswain/base/status.h"

namespace cox::model::pim {

/// Addresses are a window of the program's context and a byte offset in it. Errors: address_outside_window if the window does not hold the
/// bytes or does not permit the access, `index` the window, `value` the offset and `limit` the window's bytes, or less than 1 if it does
/// not permit the access. The machine adds the field of the instruction that names the address. device_fault if the bus or the memory
/// fails, `value` the FaultCode and `limit` its detail.
class Dram {
 public:
  /// Called for each access of an instruction before it changes anything. `bytes` is at least 1.
  [[nodiscard]] virtual Status check(bool write, unsigned window, std::uint64_t offset, std::uint64_t bytes) = 0;
  /// Called after check() of the same bytes. If it fails, the instruction faults, and `bytes` is not used.
  [[nodiscard]] virtual Status read(unsigned window, std::uint64_t offset, std::span<std::byte> bytes) = 0;
  [[nodiscard]] virtual Status write(unsigned window, std::uint64_t offset, std::span<const std::byte> bytes) = 0;

 protected:
  ~Dram() = default;
};

}  // namespace cox::model::pim
