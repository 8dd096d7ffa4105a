// SPDX-License-Identifier: MIT
#include "coxswain/hal/pim/geometry.h"

#include "coxswain/device/npu_registers.h"
#include "coxswain/hal/identify.h"
#include "coxswain/hal/mmio.h"
#include "coxswain/hal/soc.h"
#include "coxswain/isa/pim/instruction.h"

namespace cox::hal::pim {

static_assert(registers::pim_core::kCount == isa::pim::kMostCores);

Result<unsigned> read_cores() {
  const std::uint32_t cores = registers::pim_cores::kCount.get(mmio::read(COX_NPU->PIM_CORES));
  if (cores < 1 || cores > isa::pim::kMostCores) return unknown_device("PIM_CORES.COUNT", cores, isa::pim::kMostCores);
  return cores;
}

Status identify(const GeometryRegisters & /*common*/, hal::Geometry & /*geometry*/) { return read_cores().status(); }

}  // namespace cox::hal::pim
