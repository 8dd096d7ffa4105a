// SPDX-License-Identifier: MIT
#include "coxswain/hal/unity/geometry.h"

#include "coxswain/device/npu_registers.h"
#include "coxswain/hal/identify.h"
#include "coxswain/hal/mmio.h"
#include "coxswain/hal/soc.h"
#include "coxswain/isa/unity/program.h"

namespace cox::hal::unity {

static_assert(registers::unity_unit::kCount == isa::unity::kMostUnits);

Result<unsigned> read_units() {
  const std::uint32_t units = registers::unity_units::kCount.get(mmio::read(COX_NPU->UNITY_UNITS));
  if (units < 1 || units > isa::unity::kMostUnits) return unknown_device("UNITY_UNITS.COUNT", units, isa::unity::kMostUnits);
  return units;
}

Status identify(const GeometryRegisters & /*common*/, hal::Geometry & /*geometry*/) { return read_units().status(); }

}  // namespace cox::hal::unity
