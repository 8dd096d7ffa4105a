// SPDX-License-Identifier: MIT
// Contexts of the accelerator (docs/design.md, Contexts): the memory and cores that the instructions of one task may touch.
#pragma once

#include <cstdint>
#include <span>

#include "coxswain/base/result.h"
#include "coxswain/hal/device.h"
#include "coxswain/hal/mmio.h"
#include "coxswain/hal/soc.h"
#include "coxswain/isa/window.h"

namespace cox::hal {

inline constexpr unsigned kWindows = registers::context::window::kCount;

/// Owner id for programs that do not track owners.
inline constexpr std::uint8_t kNoOwner = 0xFF;

/// The part of DRAM that instructions reach through one base address register (BAS). It has less than 4 GiB.
using isa::Window;

/// A range of blocks or units is empty if its first is 1 and its last is 0. Before the context's first instruction, the device zeroes those
/// blocks and units that another owner used last.
struct ContextConfiguration {
  std::uint32_t l2_first = 1;  ///< L2 blocks that instructions may touch, first and last, in blocks of Geometry::l2_block_bytes
  std::uint32_t l2_last = 0;
  std::uint32_t wl0_first = 1;  ///< WL0 units of 64 bytes that instructions may touch, first and last
  std::uint32_t wl0_last = 0;
  unsigned first_core = 0;  ///< the device's core that is core 0 of the task
  unsigned last_core = registers::core::kCount - 1;
  std::uint8_t owner = kNoOwner;
  Window windows[kWindows];  ///< [field BAS of an instruction]
};

/// Resets a context, writes `configuration` to its registers, and makes it valid. The reset clears banked configuration and quarantine.
/// No instruction of the context may be in flight, or the device answers with a bus fault. Error: invalid_argument
/// - for a context that does not exist;
/// - for L2 blocks, WL0 units or cores that do not exist, or whose first number is greater than the last;
/// - for a window that is too large or passes the end of the address space; `index` is then the number of the window, otherwise -1.
Status configure_context(const Geometry &geometry, unsigned context, const ContextConfiguration &configuration);

/// Resets a configured context, gives its windows the bases of `to`, and makes it valid. `windows` are the windows that its registers have,
/// and get the new bases, too. All other registers keep their values. No instruction of the context may be in flight. The caller has
/// checked that the context exists and that its windows do not pass the end of the address space.
inline void move_windows(unsigned context, std::span<Window, kWindows> windows, std::span<const Window, kWindows> to) {
  NPU_CONTEXT_Type &device = COX_NPU->CONTEXT[context];
  mmio::write(device.CONTROL, registers::context::control::kReset.put(1));
  for (unsigned index = 0; index < kWindows; ++index) {
    if (to[index].base == windows[index].base) continue;
    windows[index].base = to[index].base;
    mmio::write(device.WINDOW[index].BASE_LO, static_cast<std::uint32_t>(to[index].base));
    mmio::write(device.WINDOW[index].BASE_HI, static_cast<std::uint32_t>(to[index].base >> 32));
  }
  mmio::write(device.CONTROL, registers::context::control::kValid.put(1));
}

/// Quarantines a context: its instructions in queues complete as aborted, at once. Error: invalid_argument if there is no such context.
Status abort_context(const Geometry &geometry, unsigned context);

/// Clears a context's banked configuration and its quarantine, and makes the context invalid. No instruction of the context may be in
/// flight, or the device answers with a bus fault. Error: invalid_argument if there is no such context.
Status release_context(const Geometry &geometry, unsigned context);

/// Returns true if a fault or abort_context() has quarantined the context. Error: invalid_argument if there is no such context.
Result<bool> is_quarantined(const Geometry &geometry, unsigned context);

}  // namespace cox::hal
