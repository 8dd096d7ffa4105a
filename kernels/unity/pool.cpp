// SPDX-License-Identifier: MIT
#include "coxswain/kernels/unity/pool.h"

#include <algorithm>

namespace cox::kernels::unity {

namespace {

/// The code of a side of the kernel that is as large as its map is 0.
std::uint32_t side_of(std::uint32_t kernel, std::uint32_t size) { return kernel == size ? 0 : kernel; }

bool is_general(const PoolArguments &a) {
  return std::max(side_of(a.kernel_height, a.height), side_of(a.kernel_width, a.width)) > kMostKernel ||
         std::max({a.pad_top, a.pad_bottom, a.pad_left, a.pad_right}) > kMostPad;
}

Status check_side(const char *what, std::uint32_t output, std::uint32_t size, std::uint32_t pads, std::uint32_t kernel,
                  std::uint32_t stride) {
  const std::uint32_t expected = kernel > size + pads ? 0 : (size + pads - kernel) / stride + 1;
  if (expected == output) return {};
  return {ErrorCode::shape_mismatch, what, -1, output, expected};
}

template <Opcode Op>
void add_images(ContainerBuilder &builder, const PoolArguments &a, const SameTable<Op> &operation) {
  Table<Op> table;
  table.template set<"FM_UNIT">(code_of(Unit::s8));
  table.template set<"H_STRIDE">(a.output_width == 1 ? 1 : a.stride_x);
  table.template set<"V_STRIDE">(a.output_height == 1 ? 1 : a.stride_y);
  table.template set<"PAD">(byte_of(INT8_MIN));
  table.template set<"FM_C">(a.channels);
  table.template set<"FM_H">(a.height);
  table.template set<"FM_W">(a.width);
  if constexpr (Op == Opcode::UDEF_POOL) {
    table.template set<"KIND">(a.mode == PoolMode::maximum ? 0 : 2);
    table.template set<"T">(a.pad_top);
    table.template set<"B">(a.pad_bottom);
    table.template set<"L">(a.pad_left);
    table.template set<"R">(a.pad_right);
    table.template set<"KX_H">(a.kernel_height);
    table.template set<"KX_W">(a.kernel_width);
  } else {
    table.template set<"T_PAD">(a.pad_top);
    table.template set<"B_PAD">(a.pad_bottom);
    table.template set<"L_PAD">(a.pad_left);
    table.template set<"R_PAD">(a.pad_right);
    table.template set<"K_H">(side_of(a.kernel_height, a.height));
    table.template set<"K_W">(side_of(a.kernel_width, a.width));
  }
  const std::uint64_t input = std::uint64_t{a.height} * a.width * a.channels;
  const std::uint64_t output = std::uint64_t{a.output_height} * a.output_width * a.channels;
  for (std::uint32_t image = 0; image < a.batch; ++image) {
    table.template set<"FM">(a.input + image * input);
    table.template set<"D">(a.output + image * output);
    builder.add(table, operation);
  }
}

/// Clamps the results where they lie.
void add_bounds(ContainerBuilder &builder, const PoolArguments &a, std::uint64_t elements) {
  Table<Opcode::CLIP> table;
  table.set<"S0">(a.output);
  table.set<"D">(a.output);
  table.set<"LEN">(elements);
  table.set<"S0_UNIT">(code_of(Unit::s8));
  table.set<"D_UNIT">(code_of(Unit::s8));
  table.set<"CLIP_MAX">(half_of(a.bounds.most));
  table.set<"CLIP_MIN">(half_of(a.bounds.least));
  builder.add(table);
}

}  // namespace

Status check_pool(const PoolArguments &a) {
  if (a.mode > PoolMode::average) return {ErrorCode::invalid_argument, "mode"};
  using A = PoolArguments;
  static constexpr NumberLimits kNumbers[] = {{"height", offsetof(A, height), kMostSide},
                                              {"width", offsetof(A, width), kMostSide},
                                              {"channels", offsetof(A, channels), kMostSide},
                                              {"kernel_height", offsetof(A, kernel_height), kMostSide},
                                              {"kernel_width", offsetof(A, kernel_width), kMostSide},
                                              {"batch", offsetof(A, batch), UINT32_MAX}};
  if (const Status status = check_numbers(&a, kNumbers); !status) return status;
  const std::uint32_t most_vertical = std::min(a.kernel_height - 1, kMostGeneralPad);
  const std::uint32_t most_horizontal = std::min(a.kernel_width - 1, kMostGeneralPad);
  const NumberLimits windows[] = {{"stride_y", offsetof(A, stride_y), a.output_height == 1 ? UINT32_MAX : kMostStride},
                                  {"stride_x", offsetof(A, stride_x), a.output_width == 1 ? UINT32_MAX : kMostStride},
                                  {"pad_top", offsetof(A, pad_top), most_vertical, 0},
                                  {"pad_bottom", offsetof(A, pad_bottom), most_vertical, 0},
                                  {"pad_left", offsetof(A, pad_left), most_horizontal, 0},
                                  {"pad_right", offsetof(A, pad_right), most_horizontal, 0}};
  if (const Status status = check_numbers(&a, windows); !status) return status;
  if (const Status status = check_side("output_height", a.output_height, a.height, a.pad_top + a.pad_bottom, a.kernel_height, a.stride_y);
      !status)
    return status;
  if (const Status status = check_side("output_width", a.output_width, a.width, a.pad_left + a.pad_right, a.kernel_width, a.stride_x);
      !status)
    return status;
  return check_bounds(a.bounds);
}

Status pool(ContainerBuilder &builder, const PoolArguments &a) {
  if (const Status status = check_pool(a); !status) return status;
  const std::uint64_t input = std::uint64_t{a.batch} * a.height * a.width * a.channels;
  const std::uint64_t output = std::uint64_t{a.batch} * a.output_height * a.output_width * a.channels;
  if (const Status status = builder.check_bytes(a.input, input, false, "input"); !status) return status;
  if (const Status status = builder.check_bytes(a.output, output, true, "output"); !status) return status;
  if (const Status status = builder.begin_kernel(); !status) return status;
  constexpr auto kGeneral = same_table<Opcode::UDEF_POOL, Opcode::UDEF_POOL>();
  constexpr auto kMaximum = same_table<Opcode::MAX_POOL, Opcode::MAX_POOL>(), kAverage = same_table<Opcode::MAX_POOL, Opcode::AVRG_POOL>();
  if (is_general(a)) {
    add_images(builder, a, kGeneral);
  } else {
    add_images(builder, a, a.mode == PoolMode::maximum ? kMaximum : kAverage);
  }
  if (!a.bounds.is_full()) add_bounds(builder, a, output);
  return builder.end_kernel();
}

}  // namespace cox::kernels::unity
