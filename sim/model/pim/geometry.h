// SPDX-License-Identifier: MIT
// Numbers of the PIM engine that the option `geometry` can set (docs/model.md, Geometry). All others are in its configuration file.
#pragma once

#include <cstdint>

#include "coxswain/isa/pim/instruction.h"
#include "sim/model/geometry.h"
#include "sim/model/parameter.h"
#include "sim/model/pim/configuration/settings.h"

namespace cox::model::pim {

struct Geometry : model::Geometry {
  std::uint32_t pim_cores = kDefaultCores;  ///< 1 to 64
};

inline constexpr ParameterField<Geometry> kParameters[] = {
    {{"pim_cores", 1, isa::pim::kMostCores}, &Geometry::pim_cores},
};

}  // namespace cox::model::pim
