// SPDX-License-Identifier: MIT
// Volumes, and pools of sections: CONV3D, TRANS_CONV3D, POOL3D, ROI_POOL, ADAPTIVV_POOL*. Volumes are NDHWC: planes are maps in NHWC.
#include "coxswain/isa/unity/map_fields.h"

namespace cox::isa::unity::detail {
namespace {

using namespace layouts;

static_assert(has_fields_of(kConvolution, kConv3d) && has_fields_of(kTransposeConv, kTransConv3d) && has_fields_of(kConv3d, kTransConv3d));
static_assert(has_fields_of(kPool, kPool3d) && has_fields_of(kPool, kRoiPool) && has_fields_of(kRoiPool, kAdaptivePool) &&
              has_fields_of(kAdaptivePool, kAdaptivePool3d));

constexpr std::uint64_t kNhwc = 0;  // code of FORMAT
constexpr std::uint64_t kMostLines = UINT32_MAX;

/// Number and distance of the source's planes. `plane` is set if `checks` has no error.
template <const Layout &Of>
void read_planes(const Operands &o, const FeatureMap &plane, Depth &depth, Checks &checks) {
  const std::uint64_t stride = o.get<Of, "FM_D_STRIDE">();
  depth.source = o.word<Of, "FM_D">();
  depth.source_step = stride != 0 ? 2 * stride : plane.height * plane.row;
  checks.size("FM_D", depth.source);
  checks.stride("FM_D_STRIDE", stride, plane.unit);
}

/// Padding, steps and size of windows along the depth. A kernel of 0 stays 0.
template <const Layout &Of>
void read_depth_windows(const Operands &o, Depth &depth, Checks &checks) {
  depth.kernel = o.word<Of, "K_D">();
  depth.front = o.word<Of, "FRONT_PAD">();
  depth.back = o.word<Of, "BACK_PAD">();
  depth.stride = o.word<Of, "D_STRIDE">();
  checks.size("D_STRIDE", depth.stride);
}

/// Makes the map of one plane of a dense result that of all planes. Error: address_outside_window ("D") if they have 2^32 lines or 2^58
/// elements.
void stack_planes(FeatureMap &result, Depth &depth, Checks &checks) {
  depth.result = count_windows("K_D",
                               {.size = enlarged(depth.source, depth.enlarge),
                                .pads = std::uint64_t{depth.front} + depth.back,
                                .kernel = depth.kernel,
                                .stride = depth.stride},
                               checks);
  const std::uint64_t lines = std::uint64_t{depth.result} * result.height;
  if (lines > kMostLines || lines * result.width * result.channels >= kMostElements) {
    checks.add(Status(ErrorCode::address_outside_window, "D", -1, signed_of(result.address)));
  }
  result.height = static_cast<std::uint32_t>(lines);
}

Result<Operation> resolve_volume_convolution(const Operands &o) {
  VolumeConvolution v{.planes = {.op = o.op()}};
  Convolution &c = v.planes;
  Depth &depth = v.depth;
  Checks checks;
  checks.zero("FORMAT", o.get<kConv3d, "FORMAT">());
  read_convolution(o, c, checks);
  read_planes<kConv3d>(o, c.source, depth, checks);
  read_depth_windows<kConv3d>(o, depth, checks);
  checks.size("K_H", c.kernel.height);
  checks.size("K_W", c.kernel.width);
  checks.size("K_D", depth.kernel);
  if (c.op == Opcode::TRANS_CONV3D) {
    read_enlargement(o, c, checks);
    depth.enlarge = o.word<kTransConv3d, "ENLARGE_D">();
    checks.size("ENLARGE_D", depth.enlarge);
  }
  set_shapes(c, kNhwc, o.get<kConv3d, "K_STRIDE">(), depth.kernel, checks);
  if (!checks) return checks.status();
  depth.kernel_step = c.kernel.height * c.kernel.row;
  stack_planes(c.result, depth, checks);
  read_output(o, c, checks);
  if (!checks) return checks.status();
  return Operation{v};
}

Result<Operation> resolve_volume_pool(const Operands &o) {
  VolumePool v{.planes = {.op = o.op(), .kind = static_cast<Pool::Kind>(o.get<kPool3d, "KIND">())}};
  Pool &p = v.planes;
  Depth &depth = v.depth;
  Checks checks;
  checks.zero("FORMAT", o.get<kPool3d, "FORMAT">());
  set_map(read_map_fields<kPool3d>(o), o.unit<kPool3d, "FM_UNIT">(), p.source, checks);
  read_windows<kPool3d>(o, p, checks);
  read_padding<kPool3d>(o, p, checks);
  read_planes<kPool3d>(o, p.source, depth, checks);
  read_depth_windows<kPool3d>(o, depth, checks);
  if (!checks) return checks.status();
  const std::uint32_t height = o.word<kPool3d, "K_H">(), width = o.word<kPool3d, "K_W">();
  p.kernel_height = height != 0 ? height : p.source.height;
  p.kernel_width = width != 0 ? width : p.source.width;
  if (depth.kernel == 0) depth.kernel = depth.source;
  p.result = p.source;
  p.result.address = o.address<kPool3d, "D">();
  set_result_size(p, checks);
  set_dense(p.result, Format::nhwc);
  stack_planes(p.result, depth, checks);
  if (!checks) return checks.status();
  return Operation{v};
}

/// Fields of windows, which sections have no use for.
void check_no_windows(const Operands &o, Checks &checks) {
  constexpr const Layout &kTable = kPool;
  checks.zero("T_PAD", o.get<kTable, "T_PAD">());
  checks.zero("B_PAD", o.get<kTable, "B_PAD">());
  checks.zero("L_PAD", o.get<kTable, "L_PAD">());
  checks.zero("R_PAD", o.get<kTable, "R_PAD">());
  checks.zero("H_STRIDE", o.get<kTable, "H_STRIDE">());
  checks.zero("V_STRIDE", o.get<kTable, "V_STRIDE">());
  checks.zero("PAD_MODE", o.get<kTable, "PAD_MODE">());
  checks.zero("PAD", o.get<kTable, "PAD">());
  checks.zero("K_H", o.get<kTable, "K_H">());
  checks.zero("K_W", o.get<kTable, "K_W">());
}

Result<Operation> resolve_section_pool(const Operands &o) {
  constexpr const Layout &kTable = kRoiPool;
  SectionPool s{.op = o.op()};
  const bool is_volume = s.op == Opcode::ADAPTIVV_POOL3D;
  Checks checks;
  const MapFields fields = read_map_fields<kTable>(o);
  if (is_volume) checks.zero("FORMAT", fields.format);
  set_map(fields, o.unit<kTable, "FM_UNIT">(), s.source, checks);
  check_no_windows(o, checks);
  if (s.op != Opcode::ROI_POOL) s.kind = static_cast<Pool::Kind>(o.get<kAdaptivePool, "KIND">());
  s.result = s.source;
  s.result.address = o.address<kTable, "D">();
  s.result.height = o.word<kTable, "O_H">();
  s.result.width = o.word<kTable, "O_W">();
  checks.size("O_H", s.result.height);
  checks.size("O_W", s.result.width);
  if (s.op == Opcode::ADAPTIVV_POOL1D) {
    checks.in_range("FM_H", s.source.height, 1, 1);
    checks.in_range("O_H", s.result.height, 1, 1);
  }
  if (is_volume) {
    read_planes<kAdaptivePool3d>(o, s.source, s.depth, checks);
    s.depth.result = o.word<kAdaptivePool3d, "O_D">();
    checks.size("O_D", s.depth.result);
  }
  if (!checks) return checks.status();
  set_dense(s.result, static_cast<Format>(fields.format));
  s.result.height *= s.depth.result;
  return Operation{s};
}

}  // namespace

Result<Operation> resolve_volume(const Operands &o) {
  switch (o.op()) {
    case Opcode::CONV3D:
    case Opcode::TRANS_CONV3D: return resolve_volume_convolution(o);
    case Opcode::POOL3D: return resolve_volume_pool(o);
    default: return resolve_section_pool(o);
  }
}

}  // namespace cox::isa::unity::detail
