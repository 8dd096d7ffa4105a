// SPDX-License-Identifier: MIT
#include "coxswain/hal/mx/geometry.h"

#include "coxswain/device/npu_registers.h"
#include "coxswain/hal/identify.h"
#include "coxswain/hal/mmio.h"
#include "coxswain/hal/soc.h"

namespace cox::hal::mx {

namespace fields = registers::geometry3;

namespace {

/// Does the work of read_geometry().
Status read(Geometry &geometry) {
  const std::uint32_t geometry3 = mmio::read(COX_NPU->GEOMETRY3);
  geometry = {fields::kMxMacsPerCycle.get(geometry3), fields::kMxBufferKib.get(geometry3) << 10};
  if (geometry.macs_per_cycle < 1) return unknown_device("GEOMETRY3.MX_MACS_PER_CYCLE", 0, fields::kMxMacsPerCycle.maximum());
  return Status();
}

}  // namespace

Result<Geometry> read_geometry() {
  Geometry geometry;
  if (Status status = read(geometry); !status.ok()) return status;
  return geometry;
}

Status identify(const GeometryRegisters & /*common*/, hal::Geometry & /*geometry*/) {
  Geometry geometry;
  return read(geometry);
}

}  // namespace cox::hal::mx
