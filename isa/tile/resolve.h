// SPDX-License-Identifier: MIT
// Shared by the files that implement resolve(): a function for each kind of instruction, and functions that read maps, boxes and tables
// from fields. Other layers include isa/tile/operation.h instead.
#pragma once

#include <array>

#include "coxswain/isa/tile/format.h"
#include "coxswain/isa/tile/operation.h"
#include "coxswain/isa/tile/table.h"

namespace cox::isa::tile::detail {

/// Upper limit of sizes in bytes: no buffer or window is larger. Numbers up to this limit can be multiplied by any batch without overflow.
inline constexpr std::int64_t kAddressable = std::int64_t{1} << 32;

// Each of the next functions sets members of `op`. The other members must have their default values.
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
/// Checks that CORE (if `names_core`), Prev_Cores and Next_Cores do not name the core that runs the instruction.
[[nodiscard]] Status check_cores(const MachineCode &code, bool names_core);

[[nodiscard]] constexpr Status missing(const char *configuration) { return Status(ErrorCode::missing_configuration, configuration); }

/// Element `index` of an unsigned field such as Tile or STile.
[[nodiscard]] constexpr std::uint32_t element(const MachineCode &code, const Field &field, unsigned index) {
  return extract_bits(code, field.bit_of(index), field.width);
}

/// `sign` is a DataSign, which matters only for integers.
[[nodiscard]] Format make_format(std::int64_t format, std::int64_t sign = static_cast<std::int64_t>(DataSign::SIGNED));

/// The map whose shape (C, H, W) is in field `shape` of `configuration`. If `dense`, pixels have no padding.
[[nodiscard]] Map make_map(const MachineCode &configuration, const Field &shape, Space space, std::int64_t selector, Format format,
                           bool dense = false);
/// Sets the strides of pixels, rows and images for elements of `bits` each.
void set_strides(Map &map, std::uint32_t bits, bool dense = false);

[[nodiscard]] Status check_size(const Map &map, const char *field);
/// Checks that the box fits into the map, because an access beyond a row would touch the next row. `field` names the map's shape.
[[nodiscard]] Status check_box(std::int64_t channels, std::int64_t height, std::int64_t width, const Map &map, const char *field);

/// Returns misaligned_address unless the L2 address in `field` is a multiple of kL2AddressUnit.
[[nodiscard]] constexpr Status check_l2_address(const char *field, std::int64_t address) {
  if (address % kL2AddressUnit != 0) return Status(ErrorCode::misaligned_address, field, -1, address, kL2AddressUnit);
  return {};
}

/// Takes addresses and extent of `move` from the instruction and checks them against its maps, whose formats are already set.
[[nodiscard]] Status finish_move(Move &move, const MachineCode &code);

/// The table of a vp_cfg_lut or pe_cfg_lut.
[[nodiscard]] Table make_table(const MachineCode &lut, std::int64_t segments_less_one, bool extrapolate);

}  // namespace cox::isa::tile::detail
