// SPDX-License-Identifier: MIT
// dt_cal (docs/isa/tile.md, Transforms).
#include "coxswain/isa/tile/layout.h"
#include "coxswain/isa/tile/resolve.h"

namespace cox::isa::tile::detail {
namespace {

constexpr auto kOp = Opcode::dt_cal;
constexpr auto kCfg = Opcode::dt_cfg;

struct Shape {
  std::int64_t channels, height, width;
};

/// The layout of the source or of the destination in L2. If the value is 8 or 16, it is the number of channels in a block. NHWC has the
/// value 1: make_strided() treats it as blocks of one channel.
enum class Layout : std::uint8_t { nchw = 0, nhwc = 1, blocks8 = 8, blocks16 = 16 };

struct Layouts {
  Layout from, to;
};

constexpr Layouts layouts_of(Order order) {
  switch (order) {
    case Order::nhwc_to_nchw: return {Layout::nhwc, Layout::nchw};
    case Order::nchw_to_nhwc: return {Layout::nchw, Layout::nhwc};
    case Order::nhwc_to_blocks8: return {Layout::nhwc, Layout::blocks8};
    case Order::blocks8_to_nhwc: return {Layout::blocks8, Layout::nhwc};
    case Order::nchw_to_blocks8: return {Layout::nchw, Layout::blocks8};
    case Order::blocks8_to_nchw: return {Layout::blocks8, Layout::nchw};
    case Order::nhwc_to_blocks16: return {Layout::nhwc, Layout::blocks16};
    case Order::blocks16_to_nhwc: return {Layout::blocks16, Layout::nhwc};
    case Order::nchw_to_blocks16: return {Layout::nchw, Layout::blocks16};
    case Order::blocks16_to_nchw: return {Layout::blocks16, Layout::nchw};
    case Order::nhwc_copy:
    case Order::swap_hw:
    case Order::swap_wc:
    case Order::swap_hc: break;
  }
  return {Layout::nhwc, Layout::nhwc};
}

Shape shape_of(const MachineCode &cfg, const Field &field) {
  return {element(cfg, field, 0), element(cfg, field, 1), element(cfg, field, 2)};
}

/// Bits of `count` elements, rounded up to a multiple of 8 bytes.
constexpr std::int64_t padded_bits(std::int64_t count, std::int64_t element_bits) {
  return 8 * padded_pixel((count * element_bits + 7) / 8);
}

StridedMap make_strided(Layout layout, const Shape &shape, std::int64_t element_bits) {
  StridedMap map;
  if (layout == Layout::nchw) {
    map.column = element_bits;
    map.row = padded_bits(shape.width, element_bits);
    map.block_step = map.row * shape.height;
    map.image = map.block_step * shape.channels;
    return map;
  }
  map.block = static_cast<std::uint32_t>(layout);
  map.channel = element_bits;
  if (layout == Layout::nhwc) {
    map.block_step = element_bits;
    map.column = padded_bits(shape.channels, element_bits);
    map.row = map.column * shape.width;
    map.image = map.row * shape.height;
    return map;
  }
  map.column = padded_bits(map.block, element_bits);
  map.row = map.column * shape.width;
  map.block_step = map.row * shape.height;
  map.image = map.block_step * ((shape.channels + map.block - 1) / map.block);
  return map;
}

/// Checks that the box fits into the shape and that the map is addressable.
Status check_fit(const Shape &box, const Shape &shape, const StridedMap &map, const char *field) {
  if (map.image / 8 > kAddressable) return Status(ErrorCode::shape_mismatch, field, -1, map.image / 8, kAddressable);
  if (box.channels > shape.channels) return Status(ErrorCode::shape_mismatch, field, 0, box.channels, shape.channels);
  if (box.height > shape.height) return Status(ErrorCode::shape_mismatch, field, 1, box.height, shape.height);
  if (box.width > shape.width) return Status(ErrorCode::shape_mismatch, field, 2, box.width, shape.width);
  return {};
}

/// Exchanges the steps of two dimensions of `map` and the extents of these dimensions in `box`. On entry, `map` takes coordinates in the
/// order of the destination; on return, it takes them in the order of the source. In NHWC maps, block_step is the step of one channel.
void swap_dimensions(Order order, StridedMap &map, Shape &box) {
  const auto swap = [](std::int64_t &a, std::int64_t &b) {
    const std::int64_t other = a;
    a = b;
    b = other;
  };
  if (order == Order::swap_hw) {
    swap(map.row, map.column);
    swap(box.height, box.width);
  } else if (order == Order::swap_wc) {
    swap(map.column, map.block_step);
    swap(box.width, box.channels);
  } else if (order == Order::swap_hc) {
    swap(map.row, map.block_step);
    swap(box.height, box.channels);
  }
}

/// Number of bits from the first element to the last. Steps are positive, so the last element has the highest coordinates.
std::int64_t extent_of(const Transform &op, const StridedMap &map) {
  const std::int64_t last = std::int64_t{op.channels} - 1;
  return (std::int64_t{op.batch} - 1) * map.image + last / map.block * map.block_step + last % map.block * map.channel +
         (std::int64_t{op.height} - 1) * map.row + (std::int64_t{op.width} - 1) * map.column + op.element_bits;
}

}  // namespace

Status resolve_copy(const MachineCode &code, const Configuration &configuration, Move &op) {
  const MachineCode *cfg = configuration.find(kCfg);
  if (cfg == nullptr) return missing("dt_cfg");
  const Format format = make_format(get<kCfg, "DF">(*cfg));
  op.from = make_map(*cfg, *field_named<kCfg, "STile">(), Space::l2, get<kOp, "SBSG">(code), format);
  op.to = make_map(*cfg, *field_named<kCfg, "DTile">(), Space::l2, get<kOp, "DBSG">(code), format);
  return finish_move(op, code);
}

Status resolve_transform(const MachineCode &code, const Configuration &configuration, Transform &op) {
  constexpr const Field &kTile = *field_named<kOp, "Tile">();
  const MachineCode *cfg = configuration.find(kCfg);
  if (cfg == nullptr) return missing("dt_cfg");
  const auto order = static_cast<Order>(get<kOp, "Order">(code));
  op.format = make_format(get<kCfg, "DF">(*cfg));
  op.element_bits = bits_of(op.format.format);
  op.batch = element(code, kTile, 0);
  op.channels = element(code, kTile, 1);
  op.height = element(code, kTile, 2);
  op.width = element(code, kTile, 3);

  const Layouts layouts = layouts_of(order);
  const Shape source = shape_of(*cfg, *field_named<kCfg, "STile">());
  const Shape destination = shape_of(*cfg, *field_named<kCfg, "DTile">());
  op.from = make_strided(layouts.from, source, op.element_bits);
  op.to = make_strided(layouts.to, destination, op.element_bits);
  Shape box{op.channels, op.height, op.width};
  if (Status status = check_fit(box, source, op.from, "STile"); !status) return status;
  swap_dimensions(order, op.to, box);
  if (Status status = check_fit(box, destination, op.to, "DTile"); !status) return status;
  op.from.selector = static_cast<std::uint8_t>(get<kOp, "SBSG">(code));
  op.from.base = get<kOp, "STaddr">(code);
  op.to.selector = static_cast<std::uint8_t>(get<kOp, "DBSG">(code));
  op.to.base = get<kOp, "DTaddr">(code);
  if (Status status = check_l2_address("STaddr", op.from.base); !status) return status;
  if (Status status = check_l2_address("DTaddr", op.to.base); !status) return status;
  op.from.extent = extent_of(op, op.from);
  op.to.extent = extent_of(op, op.to);
  return {};
}

}  // namespace cox::isa::tile::detail
