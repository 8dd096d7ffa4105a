// SPDX-License-Identifier: MIT
// What the files behind resolve() share: the instructions of each class, and maps, boxes and tables from fields. Not for other layers:
// those include isa/tile/operation.h.
#pragma once

#include <array>

#include "isa/tile/format.h"
#include "isa/tile/operation.h"
#include "isa/tile/table.h"

namespace cox::isa::tile::detail {

/// No buffer or window is larger, and what follows can be multiplied by any batch without overflow.
inline constexpr std::int64_t kAddressable = std::int64_t{1} << 32;

// Each writes the whole of `op`, which has just been made.
[[nodiscard]] Status resolve_load(const MachineCode &code, const Configuration &configuration, Move &op);
[[nodiscard]] Status resolve_store(const MachineCode &code, const Configuration &configuration, Move &op);
[[nodiscard]] Status resolve_weight_prefetch(const MachineCode &code, const Configuration &configuration, WeightMove &op);
[[nodiscard]] Status resolve_weight_load(const MachineCode &code, const Configuration &configuration, WeightMove &op);
[[nodiscard]] Status resolve_convolution(const MachineCode &code, const Configuration &configuration, Convolution &op);
[[nodiscard]] Status resolve_self(const MachineCode &code, const Configuration &configuration, Vector &op);
[[nodiscard]] Status resolve_pool(const MachineCode &code, const Configuration &configuration, Vector &op);
[[nodiscard]] Status resolve_copy(const MachineCode &code, const Configuration &configuration, Move &op);            // dt_cal, Order 0
[[nodiscard]] Status resolve_transform(const MachineCode &code, const Configuration &configuration, Transform &op);  // other Orders
[[nodiscard]] Status resolve_exchange_in(const MachineCode &code, const Configuration &configuration, Move &op);
[[nodiscard]] Status resolve_exchange_out(const MachineCode &code, const Configuration &configuration, Move &op);
/// CORE where `names_core`, Prev_Cores and Next_Cores: none may be the core that runs the instruction.
[[nodiscard]] Status check_cores(const MachineCode &code, bool names_core);

[[nodiscard]] constexpr Status missing(const char *configuration) { return Status(ErrorCode::missing_configuration, configuration); }

/// Element `index` of an unsigned field: of Tile, STile and the like.
[[nodiscard]] constexpr std::uint32_t element(const MachineCode &code, const Field &field, unsigned index) {
  return extract_bits(code, field.bit_of(index), field.width);
}

/// `sign`: a DataSign, which counts for integers alone.
[[nodiscard]] Format make_format(std::int64_t format, std::int64_t sign = static_cast<std::int64_t>(DataSign::SIGNED));

/// The map of shape C, H, W that field `shape` of `configuration` describes. `dense` maps don't pad their pixels.
[[nodiscard]] Map make_map(const MachineCode &configuration, const Field &shape, Space space, std::int64_t selector, Format format,
                           bool dense = false);
/// Pixels, rows and images for elements of `bits` each.
void set_strides(Map &map, std::uint32_t bits, bool dense = false);

[[nodiscard]] Status check_size(const Map &map, const char *field);
/// The box must fit into the map: what it would touch beyond a row belongs to the next one. `field` names the map's shape.
[[nodiscard]] Status check_box(std::int64_t channels, std::int64_t height, std::int64_t width, const Map &map, const char *field);

/// `move` has its maps and their formats: takes the addresses and the extent from the instruction, and checks the one against the other.
[[nodiscard]] Status finish_move(Move &move, const MachineCode &code);

/// The table that a vp_cfg_lut or pe_cfg_lut names.
[[nodiscard]] Table make_table(const MachineCode &lut, std::int64_t segments_less_one, bool extrapolate);

}  // namespace cox::isa::tile::detail
