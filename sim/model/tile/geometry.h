// SPDX-License-Identifier: MIT
// Numbers of the tile cores (docs/model.md, Geometry).
#pragma once

#include <cstdint>

#include "coxswain/isa/tile/configuration.h"
#include "sim/model/geometry.h"
#include "sim/model/parameter.h"

namespace cox::model {

static_assert(kWindows == isa::tile::kWindows);
static_assert(kSlotBytes == sizeof(isa::tile::MachineCode));
static_assert(registers::geometry1::kWl0Units.maximum() <= isa::tile::kMaxWeightUnits);
static_assert(registers::context::wl0::kLast.maximum() >= registers::geometry1::kWl0Units.maximum());

/// Number of INT8 channels, and of kernels, that an element of the grid takes in a cycle: 8 by 8 multiply-accumulates.
inline constexpr std::uint32_t kElementLanes = 8;

inline constexpr unsigned kMoversOfCore = 3;  ///< movers on the DRAM channel: LD, LW and ST

struct TileGeometry : Geometry {
  // Sizes, which the registers report.
  std::uint32_t tile_cores = 1;  ///< 1 to 4
  std::uint32_t l2_mib = 8;      ///< L2 of a core, 1 to 8
  /// WL0 of a core, in units of 64 bytes
  std::uint32_t wl0_units = registers::geometry1::kWl0Units.get(registers::geometry1::kResetValue);
  std::uint32_t pe_columns = 8;  ///< columns (X) of the grid of processing elements, 1 to 8
  std::uint32_t pe_rows = 8;     ///< rows (Y) of the grid, 1 to 8

  // Durations. The defaults are fitted to published traces of a taped-out chip (docs/model.md, Time).
  std::uint32_t configuration_cycles = 21;    ///< duration of a `*_cfg`
  std::uint32_t control_cycles = 35;          ///< duration of a `ct_*`
  std::uint32_t load_setup_cycles = 21;       ///< cycles of an instruction of LD or LW before its first byte
  std::uint32_t store_setup_cycles = 30;      ///< cycles of an instruction of ST before its first byte
  std::uint32_t l2_bytes_per_cycle = 256;     ///< bandwidth of `dt_cal`, and of `lw_mov` from L2; a quarter if the layout changes
  std::uint32_t scrub_bytes_per_cycle = 256;  ///< bytes of L2 and WL0 of a core that are cleared for another owner
  std::uint32_t link_bytes_per_cycle = 64;    ///< bytes moved between the L2 buffers of two cores
  std::uint32_t vector_setup_cycles = 38;     ///< cycles of a `vp_self` or `vp_pool` before its first pixel
  std::uint32_t vector_start_cycles = 20;     ///< the part of vector_setup_cycles that the images of a batch do not share
  /// bytes of pixels that a vector instruction processes in a cycle; a pixel counts with the larger of its sizes in source and destination
  std::uint32_t vector_bytes_per_cycle = 32;
  std::uint32_t pe_setup_cycles = 600;               ///< cycles of a `pe_conv` for filling and draining the grid
  std::uint32_t pe_outputs_per_1024_cycles = 27300;  ///< results that leave the grid: 26.7 a cycle
  std::uint32_t pe_weight_cycles_per_byte = 2;       ///< has an effect only if each processing element has its own weights

  [[nodiscard]] std::uint32_t macs_per_cycle() const { return pe_columns * pe_rows * kElementLanes * kElementLanes; }
  [[nodiscard]] constexpr std::uint64_t l2_bytes() const { return std::uint64_t{l2_mib} << 20; }
  [[nodiscard]] constexpr std::uint32_t l2_blocks() const { return static_cast<std::uint32_t>(l2_bytes() / isa::tile::kBlockBytes); }
  [[nodiscard]] constexpr std::uint64_t wl0_bytes() const { return std::uint64_t{wl0_units} * isa::tile::kWeightUnitBytes; }
};

inline constexpr ParameterField<TileGeometry> kTileParameters[] = {
    {{"tile_cores", 1, kMostCores}, &TileGeometry::tile_cores},
    {{"l2_mib", 1, 8}, &TileGeometry::l2_mib},
    {{"wl0_units", 1, registers::geometry1::kWl0Units.maximum()}, &TileGeometry::wl0_units},
    {{"pe_columns", 1, 8}, &TileGeometry::pe_columns},
    {{"pe_rows", 1, 8}, &TileGeometry::pe_rows},
    {{"configuration_cycles", 0, kMostCycles}, &TileGeometry::configuration_cycles},
    {{"control_cycles", 0, kMostCycles}, &TileGeometry::control_cycles},
    {{"load_setup_cycles", 0, kMostCycles}, &TileGeometry::load_setup_cycles},
    {{"store_setup_cycles", 0, kMostCycles}, &TileGeometry::store_setup_cycles},
    {{"l2_bytes_per_cycle", 1, kMostCycles}, &TileGeometry::l2_bytes_per_cycle},
    {{"scrub_bytes_per_cycle", 1, kMostCycles}, &TileGeometry::scrub_bytes_per_cycle},
    {{"link_bytes_per_cycle", 1, kMostCycles}, &TileGeometry::link_bytes_per_cycle},
    {{"vector_setup_cycles", 0, kMostCycles}, &TileGeometry::vector_setup_cycles},
    {{"vector_start_cycles", 0, kMostCycles}, &TileGeometry::vector_start_cycles},
    {{"vector_bytes_per_cycle", 1, kMostCycles}, &TileGeometry::vector_bytes_per_cycle},
    {{"pe_setup_cycles", 0, kMostCycles}, &TileGeometry::pe_setup_cycles},
    {{"pe_outputs_per_1024_cycles", 1, 1U << 26}, &TileGeometry::pe_outputs_per_1024_cycles},
    {{"pe_weight_cycles_per_byte", 0, kMostCycles}, &TileGeometry::pe_weight_cycles_per_byte},
};

/// Returns the geometry with the numbers of `device`, the values in `parameters`, and defaults for the rest.
[[nodiscard]] inline TileGeometry tile_geometry(const Geometry &device, const ParameterValues &parameters) {
  TileGeometry geometry{device};
  set_parameters(geometry, kTileParameters, parameters);
  return geometry;
}

}  // namespace cox::model
