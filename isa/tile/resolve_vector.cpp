// SPDX-License-Identifier: MIT
// vp_self, vp_pool (docs/isa/tile.md, Vector functions).
#include "coxswain/isa/tile/resolve_vector.h"

namespace cox::isa::tile::detail {
namespace {

// Fields that vp_self and vp_pool have at the same bits are read as those of vp_self.
static_assert(field_named<Opcode::vp_self, "IQEN">()->bit == field_named<Opcode::vp_pool, "IQEN">()->bit);
static_assert(field_named<Opcode::vp_self, "QEN">()->bit == field_named<Opcode::vp_pool, "QEN">()->bit);
static_assert(field_named<Opcode::vp_self, "SHMD">()->bit == field_named<Opcode::vp_pool, "SHMD">()->bit);
static_assert(field_named<Opcode::vp_self, "GPMD">()->bit == field_named<Opcode::vp_pool, "GPMD">()->bit);
static_assert(field_named<Opcode::vp_self, "TREED">()->bit == field_named<Opcode::vp_pool, "TREED">()->bit);

/// Sets the optional scalar operations. Before the vector function, elements are multiplied by MG0V. After it, results are combined
/// with SG1V, then multiplied by MULV, and then SUMV is added. A vp_cfg_gms or vp_cfg_sms that was never written counts as all zeros.
Status set_behind(Vector &op, const Configuration &configuration) {
  constexpr auto kGms = Opcode::vp_cfg_gms;
  constexpr auto kSms = Opcode::vp_cfg_sms;
  if (const MachineCode *gms = configuration.find(kGms); gms != nullptr) {
    op.multiply_elements = get<kGms, "MG0S">(*gms) != 0 || op.function == VectorFunction::average_pool;
    if (op.multiply_elements) {
      Status status = set_scalar(op.multiplier, get<kGms, "MG0V">(*gms), get<kGms, "MG0VS">(*gms) == 1, "MG0V");
      if (!status) return status;
    }
    op.group1 = static_cast<Group1Mode>(get<kGms, "SG1M">(*gms));
    if (op.group1 != Group1Mode::DEFAULT) {
      Status status = set_scalar(op.operand1, get<kGms, "SG1V">(*gms), get<kGms, "SG1VS">(*gms) == 1, "SG1V");
      if (!status) return status;
    }
  }
  const MachineCode *sms = configuration.find(kSms);
  if (sms == nullptr || get<kSms, "SUMM">(*sms) == 0) return {};
  op.affine = true;
  if (Status status = set_scalar(op.factor, get<kSms, "MULV">(*sms), get<kSms, "MULVS">(*sms) == 1, "MULV"); !status) return status;
  return set_scalar(op.summand, get<kSms, "SUMV">(*sms), get<kSms, "SUMVS">(*sms) == 1, "SUMV");
}

/// With two tensors, IQK1 and IQB1 apply to the tensor at STaddr, and IQK0 and IQB0 to that at STaddr1. With one tensor, IQK0 and IQB0
/// apply to it.
Status set_dequantisation(Vector &op, const Configuration &configuration) {
  constexpr auto kIq = Opcode::vp_cfg_iq;
  constexpr auto kIq1 = Opcode::vp_cfg_iq1;
  if (!op.dequantise) return {};
  const MachineCode *iq = configuration.find(kIq);
  const MachineCode *iq1 = configuration.find(kIq1);
  if (op.two_tensors && iq1 == nullptr) return missing("vp_cfg_iq1");
  if (iq == nullptr) return missing("vp_cfg_iq");
  op.dequantisation_rounding = static_cast<std::uint8_t>(get<kIq, "IQCS">(*iq));
  (op.two_tensors ? op.source1_scale : op.source_scale) = get<kIq, "IQK0">(*iq);
  (op.two_tensors ? op.source1_zero_point : op.source_zero_point) = get<kIq, "IQB0">(*iq);
  if (op.two_tensors) {
    op.source_scale = get<kIq1, "IQK1">(*iq1);
    op.source_zero_point = get<kIq1, "IQB1">(*iq1);
  }
  return {};
}

}  // namespace

Status set_scalar(Scalar &scalar, float value, bool is_register, const char *field) {
  scalar.value = value;
  scalar.index = -1;
  if (!is_register) return {};
  constexpr std::int64_t kLast = kScalarRegisters - 1;
  // Converting a float outside the integer's range is undefined. So every value outside 0 to kLast becomes -1 first. A NaN becomes -1 too,
  // because it fails both comparisons.
  const bool in_range = value >= 0 && value <= static_cast<float>(kLast);
  const auto index = static_cast<std::int8_t>(in_range ? value : -1.0F);
  if (static_cast<float>(index) != value || !in_range)
    return Status(ErrorCode::field_out_of_range, field, 0, value < 0 ? -1 : kLast + 1, kLast);
  scalar.index = index;
  return {};
}

Map make_tensor(const MachineCode &fm, const Field &shape, unsigned dimensions, std::int64_t region, Format format) {
  Map map = make_map(fm, shape, Space::l2, region, format);
  if (!has_dimension(dimensions, Dimensions::C)) map.channels = 1;
  if (!has_dimension(dimensions, Dimensions::W)) map.width = 1;
  if (!has_dimension(dimensions, Dimensions::H)) map.height = 1;
  set_strides(map, bits_of(format.format));
  return map;
}

Status set_vector(Vector &op, const MachineCode &code, const Configuration &configuration, const Places &places) {
  constexpr auto kOp = Opcode::vp_self;
  constexpr auto kFm = Opcode::vp_cfg_fm;
  constexpr auto kTp = Opcode::vp_cfg_tp;
  constexpr auto kQp = Opcode::vp_cfg_qp;
  const MachineCode &fm = *configuration.find(kFm);
  const MachineCode &tp = *configuration.find(kTp);
  const MachineCode &qp = *configuration.find(kQp);
  const bool floats = get<kFm, "VF32">(fm) == 1;
  constexpr auto kFloat = static_cast<std::int64_t>(DataFmt::FP32);
  const Format input = make_format(floats ? kFloat : get<kFm, "IDF">(fm), get<kFm, "IF">(fm));
  const Format output = make_format(floats ? kFloat : get<kFm, "ODF">(fm), get<kFm, "OF">(fm));
  op.source = make_tensor(fm, *field_named<kFm, "STile">(), op.dimensions, places.source_region, input);
  op.destination = make_map(fm, *field_named<kFm, "DTile">(), Space::l2, places.destination_region, output);
  if (Status status = check_size(op.source, "STile"); !status) return status;
  if (Status status = check_size(op.destination, "DTile"); !status) return status;
  if (Status status = check_l2_address("STaddr", places.source); !status) return status;
  if (Status status = check_l2_address("DTaddr", places.destination); !status) return status;
  const std::int64_t batch = batch_of(code);
  op.images = images_of(code);
  if (op.images > 1 && batch >= op.images) return Status(ErrorCode::field_out_of_range, "batch", -1, batch, std::int64_t{op.images} - 1);
  op.source.base = places.source + batch * op.source.image_bytes;
  op.destination.base = places.destination + batch * op.destination.image_bytes;
  op.channels = static_cast<std::uint32_t>(get<kTp, "Tile", 0>(tp));
  op.height = static_cast<std::uint32_t>(get<kTp, "Tile", 1>(tp));
  op.width = static_cast<std::uint32_t>(get<kTp, "Tile", 2>(tp));
  op.dequantise = get<kOp, "IQEN">(code) == 1;
  op.lanes = get<kOp, "TREED">(code) != 0;
  op.rounding = static_cast<Float2Fixed>(get<kQp, "QCS">(qp));
  op.subtract_zero_point = get<kQp, "QSMD">(qp) != 0;
  op.scale = get<kQp, "QK">(qp);
  op.zero_point = get<kQp, "QB">(qp);
  op.apply_scale = (get<kOp, "QEN">(code) & 1) != 0;
  op.apply_zero_point = (get<kOp, "QEN">(code) & 2) != 0;
  op.shift = static_cast<std::uint8_t>(get<kOp, "SHMD">(code));
  if (Status status = set_dequantisation(op, configuration); !status) return status;
  if (Status status = set_behind(op, configuration); !status) return status;
  // A reduced dimension has extent 1 at the destination.
  const std::int64_t channels = has_dimension(op.reduced, Dimensions::C) ? 1 : op.channels;
  const std::int64_t height = has_dimension(op.reduced, Dimensions::H) ? 1 : op.height;
  const std::int64_t width = has_dimension(op.reduced, Dimensions::W) ? 1 : op.width;
  return check_box(channels, height, width, op.destination, "DTile");
}

Status check_tensor(const Vector &op, const Map &map, unsigned dimensions) {
  const std::int64_t channels = has_dimension(dimensions, Dimensions::C) ? op.channels : 1;
  const std::int64_t height = has_dimension(dimensions, Dimensions::H) ? op.height : 1;
  const std::int64_t width = has_dimension(dimensions, Dimensions::W) ? op.width : 1;
  return check_box(channels, height, width, map, "STile");
}

Status find_configurations(const Configuration &configuration) {
  if (configuration.find(Opcode::vp_cfg_fm) == nullptr) return missing("vp_cfg_fm");
  if (configuration.find(Opcode::vp_cfg_tp) == nullptr) return missing("vp_cfg_tp");
  if (configuration.find(Opcode::vp_cfg_qp) == nullptr) return missing("vp_cfg_qp");
  return {};
}

}  // namespace cox::isa::tile::detail
