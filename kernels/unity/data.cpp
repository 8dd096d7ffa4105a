// SPDX-License-Identifier: MIT
#include "coxswain/kernels/unity/data.h"

#include <algorithm>
#include <bit>

namespace cox::kernels::unity {

namespace {

// Widths of the fields of DATA_MOVE.
constexpr std::uint64_t kMostWidth = 0xFFFF, kMostSize = 0xFFFFFF, kMostSurfaces = 0xFF, kMostDistance = 0xFFFFFF;

Unit unit_of(std::uint32_t element_bytes) {
  constexpr Unit kUnits[] = {Unit::u8, Unit::u16, Unit::u32, Unit::u64};
  return kUnits[std::countr_zero(element_bytes)];
}

struct Area {
  std::uint64_t address, line, surface;  ///< distances in bytes
};
/// One DATA_MOVE of `surfaces` x `lines` x `width` elements.
struct Block {
  Unit unit = Unit::u8;
  std::uint64_t width = 1, lines = 1, surfaces = 1;
};
void add_move(ContainerBuilder &builder, const Block &block, const Area &input, const Area &output) {
  Table<Opcode::DATA_MOVE> table;
  constexpr unsigned kLow = 16;
  table.set<"S">(input.address);
  table.set<"D">(output.address);
  table.set<"UNIT">(code_of(block.unit));
  table.set<"S_SIZE">(block.lines * block.width);
  table.set<"S_NUM">(block.surfaces);
  table.set<"S_WIDTH">(block.width);
  table.set<"S_LINE_HI">(input.line >> kLow);
  table.set<"S_LINE_LO">(input.line);
  table.set<"S_SURF">(input.surface);
  table.set<"D_SIZE">(block.lines * block.width);
  table.set<"D_NUM">(block.surfaces);
  table.set<"D_WIDTH">(block.width);
  table.set<"D_LINE_HI">(output.line >> kLow);
  table.set<"D_LINE_LO">(output.line);
  table.set<"D_SURF">(output.surface);
  builder.add(table);
}

struct Dimension {
  std::uint64_t count = 1;
  std::int64_t input = 0, output = 0;  ///< bytes
};

/// The dimensions from the innermost one, without those of one element; neighbours that are one run in both tensors are one.
class Walk {
 public:
  explicit Walk(const StridedCopyArguments &a) {
    const std::int64_t size = a.element_bytes;
    for (std::size_t i = a.dimensions; i-- > 0;) {
      const Dimension next{static_cast<std::uint64_t>(a.count[i]), a.input_stride[i] * size, a.output_stride[i] * size};
      if (next.count == 1) continue;
      Dimension *const last = size_ == 0 ? nullptr : &all_[size_ - 1];
      const auto run = last == nullptr ? 0 : static_cast<std::int64_t>(last->count);
      if (last != nullptr && next.input == last->input * run && next.output == last->output * run) {
        last->count *= next.count;
      } else {
        all_[size_++] = next;
      }
    }
    // The first one is the width: a run in both tensors.
    if (size_ == 0 || all_[0].input != size || all_[0].output != size) insert({1, size, size});
  }

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] const Dimension &operator[](std::size_t i) const { return all_[i]; }

 private:
  void insert(const Dimension &dimension) {
    for (std::size_t i = size_++; i > 0; --i) all_[i] = all_[i - 1];
    all_[0] = dimension;
  }

  std::array<Dimension, kMostDimensions + 1> all_{};
  std::size_t size_ = 0;
};

bool fits_stride(std::int64_t stride) { return stride >= 0 && static_cast<std::uint64_t>(stride) <= kMostDistance; }
bool fits_stride(const Dimension &dimension) { return fits_stride(dimension.input) && fits_stride(dimension.output); }

/// How many elements of dimensions 0 to 2 one instruction moves.
struct Limits {
  std::array<std::uint64_t, 3> chunk{1, 1, 1};

  explicit Limits(const Walk &walk) {
    chunk[0] = std::min(walk[0].count, kMostWidth);
    if (walk.size() > 1 && fits_stride(walk[1])) chunk[1] = std::min(walk[1].count, kMostSize / chunk[0]);
    if (walk.size() > 2 && fits_stride(walk[2])) chunk[2] = std::min(walk[2].count, kMostSurfaces);
  }
};

void move_all(ContainerBuilder &builder, const StridedCopyArguments &a) {
  const Walk walk(a);
  const Limits limits(walk);
  std::array<std::uint64_t, kMostDimensions + 1> at{};
  for (;;) {
    std::array<std::uint64_t, 3> sizes{1, 1, 1};
    std::uint64_t input = a.input, output = a.output;
    for (std::size_t i = 0; i < walk.size(); ++i) {
      if (i < 3) sizes[i] = std::min(limits.chunk[i], walk[i].count - at[i]);
      input += at[i] * static_cast<std::uint64_t>(walk[i].input);
      output += at[i] * static_cast<std::uint64_t>(walk[i].output);
    }
    const auto stride = [&](std::size_t i, std::int64_t Dimension::*side) {
      return sizes[i] > 1 ? static_cast<std::uint64_t>(walk[i].*side) : 0;
    };
    add_move(builder, {unit_of(a.element_bytes), sizes[0], sizes[1], sizes[2]},
             {input, stride(1, &Dimension::input), stride(2, &Dimension::input)},
             {output, stride(1, &Dimension::output), stride(2, &Dimension::output)});
    std::size_t i = 0;
    for (; i < walk.size(); ++i) {
      at[i] += i < 3 ? sizes[i] : 1;
      if (at[i] < walk[i].count) break;
      at[i] = 0;
    }
    if (i == walk.size()) return;
  }
}

/// DATA_MOVE repeats lines, or the elements of lines.
void add_repetition(ContainerBuilder &builder, const RepeatArguments &a, std::uint64_t width) {
  Table<Opcode::DATA_MOVE> table;
  constexpr std::uint64_t kRepeat = 2;
  table.set<"S">(a.input);
  table.set<"D">(a.output);
  table.set<"UNIT">(code_of(Unit::u8));
  table.set<"TRANSFER">(kRepeat);
  table.set<"S_SIZE">(std::uint64_t{a.outer} * a.inner);
  table.set<"S_NUM">(1);
  table.set<"S_WIDTH">(a.inner);
  table.set<"D_SIZE">(std::uint64_t{a.outer} * a.middle * a.inner);
  table.set<"D_NUM">(1);
  table.set<"D_WIDTH">(width);
  builder.add(table);
}

Status check_positive(const char *name, std::uint64_t value) {
  return value == 0 ? Status(ErrorCode::invalid_argument, name, -1, 0, 1) : Status();
}

void add_resize(ContainerBuilder &builder, const ResizeArguments &a) {
  constexpr Opcode kResize = Opcode::RESIZE_BILINEAR;
  constexpr auto kBilinear = same_table<kResize, kResize>(), kNearest = same_table<kResize, Opcode::RESIZE_NEAREST>();
  Table<kResize> table;
  table.set<"UNIT">(code_of(Unit::s8));
  table.set<"ALIGN">(a.align_corners ? 1 : a.half_pixel_centres ? 2 : 0);
  table.set<"O_H">(a.output_height);
  table.set<"O_W">(a.output_width);
  table.set<"FH">(a.height);
  table.set<"FW">(a.width);
  table.set<"FC">(a.channels);
  for (std::uint64_t image = 0; image < a.batch; ++image) {
    table.set<"FM">(a.input + image * a.height * a.width * a.channels);
    table.set<"D">(a.output + image * a.output_height * a.output_width * a.channels);
    builder.add(table, a.bilinear ? kBilinear : kNearest);
  }
}

}  // namespace

Status check_strided_copy(const StridedCopyArguments &a) {
  if (!std::has_single_bit(a.element_bytes) || a.element_bytes > 8)
    return {ErrorCode::invalid_argument, "element_bytes", -1, a.element_bytes, 8};
  if (a.dimensions > kMostDimensions) return {ErrorCode::invalid_argument, "dimensions", -1, a.dimensions, kMostDimensions};
  for (std::size_t i = 0; i < a.dimensions; ++i) {
    if (a.count[i] <= 0) return {ErrorCode::invalid_argument, "count", static_cast<std::int32_t>(i), a.count[i], 1};
    if (a.output_stride[i] <= 0) return {ErrorCode::invalid_argument, "output_stride", static_cast<std::int32_t>(i), a.output_stride[i], 1};
  }
  return {};
}

Status strided_copy(ContainerBuilder &builder, const StridedCopyArguments &a) {
  if (const Status status = check_strided_copy(a); !status) return status;
  std::int64_t below = 0, above = 0, end = 0;  // the first and last element of each tensor, in elements
  for (std::size_t i = 0; i < a.dimensions; ++i) {
    const std::int64_t span = (a.count[i] - 1) * a.input_stride[i];
    (span < 0 ? below : above) += span;
    end += (a.count[i] - 1) * a.output_stride[i];
  }
  const std::int64_t size = a.element_bytes;
  const auto bytes = [size](std::int64_t elements) { return static_cast<std::uint64_t>(elements * size); };
  if (const Status status = builder.check_bytes(a.input + bytes(below), bytes(above - below + 1), false, "input"); !status) return status;
  if (const Status status = builder.check_bytes(a.output, bytes(end + 1), true, "output"); !status) return status;
  if (const Status status = builder.begin_kernel(); !status) return status;
  move_all(builder, a);
  return builder.end_kernel();
}

Status fill(ContainerBuilder &builder, const FillArguments &a) {
  if (const Status status = check_positive("elements", a.elements); !status) return status;
  if (const Status status = check_int8("value", a.value); !status) return status;
  if (const Status status = builder.check_bytes(a.output, a.elements, true, "output"); !status) return status;
  if (const Status status = builder.begin_kernel(); !status) return status;
  for (std::uint64_t first = 0; first < a.elements;) {
    const std::uint64_t rest = a.elements - first, width = std::min(rest, kMostWidth), lines = std::min(rest / width, kMostSize / width);
    Table<Opcode::DATA_MOVE> table;
    constexpr std::uint64_t kFill = 1;
    table.set<"S">(byte_of(a.value));
    table.set<"D">(a.output + first);
    table.set<"UNIT">(code_of(Unit::s8));
    table.set<"TRANSFER">(kFill);
    table.set<"D_SIZE">(lines * width);
    table.set<"D_NUM">(1);
    table.set<"D_WIDTH">(width);
    builder.add(table);
    first += lines * width;
  }
  return builder.end_kernel();
}

Status repeat(ContainerBuilder &builder, const RepeatArguments &a) {
  if (const Status status = check_positive("outer", a.outer); !status) return status;
  if (const Status status = check_positive("middle", a.middle); !status) return status;
  if (const Status status = check_positive("inner", a.inner); !status) return status;
  const std::uint64_t input = std::uint64_t{a.outer} * a.inner;
  if (const Status status = builder.check_bytes(a.input, input, false, "input"); !status) return status;
  if (const Status status = builder.check_bytes(a.output, input * a.middle, true, "output"); !status) return status;
  if (const Status status = builder.begin_kernel(); !status) return status;
  const std::uint64_t width = a.inner == 1 ? a.middle : a.inner, output = std::uint64_t{a.outer} * a.middle * a.inner;
  if ((a.outer == 1 || a.inner == 1) && width <= kMostWidth && output <= kMostSize) {
    add_repetition(builder, a, width);
    return builder.end_kernel();
  }
  // One instruction copies many runs to one of their places.
  for (std::uint32_t i = 0; i < a.middle; ++i) {
    move_all(builder, {.input = a.input,
                       .output = a.output + std::uint64_t{i} * a.inner,
                       .dimensions = 2,
                       .count = {static_cast<std::int32_t>(a.outer), static_cast<std::int32_t>(a.inner)},
                       .input_stride = {a.inner, 1},
                       .output_stride = {std::int64_t{a.middle} * a.inner, 1}});
  }
  return builder.end_kernel();
}

Status check_resize(const ResizeArguments &a) {
  using A = ResizeArguments;
  static constexpr NumberLimits kSides[] = {{"height", offsetof(A, height), kMostSide},
                                            {"width", offsetof(A, width), kMostSide},
                                            {"channels", offsetof(A, channels), kMostSide},
                                            {"output_height", offsetof(A, output_height), kMostSide},
                                            {"output_width", offsetof(A, output_width), kMostSide}};
  if (const Status status = check_positive("batch", a.batch); !status) return status;
  if (a.align_corners && a.half_pixel_centres) return {ErrorCode::unsupported, "align_corners"};
  return check_numbers(&a, kSides);
}

Status resize(ContainerBuilder &builder, const ResizeArguments &a) {
  if (const Status status = check_resize(a); !status) return status;
  const std::uint64_t pixel = std::uint64_t{a.batch} * a.channels;
  if (const Status status = builder.check_bytes(a.input, pixel * a.height * a.width, false, "input"); !status) return status;
  if (const Status status = builder.check_bytes(a.output, pixel * a.output_height * a.output_width, true, "output"); !status) return status;
  if (const Status status = builder.begin_kernel(); !status) return status;
  add_resize(builder, a);
  return builder.end_kernel();
}

}  // namespace cox::kernels::unity
