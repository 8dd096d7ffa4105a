// SPDX-License-Identifier: MIT
// Numbers of the MX engine (docs/model.md, Geometry).
#pragma once

#include <cstdint>

#include "sim/model/geometry.h"
#include "sim/model/parameter.h"

namespace cox::model::mx {

/// Multiply-accumulates of a lane in a cycle: 16 output channels times the 16 elements of a block.
inline constexpr std::uint32_t kLaneMacs = 16 * 16;

struct Geometry : model::Geometry {
  std::uint32_t mx_lanes = 4;          ///< 1 to 16; in a cycle, a lane computes kLaneMacs products or one block of an element-wise result
  std::uint32_t mx_buffer_kib = 512;   ///< size of the operand buffer that GEOMETRY3 reports; no duration depends on it
  std::uint32_t mx_setup_cycles = 64;  ///< cycles of an instruction before its first byte
  std::uint32_t mx_dram_bytes_per_cycle = 16;  ///< bandwidth of the engine's own port, 1 to 1024

  [[nodiscard]] std::uint32_t mx_macs_per_cycle() const { return mx_lanes * kLaneMacs; }
};

inline constexpr ParameterField<Geometry> kParameters[] = {
    {{"mx_lanes", 1, 16}, &Geometry::mx_lanes},
    {{"mx_buffer_kib", 1, 65535}, &Geometry::mx_buffer_kib},
    {{"mx_setup_cycles", 0, kMostCycles}, &Geometry::mx_setup_cycles},
    {{"mx_dram_bytes_per_cycle", 1, 1024}, &Geometry::mx_dram_bytes_per_cycle},
};

}  // namespace cox::model::mx
