// SPDX-License-Identifier: MIT
#include "hal/mx/geometry.h"

#include "device/npu.h"
#include "device/npu_registers.h"
#include "hal/identify.h"
#include "hal/mmio.h"

namespace cox::hal::mx {

namespace fields = registers::geometry3;

Result<Geometry> read_geometry() {
  const std::uint32_t geometry3 = mmio::read(NPU->GEOMETRY3);
  const Geometry geometry{fields::kMxMacsPerCycle.get(geometry3), fields::kMxBufferKib.get(geometry3) << 10};
  if (geometry.macs_per_cycle < 1) return unknown_device("GEOMETRY3.MX_MACS_PER_CYCLE", 0, fields::kMxMacsPerCycle.maximum());
  return geometry;
}

Status identify(const GeometryRegisters & /*common*/, hal::Geometry & /*geometry*/) { return read_geometry().status(); }

}  // namespace cox::hal::mx
