// SPDX-License-Identifier: MIT
// Engines as bits of registers (docs/registers.md): CAPABILITIES, INT_STATUS and INT_ENABLE. In all masks here, bit i is engine i.
#pragma once

#include <cstdint>

#include "coxswain/device/engines.h"
#include "coxswain/device/npu_registers.h"

namespace cox::registers {

/// Returns bit i for each engine i that has a ring. Engines that only tests use are left out.
[[nodiscard]] constexpr std::uint32_t product_engines() {
  std::uint32_t engines = 0;
  for (const EngineRow &row : kEngineRows) {
    if (row.has_ring() && row.home == Home::layers) engines |= std::uint32_t{1} << row.number();
  }
  return engines;
}

/// The value of CAPABILITIES for a device with tile cores and with `engines`, bit i for engine i.
[[nodiscard]] constexpr std::uint32_t capabilities_of(std::uint32_t engines) {
  return capabilities::kTile.put(1) | capabilities::kEngine.put(engines);
}

/// Converts between engines and the bits of their completion queues in INT_STATUS and INT_ENABLE. The bits are in two fields, engines 0 to
/// 3 and engines 4 to 7, because the bit FAULT lies between them.
namespace engine_completions {

inline constexpr std::uint32_t kMask = int_status::kEngineCompletion.mask() | int_status::kEngineCompletionHigh.mask();

[[nodiscard]] constexpr std::uint32_t put(std::uint32_t engines) {
  return int_status::kEngineCompletion.put(engines) | int_status::kEngineCompletionHigh.put(engines >> int_status::kEngineCompletion.width);
}

[[nodiscard]] constexpr std::uint32_t get(std::uint32_t value_of_register) {
  return int_status::kEngineCompletion.get(value_of_register) | int_status::kEngineCompletionHigh.get(value_of_register)
                                                                    << int_status::kEngineCompletion.width;
}

static_assert(kMask == (int_enable::kEngineCompletion.mask() | int_enable::kEngineCompletionHigh.mask()));
static_assert(get(put((1U << engine::kCount) - 1)) == (1U << engine::kCount) - 1 && put((1U << engine::kCount) - 1) == kMask);

}  // namespace engine_completions

/// True if the registers have room for each row of COX_ENGINES, and no two rows share a number.
[[nodiscard]] constexpr bool rows_fit_registers() {
  std::uint32_t numbers = 0;
  for (const EngineRow &row : kEngineRows) {
    if (!row.has_ring()) continue;
    if (row.number() >= engine::kCount || row.completion_queue() >= cq::kCount || (numbers >> row.number() & 1) != 0) return false;
    numbers |= std::uint32_t{1} << row.number();
  }
  return true;
}
static_assert(rows_fit_registers());
static_assert(kFirstEngineCompletionQueue == core::kCount && kFirstEngineQueueNumber == core::kCount * core::sq::kCount);
static_assert(cq::kCount == kFirstEngineCompletionQueue + engine::kCount);
static_assert(capabilities::kEngine.width == engine::kCount && engine_reset::kEngine.width == engine::kCount &&
              clock_enable::kEngine.width == engine::kCount);
// device/generate.py computes kResetValue from the rows of device/engines.h.
static_assert(capabilities::kResetValue == capabilities_of(product_engines()));

}  // namespace cox::registers
