// SPDX-License-Identifier: MIT
// Fields that operand tables of convolutions and pools share. Private to isa/unity.
#pragma once

#include <cstdint>

#include "coxswain/isa/unity/operands.h"

namespace cox::isa::unity::detail {

inline constexpr std::uint64_t kOneValue = 0, kOneAChannel = 1, kOneAnElement = 2;  ///< codes of a parameter's mode

/// Whether `layout` has all fields of `base`, at the same places. Then they can be read as fields of `base`.
consteval bool has_fields_of(const Layout &base, const Layout &layout) {
  bool same = true;
  for_each_field(base, false, [&](const Placed &placed) {
    const Placed other = find_field(layout, placed.field->name);
    same = same && other.field != nullptr && other.place.addresses == placed.place.addresses && other.place.wides == placed.place.wides &&
           other.place.bits == placed.place.bits && other.place.field_width == placed.place.field_width;
    return same;
  });
  return same;
}

struct MapFields {
  std::uint64_t address, format, line, surface;
  std::uint32_t height, width, channels;
};
template <const Layout &Of>
MapFields read_map_fields(const Operands &o) {
  return {o.address<Of, "FM">(), o.get<Of, "FORMAT">(), o.get<Of, "LINE_STRIDE">(), o.get<Of, "SURF">(),
          o.word<Of, "FM_H">(),  o.word<Of, "FM_W">(),  o.word<Of, "FM_C">()};
}
/// Checks the fields and sets the map.
void set_map(const MapFields &fields, Unit unit, FeatureMap &map, Checks &checks);

/// Padding and steps of windows; `Op` is Convolution or Pool.
template <const Layout &Of, typename Op>
void read_windows(const Operands &o, Op &op, Checks &checks) {
  op.top = o.word<Of, "T_PAD">();
  op.bottom = o.word<Of, "B_PAD">();
  op.left = o.word<Of, "L_PAD">();
  op.right = o.word<Of, "R_PAD">();
  op.stride_vertical = o.word<Of, "V_STRIDE">();
  op.stride_horizontal = o.word<Of, "H_STRIDE">();
  checks.size("V_STRIDE", op.stride_vertical);
  checks.size("H_STRIDE", op.stride_horizontal);
}

/// Windows along one direction.
struct Windows {
  std::uint64_t size = 1, pads = 0;  ///< of the map, enlarged
  std::uint64_t kernel = 1, rate = 1, stride = 1;
};
/// The number of windows. Error: shape_mismatch (`what`, `value` the window's size, `limit` the padded map's) for a window that is too
/// large.
[[nodiscard]] std::uint32_t count_windows(const char *what, const Windows &windows, Checks &checks);
/// The size of a map with factor - 1 padding values between its elements.
[[nodiscard]] constexpr std::uint64_t enlarged(std::uint64_t size, std::uint64_t factor) { return (size - 1) * factor + 1; }

/// The names of a parameter's fields.
struct ParameterNames {
  const char *value, *mode;
};
/// Reads a value in `unit`, or an address. `bits` is the field's content. Errors: field_out_of_range for a mode above `last_mode`, or for
/// bits above the unit's or the address space's width; misaligned_address.
[[nodiscard]] Parameter read_parameter(const Operands &o, const ParameterNames &names, std::uint64_t mode, std::uint64_t last_mode,
                                       std::uint64_t bits, Unit unit, Checks &checks);
/// Padding of maps: one value or one a channel.
template <const Layout &Of, typename Op>
void read_padding(const Operands &o, Op &op, Checks &checks) {
  op.padding = read_parameter(o, {"PAD", "PAD_MODE"}, o.get<Of, "PAD_MODE">(), kOneAChannel, o.get<Of, "PAD">(), op.source.unit, checks);
}
/// The result's height and width, from source, windows and padding.
void set_result_size(Pool &p, Checks &checks);

/// Map, kernel, windows and padding of a table with the fields of CONV2D.
void read_convolution(const Operands &o, Convolution &c, Checks &checks);
/// Factors of a table with the fields of TRANSPOSE_CONV.
void read_enlargement(const Operands &o, Convolution &c, Checks &checks);
/// Units, kernel distances and output size. Kernel height and width, groups, padding, rates and enlargement are set. `kernel_stride`: bytes
/// of one outermost index, 0: dense. `kernel_depth`: planes of a kernel, which are dense.
void set_shapes(Convolution &c, std::uint64_t format, std::uint64_t kernel_stride, std::uint32_t kernel_depth, Checks &checks);
/// What follows the sums, from a table with the fields of CONV2D: bias, multiplier, shift, scale, bounds. The result is set.
void read_output(const Operands &o, Convolution &c, Checks &checks);

}  // namespace cox::isa::unity::detail
