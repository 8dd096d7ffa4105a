// SPDX-License-Identifier: MIT
#include "kernels/unity/pool.h"

#include <algorithm>

namespace cox::kernels::unity {

namespace {

constexpr std::uint32_t kMostKernel = 15, kMostPad = 15, kMostGeneralPad = 255, kMostStride = 15;

/// The code of a side of the kernel that is as large as its map is 0.
std::uint32_t side_of(std::uint32_t kernel, std::uint32_t size) { return kernel == size ? 0 : kernel; }

bool is_general(const PoolArguments &a) {
  return std::max(side_of(a.kernel_height, a.height), side_of(a.kernel_width, a.width)) > kMostKernel ||
         std::max({a.pad_top, a.pad_bottom, a.pad_left, a.pad_right}) > kMostPad;
}

Status check_side(const NamedNumber &output, std::uint32_t size, std::uint32_t pads, std::uint32_t kernel, std::uint32_t stride) {
  const std::uint32_t expected = kernel > size + pads ? 0 : (size + pads - kernel) / stride + 1;
  if (expected == output.value) return {};
  return {ErrorCode::shape_mismatch, output.name, -1, output.value, expected};
}

template <Opcode Op>
void add_images(ContainerBuilder &builder, const PoolArguments &a) {
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
    builder.add(table);
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
  const NamedNumber sides[] = {{"height", a.height},
                               {"width", a.width},
                               {"channels", a.channels},
                               {"kernel_height", a.kernel_height},
                               {"kernel_width", a.kernel_width}};
  if (const Status status = check_numbers(sides, kMostSide); !status) return status;
  const NamedNumber batch[] = {{"batch", a.batch}};
  if (const Status status = check_numbers(batch, UINT32_MAX); !status) return status;
  const NamedNumber rows[] = {{"stride_y", a.stride_y}}, columns[] = {{"stride_x", a.stride_x}};
  if (const Status status = check_numbers(rows, a.output_height == 1 ? UINT32_MAX : kMostStride); !status) return status;
  if (const Status status = check_numbers(columns, a.output_width == 1 ? UINT32_MAX : kMostStride); !status) return status;
  const struct {
    NamedNumber pad;
    std::uint32_t kernel;
  } kPads[] = {{{"pad_top", a.pad_top}, a.kernel_height},
               {{"pad_bottom", a.pad_bottom}, a.kernel_height},
               {{"pad_left", a.pad_left}, a.kernel_width},
               {{"pad_right", a.pad_right}, a.kernel_width}};
  for (const auto &[pad, kernel] : kPads) {
    const std::uint32_t most = std::min(kernel - 1, kMostGeneralPad);
    if (pad.value > most) return {ErrorCode::invalid_argument, pad.name, -1, pad.value, most};
  }
  if (const Status status = check_side({"output_height", a.output_height}, a.height, a.pad_top + a.pad_bottom, a.kernel_height, a.stride_y);
      !status)
    return status;
  if (const Status status = check_side({"output_width", a.output_width}, a.width, a.pad_left + a.pad_right, a.kernel_width, a.stride_x);
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
  if (is_general(a)) {
    add_images<Opcode::UDEF_POOL>(builder, a);
  } else if (a.mode == PoolMode::maximum) {
    add_images<Opcode::MAX_POOL>(builder, a);
  } else {
    add_images<Opcode::AVRG_POOL>(builder, a);
  }
  if (!a.bounds.is_full()) add_bounds(builder, a, output);
  return builder.end_kernel();
}

}  // namespace cox::kernels::unity
