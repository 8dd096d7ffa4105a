// SPDX-License-Identifier: MIT
// Key tables and contexts of the Unity engine (docs/isa/unity.md, Keys).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/result.h"
#include "device/waiting_unit.h"
#include "isa/unity/program.h"
#include "isa/unity/sync.h"

namespace cox::hal::unity {

/// Keys in an entry.
[[nodiscard]] std::uint16_t read_keys(isa::unity::Key key);
/// Sets the keys of an entry. Error: not_ready ("key") if the device has not taken them, because a container runs.
[[nodiscard]] Status set_keys(isa::unity::Key key, std::uint16_t count);
/// Adds keys; units that wait for them go on. If the entry would hold more than isa::unity::kMostCount, the device adds none.
void add_keys(isa::unity::Key key, std::uint16_t count);

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
