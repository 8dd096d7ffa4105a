// SPDX-License-Identifier: MIT
// Conversions that the C interfaces of the kernel libraries share: outcomes, enumerations and addresses.
#pragma once

#include <algorithm>
#include <cstdint>

#include "coxswain/base/c_status.h"
#include "coxswain/base/result.h"
#include "coxswain/hal/bus.h"

namespace cox::kernels::c_interface {

using cox::to_c;
/// Writes `number` only on success.
inline cox_status to_c(const Result<std::uint64_t> &result, std::uint64_t *number) {
  if (result.ok()) *number = result.value();
  return to_c(result.status());
}

/// Converts a C number to an enumeration. If the number belongs to no enumerator, the kernel refuses the result.
template <typename Enumeration>
constexpr Enumeration one_of(std::uint32_t number) {
  return static_cast<Enumeration>(std::min<std::uint32_t>(number, UINT8_MAX));
}

/// Returns the memory at a bus address.
inline void *memory_at(std::uint64_t address) { return hal::core_pointer<void>(address); }

}  // namespace cox::kernels::c_interface
