// SPDX-License-Identifier: MIT
// Contexts of the accelerator (docs/design.md, Contexts): what the instructions of one task may touch.
#pragma once

#include <cstdint>
#include <span>

#include "base/result.h"
#include "hal/device.h"
#include "isa/tile/configuration.h"

namespace cox::hal {

inline constexpr unsigned kWindows = registers::context::window::kCount;

/// Of contexts where nobody counts owners: one as good as any other.
inline constexpr std::uint8_t kNoOwner = 0xFF;

/// DRAM that a base address register points at.
struct Window {
  std::uint64_t base = 0;   ///< bus address
  std::uint64_t bytes = 0;  ///< less than 4 GiB; 0: the window is closed
  bool read = false;
  bool write = false;
};

/// Blocks and units: 1 to 0 is none. What another owner used last on these cores the device sets to zero before the first instruction.
struct ContextConfiguration {
  std::uint32_t l2_first = 1;  ///< L2 blocks that instructions may touch, first and last, in blocks of Geometry::l2_block_bytes
  std::uint32_t l2_last = 0;
  std::uint32_t wl0_first = 1;  ///< WL0, in units of isa::tile::kWeightUnitBytes
  std::uint32_t wl0_last = 0;
  unsigned first_core = 0;  ///< tile cores; the first is the task's core 0
  unsigned last_core = isa::tile::kMostCores - 1;
  std::uint8_t owner = kNoOwner;
  Window windows[kWindows];  ///< BAS 0 to 3
};

/// Makes a context ready: takes it out of use, clears its banked configuration and quarantine, writes blocks, owner and windows, makes
/// it valid. No instruction of the context may be in flight: the device answers that with a bus fault. invalid_argument: no such context,
/// blocks out of order or outside L2 (`index` -1), or a window (`index`) that is too large or passes the end of the address space.
Status configure_context(const Geometry &geometry, unsigned context, const ContextConfiguration &configuration);

/// Quarantines a context: what it has in queues completes as aborted, at once. invalid_argument: no such context.
Status abort_context(const Geometry &geometry, unsigned context);

/// Clears a context's banked configuration and its quarantine and takes it out of use. No instruction of it may be in flight, as above.
/// invalid_argument: no such context.
Status release_context(const Geometry &geometry, unsigned context);

/// Whether a fault or abort_context() has quarantined the context. invalid_argument: no such context.
Result<bool> is_quarantined(const Geometry &geometry, unsigned context);

}  // namespace cox::hal
