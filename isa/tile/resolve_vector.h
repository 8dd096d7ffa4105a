// SPDX-License-Identifier: MIT
// What vp_self and vp_pool share. Not for other layers.
#pragma once

#include "isa/tile/resolve.h"

namespace cox::isa::tile::detail {

/// Fields that stand at other bits in the two.
struct Places {
  std::int64_t source, source_region, destination, destination_region;
};

/// missing_configuration where one of those that every instruction of VP needs is not there.
[[nodiscard]] Status find_configurations(const Configuration &configuration);

/// A number, or the number of a register: field_out_of_range where there is no such.
[[nodiscard]] Status set_scalar(Scalar &scalar, float value, bool is_register, const char *field);

/// A map of vp_cfg_fm without the dimensions that the tensor does not have.
[[nodiscard]] Map make_tensor(const MachineCode &fm, const Field &shape, unsigned dimensions, std::int64_t region, Format format);

/// Maps, extent, and what is done before and behind the function; `op` has its function, its dimensions and what is reduced. The
/// configurations are there.
[[nodiscard]] Status set_vector(Vector &op, const MachineCode &code, const Configuration &configuration, const Places &places);

/// Has the map all of the tile, in the dimensions that the tensor has?
[[nodiscard]] Status check_tensor(const Vector &op, const Map &map, unsigned dimensions);

}  // namespace cox::isa::tile::detail
