// SPDX-License-Identifier: MIT
#include "hal/unity/geometry.h"

#include "device/npu.h"
#include "device/npu_registers.h"
#include "hal/identify.h"
#include "hal/mmio.h"
#include "isa/unity/program.h"

namespace cox::hal::unity {

static_assert(registers::unity_unit::kCount == isa::unity::kMostUnits);

Result<unsigned> read_units() {
  const std::uint32_t units = registers::unity_units::kCount.get(mmio::read(NPU->UNITY_UNITS));
  if (units < 1 || units > isa::unity::kMostUnits) return unknown_device("UNITY_UNITS.COUNT", units, isa::unity::kMostUnits);
  return units;
}

Status identify(const GeometryRegisters & /*common*/, hal::Geometry & /*geometry*/) { return read_units().status(); }

}  // namespace cox::hal::unity
