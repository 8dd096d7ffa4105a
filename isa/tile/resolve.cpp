// SPDX-License-Identifier: MIT
#include "isa/tile/get.h"
#include "isa/tile/layout.h"
#include "isa/tile/operation.h"

namespace cox::isa::tile {
namespace {

constexpr std::int64_t kWeightBufferBytes = std::int64_t{kWeightUnits} * kWeightUnitBytes;

constexpr std::uint32_t bits_of(DataFmt format) {
  switch (format) {
    case DataFmt::INT4: return 4;
    case DataFmt::INT8: return 8;
    case DataFmt::INT16:
    case DataFmt::FP16:
    case DataFmt::BF16: return 16;
    case DataFmt::INT32:
    case DataFmt::FP32: return 32;
  }
  return 8;
}

/// The map of shape C, H, W that field `Tile` of `cfg` describes. `dense` maps don't pad their pixels.
template <Opcode Cfg, FixedString Tile>
Map make_map(const MachineCode &cfg, Space space, std::int64_t selector, std::int64_t format, bool dense = false) {
  Map map;
  map.space = space;
  map.selector = static_cast<std::uint8_t>(selector);
  map.format.format = static_cast<DataFmt>(format);
  map.channels = static_cast<std::uint32_t>(get<Cfg, Tile, 0>(cfg));
  map.height = static_cast<std::uint32_t>(get<Cfg, Tile, 1>(cfg));
  map.width = static_cast<std::uint32_t>(get<Cfg, Tile, 2>(cfg));
  map.element_bits = bits_of(map.format.format);
  const auto packed = static_cast<std::uint32_t>(map.bytes_of(map.channels));
  map.pixel_bytes = dense ? packed : static_cast<std::uint32_t>(padded_pixel(packed));
  map.row_bytes = std::int64_t{map.pixel_bytes} * map.width;
  map.image_bytes = map.row_bytes * map.height;
  return map;
}

Status missing(const char *configuration) { return Status(ErrorCode::missing_configuration, configuration); }

/// No buffer or window is larger, and what follows can be multiplied by any batch without overflow.
constexpr std::int64_t kAddressable = std::int64_t{1} << 32;

Status check_size(const Map &map, const char *field) {
  if (map.image_bytes > kAddressable) return Status(ErrorCode::shape_mismatch, field, -1, map.image_bytes, kAddressable);
  return {};
}

/// The box must fit into the map: what it would touch beyond a row belongs to the next one.
Status check_box(std::int64_t channels, std::int64_t height, std::int64_t width, const Map &map, const char *field) {
  if (Status status = check_size(map, field); !status) return status;
  if (channels > map.channels) return Status(ErrorCode::shape_mismatch, field, 0, channels, map.channels);
  if (height > map.height) return Status(ErrorCode::shape_mismatch, field, 1, height, map.height);
  if (width > map.width) return Status(ErrorCode::shape_mismatch, field, 2, width, map.width);
  return {};
}

/// `move` has its maps and their formats: adds the addresses and the extent, and checks the one against the other.
template <Opcode Op>
Result<Operation> finish_move(Move move, const MachineCode &code) {
  move.from.base = get<Op, "STaddr">(code);
  move.to.base = get<Op, "DTaddr">(code);
  move.batch = static_cast<std::uint32_t>(get<Op, "Tile", 0>(code));
  move.channels = static_cast<std::uint32_t>(get<Op, "Tile", 1>(code));
  move.height = static_cast<std::uint32_t>(get<Op, "Tile", 2>(code));
  move.width = static_cast<std::uint32_t>(get<Op, "Tile", 3>(code));
  if (Status status = check_box(move.channels, move.height, move.width, move.from, "STile"); !status) return status;
  if (Status status = check_box(move.channels, move.height, move.width, move.to, "DTile"); !status) return status;
  return Operation(move);
}

Result<Operation> resolve_load(const MachineCode &code, const Configuration &configuration) {
  constexpr auto kOp = Opcode::lda_mov;
  constexpr auto kCfg = Opcode::lda_cfg;
  const MachineCode *cfg = configuration.find(kCfg, static_cast<unsigned>(get<kOp, "RS">(code)));
  if (cfg == nullptr) return missing("lda_cfg");
  const std::int64_t format = get<kCfg, "DF">(*cfg);
  Move move;
  move.from = make_map<kCfg, "STile">(*cfg, Space::dram, get<kCfg, "BAS">(*cfg), format, get<kCfg, "SME">(*cfg) == 1);
  move.to = make_map<kCfg, "DTile">(*cfg, Space::l2, get<kOp, "DBSG">(code), format);
  return finish_move<kOp>(move, code);
}

Result<Operation> resolve_store(const MachineCode &code, const Configuration &configuration) {
  constexpr auto kOp = Opcode::sta_mov;
  constexpr auto kCfg = Opcode::sta_cfg;
  const MachineCode *cfg = configuration.find(kCfg, static_cast<unsigned>(get<kOp, "RS">(code)));
  if (cfg == nullptr) return missing("sta_cfg");
  const std::int64_t format = get<kCfg, "DF">(*cfg);
  Move move;
  move.from = make_map<kCfg, "STile">(*cfg, Space::l2, get<kOp, "SBSG">(code), format);
  move.to = make_map<kCfg, "DTile">(*cfg, Space::dram, get<kCfg, "BAS">(*cfg), format, get<kCfg, "SME">(*cfg) == 1);
  return finish_move<kOp>(move, code);
}

Result<Operation> resolve_transform(const MachineCode &code, const Configuration &configuration) {
  constexpr auto kOp = Opcode::dt_cal;
  constexpr auto kCfg = Opcode::dt_cfg;
  const MachineCode *cfg = configuration.find(kCfg);
  if (cfg == nullptr) return missing("dt_cfg");
  const std::int64_t format = get<kCfg, "DF">(*cfg);
  Move move;
  move.from = make_map<kCfg, "STile">(*cfg, Space::l2, get<kOp, "SBSG">(code), format);
  move.to = make_map<kCfg, "DTile">(*cfg, Space::l2, get<kOp, "DBSG">(code), format);
  return finish_move<kOp>(move, code);
}

/// Shape and length of a weight move. Records move whole, so source and destination records must be those of Wsize.
Status set_records(WeightMove &move, const MachineCode &code, const Field &size, const MachineCode &cfg, const Field &source,
                   const Field &destination) {
  for (unsigned i = 0; i < 3; ++i) {
    const std::int64_t wanted = read_integer(code, size, i + 1);
    if (read_integer(cfg, source, i) != wanted) {
      return Status(ErrorCode::shape_mismatch, source.name, static_cast<std::int32_t>(i), read_integer(cfg, source, i), wanted);
    }
    if (read_integer(cfg, destination, i) != wanted) {
      return Status(ErrorCode::shape_mismatch, destination.name, static_cast<std::int32_t>(i), read_integer(cfg, destination, i), wanted);
    }
  }
  move.kernels = static_cast<std::uint32_t>(read_integer(code, size, 0));
  move.channels = static_cast<std::uint32_t>(read_integer(code, size, 1));
  move.rows = static_cast<std::uint32_t>(read_integer(code, size, 2));
  move.columns = static_cast<std::uint32_t>(read_integer(code, size, 3));
  // Up to 2^16 x 2^16 x 2^16 x 2^16 does not fit: what can't be addressed is refused before it is multiplied.
  const std::int64_t weights = record_weight_bytes(move.channels, move.rows, move.columns);
  if (weights >= kAddressable) return Status(ErrorCode::shape_mismatch, size.name, 1, weights, kAddressable);
  move.bytes = move.kernels * record_bytes(move.channels, move.rows, move.columns);
  return {};
}

Result<Operation> resolve_weight_prefetch(const MachineCode &code, const Configuration &configuration) {
  constexpr auto kOp = Opcode::ldw_mov;
  constexpr auto kCfg = Opcode::ldw_cfg;
  const MachineCode *cfg = configuration.find(kCfg, static_cast<unsigned>(get<kOp, "RS">(code)));
  if (cfg == nullptr) return missing("ldw_cfg");
  WeightMove move;
  move.from_space = Space::dram;
  move.from_selector = static_cast<std::uint8_t>(get<kCfg, "BAS">(*cfg));
  move.to_space = Space::l2;
  move.to_selector = static_cast<std::uint8_t>(get<kOp, "DBSG">(code));
  move.from = get<kOp, "STaddr">(code);
  move.to = get<kOp, "DTaddr">(code);
  Status status =
      set_records(move, code, *field_named<kOp, "Wsize">(), *cfg, *field_named<kCfg, "SWsize">(), *field_named<kCfg, "DWsize">());
  if (!status) return status;
  return Operation(move);
}

Result<Operation> resolve_weight_load(const MachineCode &code, const Configuration &configuration) {
  constexpr auto kOp = Opcode::lw_mov;
  constexpr auto kCfg = Opcode::lw_cfg;
  const MachineCode *cfg = configuration.find(kCfg);
  if (cfg == nullptr) return missing("lw_cfg");
  WeightMove move;
  const bool from_dram = get<kOp, "SS">(code) == 1;
  move.from_space = from_dram ? Space::dram : Space::l2;
  move.from_selector = static_cast<std::uint8_t>(from_dram ? get<kCfg, "BAS">(*cfg) : get<kOp, "SBSG">(code));
  move.to_space = Space::wl0;
  move.from = get<kOp, "STaddr">(code);
  move.to = get<kOp, "DTaddr">(code) * kWeightUnitBytes;
  Status status =
      set_records(move, code, *field_named<kOp, "Wsize">(), *cfg, *field_named<kCfg, "SWsize">(), *field_named<kCfg, "DWsize">());
  if (!status) return status;
  if (move.to + move.bytes > kWeightBufferBytes) {
    return Status(ErrorCode::address_outside_wl0, "DTaddr", -1, move.to + move.bytes, kWeightBufferBytes);
  }
  return Operation(move);
}

Result<Operation> resolve_convolution(const MachineCode &code, const Configuration &configuration) {
  constexpr auto kOp = Opcode::pe_conv;
  constexpr auto kFm = Opcode::pe_cfg_fm;
  constexpr auto kPm = Opcode::pe_cfg_pm;
  constexpr auto kTp = Opcode::pe_cfg_tp;
  const MachineCode *fm = configuration.find(kFm);
  const MachineCode *pm = configuration.find(kPm);
  const MachineCode *tp = configuration.find(kTp);
  if (fm == nullptr) return missing("pe_cfg_fm");
  if (pm == nullptr) return missing("pe_cfg_pm");
  if (tp == nullptr) return missing("pe_cfg_tp");
  if (const MachineCode *dq = configuration.find(Opcode::pe_cfg_dq); dq != nullptr) {
    if (get<Opcode::pe_cfg_dq, "DQB">(*dq) != 0) return Status(ErrorCode::unsupported, "DQB");
    if (get<Opcode::pe_cfg_dq, "DQK">(*dq) != 0) return Status(ErrorCode::unsupported, "DQK");
  }
  Convolution op;
  op.source = make_map<kFm, "STile">(*fm, Space::l2, get<kOp, "SBSG">(code), get<kFm, "SF">(*fm));
  op.destination = make_map<kFm, "DTile">(*fm, Space::l2, get<kOp, "DBSG">(code), get<kFm, "DF">(*fm));
  op.first_row = static_cast<std::int32_t>(get<kOp, "SPHI">(code));
  op.first_column = static_cast<std::int32_t>(get<kOp, "SPWI">(code));
  // STaddr has been moved to the first pixel under the kernel, padding included: undo it (docs/isa/tile.md, Feature maps).
  op.source.base = get<kOp, "STaddr">(code) - op.first_row * op.source.row_bytes - std::int64_t{op.first_column} * op.source.pixel_bytes;
  op.destination.base = get<kOp, "DTaddr">(code);
  op.batch = static_cast<std::uint32_t>(get<kTp, "Tile", 0>(*tp));
  op.kernels = static_cast<std::uint32_t>(get<kTp, "Tile", 1>(*tp));
  op.channels = static_cast<std::uint32_t>(get<kTp, "Tile", 2>(*tp));
  op.height = static_cast<std::uint32_t>(get<kTp, "Tile", 3>(*tp));
  op.width = static_cast<std::uint32_t>(get<kTp, "Tile", 4>(*tp));
  op.kernel_height = static_cast<std::uint32_t>(get<kTp, "KERNEL", 0>(*tp));
  op.kernel_width = static_cast<std::uint32_t>(get<kTp, "KERNEL", 1>(*tp));
  op.stride_height = static_cast<std::uint32_t>(get<kPm, "STRIDE", 0>(*pm));
  op.stride_width = static_cast<std::uint32_t>(get<kPm, "STRIDE", 1>(*pm));
  op.padding_value = get<kFm, "PADV">(*fm);
  op.activation = static_cast<ActMode>(get<kPm, "ACTMD">(*pm));
  op.rounding = static_cast<Float2Fixed>(get<kPm, "QC">(*pm));
  op.scale = get<kPm, "QK">(*pm);
  op.zero_point = get<kPm, "QB">(*pm);
  if (Status status = check_size(op.source, "STile"); !status) return status;
  if (op.channels > op.source.channels) return Status(ErrorCode::shape_mismatch, "Tile", 2, op.channels, op.source.channels);
  if (Status status = check_box(op.kernels, op.height, op.width, op.destination, "DTile"); !status) return status;
  op.position_bytes = static_cast<std::uint32_t>(padded_pixel(op.channels));
  op.record_bytes = static_cast<std::uint32_t>(record_bytes(op.channels, op.kernel_height, op.kernel_width));
  op.weights = get<kOp, "SWaddr">(code) * kWeightUnitBytes;
  const std::int64_t weights_end = op.weights + std::int64_t{op.record_bytes} * op.kernels;
  if (weights_end > kWeightBufferBytes) return Status(ErrorCode::address_outside_wl0, "SWaddr", -1, weights_end, kWeightBufferBytes);
  return Operation(op);
}

/// Quantisation parameters and maps that vp_self and vp_pool share. IQEN, SBSG and the rest stand at different bits in the two.
template <Opcode Op>
Status set_vector(Vector &op, const MachineCode &code, const Configuration &configuration) {
  constexpr auto kFm = Opcode::vp_cfg_fm;
  constexpr auto kTp = Opcode::vp_cfg_tp;
  constexpr auto kQp = Opcode::vp_cfg_qp;
  const MachineCode *fm = configuration.find(kFm);
  const MachineCode *tp = configuration.find(kTp);
  const MachineCode *qp = configuration.find(kQp);
  if (fm == nullptr) return missing("vp_cfg_fm");
  if (tp == nullptr) return missing("vp_cfg_tp");
  if (qp == nullptr) return missing("vp_cfg_qp");
  op.source = make_map<kFm, "STile">(*fm, Space::l2, get<Op, "SBSG">(code), get<kFm, "IDF">(*fm));
  op.destination = make_map<kFm, "DTile">(*fm, Space::l2, get<Op, "DBSG">(code), get<kFm, "ODF">(*fm));
  const std::int64_t batch = batch_of(code);
  op.source.base = get<Op, "STaddr">(code) + batch * op.source.image_bytes;
  op.destination.base = get<Op, "DTaddr">(code) + batch * op.destination.image_bytes;
  op.channels = static_cast<std::uint32_t>(get<kTp, "Tile", 0>(*tp));
  op.height = static_cast<std::uint32_t>(get<kTp, "Tile", 1>(*tp));
  op.width = static_cast<std::uint32_t>(get<kTp, "Tile", 2>(*tp));
  op.dequantise = get<Op, "IQEN">(code) == 1;
  op.rounding = static_cast<Float2Fixed>(get<kQp, "QCS">(*qp));
  op.scale = get<kQp, "QK">(*qp);
  op.zero_point = get<kQp, "QB">(*qp);
  if (Status status = check_size(op.source, "STile"); !status) return status;
  if (op.channels > op.source.channels) return Status(ErrorCode::shape_mismatch, "STile", 0, op.channels, op.source.channels);
  return check_box(op.channels, op.height, op.width, op.destination, "DTile");
}

/// The scale and zero point of tensor 0 (IQ0) or tensor 1 (IQ1), where dequantisation is on.
Status set_dequantisation(bool enabled, unsigned tensor, const Configuration &configuration, float &scale, float &zero_point) {
  if (!enabled) return {};
  if (tensor == 0) {
    const MachineCode *iq = configuration.find(Opcode::vp_cfg_iq);
    if (iq == nullptr) return missing("vp_cfg_iq");
    scale = get<Opcode::vp_cfg_iq, "IQK0">(*iq);
    zero_point = get<Opcode::vp_cfg_iq, "IQB0">(*iq);
    return {};
  }
  const MachineCode *iq1 = configuration.find(Opcode::vp_cfg_iq1);
  if (iq1 == nullptr) return missing("vp_cfg_iq1");
  scale = get<Opcode::vp_cfg_iq1, "IQK1">(*iq1);
  zero_point = get<Opcode::vp_cfg_iq1, "IQB1">(*iq1);
  return {};
}

Result<Operation> resolve_self(const MachineCode &code, const Configuration &configuration) {
  constexpr auto kOp = Opcode::vp_self;
  Vector op;
  if (Status status = set_vector<kOp>(op, code, configuration); !status) return status;
  if (Status status = check_box(op.channels, op.height, op.width, op.source, "STile"); !status) return status;
  const std::int64_t path = get<kOp, "GPMD">(code);
  const std::int64_t function = get<kOp, "LUT">(code);
  const std::int64_t tensor1 = get<Opcode::vp_cfg_tp, "T1F">(*configuration.find(Opcode::vp_cfg_tp));
  if (path == kOneTensor && function == kLutNone) {
    op.function = VectorFunction::copy;
    if (Status status = set_dequantisation(op.dequantise, 0, configuration, op.source_scale, op.source_zero_point); !status) return status;
    return Operation(op);
  }
  if (path != kTwoTensors) return Status(ErrorCode::unsupported, "GPMD", -1, path);
  if (function != kLutAdd) return Status(ErrorCode::unsupported, "LUT", -1, function);
  if (tensor1 == 0) return Status(ErrorCode::shape_mismatch, "T1F", -1, tensor1, kAllDimensions);
  op.function = VectorFunction::arithmetic;
  op.two_tensors = true;
  op.source1 = op.source;
  op.source1.selector = static_cast<std::uint8_t>(get<kOp, "SBSG1">(code));
  op.source1.base = get<kOp, "STaddr1">(code) + std::int64_t{batch_of(code)} * op.source1.image_bytes;
  if (Status status = set_dequantisation(op.dequantise, 1, configuration, op.source_scale, op.source_zero_point); !status) return status;
  if (Status status = set_dequantisation(op.dequantise, 0, configuration, op.source1_scale, op.source1_zero_point); !status) return status;
  return Operation(op);
}

Result<Operation> resolve_pool(const MachineCode &code, const Configuration &configuration) {
  constexpr auto kOp = Opcode::vp_pool;
  Vector op;
  if (Status status = set_vector<kOp>(op, code, configuration); !status) return status;
  const MachineCode &tp = *configuration.find(Opcode::vp_cfg_tp);
  op.kernel_height = static_cast<std::uint32_t>(get<Opcode::vp_cfg_tp, "KERNEL", 0>(tp));
  op.kernel_width = static_cast<std::uint32_t>(get<Opcode::vp_cfg_tp, "KERNEL", 1>(tp));
  op.stride_height = static_cast<std::uint32_t>(get<Opcode::vp_cfg_tp, "STRIDE", 0>(tp));
  op.stride_width = static_cast<std::uint32_t>(get<Opcode::vp_cfg_tp, "STRIDE", 1>(tp));
  op.padding_value = get<Opcode::vp_cfg_tp, "PADV_AREA">(tp);
  op.first_row = static_cast<std::int32_t>(get<kOp, "IPH">(code));
  op.first_column = static_cast<std::int32_t>(get<kOp, "IPW">(code));
  op.source.base -= op.first_row * op.source.row_bytes + std::int64_t{op.first_column} * op.source.pixel_bytes;
  const std::int64_t path = get<kOp, "GPMD">(code);
  if (path != kOneTensor) return Status(ErrorCode::unsupported, "GPMD", -1, path);
  const std::int64_t function = get<kOp, "LUT">(code);
  if (function == kLutMaximumPool) {
    const MachineCode *gcs = configuration.find(Opcode::vp_cfg_gcs);
    if (gcs == nullptr) return missing("vp_cfg_gcs");
    if (get<Opcode::vp_cfg_gcs, "CMPS">(*gcs) != static_cast<std::int64_t>(CompareMode::MAX)) {
      return Status(ErrorCode::unsupported, "CMPS", -1, get<Opcode::vp_cfg_gcs, "CMPS">(*gcs));
    }
    op.function = VectorFunction::maximum_pool;
  } else if (function == kLutAveragePool) {
    const MachineCode *gms = configuration.find(Opcode::vp_cfg_gms);
    if (gms == nullptr) return missing("vp_cfg_gms");
    op.multiplier.value = get<Opcode::vp_cfg_gms, "MG0V">(*gms);
    op.function = VectorFunction::average_pool;
  } else {
    return Status(ErrorCode::unsupported, "LUT", -1, function);
  }
  if (Status status = set_dequantisation(op.dequantise, 0, configuration, op.source_scale, op.source_zero_point); !status) return status;
  return Operation(op);
}

}  // namespace

Result<Operation> resolve(const MachineCode &code, const Configuration &configuration) {
  switch (opcode_of(code)) {
    case Opcode::lda_mov: return resolve_load(code, configuration);
    case Opcode::ldw_mov: return resolve_weight_prefetch(code, configuration);
    case Opcode::lw_mov: return resolve_weight_load(code, configuration);
    case Opcode::pe_conv: return resolve_convolution(code, configuration);
    case Opcode::vp_self: return resolve_self(code, configuration);
    case Opcode::vp_pool: return resolve_pool(code, configuration);
    case Opcode::dt_cal: return resolve_transform(code, configuration);
    case Opcode::sta_mov: return resolve_store(code, configuration);
    default: return Operation(Control{});
  }
}

}  // namespace cox::isa::tile
