// SPDX-License-Identifier: MIT
#include "coxswain/isa/tile/resolve.h"

#include "coxswain/isa/tile/layout.h"

namespace cox::isa::tile {
namespace detail {

Format make_format(std::int64_t format, std::int64_t sign) {
  Format result;
  result.format = static_cast<DataFmt>(format);
  result.is_signed = sign == static_cast<std::int64_t>(DataSign::SIGNED) || !is_integer(result.format);
  return result;
}

void set_strides(Map &map, std::uint32_t bits, bool dense) {
  map.element_bits = bits;
  const std::int64_t packed = map.bytes_of(map.channels);
  map.pixel_bytes = static_cast<std::uint32_t>(dense ? packed : padded_pixel(packed));
  map.row_bytes = std::int64_t{map.pixel_bytes} * map.width;
  map.image_bytes = map.row_bytes * map.height;
}

Map make_map(const MachineCode &configuration, const Field &shape, Space space, std::int64_t selector, Format format, bool dense) {
  Map map;
  map.space = space;
  map.selector = static_cast<std::uint8_t>(selector);
  map.format = format;
  map.channels = element(configuration, shape, 0);
  map.height = element(configuration, shape, 1);
  map.width = element(configuration, shape, 2);
  set_strides(map, bits_of(format.format), dense);
  return map;
}

Status check_size(const Map &map, const char *field) {
  if (map.image_bytes > kAddressable) return Status(ErrorCode::shape_mismatch, field, -1, map.image_bytes, kAddressable);
  return {};
}

Status check_box(std::int64_t channels, std::int64_t height, std::int64_t width, const Map &map, const char *field) {
  if (Status status = check_size(map, field); !status) return status;
  if (channels > map.channels) return Status(ErrorCode::shape_mismatch, field, 0, channels, map.channels);
  if (height > map.height) return Status(ErrorCode::shape_mismatch, field, 1, height, map.height);
  if (width > map.width) return Status(ErrorCode::shape_mismatch, field, 2, width, map.width);
  return {};
}

Table make_table(const MachineCode &lut, std::int64_t segments_less_one, bool extrapolate) {
  static_assert(same_bits<Opcode::vp_cfg_lut, Opcode::pe_cfg_lut, "LO">());
  static_assert(same_bits<Opcode::vp_cfg_lut, Opcode::pe_cfg_lut, "STEP">());
  static_assert(same_bits<Opcode::vp_cfg_lut, Opcode::pe_cfg_lut, "TBSG">());
  static_assert(same_bits<Opcode::vp_cfg_lut, Opcode::pe_cfg_lut, "Taddr">());
  Table table;
  table.segments = static_cast<std::uint32_t>(segments_less_one) + 1;
  table.selector = static_cast<std::uint8_t>(get<Opcode::pe_cfg_lut, "TBSG">(lut));
  table.base = get<Opcode::pe_cfg_lut, "Taddr">(lut);
  table.low = get<Opcode::pe_cfg_lut, "LO">(lut);
  table.per_unit = get<Opcode::pe_cfg_lut, "STEP">(lut);
  table.extrapolate = extrapolate;
  return table;
}

}  // namespace detail

Status resolve(const MachineCode &code, const Configuration &configuration, Operation &operation) {
  switch (opcode_of(code)) {
    case Opcode::lda_mov: return detail::resolve_load(code, configuration, operation.emplace<Move>());
    case Opcode::ldw_mov: return detail::resolve_weight_prefetch(code, configuration, operation.emplace<WeightMove>());
    case Opcode::lw_mov: return detail::resolve_weight_load(code, configuration, operation.emplace<WeightMove>());
    case Opcode::pe_conv: return detail::resolve_convolution(code, configuration, operation.emplace<Convolution>());
    case Opcode::vp_self: return detail::resolve_self(code, configuration, operation.emplace<Vector>());
    case Opcode::vp_pool: return detail::resolve_pool(code, configuration, operation.emplace<Vector>());
    case Opcode::dt_cal:
      if (static_cast<Order>(get<Opcode::dt_cal, "Order">(code)) == Order::nhwc_copy) {
        return detail::resolve_copy(code, configuration, operation.emplace<Move>());
      }
      return detail::resolve_transform(code, configuration, operation.emplace<Transform>());
    case Opcode::sta_mov: return detail::resolve_store(code, configuration, operation.emplace<Move>());
    case Opcode::si_mov: return detail::resolve_exchange_in(code, configuration, operation.emplace<Move>());
    case Opcode::so_mov: return detail::resolve_exchange_out(code, configuration, operation.emplace<Move>());
    case Opcode::si_sync:
    case Opcode::so_sync: operation.emplace<Control>(); return detail::check_cores(code, false);
    default: operation.emplace<Control>(); return {};
  }
}

Result<Operation> resolve(const MachineCode &code, const Configuration &configuration) {
  Result<Operation> result{Operation()};
  if (Status status = resolve(code, configuration, result.value()); !status) return status;
  return result;
}

}  // namespace cox::isa::tile
