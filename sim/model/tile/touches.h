// SPDX-License-Identifier: MIT
// What an instruction of a tile core touches, for observers.
#pragma once

#include <cstdint>
#include <vector>

#include "coxswain/isa/tile/header.h"
#include "sim/model/observer.h"
#include "sim/model/tile/ecc.h"

namespace cox::model {

/// Numbers of memories in Touch::space.
constexpr std::uint8_t l2_space(unsigned core) { return static_cast<std::uint8_t>(1 + core); }
constexpr std::uint8_t wl0_space(unsigned core) { return static_cast<std::uint8_t>(1 + kMostCores + core); }
/// The regions of L2 that ct_bc defines: one byte for each.
constexpr std::uint8_t regions_space(unsigned core) { return static_cast<std::uint8_t>(1 + 2 * kMostCores + core); }

/// Returns the accesses of `code` to DRAM, L2 and WL0, and to the definitions of regions. An access that passes the end of its region
/// touches the whole region.
[[nodiscard]] std::vector<Touch> touches_of(const isa::tile::MachineCode &code, const Touched &touched);

}  // namespace cox::model
