// SPDX-License-Identifier: MIT
// vp_self: its function and its operands.
#include "coxswain/isa/tile/resolve_vector.h"

namespace cox::isa::tile::detail {
namespace {

constexpr auto kOp = Opcode::vp_self;
constexpr auto kGcs = Opcode::vp_cfg_gcs;

Status unsupported(const char *field, std::int64_t value) { return Status(ErrorCode::unsupported, field, -1, value); }

constexpr bool is_path(std::int64_t path) { return path == kOneTensor || path == kTensorAndScalar || path == kTwoTensors; }

/// Sets the function that the fields LUT and GPMD select. Each function has its own set of legal GPMD.
Status set_function(Vector &op, std::int64_t function, std::int64_t path) {
  bool one = true;
  bool scalar = false;
  bool two = false;
  switch (function) {
    case kLutNone: op.function = VectorFunction::copy; break;
    case kLutAdd:
    case kLutCompare:
      op.function = function == kLutAdd ? VectorFunction::arithmetic : VectorFunction::compare;
      one = false;
      scalar = two = true;
      break;
    case kLutSum: op.function = VectorFunction::sum; break;
    case kLutMean: op.function = VectorFunction::mean; break;
    case kLutMaximum: op.function = VectorFunction::maximum; break;
    case kLutMinimum: op.function = VectorFunction::minimum; break;
    case kLutTable: op.function = VectorFunction::table; break;
    case kLutSoftmax: op.function = VectorFunction::softmax; break;
    case kLutLayerNorm:
      op.function = VectorFunction::layer_norm;
      two = true;
      break;
    default: return is_path(path) ? unsupported("LUT", function) : unsupported("GPMD", path);
  }
  const bool has = (path == kOneTensor && one) || (path == kTensorAndScalar && scalar) || (path == kTwoTensors && two);
  if (!has) return unsupported("GPMD", path);
  op.two_tensors = path == kTwoTensors;
  return {};
}

/// Sets the mode of arithmetic (SG0M) or compare (CMPS), and the scalar operand.
Status set_group(Vector &op, const Configuration &configuration) {
  const MachineCode *gcs = configuration.find(kGcs);
  const bool layer_norm = op.function == VectorFunction::layer_norm;
  if (gcs == nullptr) {
    // Arithmetic on two tensors needs no vp_cfg_gcs: SG0M is then DEFAULT, which adds.
    if (op.function == VectorFunction::arithmetic && op.two_tensors) return {};
    return missing("vp_cfg_gcs");
  }
  if (op.function == VectorFunction::arithmetic) {
    op.group = static_cast<GroupMode>(get<kGcs, "SG0M">(*gcs));
    if (op.two_tensors) return {};
    return set_scalar(op.operand, get<kGcs, "SG0V">(*gcs), get<kGcs, "SG0VS">(*gcs) == 1, "SG0V");
  }
  if (!layer_norm) {
    op.compare = static_cast<CompareMode>(get<kGcs, "CMPS">(*gcs));
    if (op.compare == CompareMode::DEFAULT) return unsupported("CMPS", 0);
    if (op.two_tensors) return {};
  }
  return set_scalar(op.operand, get<kGcs, "CMPV">(*gcs), get<kGcs, "CMPVS">(*gcs) == 1, "CMPV");
}

Status set_reduction(Vector &op, const MachineCode &code) {
  const bool sums = op.function == VectorFunction::sum || op.function == VectorFunction::mean;
  const std::int64_t dimensions = sums ? get<kOp, "ACCD">(code) : get<kOp, "CMPD">(code);
  if (dimensions == 0) return Status(ErrorCode::shape_mismatch, sums ? "ACCD" : "CMPD", -1, 0, kAllDimensions);
  op.reduced = static_cast<std::uint8_t>(dimensions);
  return {};
}

Status set_table(Vector &op, const Configuration &configuration) {
  constexpr auto kGms = Opcode::vp_cfg_gms;
  const MachineCode *gms = configuration.find(kGms);
  const MachineCode *lut = configuration.find(Opcode::vp_cfg_lut);
  if (gms == nullptr) return missing("vp_cfg_gms");
  if (lut == nullptr) return missing("vp_cfg_lut");
  op.table = make_table(*lut, get<kGms, "SEGN">(*gms), get<kGms, "SEGE">(*gms) == 1);
  return check_l2_address("Taddr", op.table.base);
}

/// Sets the parameters that only the function of `op` has.
Status set_parameters(Vector &op, const MachineCode &code, const Configuration &configuration) {
  switch (op.function) {
    case VectorFunction::arithmetic:
    case VectorFunction::compare:
    case VectorFunction::layer_norm: return set_group(op, configuration);
    case VectorFunction::table: return set_table(op, configuration);
    default: return op.is_reduction() ? set_reduction(op, code) : Status();
  }
}

/// Sets the tensor at STaddr1.
Status set_second(Vector &op, const MachineCode &code, const MachineCode &fm) {
  constexpr const Field &kShape = *field_named<Opcode::vp_cfg_fm, "STile">();
  constexpr auto kChannelsAndRows = static_cast<std::uint8_t>(Dimensions::HC);
  op.source1 = make_tensor(fm, kShape, op.dimensions1, get<kOp, "SBSG1">(code), op.source.format);
  op.source1.base = get<kOp, "STaddr1">(code);
  if (Status status = check_l2_address("STaddr1", op.source1.base); !status) return status;
  if (op.function == VectorFunction::layer_norm) {
    // The parameters of a layer norm are two rows, the same for every image of a batch.
    if (op.dimensions1 != kChannelsAndRows) return Status(ErrorCode::shape_mismatch, "T1F", -1, op.dimensions1, kChannelsAndRows);
    op.source1.height = 2;
    op.source1.image_bytes = 2 * op.source1.row_bytes;
    return op.channels > op.source1.channels ? Status(ErrorCode::shape_mismatch, "STile", 0, op.channels, op.source1.channels) : Status();
  }
  if (Status status = check_tensor(op, op.source1, op.dimensions1); !status) return status;
  op.source1.base += std::int64_t{batch_of(code)} * op.source1.image_bytes;
  return {};
}

}  // namespace

Status resolve_self(const MachineCode &code, const Configuration &configuration, Vector &op) {
  constexpr auto kTp = Opcode::vp_cfg_tp;
  if (Status status = find_configurations(configuration); !status) return status;
  const MachineCode &tp = *configuration.find(kTp);
  if (Status status = set_function(op, get<kOp, "LUT">(code), get<kOp, "GPMD">(code)); !status) return status;
  op.dimensions = static_cast<std::uint8_t>(get<kTp, "T0F">(tp));
  op.dimensions1 = static_cast<std::uint8_t>(get<kTp, "T1F">(tp));
  if (op.dimensions == 0) return Status(ErrorCode::shape_mismatch, "T0F", -1, 0, kAllDimensions);
  if (op.two_tensors && op.dimensions1 == 0) return Status(ErrorCode::shape_mismatch, "T1F", -1, 0, kAllDimensions);
  if (Status status = set_parameters(op, code, configuration); !status) return status;
  const std::int64_t result = get<kOp, "SWRS">(code);
  if (result != 0 && op.reduced != kAllDimensions) return Status(ErrorCode::shape_mismatch, "SWRS", -1, op.reduced, kAllDimensions);
  op.result = static_cast<std::int8_t>(result - 1);
  const Places places{get<kOp, "STaddr">(code), get<kOp, "SBSG">(code), get<kOp, "DTaddr">(code), get<kOp, "DBSG">(code)};
  if (Status status = set_vector(op, code, configuration, places); !status) return status;
  if (Status status = check_tensor(op, op.source, op.dimensions); !status) return status;
  return op.two_tensors ? set_second(op, code, *configuration.find(Opcode::vp_cfg_fm)) : Status();
}

}  // namespace cox::isa::tile::detail
