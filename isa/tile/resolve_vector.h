// SPDX-License-Identifier: MIT
// Shared by vp_self and vp_pool. Other layers do not include this.
#pragma once

#include "coxswain/isa/tile/resolve.h"

namespace cox::isa::tile::detail {

/// Addresses and regions of an instruction. vp_self and vp_pool have these fields at different bits.
struct Places {
  std::int64_t source, source_region, destination, destination_region;
};

/// Checks the configurations that every instruction of VP needs. Error: missing_configuration if one is missing.
[[nodiscard]] Status find_configurations(const Configuration &configuration);

/// Sets `scalar` to a number, or to a register whose number is `value`. Error: field_out_of_range if there is no such register.
[[nodiscard]] Status set_scalar(Scalar &scalar, float value, bool is_register, const char *field);

/// Makes a map from a vp_cfg_fm. Its extent is 1 in the dimensions that the tensor does not have.
[[nodiscard]] Map make_tensor(const MachineCode &fm, const Field &shape, unsigned dimensions, std::int64_t region, Format format);

/// Sets the maps, the extent, and what happens to elements before and after the function (dequantisation, scalar operations, conversion).
/// The caller has set the function, its dimensions and the reduced dimensions of `op`, and has called find_configurations().
[[nodiscard]] Status set_vector(Vector &op, const MachineCode &code, const Configuration &configuration, const Places &places);

/// Checks that the map contains the whole tile, in the dimensions that the tensor has.
[[nodiscard]] Status check_tensor(const Vector &op, const Map &map, unsigned dimensions);

}  // namespace cox::isa::tile::detail
