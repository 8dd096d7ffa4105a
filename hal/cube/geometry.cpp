// SPDX-License-Identifier: MIT
#include "hal/cube/geometry.h"

#include "device/npu.h"
#include "device/npu_registers.h"
#include "hal/identify.h"
#include "hal/mmio.h"
#include "isa/cube/layout.h"

namespace cox::hal::cube {

Result<Geometry> read_geometry() {
  using namespace registers;  // NOLINT(google-build-using-namespace): three groups of fields
  const std::uint32_t value4 = mmio::read(NPU->GEOMETRY4);
  const std::uint32_t value5 = mmio::read(NPU->GEOMETRY5);
  const std::uint32_t value6 = mmio::read(NPU->GEOMETRY6);
  Geometry geometry;
  geometry.l1_bytes = geometry4::kCubeL1Kib.get(value4) << 10;
  geometry.l0c_bytes = geometry4::kCubeL0cKib.get(value4) << 10;
  geometry.l0a_bytes = geometry5::kCubeL0aKib.get(value5) << 10;
  geometry.l0b_bytes = geometry5::kCubeL0bKib.get(value5) << 10;
  geometry.macs_per_cycle = geometry6::kCubeMacsPerCycle.get(value6);
  geometry.bias_table_bytes = geometry6::kCubeBiasTableBytes.get(value6);
  if (geometry.l1_bytes != isa::cube::kL1Bytes)
    return unknown_device("GEOMETRY4.CUBE_L1_KIB", geometry.l1_bytes >> 10, isa::cube::kL1Bytes >> 10);
  if (geometry.l0c_bytes != isa::cube::kL0CBytes)
    return unknown_device("GEOMETRY4.CUBE_L0C_KIB", geometry.l0c_bytes >> 10, isa::cube::kL0CBytes >> 10);
  if (geometry.l0a_bytes != isa::cube::kL0ABytes)
    return unknown_device("GEOMETRY5.CUBE_L0A_KIB", geometry.l0a_bytes >> 10, isa::cube::kL0ABytes >> 10);
  if (geometry.l0b_bytes != isa::cube::kL0BBytes)
    return unknown_device("GEOMETRY5.CUBE_L0B_KIB", geometry.l0b_bytes >> 10, isa::cube::kL0BBytes >> 10);
  if (geometry.macs_per_cycle < 1) return unknown_device("GEOMETRY6.CUBE_MACS_PER_CYCLE", 0, geometry6::kCubeMacsPerCycle.maximum());
  if (geometry.bias_table_bytes != isa::cube::kBiasTableBytes)
    return unknown_device("GEOMETRY6.CUBE_BIAS_TABLE_BYTES", geometry.bias_table_bytes, isa::cube::kBiasTableBytes);
  return geometry;
}

Status identify(const GeometryRegisters & /*common*/, hal::Geometry & /*geometry*/) { return read_geometry().status(); }

}  // namespace cox::hal::cube
