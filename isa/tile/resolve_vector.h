// SPDX-License-Identifier: MIT
// Shared by vp_self and vp_pool. Other layers do not include this.
#pragma once

#include "isa/tile/resolve.h"

namespace cox::isa::tile::detail {

/// Fields that stand at different bits in vp_self and vp_pool.
struct Places {
  std::int64_t source, source_region, destination, destination_region;
};

/// Error: missing_configuration if a configuration that every instruction of VP needs is missing.
[[nodiscard]] Status find_configurations(const Configuration &configuration);

/// Sets a number, or the number of a register. Error: field_out_of_range if there is no such register.
[[nodiscard]] Status set_scalar(Scalar &scalar, float value, bool is_register, const char *field);

/// A map of vp_cfg_fm, with extent 1 in the dimensions that the tensor does not have.
[[nodiscard]] Map make_tensor(const MachineCode &fm, const Field &shape, unsigned dimensions, std::int64_t region, Format format);

/// Sets the maps, the extent, and the steps before and after the function. The caller has set the function, its dimensions and the reduced
/// dimensions of `op`, and has checked that the configurations are there.
[[nodiscard]] Status set_vector(Vector &op, const MachineCode &code, const Configuration &configuration, const Places &places);

/// Checks that the map contains the whole tile, in the dimensions that the tensor has.
[[nodiscard]] Status check_tensor(const Vector &op, const Map &map, unsigned dimensions);

}  // namespace cox::isa::tile::detail
