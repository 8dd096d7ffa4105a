// SPDX-License-Identifier: MIT
#include "coxswain/hal/mx/base.h"

#include "coxswain/hal/mmio.h"
#include "coxswain/hal/soc.h"

namespace cox::hal::mx {

Status write_base(const hal::Geometry &geometry, unsigned context, unsigned index, std::uint64_t address) {
  if (Status status = check_engine(geometry, registers::Engine::mx); !status.ok()) return status;
  if (context >= geometry.contexts || context >= registers::mx::kCount)
    return Status(ErrorCode::invalid_argument, "context", -1, context, geometry.contexts);
  if (index >= registers::mx::base::kCount)
    return Status(ErrorCode::invalid_argument, "base register", -1, index, registers::mx::base::kCount);
  NPU_MX_BASE_Type &base = COX_NPU->MX[context].BASE[index];
  mmio::write(base.HI, static_cast<std::uint32_t>(address >> 32));
  mmio::write(base.LO, static_cast<std::uint32_t>(address));  // last: this write marks the register as written
  return Status();
}

}  // namespace cox::hal::mx
