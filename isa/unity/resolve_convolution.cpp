// SPDX-License-Identifier: MIT
// Operations on feature maps: convolutions, MATRIX_MUL, pools, resizing.
#include "coxswain/isa/unity/map_fields.h"

namespace cox::isa::unity::detail {
namespace {

using namespace layouts;

constexpr std::uint64_t kNchw = 1;  // code of FORMAT
constexpr std::int64_t kLeastConvolutionShift = -31, kMostConvolutionShift = 30;

/// Sets the distances of a parameter with one value for each element of `result`.
void spread(std::uint64_t mode, const FeatureMap &result, Format format, Parameter &parameter) {
  if (mode != kOneAnElement) return;
  FeatureMap values = result;
  values.unit = parameter.unit;
  set_dense(values, format);
  parameter.row = values.row;
  parameter.column = values.column;
  parameter.channel = values.channel;
}

/// The kernel's distances. `stride`: bytes of one outermost index, 0: dense. `depth`: dense planes of a kernel in NHWC.
void set_kernel(Convolution &c, Format format, std::uint64_t stride, std::uint32_t depth, Checks &checks) {
  Convolution::Kernel &k = c.kernel;
  const std::uint64_t size = nibbles_of(k.unit), area = std::uint64_t{k.height} * k.width;
  std::uint64_t *outermost = &k.number_step;
  std::uint64_t inner = 0;  // nibbles of one outermost index
  if (c.op == Opcode::DEP_CONV && format == Format::nhwc) {
    k.number_step = size;
    k.column = k.number * size;
    outermost = &k.row;
    inner = k.width * k.column;
  } else if (format == Format::nhwc) {
    k.channel = size;
    k.column = k.channels * size;
    k.row = k.width * k.column;
    inner = depth * area * k.channels * size;
  } else {
    k.column = size;
    k.row = k.width * size;
    k.channel = c.op == Opcode::DEP_CONV ? 0 : area * size;
    inner = area * k.channels * size;
  }
  *outermost = stride != 0 ? 2 * stride : inner;
  checks.stride("K_STRIDE", stride, k.unit);
  checks.fits("K_STRIDE", *outermost >= inner, stride, (inner + 1) / 2);
}

/// A parameter that is an immediate 0 has any unit.
bool is_nothing(const Parameter &parameter) { return parameter.immediate && parameter.value == 0; }

void check_shift(const Parameter &shift, Checks &checks) {
  if (!shift.immediate) return;
  const std::int64_t value = integer_of(Unit::s8, shift.value);
  if (value < kLeastConvolutionShift) checks.add(Status(ErrorCode::field_out_of_range, "SHIFT", -1, value, kLeastConvolutionShift));
  if (value > kMostConvolutionShift) checks.add(Status(ErrorCode::field_out_of_range, "SHIFT", -1, value, kMostConvolutionShift));
}

/// UDEF_CONV: kernel and padding lie in words of their own.
void read_general(const Operands &o, Convolution &c, Checks &checks) {
  constexpr const Layout &kTable = kUdefConv;
  checks.zero("K_H", c.kernel.height);
  checks.zero("K_W", c.kernel.width);
  checks.zero("T_PAD", c.top);
  checks.zero("B_PAD", c.bottom);
  checks.zero("L_PAD", c.left);
  checks.zero("R_PAD", c.right);
  c.groups = o.word<kTable, "GROUPS">();
  const std::uint64_t zero = o.get<kTable, "W_ZERO">();
  c.kernel_zero = static_cast<std::int32_t>(integer_of(is_signed(c.kernel.unit) ? Unit::s8 : Unit::u8, zero));
  if (is_float(c.kernel.unit)) checks.zero("W_ZERO", zero);
  c.rate_horizontal = o.word<kTable, "DIL_H">();
  c.rate_vertical = o.word<kTable, "DIL_V">();
  checks.size("DIL_H", c.rate_horizontal);
  checks.size("DIL_V", c.rate_vertical);
  c.top = o.word<kTable, "T">();
  c.bottom = o.word<kTable, "B">();
  c.left = o.word<kTable, "L">();
  c.right = o.word<kTable, "R">();
  c.kernel.height = o.word<kTable, "KX_H">();
  c.kernel.width = o.word<kTable, "KX_W">();
  checks.size("KX_H", c.kernel.height);
  checks.size("KX_W", c.kernel.width);
}

/// Maps with one line.
template <typename Op>
void check_one_line(const Op &op, std::uint32_t kernel_height, Checks &checks) {
  checks.in_range("FM_H", op.source.height, 1, 1);
  checks.in_range("K_H", kernel_height, 1, 1);
  checks.zero("T_PAD", op.top);
  checks.zero("B_PAD", op.bottom);
}

static_assert(has_fields_of(kConvolution, kTransposeConv) && has_fields_of(kConvolution, kDilateConv) &&
              has_fields_of(kConvolution, kUdefConv) && has_fields_of(kPool, kPool1d) && has_fields_of(kPool, kUdefPool));

}  // namespace

void set_map(const MapFields &fields, Unit unit, FeatureMap &map, Checks &checks) {
  map.address = fields.address;
  map.unit = unit;
  map.height = fields.height;
  map.width = fields.width;
  map.channels = fields.channels;
  checks.at_most("FORMAT", fields.format, kNchw);
  checks.size("FM_H", map.height);
  checks.size("FM_W", map.width);
  checks.size("FM_C", map.channels);
  checks.stride("LINE_STRIDE", fields.line, unit);
  checks.stride("SURF", fields.surface, unit);
  if (checks) set_distances(map, static_cast<Format>(fields.format), fields.line, fields.surface);
}

Parameter read_parameter(const Operands &o, const ParameterNames &names, std::uint64_t mode, std::uint64_t last_mode, std::uint64_t bits,
                         Unit unit, Checks &checks) {
  Parameter parameter{.unit = unit};
  checks.at_most(names.mode, mode, last_mode);
  if (mode == kOneValue) {
    checks.at_most(names.value, bits, UINT64_MAX >> (64 - bits_of(unit)));
    parameter.value = bits;
    return parameter;
  }
  parameter.immediate = false;
  checks.at_most(names.value, bits, UINT64_MAX >> (64 - address_bits(o.space())));
  if (bits % alignment_of(unit) != 0) {
    checks.add(Status(ErrorCode::misaligned_address, names.value, -1, signed_of(bits), alignment_of(unit)));
  }
  parameter.address = o.page() + bits;
  parameter.channel = nibbles_of(unit);
  return parameter;
}

std::uint32_t count_windows(const char *what, const Windows &windows, Checks &checks) {
  const std::uint64_t window = (windows.kernel - 1) * windows.rate + 1, padded = windows.size + windows.pads;
  checks.fits(what, window <= padded, window, padded);
  return checks ? static_cast<std::uint32_t>((padded - window) / windows.stride + 1) : 1;
}

void read_convolution(const Operands &o, Convolution &c, Checks &checks) {
  constexpr const Layout &kTable = kConvolution;
  set_map(read_map_fields<kTable>(o), o.unit<kTable, "FM_UNIT">(), c.source, checks);
  c.kernel.address = o.address<kTable, "K">();
  c.kernel.unit = o.unit<kTable, "W_UNIT">();
  c.kernel.number = o.word<kTable, "K_NUM">();
  c.kernel.height = o.word<kTable, "K_H">();
  c.kernel.width = o.word<kTable, "K_W">();
  c.result.address = o.address<kTable, "D">();
  c.result.unit = o.unit<kTable, "D_UNIT">();
  read_windows<kTable>(o, c, checks);
  read_padding<kTable>(o, c, checks);
}

void read_enlargement(const Operands &o, Convolution &c, Checks &checks) {
  c.enlarge_vertical = o.word<kTransposeConv, "ENLARGE_V">();
  c.enlarge_horizontal = o.word<kTransposeConv, "ENLARGE_H">();
  checks.size("ENLARGE_V", c.enlarge_vertical);
  checks.size("ENLARGE_H", c.enlarge_horizontal);
}

void read_output(const Operands &o, Convolution &c, Checks &checks) {
  constexpr const Layout &kTable = kConvolution;
  const std::uint64_t bias = o.get<kTable, "BIAS_MODE">(), multiplier = o.get<kTable, "MUL_MODE">(), shift = o.get<kTable, "SHIFT_MODE">(),
                      scale = o.get<kTable, "SCALE_MODE">();
  const auto read = [&](const ParameterNames &names, std::uint64_t mode, std::uint64_t bits, Unit unit) {
    return read_parameter(o, names, mode, kOneAnElement, bits, unit, checks);
  };
  c.bias = read({"BIAS", "BIAS_MODE"}, bias, o.get<kTable, "BIAS">(), o.unit<kTable, "BIAS_UNIT">());
  c.multiplier = read({"MUL", "MUL_MODE"}, multiplier, o.get<kTable, "MUL">(), o.unit<kTable, "MUL_UNIT">());
  c.shift = read({"SHIFT", "SHIFT_MODE"}, shift, o.get<kTable, "SHIFT">(), Unit::s8);
  c.scale = read({"SCALE", "SCALE_MODE"}, scale, o.get<kTable, "SCALE">(), o.unit<kTable, "SCALE_UNIT">());
  c.has_multiplier = !is_nothing(c.multiplier);
  const bool floats = is_float(c.source.unit);
  checks.unit("BIAS_UNIT", c.bias.unit, is_nothing(c.bias) || is_float(c.bias.unit) == floats);
  checks.unit("SCALE_UNIT", c.scale.unit, is_nothing(c.scale) || is_float(c.scale.unit) == floats);
  if (c.has_multiplier) {
    const bool is_q31 = c.multiplier.unit == Unit::s32 && !floats;
    checks.unit("MUL_UNIT", c.multiplier.unit, is_q31 || is_float(c.multiplier.unit));
  }
  if (c.has_multiplier && c.multiplier.unit == Unit::s32) {
    check_shift(c.shift, checks);
  } else {
    checks.zero("SHIFT_MODE", shift);
    checks.zero("SHIFT", o.get<kTable, "SHIFT">());
  }
  checks.add(read_clip(c.result.unit, o.get<kTable, "CLIP_MAX">(), o.get<kTable, "CLIP_MIN">(), c.clip));
  if (!checks) return;
  const auto format = static_cast<Format>(o.get<kTable, "FORMAT">());
  spread(bias, c.result, format, c.bias);
  spread(multiplier, c.result, format, c.multiplier);
  spread(shift, c.result, format, c.shift);
  spread(scale, c.result, format, c.scale);
}

void set_shapes(Convolution &c, std::uint64_t format_code, std::uint64_t kernel_stride, std::uint32_t kernel_depth, Checks &checks) {
  const bool floats = is_float(c.source.unit);
  checks.unit("W_UNIT", c.kernel.unit, is_float(c.kernel.unit) == floats);
  checks.size("K_NUM", c.kernel.number);
  checks.size("GROUPS", c.groups);
  if (!checks) return;
  const auto format = static_cast<Format>(format_code);
  checks.fits("FM_C", c.source.channels % c.groups == 0, c.source.channels, c.groups);
  checks.fits("K_NUM", c.kernel.number % c.groups == 0, c.kernel.number, c.groups);
  c.kernel.channels = c.source.channels / c.groups;
  set_kernel(c, format, kernel_stride, kernel_depth, checks);
  c.result.height = count_windows("K_H",
                                  {.size = enlarged(c.source.height, c.enlarge_vertical),
                                   .pads = std::uint64_t{c.top} + c.bottom,
                                   .kernel = c.kernel.height,
                                   .rate = c.rate_vertical,
                                   .stride = c.stride_vertical},
                                  checks);
  c.result.width = count_windows("K_W",
                                 {.size = enlarged(c.source.width, c.enlarge_horizontal),
                                  .pads = std::uint64_t{c.left} + c.right,
                                  .kernel = c.kernel.width,
                                  .rate = c.rate_horizontal,
                                  .stride = c.stride_horizontal},
                                 checks);
  c.result.channels = c.kernel.number;
  set_dense(c.result, format);
}

void set_result_size(Pool &p, Checks &checks) {
  p.result.height = count_windows(
      "K_H", {.size = p.source.height, .pads = std::uint64_t{p.top} + p.bottom, .kernel = p.kernel_height, .stride = p.stride_vertical},
      checks);
  p.result.width = count_windows(
      "K_W", {.size = p.source.width, .pads = std::uint64_t{p.left} + p.right, .kernel = p.kernel_width, .stride = p.stride_horizontal},
      checks);
}

Result<Operation> resolve_convolution(const Operands &o) {
  constexpr const Layout &kTable = kConvolution;
  Convolution c{.op = o.op()};
  Checks checks;
  read_convolution(o, c, checks);
  if (c.op == Opcode::UDEF_CONV) {
    read_general(o, c, checks);
  } else {
    checks.size("K_H", c.kernel.height);
    checks.size("K_W", c.kernel.width);
  }
  if (c.op == Opcode::DEP_CONV) c.groups = c.source.channels;
  if (c.op == Opcode::DILATE_CONV) {
    c.rate_vertical = c.rate_horizontal = o.word<kDilateConv, "DILATE">();
    checks.size("DILATE", c.rate_vertical);
  }
  if (c.op == Opcode::TRANSPOSE_CONV) read_enlargement(o, c, checks);
  if (c.op == Opcode::CONV1D) check_one_line(c, c.kernel.height, checks);
  set_shapes(c, o.get<kTable, "FORMAT">(), o.get<kTable, "K_STRIDE">(), 1, checks);
  read_output(o, c, checks);
  if (!checks) return checks.status();
  return Operation{c};
}

Result<Operation> resolve_matrix_product(const Operands &o) {
  constexpr const Layout &kTable = kMatrixMul;
  Convolution c{.op = o.op()};
  Checks checks;
  c.plain = true;
  set_map(read_map_fields<kTable>(o), o.unit<kTable, "FM_UNIT">(), c.source, checks);
  c.kernel.address = o.address<kTable, "K">();
  c.kernel.unit = o.unit<kTable, "W_UNIT">();
  c.kernel.number = o.word<kTable, "K_NUM">();
  c.kernel.height = o.word<kTable, "K_H">();
  c.kernel.width = o.word<kTable, "K_W">();
  checks.size("K_H", c.kernel.height);
  checks.size("K_W", c.kernel.width);
  c.result.address = o.address<kTable, "D">();
  c.result.unit = o.unit<kTable, "D_UNIT">();
  const bool word = c.result.unit == Unit::s32 || c.result.unit == Unit::u32;
  checks.unit("D_UNIT", c.result.unit, is_float(c.source.unit) ? c.result.unit == Unit::fp32 : word);
  read_windows<kTable>(o, c, checks);
  read_padding<kTable>(o, c, checks);
  set_shapes(c, o.get<kTable, "FORMAT">(), o.get<kTable, "K_STRIDE">(), 1, checks);
  if (!checks) return checks.status();
  return Operation{c};
}

Result<Operation> resolve_pool(const Operands &o) {
  Pool p{.op = o.op()};
  Checks checks;
  const MapFields fields = read_map_fields<kPool>(o);
  set_map(fields, o.unit<kPool, "FM_UNIT">(), p.source, checks);
  read_windows<kPool>(o, p, checks);
  read_padding<kPool>(o, p, checks);
  std::uint32_t height = o.word<kPool, "K_H">(), width = o.word<kPool, "K_W">();
  switch (p.op) {
    case Opcode::MAX_POOL: p.kind = Pool::Kind::max; break;
    case Opcode::MIN_POOL: p.kind = Pool::Kind::min; break;
    case Opcode::AVRG_POOL: p.kind = Pool::Kind::average; break;
    case Opcode::MEDIAN_POOL: p.kind = Pool::Kind::median; break;
    default: p.kind = static_cast<Pool::Kind>(o.get<kPool1d, "KIND">()); break;
  }
  if (p.op == Opcode::UDEF_POOL) {
    checks.zero("K_H", height);
    checks.zero("K_W", width);
    checks.zero("T_PAD", p.top);
    checks.zero("B_PAD", p.bottom);
    checks.zero("L_PAD", p.left);
    checks.zero("R_PAD", p.right);
    p.top = o.word<kUdefPool, "T">();
    p.bottom = o.word<kUdefPool, "B">();
    p.left = o.word<kUdefPool, "L">();
    p.right = o.word<kUdefPool, "R">();
    height = o.word<kUdefPool, "KX_H">();
    width = o.word<kUdefPool, "KX_W">();
  }
  p.kernel_height = height != 0 ? height : p.source.height;
  p.kernel_width = width != 0 ? width : p.source.width;
  if (p.op == Opcode::POOL1D) check_one_line(p, p.kernel_height, checks);
  if (!checks) return checks.status();
  p.result = p.source;
  p.result.address = o.address<kPool, "D">();
  set_result_size(p, checks);
  if (!checks) return checks.status();
  set_dense(p.result, static_cast<Format>(fields.format));
  return Operation{p};
}

Result<Operation> resolve_resize(const Operands &o) {
  constexpr const Layout &kTable = kResize;
  Resize r{.op = o.op()};
  Checks checks;
  const Unit unit = o.unit<kTable, "UNIT">();
  const std::uint64_t align = o.get<kTable, "ALIGN">(), format = o.get<kTable, "FORMAT">();
  checks.at_most("ALIGN", align, 2);
  checks.at_most("FORMAT", format, kNchw);
  checks.unit("UNIT", unit, r.op == Opcode::RESIZE_NEAREST || is_float(unit) || bits_of(unit) < 64);
  r.align_corners = align == 1;
  r.half_pixel = align == 2;
  r.source.address = o.address<kTable, "FM">();
  r.result.address = o.address<kTable, "D">();
  r.source.unit = r.result.unit = unit;
  r.source.height = o.word<kTable, "FH">();
  r.source.width = o.word<kTable, "FW">();
  r.source.channels = r.result.channels = o.word<kTable, "FC">();
  r.result.height = o.word<kTable, "O_H">();
  r.result.width = o.word<kTable, "O_W">();
  checks.size("FH", r.source.height);
  checks.size("FW", r.source.width);
  checks.size("FC", r.source.channels);
  checks.size("O_H", r.result.height);
  checks.size("O_W", r.result.width);
  if (!checks) return checks.status();
  set_dense(r.source, static_cast<Format>(format));
  set_dense(r.result, static_cast<Format>(format));
  return Operation{r};
}

}  // namespace cox::isa::unity::detail
