// SPDX-License-Identifier: MIT
// Key tables and contexts of the Unity engine (docs/isa/unity.md, Keys).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "coxswain/base/result.h"
#include "coxswain/device/npu_registers.h"
#include "coxswain/device/waiting_unit.h"
#include "coxswain/hal/mmio.h"
#include "coxswain/hal/soc.h"
#include "coxswain/isa/unity/program.h"
#include "coxswain/isa/unity/sync.h"

namespace cox::hal::unity {

// Each of these functions chooses an entry with one register and then accesses it with another, so they must not interrupt one another.

namespace detail {

inline void choose(isa::unity::Key key) {
  namespace fields = registers::unity_key;
  mmio::write(COX_NPU->UNITY_KEY, fields::kEntry.put(key.entry) | fields::kTable.put(key.table));
}
[[nodiscard]] Status await_missing_keys(isa::unity::Key key, std::uint16_t count, std::uint32_t limit_us);

}  // namespace detail

/// Keys in an entry.
[[nodiscard]] inline std::uint16_t read_keys(isa::unity::Key key) {
  detail::choose(key);
  return static_cast<std::uint16_t>(registers::unity_key_count::kCount.get(mmio::read(COX_NPU->UNITY_KEY_COUNT)));
}
/// Sets the keys of an entry. Error: not_ready ("key") if the device has not taken them, because a container runs.
[[nodiscard]] Status set_keys(isa::unity::Key key, std::uint16_t count);
/// Adds keys; units that wait for them go on. If the entry would hold more than isa::unity::kMostCount, the device adds none.
inline void add_keys(isa::unity::Key key, std::uint16_t count) {
  detail::choose(key);
  mmio::write(COX_NPU->UNITY_KEY_ADD, registers::unity_key_add::kCount.put(count));
}
/// Waits until an entry holds at least `count` keys. It takes none: only units take keys, so give the control core entries of its own, and
/// set them before the container starts. Error: timeout ("key", `index` the table, `value` the entry, `limit` the count) after `limit_us`
/// microseconds.
[[nodiscard]] inline Status await_keys(isa::unity::Key key, std::uint16_t count, std::uint32_t limit_us) {
  if (read_keys(key) >= count) return {};
  return detail::await_missing_keys(key, count, limit_us);
}

/// What a context has configured in the Unity engine. A reset of the context restores `page` 0 and all tables.
struct ContextSettings {
  std::uint64_t page = 0;     ///< device address of the page of 16-bit addresses, a multiple of isa::unity::kPageBytes
  unsigned key_tables = 0xF;  ///< bit i: the context owns key table i
};
/// Error: invalid_argument ("page" or "key_tables") for a value that the registers cannot hold; nothing is written then.
[[nodiscard]] Status configure(unsigned context, const ContextSettings &settings);

using WaitingUnits = std::span<registers::WaitingUnit, registers::kMostWaitingUnits>;
/// Writes the units of `container` that wait for keys, or that waited when it ended with a fault, by number. Returns their number.
[[nodiscard]] unsigned read_waiting(std::span<const std::byte> container, WaitingUnits units);
/// Bit i: unit i waits for keys, or waited when the last container ended with a fault.
[[nodiscard]] std::uint32_t read_waiting_mask();

}  // namespace cox::hal::unity
