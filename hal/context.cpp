// SPDX-License-Identifier: MIT
#include "coxswain/hal/context.h"

#include "coxswain/hal/mmio.h"
#include "coxswain/hal/soc.h"

namespace cox::hal {
namespace {

namespace control = registers::context::control;

Status check_context(const Geometry &geometry, unsigned context) {
  if (context < geometry.contexts && context < registers::context::kCount) return Status();
  return Status(ErrorCode::invalid_argument, "context", -1, context, geometry.contexts);
}

/// True if the range is out of order. `first` 1 with `last` 0 is allowed: it means an empty range.
bool is_out_of_order(std::uint32_t first, std::uint32_t last) { return first > last && (first != 1 || last != 0); }

Status check_window(const Window &window, unsigned index) {
  const std::uint32_t largest = registers::context::window::size::kBytes.maximum();
  const auto at = static_cast<std::int32_t>(index);
  if (window.bytes > largest)
    return Status(ErrorCode::invalid_argument, "window size", at, static_cast<std::int64_t>(window.bytes), largest);
  if (window.bytes > 0 && window.base + (window.bytes - 1) < window.base)
    return Status(ErrorCode::invalid_argument, "window base", at, static_cast<std::int64_t>(window.base));
  return Status();
}

void write_window(NPU_CONTEXT_WINDOW_Type &registers, const Window &window) {
  mmio::write(registers.BASE_LO, static_cast<std::uint32_t>(window.base));
  mmio::write(registers.BASE_HI, static_cast<std::uint32_t>(window.base >> 32));
  mmio::write(registers.SIZE, static_cast<std::uint32_t>(window.bytes));
  mmio::write(registers.ACCESS, registers::context::window::access::kRead.put(window.read ? 1 : 0) |
                                    registers::context::window::access::kWrite.put(window.write ? 1 : 0));
}

}  // namespace

Status configure_context(const Geometry &geometry, unsigned context, const ContextConfiguration &configuration) {
  if (const Status status = check_context(geometry, context); !status.ok()) return status;
  const std::uint32_t blocks = geometry.l2_bytes / geometry.l2_block_bytes;
  if (configuration.l2_last >= blocks) return Status(ErrorCode::invalid_argument, "l2_last", -1, configuration.l2_last, blocks);
  if (is_out_of_order(configuration.l2_first, configuration.l2_last))
    return Status(ErrorCode::invalid_argument, "l2_first", -1, configuration.l2_first, configuration.l2_last);
  if (is_out_of_order(configuration.wl0_first, configuration.wl0_last) || configuration.wl0_last >= geometry.wl0_units)
    return Status(ErrorCode::invalid_argument, "wl0", -1, configuration.wl0_last, geometry.wl0_units);
  if (configuration.first_core > configuration.last_core || configuration.last_core >= registers::core::kCount)
    return Status(ErrorCode::invalid_argument, "cores", -1, configuration.last_core, registers::core::kCount);
  for (unsigned index = 0; index < kWindows; ++index) {
    if (const Status status = check_window(configuration.windows[index], index); !status.ok()) return status;
  }

  NPU_CONTEXT_Type &device = COX_NPU->CONTEXT[context];
  mmio::write(device.CONTROL, control::kReset.put(1));
  mmio::write(device.L2_FIRST, configuration.l2_first);
  mmio::write(device.L2_LAST, configuration.l2_last);
  mmio::write(device.WL0,
              registers::context::wl0::kFirst.put(configuration.wl0_first) | registers::context::wl0::kLast.put(configuration.wl0_last));
  mmio::write(device.CORES, registers::context::cores::kFirst.put(configuration.first_core) |
                                registers::context::cores::kLast.put(configuration.last_core));
  mmio::write(device.OWNER, configuration.owner);
  for (unsigned index = 0; index < kWindows; ++index) write_window(device.WINDOW[index], configuration.windows[index]);
  mmio::write(device.CONTROL, control::kValid.put(1));
  return Status();
}

Status abort_context(const Geometry &geometry, unsigned context) {
  if (const Status status = check_context(geometry, context); !status.ok()) return status;
  NPU_CONTEXT_Type &registers = COX_NPU->CONTEXT[context];
  const std::uint32_t before = mmio::read(registers.CONTROL);
  const std::uint32_t after = (before & control::kValid.mask()) | control::kAbort.put(1);
  mmio::write(registers.CONTROL, after);
  return Status();
}

Status release_context(const Geometry &geometry, unsigned context) {
  if (const Status status = check_context(geometry, context); !status.ok()) return status;
  mmio::write(COX_NPU->CONTEXT[context].CONTROL, control::kReset.put(1));
  return Status();
}

Result<bool> is_quarantined(const Geometry &geometry, unsigned context) {
  if (const Status status = check_context(geometry, context); !status.ok()) return status;
  return control::kQuarantined.get(mmio::read(COX_NPU->CONTEXT[context].CONTROL)) != 0;
}

}  // namespace cox::hal
