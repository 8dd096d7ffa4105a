// SPDX-License-Identifier: MIT
// resolve() of convolutions, MATRIX_MUL and pools.
#include <gtest/gtest.h>

#include <tuple>

#include "tests/isa/unity/program.h"

namespace cox::isa::unity {
namespace {
namespace resolve_convolution_test {

constexpr std::int64_t kU4 = 0, kU8 = 1, kU32 = 3, kS4 = 5, kS8 = 6, kS16 = 7, kS32 = 8, kS64 = 9, kFp16 = 10, kFp32 = 11;

/// A map of 6 x 7 x 4 and kernels of 3 x 2, 8 of them, all s8.
TestInstruction convolution(Opcode op = Opcode::CONV2D, AddressSpace space = AddressSpace::bits32) {
  TestInstruction instruction(op, {{"FM", 0x1000}, {"K", 0x2000}, {"D", 0x3000}, {"FM_UNIT", kS8}, {"W_UNIT", kS8}, {"D_UNIT", kS8}},
                              space);
  instruction.set({{"H_STRIDE", 1}, {"V_STRIDE", 1}, {"FM_H", 6}, {"FM_W", 7}, {"FM_C", 4}, {"K_H", 3}, {"K_W", 2}, {"K_NUM", 8}});
  if (op == Opcode::DILATE_CONV) instruction.set({{"DILATE", 1}});
  if (op == Opcode::TRANSPOSE_CONV) instruction.set({{"ENLARGE_H", 1}, {"ENLARGE_V", 1}});
  if (op == Opcode::CONV1D) instruction.set({{"FM_H", 1}, {"K_H", 1}});
  if (op == Opcode::UDEF_CONV)
    instruction.set({{"K_H", 0}, {"K_W", 0}, {"KX_H", 3}, {"KX_W", 2}, {"GROUPS", 1}, {"DIL_H", 1}, {"DIL_V", 1}});
  if (op == Opcode::MATRIX_MUL) instruction.set({{"D_UNIT", kS32}});
  return instruction;
}

using Steps = std::tuple<std::uint64_t, std::uint64_t, std::uint64_t, std::uint64_t>;
Steps steps(const Convolution::Kernel &k) { return {k.number_step, k.row, k.column, k.channel}; }

TEST(UnityResolveConvolution, MapsAndKernels) {
  const auto c =
      convolution().with({{"T_PAD", 1}, {"B_PAD", 2}, {"L_PAD", 3}, {"R_PAD", 4}, {"V_STRIDE", 2}, {"H_STRIDE", 3}}).as<Convolution>();
  EXPECT_EQ(c.op, Opcode::CONV2D);
  EXPECT_EQ(c.source.row, 56U);
  EXPECT_EQ(c.source.column, 8U);
  EXPECT_EQ(c.source.channel, 2U);
  EXPECT_EQ(c.top, 1U);
  EXPECT_EQ(c.bottom, 2U);
  EXPECT_EQ(c.left, 3U);
  EXPECT_EQ(c.right, 4U);
  EXPECT_EQ(c.result.height, (6 + 3 - 3) / 2 + 1U);
  EXPECT_EQ(c.result.width, (7 + 7 - 2) / 3 + 1U);
  EXPECT_EQ(c.result.channels, 8U);
  EXPECT_EQ(c.result.column, 16U);
  EXPECT_EQ(c.groups, 1U);
  EXPECT_EQ(c.kernel.channels, 4U);
  EXPECT_EQ(steps(c.kernel), Steps(48, 16, 8, 2));
  const auto planes = convolution().with({{"FORMAT", 1}}).as<Convolution>();
  EXPECT_EQ(planes.source.column, 2U);
  EXPECT_EQ(planes.source.row, 14U);
  EXPECT_EQ(planes.source.channel, 84U);
  EXPECT_EQ(planes.result.column, 2U);
  EXPECT_EQ(planes.result.channel, 4 * 12U);
  EXPECT_EQ(steps(planes.kernel), Steps(48, 4, 2, 12));
  const auto strided = convolution().with({{"LINE_STRIDE", 100}, {"SURF", 10}, {"K_STRIDE", 50}}).as<Convolution>();
  EXPECT_EQ(strided.source.row, 200U);
  EXPECT_EQ(strided.source.column, 20U);
  EXPECT_EQ(strided.kernel.number_step, 100U);
  EXPECT_EQ(strided.result.row, 12 * 8U);
  const auto strided_planes = convolution().with({{"LINE_STRIDE", 10}, {"SURF", 100}, {"FORMAT", 1}}).as<Convolution>();
  EXPECT_EQ(strided_planes.source.row, 20U);
  EXPECT_EQ(strided_planes.source.channel, 200U);
}

TEST(UnityResolveConvolution, NibbleMaps) {
  // Lines of 7 x 3 nibbles begin at bytes.
  const auto c = convolution().with({{"FM_UNIT", kU4}, {"W_UNIT", kS4}, {"D_UNIT", kS4}, {"FM_C", 3}, {"K_NUM", 5}}).as<Convolution>();
  EXPECT_EQ(c.source.column, 3U);
  EXPECT_EQ(c.source.row, 22U);
  EXPECT_EQ(c.result.row, 30U);
  EXPECT_EQ(steps(c.kernel), Steps(18, 6, 3, 1));
  const auto planes = convolution().with({{"FM_UNIT", kU4}, {"W_UNIT", kS4}, {"FORMAT", 1}}).as<Convolution>();
  EXPECT_EQ(planes.source.row, 8U);
  EXPECT_EQ(planes.source.channel, 48U);
}

TEST(UnityResolveConvolution, Depthwise) {
  const auto c = convolution(Opcode::DEP_CONV).as<Convolution>();
  EXPECT_EQ(c.groups, 4U);
  EXPECT_EQ(c.kernel.channels, 1U);
  EXPECT_EQ(c.kernel.number, 8U);
  EXPECT_EQ(steps(c.kernel), Steps(2, 32, 16, 0));
  EXPECT_EQ(steps(convolution(Opcode::DEP_CONV).with({{"FORMAT", 1}}).as<Convolution>().kernel), Steps(12, 4, 2, 0));
  EXPECT_EQ(steps(convolution(Opcode::DEP_CONV).with({{"K_STRIDE", 20}}).as<Convolution>().kernel), Steps(2, 40, 16, 0));
  expect_error(convolution(Opcode::DEP_CONV).with({{"K_NUM", 6}}), ErrorCode::shape_mismatch, "K_NUM", 6, 4);
}

TEST(UnityResolveConvolution, OtherForms) {
  const auto dilated = convolution(Opcode::DILATE_CONV).with({{"DILATE", 2}}).as<Convolution>();
  EXPECT_EQ(dilated.rate_vertical, 2U);
  EXPECT_EQ(dilated.rate_horizontal, 2U);
  EXPECT_EQ(dilated.result.height, 6 - 4U);
  EXPECT_EQ(dilated.result.width, 7 - 2U);
  expect_refused(convolution(Opcode::DILATE_CONV).with({{"DILATE", 0}}), "DILATE", 0, 1);
  expect_error(convolution(Opcode::DILATE_CONV).with({{"DILATE", 3}}), ErrorCode::shape_mismatch, "K_H", 7, 6);
  const auto enlarged = convolution(Opcode::TRANSPOSE_CONV).with({{"ENLARGE_V", 2}, {"ENLARGE_H", 31}}).as<Convolution>();
  EXPECT_EQ(enlarged.enlarge_vertical, 2U);
  EXPECT_EQ(enlarged.enlarge_horizontal, 31U);
  EXPECT_EQ(enlarged.result.height, 11 - 2U);
  EXPECT_EQ(enlarged.result.width, 6 * 31U);
  expect_refused(convolution(Opcode::TRANSPOSE_CONV).with({{"ENLARGE_V", 0}}), "ENLARGE_V", 0, 1);
  expect_refused(convolution(Opcode::TRANSPOSE_CONV).with({{"ENLARGE_H", 0}}), "ENLARGE_H", 0, 1);
  const auto line = convolution(Opcode::CONV1D).with({{"L_PAD", 1}}).as<Convolution>();
  EXPECT_EQ(line.result.height, 1U);
  EXPECT_EQ(line.result.width, 7U);
  expect_refused(convolution(Opcode::CONV1D).with({{"FM_H", 2}}), "FM_H", 2, 1);
  expect_refused(convolution(Opcode::CONV1D).with({{"K_H", 2}}), "K_H", 2, 1);
  expect_refused(convolution(Opcode::CONV1D).with({{"T_PAD", 1}}), "T_PAD", 1, 0);
  expect_refused(convolution(Opcode::CONV1D).with({{"B_PAD", 1}}), "B_PAD", 1, 0);
}

TEST(UnityResolveConvolution, General) {
  const TestInstruction udef = convolution(Opcode::UDEF_CONV);
  const auto c = udef.with({{"GROUPS", 2},
                            {"W_ZERO", 0xF0},
                            {"DIL_V", 1},
                            {"DIL_H", 3},
                            {"T", 255},
                            {"B", 1},
                            {"L", 2},
                            {"R", 3},
                            {"KX_H", 200},
                            {"D", 0x8000}})
                     .as<Convolution>();
  EXPECT_EQ(c.groups, 2U);
  EXPECT_EQ(c.kernel.channels, 2U);
  EXPECT_EQ(c.kernel_zero, -16);
  EXPECT_EQ(c.rate_horizontal, 3U);
  EXPECT_EQ(c.top, 255U);
  EXPECT_EQ(c.right, 3U);
  EXPECT_EQ(c.kernel.height, 200U);
  EXPECT_EQ(c.result.height, 6 + 256 - 199U);
  EXPECT_EQ(c.result.width, 7 + 5 - 3U);
  EXPECT_EQ(udef.with({{"W_ZERO", 0xF0}, {"W_UNIT", kU8}}).as<Convolution>().kernel_zero, 240);
  for (const char *field : {"K_H", "K_W", "T_PAD", "B_PAD", "L_PAD", "R_PAD"}) expect_refused(udef.with({{field, 1}}), field, 1, 0);
  for (const char *field : {"KX_H", "KX_W", "GROUPS", "DIL_H", "DIL_V"}) expect_refused(udef.with({{field, 0}}), field, 0, 1);
  expect_error(udef.with({{"GROUPS", 3}}), ErrorCode::shape_mismatch, "FM_C", 4, 3);
  expect_error(udef.with({{"GROUPS", 4}, {"K_NUM", 6}}), ErrorCode::shape_mismatch, "K_NUM", 6, 4);
  const TestInstruction floats = udef.with({{"FM_UNIT", kFp32}, {"W_UNIT", kFp32}, {"D_UNIT", kFp32}});
  EXPECT_TRUE(floats.resolve());
  expect_refused(floats.with({{"W_ZERO", 1}}), "W_ZERO", 1, 0);
}

TEST(UnityResolveConvolution, SizesAndUnits) {
  for (const char *field : {"FM_H", "FM_W", "FM_C", "K_H", "K_W", "K_NUM", "V_STRIDE", "H_STRIDE"}) {
    expect_refused(convolution().with({{field, 0}}), field, 0, 1);
    expect_refused(convolution(Opcode::MATRIX_MUL).with({{field, 0}}), field, 0, 1);
  }
  expect_refused(convolution().with({{"FORMAT", 2}}), "FORMAT", 2, 1);
  expect_refused(convolution().with({{"PAD_MODE", 2}}), "PAD_MODE", 2, 1);
  expect_error(convolution().with({{"K_H", 7}}), ErrorCode::shape_mismatch, "K_H", 7, 6);
  expect_error(convolution().with({{"K_W", 15}, {"R_PAD", 7}}), ErrorCode::shape_mismatch, "K_W", 15, 14);
  expect_refused(convolution().with({{"W_UNIT", kFp16}}), "W_UNIT", kFp16, 12);
  EXPECT_TRUE(convolution().with({{"FM_UNIT", kU4}, {"W_UNIT", kS64}}).resolve());
  EXPECT_TRUE(convolution().with({{"D_UNIT", kFp16}}).resolve());
  expect_error(convolution().with({{"FM_UNIT", kS16}, {"LINE_STRIDE", 57}}), ErrorCode::misaligned_address, "LINE_STRIDE", 57, 2);
  expect_error(convolution().with({{"FM_UNIT", kS16}, {"SURF", 9}}), ErrorCode::misaligned_address, "SURF", 9, 2);
  expect_error(convolution().with({{"W_UNIT", kS16}, {"K_STRIDE", 57}}), ErrorCode::misaligned_address, "K_STRIDE", 57, 2);
  expect_error(convolution().with({{"K_STRIDE", 23}}), ErrorCode::shape_mismatch, "K_STRIDE", 23, 24);
  expect_error(convolution().with({{"D", 0x10A7}}), ErrorCode::tensor_overlap, "D", 0x10A7, 0);
  EXPECT_TRUE(convolution().with({{"D", 0x10A8}}).resolve());
  expect_error(convolution().with({{"D", 0x20BF}}), ErrorCode::tensor_overlap, "D", 0x20BF, 0);
  expect_error(convolution().with({{"FM", -8}}), ErrorCode::address_outside_window, "FM", 0xFFFFFFF8, 0);
  // A result in the gaps of a map's lines does not overlap it.
  const TestInstruction gaps = convolution().with({{"LINE_STRIDE", 0x400}, {"D", 0x1100}, {"K_H", 6}});
  EXPECT_TRUE(gaps.resolve());
  expect_error(gaps.with({{"D", 0x13E0}}), ErrorCode::tensor_overlap, "D", 0x13E0, 0);
}

TEST(UnityResolveConvolution, Parameters) {
  const TestInstruction full = convolution().with({{"BIAS_UNIT", kS32},
                                                   {"BIAS_MODE", 1},
                                                   {"BIAS", 0x4000},
                                                   {"MUL_UNIT", kS32},
                                                   {"MUL_MODE", 1},
                                                   {"MUL", 0x4100},
                                                   {"SHIFT_MODE", 1},
                                                   {"SHIFT", 0x4201},
                                                   {"SCALE_UNIT", kS8},
                                                   {"SCALE", 0xFE},
                                                   {"CLIP_MAX", 127},
                                                   {"CLIP_MIN", -128}});
  const auto c = full.as<Convolution>();
  EXPECT_FALSE(c.bias.immediate);
  EXPECT_EQ(c.bias.address, 0x4000U);
  EXPECT_EQ(c.bias.channel, 8U);
  EXPECT_EQ(c.bias.row, 0U);
  EXPECT_TRUE(c.has_multiplier);
  EXPECT_EQ(c.multiplier.address, 0x4100U);
  EXPECT_EQ(c.shift.address, 0x4201U);
  EXPECT_EQ(c.shift.channel, 2U);
  EXPECT_TRUE(c.scale.immediate);
  EXPECT_EQ(c.scale.value, 0xFEU);
  EXPECT_EQ(c.scale.unit, Unit::s8);
  EXPECT_EQ(c.clip.minimum, -128);
  const auto elements = full.with({{"BIAS_MODE", 2}}).as<Convolution>();
  EXPECT_EQ(elements.bias.row, 6 * 8 * 8U);
  EXPECT_EQ(elements.bias.column, 8 * 8U);
  EXPECT_EQ(elements.bias.channel, 8U);
  const auto planes = full.with({{"BIAS_MODE", 2}, {"FORMAT", 1}}).as<Convolution>();
  EXPECT_EQ(planes.bias.column, 8U);
  EXPECT_EQ(planes.bias.channel, 4 * 6 * 8U);
  EXPECT_FALSE(convolution().as<Convolution>().has_multiplier);
  EXPECT_EQ(convolution().with({{"PAD", 0x80}}).as<Convolution>().padding.value, 0x80U);
  EXPECT_EQ(convolution().with({{"PAD_MODE", 1}, {"PAD", 0x5000}}).as<Convolution>().padding.channel, 2U);

  for (const char *mode : {"BIAS_MODE", "MUL_MODE", "SHIFT_MODE", "SCALE_MODE"}) expect_refused(full.with({{mode, 3}}), mode, 3, 2);
  expect_refused(full.with({{"SCALE", 0x100}}), "SCALE", 0x100, 0xFF);
  expect_refused(convolution().with({{"PAD", 0x100}}), "PAD", 0x100, 0xFF);
  expect_error(full.with({{"BIAS", 0x4002}}), ErrorCode::misaligned_address, "BIAS", 0x4002, 4);
  expect_error(full.with({{"MUL", 0x4101}}), ErrorCode::misaligned_address, "MUL", 0x4101, 4);
  expect_refused(full.with({{"BIAS_UNIT", kFp32}}), "BIAS_UNIT", kFp32, 12);
  expect_refused(full.with({{"SCALE_UNIT", kFp32}}), "SCALE_UNIT", kFp32, 12);
  expect_refused(full.with({{"MUL_UNIT", kU32}}), "MUL_UNIT", kU32, 12);
  EXPECT_TRUE(convolution().with({{"BIAS_UNIT", kFp32}, {"SCALE_UNIT", kFp16}, {"MUL_UNIT", kU8}}).resolve());  // nothing in any unit
  // Shifts: -31 to 30 with a Q31 multiplier, else 0.
  const TestInstruction shifted = full.with({{"SHIFT_MODE", 0}});
  EXPECT_TRUE(shifted.with({{"SHIFT", 0xE1}}).resolve());
  EXPECT_TRUE(shifted.with({{"SHIFT", 30}}).resolve());
  expect_refused(shifted.with({{"SHIFT", 0xE0}}), "SHIFT", -32, -31);
  expect_refused(shifted.with({{"SHIFT", 31}}), "SHIFT", 31, 30);
  expect_refused(shifted.with({{"SHIFT", 0x100}}), "SHIFT", 0x100, 0xFF);
  expect_refused(convolution().with({{"SHIFT", 1}}), "SHIFT", 1, 0);
  expect_refused(convolution().with({{"SHIFT_MODE", 1}}), "SHIFT_MODE", 1, 0);
  const TestInstruction real = full.with({{"MUL_UNIT", kFp32}, {"SHIFT_MODE", 0}, {"SHIFT", 0}});
  EXPECT_TRUE(real.resolve());
  expect_refused(real.with({{"SHIFT", 1}}), "SHIFT", 1, 0);
  expect_error(full.with({{"CLIP_MAX", -128}, {"CLIP_MIN", 127}}), ErrorCode::shape_mismatch, "CLIP_MIN", 127, 0xFF80);
  expect_error(full.with({{"D", 0x4000}}), ErrorCode::tensor_overlap, "D", 0x4000, 0);
  expect_error(full.with({{"D", 0x4100}}), ErrorCode::tensor_overlap, "D", 0x4100, 0);
  expect_error(full.with({{"D", 0x4200}}), ErrorCode::tensor_overlap, "D", 0x4200, 0);
}

TEST(UnityResolveConvolution, ParametersOfNarrowAndWideTables) {
  // 16-bit addresses: parameters have 32 bits, and addresses are offsets in the page.
  const TestInstruction narrow =
      convolution(Opcode::CONV2D, AddressSpace::bits16)
          .with({{"BIAS_UNIT", kS32}, {"BIAS_MODE", 1}, {"BIAS", 0x4000}, {"SCALE", 0x12345678}, {"SCALE_UNIT", kS32}});
  const auto c = narrow.as<Convolution>();
  EXPECT_EQ(c.bias.address, TestInstruction::kPage + 0x4000);
  EXPECT_EQ(c.source.address, TestInstruction::kPage + 0x1000);
  EXPECT_EQ(c.scale.value, 0x12345678U);
  expect_refused(narrow.with({{"BIAS", 0x14000}}), "BIAS", 0x14000, 0xFFFF);
  expect_error(narrow.with({{"BIAS", 0xFFF0}}), ErrorCode::address_outside_window, "BIAS", 0x4FFF0, 0);
  // 64-bit addresses: parameters have 64 bits, zero-extended.
  const TestInstruction wide = convolution(Opcode::CONV2D, AddressSpace::bits64)
                                   .with({{"BIAS_UNIT", kS64}, {"BIAS", -5}, {"SCALE", 0xFFFFFFFF}, {"SCALE_UNIT", kS32}});
  EXPECT_EQ(wide.as<Convolution>().bias.value, static_cast<std::uint64_t>(-5));
  EXPECT_EQ(wide.as<Convolution>().scale.value, 0xFFFFFFFFU);
  expect_refused(wide.with({{"SCALE", -1}}), "SCALE", -1, 0xFFFFFFFF);
}

TEST(UnityResolveConvolution, Floats) {
  const TestInstruction floats = convolution().with({{"FM_UNIT", kFp16},
                                                     {"W_UNIT", kFp32},
                                                     {"D_UNIT", kFp16},
                                                     {"BIAS_UNIT", kFp32},
                                                     {"BIAS", 0x3F800000},
                                                     {"MUL_UNIT", kFp32},
                                                     {"MUL", 0x3F800000}});
  EXPECT_TRUE(floats.as<Convolution>().has_multiplier);
  expect_refused(floats.with({{"MUL_UNIT", kS32}}), "MUL_UNIT", kS32, 12);
  expect_refused(floats.with({{"BIAS_UNIT", kS32}}), "BIAS_UNIT", kS32, 12);
  expect_refused(floats.with({{"W_UNIT", kS8}}), "W_UNIT", kS8, 12);
}

TEST(UnityResolveConvolution, MatrixProduct) {
  const auto c = convolution(Opcode::MATRIX_MUL).with({{"PAD_MODE", 1}, {"PAD", 0x5000}, {"T_PAD", 1}}).as<Convolution>();
  EXPECT_TRUE(c.plain);
  EXPECT_EQ(c.kernel.number, 8U);
  EXPECT_EQ(c.result.unit, Unit::s32);
  EXPECT_EQ(c.result.height, 5U);
  EXPECT_EQ(c.padding.address, 0x5000U);
  EXPECT_FALSE(c.clip.on);
  EXPECT_TRUE(convolution(Opcode::MATRIX_MUL).with({{"D_UNIT", kU32}}).resolve());
  for (const std::int64_t unit : {kS8, kS16, kS64, kFp32})
    expect_refused(convolution(Opcode::MATRIX_MUL).with({{"D_UNIT", unit}}), "D_UNIT", unit, 12);
  const TestInstruction floats = convolution(Opcode::MATRIX_MUL).with({{"FM_UNIT", kFp16}, {"W_UNIT", kFp16}});
  EXPECT_TRUE(floats.with({{"D_UNIT", kFp32}}).resolve());
  expect_refused(floats, "D_UNIT", kS32, 12);
  expect_refused(convolution(Opcode::MATRIX_MUL).with({{"W_UNIT", kFp16}}), "W_UNIT", kFp16, 12);
}

TestInstruction pool(Opcode op = Opcode::MAX_POOL) {
  TestInstruction instruction(
      op, {{"FM", 0x1000}, {"D", 0x3000}, {"FM_UNIT", kS8}, {"H_STRIDE", 2}, {"V_STRIDE", 2}, {"FM_H", 6}, {"FM_W", 7}, {"FM_C", 4}});
  instruction.set({{"K_H", 3}, {"K_W", 2}});
  if (op == Opcode::UDEF_POOL) instruction.set({{"K_H", 0}, {"K_W", 0}, {"KX_H", 3}, {"KX_W", 2}});
  if (op == Opcode::POOL1D) instruction.set({{"FM_H", 1}, {"K_H", 1}});
  return instruction;
}

TEST(UnityResolveConvolution, Pools) {
  using Kind = Pool::Kind;
  const std::pair<Opcode, Kind> kinds[] = {{Opcode::MAX_POOL, Kind::max},
                                           {Opcode::MIN_POOL, Kind::min},
                                           {Opcode::AVRG_POOL, Kind::average},
                                           {Opcode::MEDIAN_POOL, Kind::median}};
  for (const auto &[op, kind] : kinds) EXPECT_EQ(pool(op).as<Pool>().kind, kind);
  const auto p = pool().with({{"T_PAD", 1}, {"R_PAD", 3}, {"PAD", 0x80}}).as<Pool>();
  EXPECT_EQ(p.result.height, (6 + 1 - 3) / 2 + 1U);
  EXPECT_EQ(p.result.width, (7 + 3 - 2) / 2 + 1U);
  EXPECT_EQ(p.result.channels, 4U);
  EXPECT_EQ(p.result.address, 0x3000U);
  EXPECT_EQ(p.result.row, 5 * 8U);
  EXPECT_EQ(p.padding.value, 0x80U);
  const auto strided = pool().with({{"LINE_STRIDE", 100}, {"SURF", 10}}).as<Pool>();
  EXPECT_EQ(strided.source.row, 200U);
  EXPECT_EQ(strided.result.row, 3 * 8U);
  const auto whole = pool().with({{"K_H", 0}, {"K_W", 0}, {"FORMAT", 1}}).as<Pool>();
  EXPECT_EQ(whole.kernel_height, 6U);
  EXPECT_EQ(whole.kernel_width, 7U);
  EXPECT_EQ(whole.result.height, 1U);
  EXPECT_EQ(whole.result.channel, 2U);
  for (const char *field : {"FM_H", "FM_W", "FM_C", "V_STRIDE", "H_STRIDE"}) expect_refused(pool().with({{field, 0}}), field, 0, 1);
  expect_refused(pool().with({{"FORMAT", 3}}), "FORMAT", 3, 1);
  expect_refused(pool().with({{"PAD_MODE", 3}}), "PAD_MODE", 3, 1);
  expect_error(pool().with({{"K_H", 7}}), ErrorCode::shape_mismatch, "K_H", 7, 6);
  expect_error(pool().with({{"K_W", 8}}), ErrorCode::shape_mismatch, "K_W", 8, 7);
  expect_error(pool().with({{"D", 0x1000}}), ErrorCode::tensor_overlap, "D", 0x1000, 0);
  expect_error(pool().with({{"FM_UNIT", kS32}, {"PAD_MODE", 1}, {"PAD", 0x102}}), ErrorCode::misaligned_address, "PAD", 0x102, 4);
  for (unsigned kind = 0; kind < 4; ++kind)
    EXPECT_EQ(pool(Opcode::UDEF_POOL).with({{"KIND", kind}}).as<Pool>().kind, static_cast<Kind>(kind));
  const auto general = pool(Opcode::UDEF_POOL).with({{"T", 255}, {"KX_H", 100}, {"KX_W", 0}}).as<Pool>();
  EXPECT_EQ(general.kernel_height, 100U);
  EXPECT_EQ(general.kernel_width, 7U);
  EXPECT_EQ(general.top, 255U);
  for (const char *field : {"K_H", "K_W", "T_PAD", "B_PAD", "L_PAD", "R_PAD"})
    expect_refused(pool(Opcode::UDEF_POOL).with({{field, 1}}), field, 1, 0);
  EXPECT_EQ(pool(Opcode::POOL1D).with({{"KIND", 2}}).as<Pool>().kind, Kind::average);
  expect_refused(pool(Opcode::POOL1D).with({{"FM_H", 2}, {"K_H", 0}}), "FM_H", 2, 1);
  expect_refused(pool(Opcode::POOL1D).with({{"T_PAD", 2}}), "T_PAD", 2, 0);
}

}  // namespace resolve_convolution_test
}  // namespace
}  // namespace cox::isa::unity
