// SPDX-License-Identifier: MIT
// Numbers of the Unity engine that the option `geometry` can set (docs/model.md, Geometry).
#pragma once

#include <cstdint>

#include "coxswain/isa/unity/program.h"
#include "sim/model/geometry.h"
#include "sim/model/parameter.h"

namespace cox::model::unity {

struct Geometry : model::Geometry {
  std::uint32_t unity_units = 4;             ///< 1 to 8
  std::uint32_t unity_macs_per_cycle = 256;  ///< INT8 products of a unit
  std::uint32_t unity_dram_latency = 60;
  std::uint32_t unity_dram_bytes_per_cycle = 16;  ///< of all units
};

inline constexpr ParameterField<Geometry> kParameters[] = {
    {{"unity_units", 1, isa::unity::kMostUnits}, &Geometry::unity_units},
    {{"unity_macs_per_cycle", 1, 65536}, &Geometry::unity_macs_per_cycle},
    {{"unity_dram_latency", 0, 10000}, &Geometry::unity_dram_latency},
    {{"unity_dram_bytes_per_cycle", 1, 4096}, &Geometry::unity_dram_bytes_per_cycle},
};

}  // namespace cox::model::unity
