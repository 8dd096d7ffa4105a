// SPDX-License-Identifier: MIT
#include "coxswain/hal/cube/geometry.h"

#include "coxswain/device/npu_registers.h"
#include "coxswain/hal/identify.h"
#include "coxswain/hal/mmio.h"
#include "coxswain/hal/soc.h"
#include "coxswain/isa/cube/layout.h"

namespace cox::hal::cube {

namespace {

using namespace registers;  // NOLINT(google-build-using-namespace): three groups of fields

/// A buffer of the engine, and the only size that this firmware accepts for it.
struct Buffer {
  const char *name;
  unsigned index;  ///< number of the register that has the size: 0 is GEOMETRY4, 1 is GEOMETRY5
  Field field;
  std::uint32_t kib;
};
constexpr Buffer kBuffers[] = {
    {"GEOMETRY4.CUBE_L1_KIB", 0, geometry4::kCubeL1Kib, isa::cube::kL1Bytes >> 10},
    {"GEOMETRY4.CUBE_L0C_KIB", 0, geometry4::kCubeL0cKib, isa::cube::kL0CBytes >> 10},
    {"GEOMETRY5.CUBE_L0A_KIB", 1, geometry5::kCubeL0aKib, isa::cube::kL0ABytes >> 10},
    {"GEOMETRY5.CUBE_L0B_KIB", 1, geometry5::kCubeL0bKib, isa::cube::kL0BBytes >> 10},
};

/// Does the work of read_geometry().
Status read(Geometry &geometry) {
  const std::uint32_t values[] = {mmio::read(COX_NPU->GEOMETRY4), mmio::read(COX_NPU->GEOMETRY5)};
  const std::uint32_t value6 = mmio::read(COX_NPU->GEOMETRY6);
  for (const Buffer &buffer : kBuffers) {
    const std::uint32_t kib = buffer.field.get(values[buffer.index]);
    if (kib != buffer.kib) return unknown_device(buffer.name, kib, buffer.kib);
  }
  const std::uint32_t macs_per_cycle = geometry6::kCubeMacsPerCycle.get(value6);
  if (macs_per_cycle < 1) return unknown_device("GEOMETRY6.CUBE_MACS_PER_CYCLE", 0, geometry6::kCubeMacsPerCycle.maximum());
  const std::uint32_t bias_table_bytes = geometry6::kCubeBiasTableBytes.get(value6);
  if (bias_table_bytes != isa::cube::kBiasTableBytes)
    return unknown_device("GEOMETRY6.CUBE_BIAS_TABLE_BYTES", bias_table_bytes, isa::cube::kBiasTableBytes);
  geometry = {.l1_bytes = isa::cube::kL1Bytes,
              .l0a_bytes = isa::cube::kL0ABytes,
              .l0b_bytes = isa::cube::kL0BBytes,
              .l0c_bytes = isa::cube::kL0CBytes,
              .bias_table_bytes = bias_table_bytes,
              .macs_per_cycle = macs_per_cycle};
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

}  // namespace cox::hal::cube
