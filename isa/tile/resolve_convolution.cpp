// SPDX-License-Identifier: MIT
// pe_conv (docs/isa/tile.md, Convolution).
#include "coxswain/isa/tile/layout.h"
#include "coxswain/isa/tile/resolve.h"

namespace cox::isa::tile::detail {
namespace {

constexpr auto kOp = Opcode::pe_conv;
constexpr auto kFm = Opcode::pe_cfg_fm;
constexpr auto kPm = Opcode::pe_cfg_pm;
constexpr auto kDq = Opcode::pe_cfg_dq;
constexpr auto kTp = Opcode::pe_cfg_tp;
constexpr auto kLut = Opcode::pe_cfg_lut;

/// Returns true if the array can multiply these formats: integers of 4, 8 or 16 bits in any combination, or the same floating-point format
/// for both.
constexpr bool can_multiply(DataFmt source, DataFmt weights) {
  if (source == DataFmt::INT32 || weights == DataFmt::INT32) return false;
  return is_integer(source) ? is_integer(weights) : source == weights;
}

/// A field value of 0 means 1.
constexpr std::uint32_t at_least_one(std::int64_t value) { return value == 0 ? 1 : static_cast<std::uint32_t>(value); }

/// Returns `map` with accumulators as elements: FP32, INT32, or integers of 64 bits.
Map of_accumulators(Map map, const Convolution &op) {
  map.format = Format{op.is_floating() ? DataFmt::FP32 : DataFmt::INT32, true};
  set_strides(map, op.is_wide() ? 64 : 32);
  return map;
}

void set_shape(Convolution &op, const MachineCode &pm, const MachineCode &tp) {
  op.batch = static_cast<std::uint32_t>(get<kTp, "Tile", 0>(tp));
  op.kernels = static_cast<std::uint32_t>(get<kTp, "Tile", 1>(tp));
  op.channels = static_cast<std::uint32_t>(get<kTp, "Tile", 2>(tp));
  op.height = static_cast<std::uint32_t>(get<kTp, "Tile", 3>(tp));
  op.width = static_cast<std::uint32_t>(get<kTp, "Tile", 4>(tp));
  op.kernel_height = static_cast<std::uint32_t>(get<kTp, "KERNEL", 0>(tp));
  op.kernel_width = static_cast<std::uint32_t>(get<kTp, "KERNEL", 1>(tp));
  op.groups = at_least_one(get<kTp, "GROUPS">(tp));
  op.dilation_height = at_least_one(get<kTp, "DILATION", 0>(tp));
  op.dilation_width = at_least_one(get<kTp, "DILATION", 1>(tp));
  op.upsample_height = at_least_one(get<kTp, "UPSAMPLE", 0>(tp));
  op.upsample_width = at_least_one(get<kTp, "UPSAMPLE", 1>(tp));
  op.stride_height = static_cast<std::uint32_t>(get<kPm, "STRIDE", 0>(pm));
  op.stride_width = static_cast<std::uint32_t>(get<kPm, "STRIDE", 1>(pm));
}

/// Sets how an accumulator becomes an element of the destination: dequantisation, activation, and conversion to the format.
Status set_output(Convolution &op, const MachineCode &pm, const Configuration &configuration) {
  if (const MachineCode *dq = configuration.find(kDq); dq != nullptr && get<kDq, "DQK">(*dq) != 0) {
    op.dequantise = true;
    op.clip = static_cast<std::uint8_t>(get<kDq, "DQC">(*dq));
    op.dequantisation_scale = get<kDq, "DQK">(*dq);
    op.dequantisation_zero_point = get<kDq, "DQB">(*dq);
  }
  op.activation = static_cast<ActMode>(get<kPm, "ACTMD">(pm));
  op.activation_parameter = get<kPm, "ACTPM">(pm);
  op.rounding = static_cast<Float2Fixed>(get<kPm, "QC">(pm));
  op.scale = get<kPm, "QK">(pm);
  op.zero_point = get<kPm, "QB">(pm);
  if (op.activation != ActMode::SILU) return {};
  const MachineCode *lut = configuration.find(kLut);
  if (lut == nullptr) return missing("pe_cfg_lut");
  op.table = make_table(*lut, get<kLut, "SEGN">(*lut), get<kLut, "SEGE">(*lut) == 1);
  return check_l2_address("Taddr", op.table.base);
}

/// Sets the address of the first weight record, the size of a record, and the size of the weights of one kernel position.
Status set_weights(Convolution &op, const MachineCode &code) {
  const std::uint32_t bits = bits_of(op.weight_format.format);
  const std::int64_t position = padded_pixel((std::int64_t{op.channels} * bits + 7) / 8);
  const std::int64_t record = std::int64_t{op.kernel_height} * op.kernel_width * position + kRecordParameterBytes;
  op.weights = get<kOp, "SWaddr">(code) * kWeightUnitBytes;
  const std::int64_t end = op.weights + record * op.kernels;
  if (end > kMaxWeightBytes) return Status(ErrorCode::address_outside_wl0, "SWaddr", -1, end, kMaxWeightBytes);
  op.position_bytes = static_cast<std::uint32_t>(position);
  op.record_bytes = static_cast<std::uint32_t>(record);
  return {};
}

}  // namespace

Status resolve_convolution(const MachineCode &code, const Configuration &configuration, Convolution &op) {
  const MachineCode *fm = configuration.find(kFm);
  const MachineCode *pm = configuration.find(kPm);
  const MachineCode *tp = configuration.find(kTp);
  if (fm == nullptr) return missing("pe_cfg_fm");
  if (pm == nullptr) return missing("pe_cfg_pm");
  if (tp == nullptr) return missing("pe_cfg_tp");
  const Format source = make_format(get<kFm, "SF">(*fm), get<kFm, "IF">(*fm));
  op.weight_format = make_format(get<kFm, "WF">(*fm));
  if (!can_multiply(source.format, op.weight_format.format)) {
    return Status(ErrorCode::shape_mismatch, "WF", -1, get<kFm, "WF">(*fm), get<kFm, "SF">(*fm));
  }
  op.source = make_map(*fm, *field_named<kFm, "STile">(), Space::l2, get<kOp, "SBSG">(code), source);
  op.destination =
      make_map(*fm, *field_named<kFm, "DTile">(), Space::l2, get<kOp, "DBSG">(code), make_format(get<kFm, "DF">(*fm), get<kFm, "OF">(*fm)));
  op.destination.base = get<kOp, "DTaddr">(code);
  if (Status status = check_l2_address("DTaddr", op.destination.base); !status) return status;
  op.padding_value = get<kFm, "PADV">(*fm);
  set_shape(op, *pm, *tp);

  if (Status status = check_size(op.source, "STile"); !status) return status;
  op.first_row = static_cast<std::int32_t>(get<kOp, "SPHI">(code));
  op.first_column = static_cast<std::int32_t>(get<kOp, "SPWI">(code));
  op.source.base = get<kOp, "STaddr">(code);
  if (Status status = check_l2_address("STaddr", op.source.base); !status) return status;
  if (op.upsample_height == 1 && op.upsample_width == 1) {
    // STaddr is the address of the first pixel under the kernel, even if this pixel is padding. The base of the map follows from it
    // (docs/isa/tile.md, Feature maps).
    op.source.base -= op.first_row * op.source.row_bytes + std::int64_t{op.first_column} * op.source.pixel_bytes;
  }
  if (op.kernels % op.groups != 0) return Status(ErrorCode::shape_mismatch, "GROUPS", -1, op.groups, op.kernels);
  const std::int64_t channels = std::int64_t{op.groups} * op.channels;
  if (channels > op.source.channels) return Status(ErrorCode::shape_mismatch, "Tile", 2, channels, op.source.channels);

  op.accumulate = get<kPm, "ADDEN">(*pm) == 1;
  op.store_accumulators = get<kPm, "PSUM">(*pm) == 1;
  if (op.accumulate) {
    op.partial = of_accumulators(op.destination, op);
    op.partial.selector = static_cast<std::uint8_t>(get<kOp, "PBSG">(code));
    op.partial.base = get<kOp, "PTaddr">(code);
    if (Status status = check_l2_address("PTaddr", op.partial.base); !status) return status;
    if (Status status = check_size(op.partial, "DTile"); !status) return status;
  }
  if (op.store_accumulators) {
    op.destination = of_accumulators(op.destination, op);
  } else if (Status status = set_output(op, *pm, configuration); !status) {
    return status;
  }
  if (Status status = check_box(op.kernels, op.height, op.width, op.destination, "DTile"); !status) return status;
  return set_weights(op, code);
}

}  // namespace cox::isa::tile::detail
