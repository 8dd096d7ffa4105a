// SPDX-License-Identifier: MIT
// vp_pool: pools and resizes.
#include "coxswain/isa/tile/resolve_vector.h"

namespace cox::isa::tile::detail {
namespace {

constexpr auto kOp = Opcode::vp_pool;
constexpr auto kTp = Opcode::vp_cfg_tp;

Status set_resize(Vector &op, const Configuration &configuration) {
  constexpr auto kRs = Opcode::vp_cfg_rs;
  const MachineCode *rs = configuration.find(kRs);
  if (rs == nullptr) return missing("vp_cfg_rs");
  static_assert(field_named<kRs, "DEN">()->minimum == 1);  // DEN is a divisor, here and in the footprint
  op.numerator = {static_cast<std::uint32_t>(get<kRs, "NUM", 0>(*rs)), static_cast<std::uint32_t>(get<kRs, "NUM", 1>(*rs))};
  op.denominator = {static_cast<std::uint32_t>(get<kRs, "DEN", 0>(*rs)), static_cast<std::uint32_t>(get<kRs, "DEN", 1>(*rs))};
  op.offset = {static_cast<std::int32_t>(get<kRs, "OFFSET", 0>(*rs)), static_cast<std::int32_t>(get<kRs, "OFFSET", 1>(*rs))};
  return {};
}

/// Checks that the fields that select a reduction of vp_self are DEFAULT, because a pool is not a reduction. Also checks that T0F
/// selects all three dimensions.
Status check_modes(const MachineCode &code, const MachineCode &tp) {
  if (const std::int64_t mode = get<kOp, "CMPD">(code); mode != 0) return Status(ErrorCode::unsupported, "CMPD", -1, mode);
  if (const std::int64_t mode = get<kOp, "TREED">(code); mode != 0) return Status(ErrorCode::unsupported, "TREED", -1, mode);
  if (const std::int64_t mode = get<kOp, "ACCD">(code); mode != 0) return Status(ErrorCode::unsupported, "ACCD", -1, mode);
  if (get<kOp, "SWRS">(code) != 0) return Status(ErrorCode::shape_mismatch, "SWRS", -1, 0, kAllDimensions);
  const std::int64_t dimensions = get<kTp, "T0F">(tp);
  if (dimensions != kAllDimensions) return Status(ErrorCode::shape_mismatch, "T0F", -1, dimensions, kAllDimensions);
  return {};
}

Status set_function(Vector &op, std::int64_t function, const Configuration &configuration) {
  switch (function) {
    case kLutComparingPool: {
      const MachineCode *gcs = configuration.find(Opcode::vp_cfg_gcs);
      if (gcs == nullptr) return missing("vp_cfg_gcs");
      const std::int64_t mode = get<Opcode::vp_cfg_gcs, "CMPS">(*gcs);
      switch (static_cast<CompareMode>(mode)) {
        case CompareMode::MAX: op.function = VectorFunction::maximum_pool; return {};
        case CompareMode::MIN: op.function = VectorFunction::minimum_pool; return {};
        default: return Status(ErrorCode::unsupported, "CMPS", -1, mode);
      }
    }
    case kLutAveragePool:
      if (configuration.find(Opcode::vp_cfg_gms) == nullptr) return missing("vp_cfg_gms");
      op.function = VectorFunction::average_pool;
      return {};
    case kLutNearest: op.function = VectorFunction::nearest; return set_resize(op, configuration);
    case kLutBilinear: op.function = VectorFunction::bilinear; return set_resize(op, configuration);
    default: return Status(ErrorCode::unsupported, "LUT", -1, function);
  }
}

}  // namespace

Status resolve_pool(const MachineCode &code, const Configuration &configuration, Vector &op) {
  if (Status status = find_configurations(configuration); !status) return status;
  const MachineCode &tp = *configuration.find(kTp);
  const std::int64_t path = get<kOp, "GPMD">(code);
  if (path != kOneTensor) return Status(ErrorCode::unsupported, "GPMD", -1, path);
  if (Status status = set_function(op, get<kOp, "LUT">(code), configuration); !status) return status;
  if (Status status = check_modes(code, tp); !status) return status;
  const Places places{get<kOp, "STaddr">(code), get<kOp, "SBSG">(code), get<kOp, "DTaddr">(code), get<kOp, "DBSG">(code)};
  if (Status status = set_vector(op, code, configuration, places); !status) return status;
  if (op.channels > op.source.channels) return Status(ErrorCode::shape_mismatch, "STile", 0, op.channels, op.source.channels);
  op.padding_value = get<kTp, "PADV_AREA">(tp);
  op.first_row = static_cast<std::int32_t>(get<kOp, "IPH">(code));
  op.first_column = static_cast<std::int32_t>(get<kOp, "IPW">(code));
  if (op.is_resize()) return {};
  op.kernel_height = static_cast<std::uint32_t>(get<kTp, "KERNEL", 0>(tp));
  op.kernel_width = static_cast<std::uint32_t>(get<kTp, "KERNEL", 1>(tp));
  op.stride_height = static_cast<std::uint32_t>(get<kTp, "STRIDE", 0>(tp));
  op.stride_width = static_cast<std::uint32_t>(get<kTp, "STRIDE", 1>(tp));
  // STaddr is the address of the first pixel under the window, even if this pixel is padding. The base of the map follows from it
  // (docs/isa/tile.md, Feature maps).
  op.source.base -= op.first_row * op.source.row_bytes + std::int64_t{op.first_column} * op.source.pixel_bytes;
  return {};
}

}  // namespace cox::isa::tile::detail
