// SPDX-License-Identifier: MIT
#include "coxswain/kernels/unity/convolution_instructions.h"

namespace cox::kernels::unity {

namespace {

constexpr std::uint64_t kOneValue = 0, kOneAChannel = 1;  // codes of modes

template <Opcode Op>
void add_images(ContainerBuilder &builder, const Conv2dArguments &a) {
  auto input = static_cast<std::uintptr_t>(a.input), output = static_cast<std::uintptr_t>(a.output);
  for (std::uint32_t images = a.batch;;) {
    add_image<Op>(builder, a, input, output);
    if (--images == 0) return;
    input += std::uintptr_t{a.height} * a.width * a.channels;
    output += std::uintptr_t{a.output_height} * a.output_width * a.output_channels;
  }
}

}  // namespace

// Not inlined into the loop over images, which needs registers of its own.
template <Opcode Op>
[[gnu::noinline]] void add_image(ContainerBuilder &builder, const Conv2dArguments &a, std::uintptr_t input, std::uintptr_t output) {
  std::uint32_t *const place = builder.append<Op>();
  if (place == nullptr) return;
  Table<Op> table;
  table.template set<"FM">(input);
  table.template set<"D">(output);
  table.template set<"K">(a.weights);
  table.template set<"FM_UNIT">(code_of(Unit::s8));
  table.template set<"W_UNIT">(code_of(Unit::s8));
  table.template set<"D_UNIT">(code_of(Unit::s8));
  table.template set<"BIAS_UNIT">(code_of(Unit::s32));
  table.template set<"MUL_UNIT">(code_of(Unit::s32));
  table.template set<"SCALE_UNIT">(code_of(Unit::s8));
  table.template set<"BIAS_MODE">(kOneAChannel);
  table.template set<"MUL_MODE">(kOneAChannel);
  table.template set<"SHIFT_MODE">(kOneAChannel);
  table.template set<"SCALE_MODE">(kOneValue);
  table.template set<"H_STRIDE">(a.stride_x);
  table.template set<"V_STRIDE">(a.stride_y);
  table.template set<"PAD">(byte_of(a.pad_value));
  table.template set<"BIAS">(a.results.biases);
  table.template set<"MUL">(a.results.multipliers);
  table.template set<"SHIFT">(a.results.shifts);
  table.template set<"SCALE">(byte_of(a.results.output_zero));
  table.template set<"FM_C">(a.channels);
  table.template set<"FM_H">(a.height);
  table.template set<"FM_W">(a.width);
  table.template set<"K_NUM">(a.output_channels);
  table.template set<"CLIP_MAX">(half_of(a.results.bounds.most));
  table.template set<"CLIP_MIN">(half_of(a.results.bounds.least));
  if constexpr (Op == Opcode::UDEF_CONV) {
    table.template set<"W_ZERO">(byte_of(a.weights_zero));
    table.template set<"GROUPS">(a.groups);
    table.template set<"DIL_H">(a.dilation_x);
    table.template set<"DIL_V">(a.dilation_y);
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
    table.template set<"K_H">(a.kernel_height);
    table.template set<"K_W">(a.kernel_width);
  }
  if constexpr (Op == Opcode::TRANSPOSE_CONV) {
    table.template set<"ENLARGE_H">(a.enlarge_x);
    table.template set<"ENLARGE_V">(a.enlarge_y);
  }
  table.copy_to(place);
}
template void add_image<Opcode::CONV2D>(ContainerBuilder &, const Conv2dArguments &, std::uintptr_t, std::uintptr_t);

void append_convolution(ContainerBuilder &builder, const Conv2dArguments &a) {
  if (a.depthwise) return add_images<Opcode::DEP_CONV>(builder, a);
  if (is_transposed(a)) return add_images<Opcode::TRANSPOSE_CONV>(builder, a);
  if (is_general(a)) return add_images<Opcode::UDEF_CONV>(builder, a);
  add_images<Opcode::CONV2D>(builder, a);
}

}  // namespace cox::kernels::unity
