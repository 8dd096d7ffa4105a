// SPDX-License-Identifier: MIT
// Geometry of the tile cores (GEOMETRY0 to GEOMETRY2 in docs/registers.md).
#include "coxswain/device/npu_registers.h"
#include "coxswain/hal/identify.h"

namespace cox::hal::tile {
namespace {

constexpr std::uint32_t kL2BlockBytes = 1024;  // the unit in which ct_bc counts (docs/isa/tile.md, L2)
constexpr std::uint32_t kMaximumL2Mib = 8;     // the most that ct_bc can address
constexpr std::uint32_t kCutRegions = 16;      // ct_bc defines four regions for each of the four values of its field BCS

}  // namespace

Status identify(const GeometryRegisters &common, Geometry &geometry) {
  using namespace registers;  // NOLINT(google-build-using-namespace): three groups of fields
  geometry.cores = geometry0::kTileCores.get(common.geometry0);
  if (geometry.cores < 1 || geometry.cores > core::kCount) return unknown_device("GEOMETRY0.TILE_CORES", geometry.cores, core::kCount);
  const std::uint32_t l2_mib = geometry0::kL2Mib.get(common.geometry0);
  if (l2_mib < 1 || l2_mib > kMaximumL2Mib) return unknown_device("GEOMETRY0.L2_MIB", l2_mib, kMaximumL2Mib);
  geometry.l2_bytes = l2_mib << 20;
  geometry.cut_regions = geometry0::kCutRegions.get(common.geometry0);
  if (geometry.cut_regions != kCutRegions) return unknown_device("GEOMETRY0.CUT_REGIONS", geometry.cut_regions, kCutRegions);
  geometry.wl0_units = geometry1::kWl0Units.get(common.geometry1);
  if (geometry.wl0_units < 1) return unknown_device("GEOMETRY1.WL0_UNITS", 0, geometry1::kWl0Units.maximum());
  geometry.l2_block_bytes = geometry1::kL2BlockBytes.get(common.geometry1);
  if (geometry.l2_block_bytes != kL2BlockBytes) return unknown_device("GEOMETRY1.L2_BLOCK_BYTES", geometry.l2_block_bytes, kL2BlockBytes);
  geometry.macs_per_cycle = geometry2::kMacsPerCycle.get(common.geometry2);
  return Status();
}

}  // namespace cox::hal::tile
