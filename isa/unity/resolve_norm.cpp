// SPDX-License-Identifier: MIT
// Softmax and norms.
#include "coxswain/isa/unity/operands.h"

namespace cox::isa::unity::detail {
namespace {

using namespace layouts;

constexpr std::uint64_t kNormNchw = 1;  // code of FORMAT

/// [outer][extent][inner] of an axis of a map.
struct View {
  std::uint64_t outer = 1, extent = 1, inner = 1;
};
View view_of(std::uint64_t axis, std::uint64_t format, std::uint64_t h, std::uint64_t w, std::uint64_t c) {
  enum : std::uint64_t { kN, kH, kW, kC };
  const bool planes = format == kNormNchw;
  switch (axis) {
    case kH: return planes ? View{c, h, w} : View{1, h, w * c};
    case kW: return planes ? View{c * h, w, 1} : View{h, w, c};
    case kC: return planes ? View{1, c, h * w} : View{h * w, c, 1};
    default: return {1, 1, h * w * c};
  }
}

/// Reads DATA and FC of a norm, whose layouts differ in what lies before them.
template <const Layout &Of>
void read_shape(const Operands &o, Norm &n, Checks &checks) {
  const Unit unit = o.unit<Of, "UNIT">();
  const std::uint64_t h = o.get<Of, "I_H">(), w = o.get<Of, "I_W">();
  n.channels = o.get<Of, "FC">();
  checks.unit("UNIT", unit, is_float(unit));
  checks.at_most("FORMAT", o.get<Of, "FORMAT">(), kNormNchw);
  checks.size("I_H", h);
  checks.size("I_W", w);
  checks.size("FC", n.channels);
  n.channels_last = o.get<Of, "FORMAT">() != kNormNchw;
  n.spatial = h * w;
  n.source = {o.address<Of, "FM">(), unit, 0};
  n.result = {o.address<Of, "D">(), unit, 0};
  if constexpr (find_field(Of, "W").field != nullptr) {
    n.weight = {o.address<Of, "W">(), unit, n.channels};
    n.bias = {o.address<Of, "BIAS">(), unit, n.channels};
  }
}

}  // namespace

Result<Operation> resolve_softmax(const Operands &o) {
  Softmax s{.op = o.op()};
  Checks checks;
  const Unit unit = o.unit<kSoftmax, "UNIT">();
  const std::uint64_t format = o.get<kSoftmax, "FORMAT">(), h = o.get<kSoftmax, "I_H">(), w = o.get<kSoftmax, "I_W">(),
                      c = o.get<kSoftmax, "FC">();
  const bool quantised = s.op == Opcode::SOFTMAX && unit == Unit::s8;
  checks.unit("UNIT", unit, is_float(unit) || quantised);
  checks.at_most("FORMAT", format, kNormNchw);
  checks.size("I_H", h);
  checks.size("I_W", w);
  checks.size("FC", c);
  if (quantised) {
    s.multiplier = static_cast<std::int32_t>(o.word<kSoftmax, "QMUL">());
    s.left_shift = static_cast<std::int32_t>(o.get<kSoftmax, "LSHIFT">());
    s.smallest_difference = static_cast<std::int32_t>(integer_of(Unit::s16, o.get<kSoftmax, "DIFF_MIN">()));
    if (s.multiplier < 0) checks.add(Status(ErrorCode::field_out_of_range, "QMUL", -1, s.multiplier, 0));
    checks.at_most("LSHIFT", o.get<kSoftmax, "LSHIFT">(), 31);
    if (s.smallest_difference > 0) checks.add(Status(ErrorCode::field_out_of_range, "DIFF_MIN", -1, s.smallest_difference, 0));
  }
  if (!checks) return checks.status();
  const View view = view_of(o.get<kSoftmax, "AXIS">(), format, h, w, c);
  s.outer = view.outer;
  s.extent = view.extent;
  s.inner = view.inner;
  s.source = {o.address<kSoftmax, "FM">(), unit, h * w * c};
  s.result = {o.address<kSoftmax, "D">(), unit, h * w * c};
  return Operation{s};
}

Result<Operation> resolve_norm(const Operands &o) {
  Norm n{.op = o.op()};
  Checks checks;
  switch (n.op) {
    case Opcode::BATCH_NORM:
      read_shape<kBatchNorm>(o, n, checks);
      n.batches = o.get<kBatchNorm, "BATCH_NUM">();
      checks.size("BATCH_NUM", n.batches);
      n.mean = {o.address<kBatchNorm, "MEAN">(), n.source.unit, n.channels};
      n.variance = {o.address<kBatchNorm, "VAR">(), n.source.unit, n.channels};
      break;
    case Opcode::GROUP_NORM:
      read_shape<kGroupNorm>(o, n, checks);
      n.groups = o.word<kGroupNorm, "GROUP_NUM">();
      checks.size("GROUP_NUM", n.groups);
      if (checks) checks.fits("GROUP_NUM", n.channels % n.groups == 0, n.groups, n.channels);
      break;
    case Opcode::INSTANCE_NORM:
    case Opcode::LAYER_NORM: read_shape<kChannelNorm>(o, n, checks); break;
    case Opcode::LRN_NORM:
      read_shape<kLrnNorm>(o, n, checks);
      n.size = o.word<kLrnNorm, "SIZE">();
      checks.size("SIZE", n.size);
      n.alpha = float_of(Unit::fp32, o.get<kLrnNorm, "ALPHA">());
      n.beta = float_of(Unit::fp32, o.get<kLrnNorm, "BETA">());
      n.k = float_of(Unit::fp32, o.get<kLrnNorm, "BIAS">());
      break;
    case Opcode::LP_NORM:
      read_shape<kLpNorm>(o, n, checks);
      n.p = float_of(Unit::fp32, o.get<kLpNorm, "P">());
      break;
    default: read_shape<kL2Norm>(o, n, checks); break;
  }
  if (!checks) return checks.status();
  n.source.elements = n.result.elements = n.batches * n.spatial * n.channels;
  return Operation{n};
}

}  // namespace cox::isa::unity::detail
