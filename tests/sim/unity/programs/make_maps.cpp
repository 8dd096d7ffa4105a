// SPDX-License-Identifier: MIT
// Instructions on feature maps and volumes: convolutions, products of matrices, pools, resizing.
#include <algorithm>

#include "tests/sim/unity/programs/generators.h"

namespace cox::test::unity_programs {

using isa::unity::alignment_of;
using isa::unity::bits_of;
using isa::unity::is_float;
using isa::unity::is_signed;
using isa::unity::nibbles_of;

namespace {

/// Sets a parameter to a value of its unit that fits the field, or leaves it 0.
void set_value(Maker &m, const char *field, Unit unit) {
  const unsigned bits = std::min(bits_of(unit), std::max(32U, m.address_bits()));
  if (m.random.chance(30)) return;
  if (unit == Unit::fp16 || unit == Unit::fp32) return m.set(field, real_bits(m.random, unit));
  if (unit == Unit::fp64) return;
  const std::uint64_t value = m.random.chance(50) ? m.random.below(8) : m.random.bits();
  m.set(field, value & (UINT64_MAX >> (64 - bits)));
}

/// A parameter of one value, one a channel, or one an element of `map`.
void set_parameter(Maker &m, const char *field, const char *mode_field, Unit unit, std::uint32_t mode, bool planes, const Extents &map) {
  m.set(mode_field, mode);
  if (mode == 0) return set_value(m, field, unit);
  m.source_bytes(field, mode == 1 ? isa::unity::run_bytes(unit, map.c) : map_bytes(unit, planes, map), unit);
}

bool is_volume(Opcode op) {
  return op == Opcode::CONV3D || op == Opcode::TRANS_CONV3D || op == Opcode::POOL3D || op == Opcode::ADAPTIVV_POOL3D;
}

/// Sets size and distances of the source map, and places it. Volumes have `depth` maps in NHWC.
void place_map(Maker &m, Unit unit, bool planes, const Extents &map, std::uint32_t depth = 1) {
  const std::uint64_t align = alignment_of(unit);
  const auto widened = [&](std::uint64_t nibbles) { return ((nibbles + 1) / 2 + align - 1) / align * align + align * m.random.below(3); };
  const std::uint64_t size = nibbles_of(unit), inner = (planes ? map.w : map.c) * size;
  std::uint64_t bytes = 0, plane = 0;
  if (m.random.chance(70)) {
    bytes = plane = map_bytes(unit, planes, map);
  } else if (planes) {
    const std::uint64_t line = widened(inner), surface = map.h * line + align * m.random.below(3);
    m.set("LINE_STRIDE", line);
    m.set("SURF", surface);
    bytes = (map.c - 1) * surface + (map.h - 1) * line + (inner + 1) / 2;
  } else {
    const std::uint64_t column = widened(inner), line = map.w * column + align * m.random.below(3);
    m.set("LINE_STRIDE", line);
    m.set("SURF", column);
    bytes = (map.h - 1) * line + (map.w - 1) * column + (inner + 1) / 2;
    plane = map.h * line;
  }
  if (is_volume(m.op())) {
    m.set("FM_D", depth);
    if (m.random.chance(50)) {
      plane = widened(2 * plane);
      m.set("FM_D_STRIDE", plane);
    }
    bytes += (depth - 1) * plane;
  }
  m.set("FORMAT", planes ? 1 : 0);
  m.set("FM_H", map.h);
  m.set("FM_W", map.w);
  m.set("FM_C", map.c);
  m.source_bytes("FM", bytes, unit);
}

struct Windows {
  std::uint32_t kernel_h = 1, kernel_w = 1, rate_v = 1, rate_h = 1, top = 0, bottom = 0, left = 0, right = 0, stride_v = 1, stride_h = 1;
};
std::uint32_t count(std::uint32_t size, std::uint32_t pads, std::uint32_t kernel, std::uint32_t rate, std::uint32_t stride) {
  return (size + pads - (kernel - 1) * rate - 1) / stride + 1;
}

/// Padding and steps; `general`: the fields of UDEF_CONV and UDEF_POOL.
void set_windows(Maker &m, const Windows &w, bool general) {
  m.set(general ? "T" : "T_PAD", w.top);
  m.set(general ? "B" : "B_PAD", w.bottom);
  m.set(general ? "L" : "L_PAD", w.left);
  m.set(general ? "R" : "R_PAD", w.right);
  m.set(general ? "KX_H" : "K_H", w.kernel_h);
  m.set(general ? "KX_W" : "K_W", w.kernel_w);
  m.set("V_STRIDE", w.stride_v);
  m.set("H_STRIDE", w.stride_h);
}

Windows random_windows(Random &random, bool one_line) {
  Windows w;
  w.kernel_w = random.size(3);
  w.left = static_cast<std::uint32_t>(random.below(3));
  w.right = static_cast<std::uint32_t>(random.below(3));
  w.stride_h = random.size(3);
  w.stride_v = random.size(3);
  if (one_line) return w;
  w.kernel_h = random.size(3);
  w.top = static_cast<std::uint32_t>(random.below(3));
  w.bottom = static_cast<std::uint32_t>(random.below(3));
  return w;
}

/// The depth of a volume and of its windows; 1 for maps.
struct Depth {
  std::uint32_t map = 1, kernel = 1, result = 1;
};
Depth random_depth(Maker &m) {
  Depth d;
  if (!is_volume(m.op())) return d;
  d.kernel = m.choose("K_D", 1, 2);
  d.map = d.kernel - 1 + m.random.size(3);
  const std::uint32_t enlarge = m.op() == Opcode::TRANS_CONV3D ? m.choose("ENLARGE_D", 1, 3) : 1;
  const std::uint32_t pads = m.choose("FRONT_PAD", 0, 1) + m.choose("BACK_PAD", 0, 1);
  d.result = count((d.map - 1) * enlarge + 1, pads, d.kernel, 1, m.choose("D_STRIDE", 1, 2));
  return d;
}

/// The shape of a convolution or product. The planes of a volume's result are one map.
struct Convolution {
  Windows windows;
  Extents map, result;
  Depth depth;
  bool planes = false, depthwise = false;
  std::uint32_t groups = 1, number = 1;
};

Convolution random_convolution(Maker &m) {
  Random &random = m.random;
  Convolution c;
  const Opcode op = m.op();
  const bool one_line = op == Opcode::CONV1D;
  c.depthwise = op == Opcode::DEP_CONV;
  c.planes = !is_volume(op) && random.chance(40);
  c.depth = random_depth(m);
  c.windows = random_windows(random, one_line);
  Windows &w = c.windows;
  c.groups = op == Opcode::UDEF_CONV ? random.size(3) : 1;
  c.number = c.groups * random.size(random.chance(20) ? 12 : 3);
  c.map.c = c.groups * random.size(4);
  if (c.depthwise) {
    c.groups = c.map.c = random.size(5);
    c.number = c.groups * random.size(2);
  }
  if (op == Opcode::DILATE_CONV) w.rate_v = w.rate_h = m.choose("DILATE", 1, 3);
  if (op == Opcode::UDEF_CONV) {
    w.rate_v = m.choose("DIL_V", 1, 3);
    w.rate_h = m.choose("DIL_H", 1, 3);
    m.set("GROUPS", c.groups);
  }
  std::uint32_t enlarge_v = 1, enlarge_h = 1;
  if (op == Opcode::TRANSPOSE_CONV || op == Opcode::TRANS_CONV3D) {
    enlarge_v = m.choose("ENLARGE_V", 1, 3);
    enlarge_h = m.choose("ENLARGE_H", 1, 3);
  }
  c.map.h = one_line ? 1 : (w.kernel_h - 1) * w.rate_v + random.size(3);
  c.map.w = (w.kernel_w - 1) * w.rate_h + random.size(3);
  c.result = {count((c.map.h - 1) * enlarge_v + 1, w.top + w.bottom, w.kernel_h, w.rate_v, w.stride_v),
              count((c.map.w - 1) * enlarge_h + 1, w.left + w.right, w.kernel_w, w.rate_h, w.stride_h), c.number};
  c.result.h *= c.depth.result;
  return c;
}

void place_kernel(Maker &m, const Convolution &c, Unit unit) {
  const std::uint64_t size = nibbles_of(unit), area = std::uint64_t{c.depth.kernel} * c.windows.kernel_h * c.windows.kernel_w;
  std::uint64_t outermost = c.number, inner = area * (c.map.c / c.groups) * size;
  if (c.depthwise && !c.planes) {
    outermost = c.windows.kernel_h;
    inner = std::uint64_t{c.windows.kernel_w} * c.number * size;
  }
  std::uint64_t step = inner;
  if (m.random.chance(25)) {
    const std::uint64_t align = alignment_of(unit), bytes = ((inner + 1) / 2 + align - 1) / align * align + align * m.random.below(3);
    m.set("K_STRIDE", bytes);
    step = 2 * bytes;
  }
  m.set("K_NUM", c.number);
  m.source_bytes("K", ((outermost - 1) * step + inner + 1) / 2, unit);
}

void place_padding(Maker &m, Unit unit, std::uint32_t channels) {
  set_parameter(m, "PAD", "PAD_MODE", unit, m.random.chance(70) ? 0 : 1, false, {1, 1, channels});
}

/// Shifts are constants from -31 to 30, which no instruction may change.
void set_shifts(Maker &m, bool planes, const Extents &result) {
  const std::uint32_t mode = m.choose("SHIFT_MODE", 0, 2);
  if (mode == 0) return static_cast<void>(m.set("SHIFT", static_cast<std::uint8_t>(m.random.between(-31, 30))));
  std::vector<std::int64_t> shifts(mode == 1 ? result.c : map_bytes(Unit::s8, planes, result));
  for (std::int64_t &shift : shifts) shift = m.random.between(-31, 30);
  m.constants("SHIFT", Unit::s8, shifts);
}

}  // namespace

std::uint64_t map_bytes(Unit unit, bool planes, const Extents &map) {
  const std::uint64_t size = nibbles_of(unit), line = ((planes ? map.w : std::uint64_t{map.w} * map.c) * size + 1) / 2;
  return line * map.h * (planes ? map.c : 1);
}

void make_convolution(Maker &m) {
  Random &random = m.random;
  const Convolution c = random_convolution(m);
  const bool floats = random.chance(25), bytes = !floats && random.chance(60);  // the fast path has bytes
  const auto small = [&] { return random.one_of({Unit::s8, Unit::s8, Unit::u8, Unit::s4, Unit::u4, Unit::s16}); };
  const auto unit = [&] { return floats ? random.real() : bytes ? small() : random.integer(); };
  const Unit source = m.choose("FM_UNIT", unit()), kernel = m.choose("W_UNIT", unit()), result = m.choose("D_UNIT", unit());
  place_map(m, source, c.planes, c.map, c.depth.map);
  place_kernel(m, c, kernel);
  place_padding(m, source, c.map.c);
  set_windows(m, c.windows, m.op() == Opcode::UDEF_CONV);
  if (m.op() == Opcode::UDEF_CONV && !floats) m.set("W_ZERO", random.bits());
  set_parameter(m, "BIAS", "BIAS_MODE", m.choose("BIAS_UNIT", unit()), static_cast<std::uint32_t>(random.below(3)), c.planes, c.result);
  set_parameter(m, "SCALE", "SCALE_MODE", m.choose("SCALE_UNIT", unit()), static_cast<std::uint32_t>(random.below(3)), c.planes, c.result);
  if (random.chance(70)) {
    const Unit multiplier = m.choose("MUL_UNIT", !floats && random.chance(75) ? Unit::s32 : random.real());
    const auto mode = static_cast<std::uint32_t>(random.below(3));
    set_parameter(m, "MUL", "MUL_MODE", multiplier, mode, c.planes, c.result);
    const bool some = mode != 0 || m.made().get("MUL") != 0;
    if (some && multiplier == Unit::s32) set_shifts(m, c.planes, c.result);
  }
  set_bounds(m, result);
  m.result_bytes("D", map_bytes(result, c.planes, c.result), result);
}

void make_matrix_product(Maker &m) {
  Random &random = m.random;
  const Convolution c = random_convolution(m);
  const bool floats = random.chance(40);
  const auto unit = [&] { return floats ? random.real() : random.integer(); };
  const Unit source = m.choose("FM_UNIT", unit()), kernel = m.choose("W_UNIT", unit());
  const Unit result = m.choose("D_UNIT", floats ? Unit::fp32 : random.one_of({Unit::s32, Unit::u32}));
  place_map(m, source, c.planes, c.map);
  place_kernel(m, c, kernel);
  place_padding(m, source, c.map.c);
  set_windows(m, c.windows, false);
  m.result_bytes("D", map_bytes(result, c.planes, c.result), result);
}

void make_pool(Maker &m) {
  Random &random = m.random;
  const bool one_line = m.op() == Opcode::POOL1D, general = m.op() == Opcode::UDEF_POOL, volume = is_volume(m.op());
  const bool planes = !volume && random.chance(40);
  Windows w = random_windows(random, one_line);
  if (m.has("KIND")) m.choose("KIND", 0, 3);
  const Depth depth = random_depth(m);
  const Extents map{one_line ? 1 : w.kernel_h - 1 + random.size(4), w.kernel_w - 1 + random.size(4),
                    random.size(random.chance(20) ? 20 : 5)};
  const Unit unit = m.choose("FM_UNIT", random.chance(40) ? Unit::s8 : random.unit());
  place_map(m, unit, planes, map, depth.map);
  place_padding(m, unit, map.c);
  const bool whole = random.chance(15);
  if (whole) {
    w.kernel_h = map.h;
    w.kernel_w = map.w;
  }
  const std::uint32_t lines = depth.result * count(map.h, w.top + w.bottom, w.kernel_h, 1, w.stride_v);
  const Extents result{lines, count(map.w, w.left + w.right, w.kernel_w, 1, w.stride_h), map.c};
  if (whole) w.kernel_h = w.kernel_w = 0;
  set_windows(m, w, general);
  m.result_bytes("D", map_bytes(unit, planes, result), unit);
}

void make_section_pool(Maker &m) {
  Random &random = m.random;
  const bool one_line = m.op() == Opcode::ADAPTIVV_POOL1D, volume = is_volume(m.op()), planes = !volume && random.chance(40);
  if (m.has("KIND")) m.choose("KIND", 0, 3);
  Extents map = random_extents(random, 5), result{random.size(4), random.size(4), map.c};
  if (one_line) map.h = result.h = 1;
  m.set("O_H", result.h);
  m.set("O_W", result.w);
  if (volume) result.h *= m.choose("O_D", 1, 3);
  const Unit unit = m.choose("FM_UNIT", random.unit());
  place_map(m, unit, planes, map, random.size(3));
  m.result_bytes("D", map_bytes(unit, planes, result), unit);
}

void make_resize(Maker &m) {
  Random &random = m.random;
  Unit unit = random.unit();
  while (m.op() == Opcode::RESIZE_BILINEAR && !is_float(unit) && bits_of(unit) == 64) unit = random.unit();
  m.set("UNIT", unit);
  const bool planes = m.choose("FORMAT", 0, 1) != 0;
  m.choose("ALIGN", 0, 2);
  const Extents map = random_extents(random, 5), result{random.size(6), random.size(6), map.c};
  m.set("FH", map.h);
  m.set("FW", map.w);
  m.set("FC", map.c);
  m.set("O_H", result.h);
  m.set("O_W", result.w);
  m.source_bytes("FM", map_bytes(unit, planes, map), unit);
  m.result_bytes("D", map_bytes(unit, planes, result), unit);
}

}  // namespace cox::test::unity_programs
