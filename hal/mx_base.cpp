// SPDX-License-Identifier: MIT
#include "hal/mx_base.h"

#include "device/npu.h"
#include "hal/mmio.h"

namespace cox::hal {

Status write_mx_base(const Geometry &geometry, unsigned context, unsigned index, std::uint64_t address) {
  if (!geometry.mx) return Status(ErrorCode::unsupported, registers::engine_name(registers::Engine::mx));
  if (context >= geometry.contexts || context >= registers::mx::kCount)
    return Status(ErrorCode::invalid_argument, "context", -1, context, geometry.contexts);
  if (index >= registers::mx::base::kCount)
    return Status(ErrorCode::invalid_argument, "base register", -1, index, registers::mx::base::kCount);
  NPU_MX_BASE_Type &base = NPU->MX[context].BASE[index];
  mmio::write(base.HI, static_cast<std::uint32_t>(address >> 32));
  mmio::write(base.LO, static_cast<std::uint32_t>(address));  // last: from here on the register counts as written
  return Status();
}

}  // namespace cox::hal
