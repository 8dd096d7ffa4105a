// SPDX-License-Identifier: MIT
// resolve() of convolutions and pools of volumes, and of pools of sections.
#include <gtest/gtest.h>

#include <tuple>

#include "tests/isa/unity/program.h"

namespace cox::isa::unity {
namespace {
namespace resolve_volume_test {

constexpr std::int64_t kU4 = 0, kS4 = 5, kS8 = 6, kS16 = 7, kS32 = 8, kFp16 = 10, kFp32 = 11;

/// A volume of 5 x 6 x 7 x 4 and 8 kernels of 2 x 3 x 2, all s8.
TestInstruction convolution(Opcode op = Opcode::CONV3D, AddressSpace space = AddressSpace::bits32) {
  TestInstruction instruction(op, {{"FM", 0x1000}, {"K", 0x2000}, {"D", 0x3000}, {"FM_UNIT", kS8}, {"W_UNIT", kS8}, {"D_UNIT", kS8}},
                              space);
  instruction.set({{"H_STRIDE", 1}, {"V_STRIDE", 1}, {"FM_H", 6}, {"FM_W", 7}, {"FM_C", 4}, {"K_H", 3}, {"K_W", 2}, {"K_NUM", 8}});
  instruction.set({{"FM_D", 5}, {"K_D", 2}, {"D_STRIDE", 1}});
  if (op == Opcode::TRANS_CONV3D) instruction.set({{"ENLARGE_H", 1}, {"ENLARGE_V", 1}, {"ENLARGE_D", 1}});
  return instruction;
}

using Steps = std::tuple<std::uint64_t, std::uint64_t, std::uint64_t, std::uint64_t, std::uint64_t>;
Steps kernel_steps(const VolumeConvolution &v) {
  const Convolution::Kernel &k = v.planes.kernel;
  return {k.number_step, v.depth.kernel_step, k.row, k.column, k.channel};
}
using MapSteps = std::tuple<std::uint64_t, std::uint64_t, std::uint64_t, std::uint64_t>;
MapSteps source_steps(const FeatureMap &map, const Depth &depth) { return {depth.source_step, map.row, map.column, map.channel}; }

TEST(UnityResolveVolume, Convolution) {
  const auto v = convolution().as<VolumeConvolution>();
  const Convolution &c = v.planes;
  EXPECT_EQ(c.op, Opcode::CONV3D);
  EXPECT_EQ(c.source.address, 0x1000U);
  EXPECT_EQ(c.source.height, 6U);
  EXPECT_EQ(c.source.width, 7U);
  EXPECT_EQ(c.source.channels, 4U);
  EXPECT_EQ(source_steps(c.source, v.depth), MapSteps(6 * 56, 56, 8, 2));
  EXPECT_EQ(kernel_steps(v), Steps(96, 48, 16, 8, 2));
  EXPECT_EQ(c.kernel.address, 0x2000U);
  EXPECT_EQ(c.kernel.number, 8U);
  EXPECT_EQ(c.kernel.channels, 4U);
  EXPECT_EQ(c.groups, 1U);
  EXPECT_EQ(c.rate_vertical, 1U);
  EXPECT_EQ(v.depth.source, 5U);
  EXPECT_EQ(v.depth.kernel, 2U);
  EXPECT_EQ(v.depth.result, 4U);
  EXPECT_EQ(v.depth.stride, 1U);
  EXPECT_EQ(v.depth.enlarge, 1U);
  EXPECT_EQ(c.result.address, 0x3000U);
  EXPECT_EQ(v.depth.lines(c.result), 4U);
  EXPECT_EQ(c.result.height, 4 * 4U);
  EXPECT_EQ(c.result.width, 6U);
  EXPECT_EQ(c.result.channels, 8U);
  EXPECT_EQ(c.result.row, 6 * 16U);
  const auto padded =
      convolution().with({{"FRONT_PAD", 3}, {"BACK_PAD", 4}, {"D_STRIDE", 3}, {"T_PAD", 1}, {"V_STRIDE", 2}}).as<VolumeConvolution>();
  EXPECT_EQ(padded.depth.front, 3U);
  EXPECT_EQ(padded.depth.back, 4U);
  EXPECT_EQ(padded.depth.stride, 3U);
  EXPECT_EQ(padded.depth.result, (5 + 7 - 2) / 3 + 1U);
  EXPECT_EQ(padded.planes.top, 1U);
  EXPECT_EQ(padded.depth.lines(padded.planes.result), 3U);
}

TEST(UnityResolveVolume, Distances) {
  const TestInstruction strided =
      convolution().with({{"SURF", 10}, {"LINE_STRIDE", 100}, {"FM_D_STRIDE", 0x400}, {"K_STRIDE", 50}, {"D", 0x8000}});
  const auto v = strided.as<VolumeConvolution>();
  EXPECT_EQ(source_steps(v.planes.source, v.depth), MapSteps(0x800, 200, 20, 2));
  EXPECT_EQ(kernel_steps(v), Steps(100, 48, 16, 8, 2));
  const auto dense_planes = strided.with({{"FM_D_STRIDE", 0}}).as<VolumeConvolution>();
  EXPECT_EQ(dense_planes.depth.source_step, 6 * 200U);
  expect_error(convolution().with({{"K_STRIDE", 47}}), ErrorCode::shape_mismatch, "K_STRIDE", 47, 48);
  EXPECT_TRUE(convolution().with({{"K_STRIDE", 48}}).resolve());
  expect_error(convolution().with({{"FM_UNIT", kS16}, {"FM_D_STRIDE", 1001}}), ErrorCode::misaligned_address, "FM_D_STRIDE", 1001, 2);
  expect_error(convolution().with({{"FM_UNIT", kS16}, {"LINE_STRIDE", 113}}), ErrorCode::misaligned_address, "LINE_STRIDE", 113, 2);
  // Lines of 4-bit elements begin at bytes, kernels are dense.
  const auto nibbles =
      convolution().with({{"FM_UNIT", kU4}, {"W_UNIT", kS4}, {"D_UNIT", kS4}, {"FM_C", 3}, {"K_NUM", 5}}).as<VolumeConvolution>();
  EXPECT_EQ(source_steps(nibbles.planes.source, nibbles.depth), MapSteps(6 * 22, 22, 3, 1));
  EXPECT_EQ(kernel_steps(nibbles), Steps(36, 18, 6, 3, 1));
  EXPECT_EQ(nibbles.planes.result.row, 30U);
}

TEST(UnityResolveVolume, Enlarged) {
  const TestInstruction transposed = convolution(Opcode::TRANS_CONV3D);
  const auto v = transposed.with({{"ENLARGE_D", 15}, {"ENLARGE_V", 2}, {"ENLARGE_H", 3}, {"D", 0x8000}}).as<VolumeConvolution>();
  EXPECT_EQ(v.planes.op, Opcode::TRANS_CONV3D);
  EXPECT_EQ(v.depth.enlarge, 15U);
  EXPECT_EQ(v.planes.enlarge_vertical, 2U);
  EXPECT_EQ(v.planes.enlarge_horizontal, 3U);
  EXPECT_EQ(v.depth.result, 4 * 15 + 1 - 1U);
  EXPECT_EQ(v.depth.lines(v.planes.result), 11 - 2U);
  EXPECT_EQ(v.planes.result.width, 19 - 1U);
  for (const char *field : {"ENLARGE_D", "ENLARGE_V", "ENLARGE_H"}) expect_refused(transposed.with({{field, 0}}), field, 0, 1);
  for (const char *field : {"FM_D", "K_D", "D_STRIDE"}) expect_refused(transposed.with({{field, 0}}), field, 0, 1);
}

TEST(UnityResolveVolume, SizesAndUnits) {
  for (const char *field : {"FM_D", "FM_H", "FM_W", "FM_C", "K_D", "K_H", "K_W", "K_NUM", "D_STRIDE", "V_STRIDE", "H_STRIDE"})
    expect_refused(convolution().with({{field, 0}}), field, 0, 1);
  expect_refused(convolution().with({{"FORMAT", 1}}), "FORMAT", 1, 0);  // volumes are NDHWC
  expect_refused(convolution(Opcode::TRANS_CONV3D).with({{"FORMAT", 1}}), "FORMAT", 1, 0);
  expect_refused(convolution().with({{"PAD_MODE", 2}}), "PAD_MODE", 2, 1);
  expect_error(convolution().with({{"K_D", 6}}), ErrorCode::shape_mismatch, "K_D", 6, 5);
  EXPECT_TRUE(convolution().with({{"K_D", 6}, {"BACK_PAD", 1}}).resolve());
  EXPECT_TRUE(convolution().with({{"K_D", 6}, {"FRONT_PAD", 1}}).resolve());
  expect_error(convolution().with({{"K_H", 7}}), ErrorCode::shape_mismatch, "K_H", 7, 6);
  expect_error(convolution().with({{"K_W", 8}}), ErrorCode::shape_mismatch, "K_W", 8, 7);
  expect_refused(convolution().with({{"W_UNIT", kFp16}}), "W_UNIT", kFp16, 12);
  expect_refused(convolution().with({{"BIAS_UNIT", kFp32}, {"BIAS", 1}}), "BIAS_UNIT", kFp32, 12);
  EXPECT_TRUE(convolution().with({{"FM_UNIT", kFp16}, {"W_UNIT", kFp32}, {"D_UNIT", kFp16}}).resolve());
  // The volume has 840 bytes, a kernel 48.
  expect_error(convolution().with({{"D", 0x1347}}), ErrorCode::tensor_overlap, "D", 0x1347, 0);
  EXPECT_TRUE(convolution().with({{"D", 0x1348}}).resolve());
  expect_error(convolution().with({{"D", 0x217F}}), ErrorCode::tensor_overlap, "D", 0x217F, 0);
  EXPECT_TRUE(convolution().with({{"D", 0x2180}}).resolve());
  // A result between the planes does not overlap them: it has 768 bytes, a plane 168.
  const TestInstruction gaps = convolution().with({{"FM_D_STRIDE", 0x400}, {"D", 0x10A8}});
  EXPECT_TRUE(gaps.resolve());
  expect_error(gaps.with({{"D", 0x10A7}}), ErrorCode::tensor_overlap, "D", 0x10A7, 0);
  EXPECT_TRUE(gaps.with({{"D", 0x1100}}).resolve());
  expect_error(gaps.with({{"D", 0x1101}}), ErrorCode::tensor_overlap, "D", 0x1101, 0);
  // The last plane, and nothing else, leaves the address space.
  const TestInstruction narrow = convolution(Opcode::CONV3D, AddressSpace::bits16).with({{"FM", 0x4000}, {"FM_D_STRIDE", 0x2FD6}});
  EXPECT_TRUE(narrow.resolve());
  expect_error(narrow.with({{"FM_D_STRIDE", 0x2FD7}}), ErrorCode::address_outside_window, "FM", TestInstruction::kPage + 0x4000, 0);
}

TEST(UnityResolveVolume, Parameters) {
  const TestInstruction full = convolution().with({{"BIAS_UNIT", kS32},
                                                   {"BIAS_MODE", 2},
                                                   {"BIAS", 0x4000},
                                                   {"MUL_UNIT", kS32},
                                                   {"MUL_MODE", 1},
                                                   {"MUL", 0x5000},
                                                   {"SHIFT_MODE", 2},
                                                   {"SHIFT", 0x6001},
                                                   {"SCALE_UNIT", kS8},
                                                   {"SCALE", 0xFE},
                                                   {"CLIP_MAX", 127},
                                                   {"CLIP_MIN", -128}});
  const Convolution c = full.as<VolumeConvolution>().planes;
  EXPECT_EQ(c.bias.address, 0x4000U);
  EXPECT_EQ(c.bias.row, 6 * 8 * 8U);
  EXPECT_EQ(c.bias.column, 8 * 8U);
  EXPECT_TRUE(c.has_multiplier);
  EXPECT_EQ(c.multiplier.row, 0U);
  EXPECT_EQ(c.shift.row, 6 * 8 * 2U);
  EXPECT_EQ(c.scale.value, 0xFEU);
  EXPECT_TRUE(c.clip.on);
  EXPECT_EQ(c.clip.minimum, -128);
  // One value for each of 4 x 4 x 6 x 8 elements.
  expect_error(full.with({{"D", 0x4BFF}}), ErrorCode::tensor_overlap, "D", 0x4BFF, 0);
  EXPECT_TRUE(full.with({{"D", 0x4C00}}).resolve());
  expect_error(full.with({{"D", 0x6300}}), ErrorCode::tensor_overlap, "D", 0x6300, 0);
  EXPECT_TRUE(full.with({{"D", 0x6301}}).resolve());
  EXPECT_EQ(convolution().with({{"PAD", 0x80}}).as<VolumeConvolution>().planes.padding.value, 0x80U);
  expect_refused(full.with({{"SCALE", 0x100}}), "SCALE", 0x100, 0xFF);
  expect_refused(full.with({{"BIAS_MODE", 3}}), "BIAS_MODE", 3, 2);
}

TEST(UnityResolveVolume, ResultsWithTooManyLines) {
  TestInstruction large =
      convolution(Opcode::TRANS_CONV3D, AddressSpace::bits64).with({{"FM_C", 1}, {"FM_W", 1}, {"K_W", 1}, {"K_NUM", 1}});
  large.set({{"FM_D", 4095}, {"ENLARGE_D", 15}, {"K_D", 1}, {"K_H", 1}, {"ENLARGE_V", 31}, {"FM_H", 2257}, {"D", 1LL << 40}});
  const auto v = large.as<VolumeConvolution>();
  EXPECT_EQ(v.depth.result, 61411U);
  EXPECT_EQ(v.depth.lines(v.planes.result), 2256 * 31 + 1U);
  EXPECT_EQ(v.planes.result.height, 61411U * 69937U);
  expect_error(large.with({{"FM_H", 2258}}), ErrorCode::address_outside_window, "D", 1LL << 40, 0);  // 2^32 lines
  // Lines of 126,915 columns: 529 channels make 2^58 elements.
  const TestInstruction wide = large.with({{"FM_W", 4095}, {"ENLARGE_H", 31}, {"K_NUM", 528}});
  EXPECT_TRUE(wide.resolve());
  expect_error(wide.with({{"K_NUM", 529}}), ErrorCode::address_outside_window, "D", 1LL << 40, 0);
}

TestInstruction pool() {
  TestInstruction instruction(
      Opcode::POOL3D,
      {{"FM", 0x1000}, {"D", 0x3000}, {"FM_UNIT", kS8}, {"H_STRIDE", 2}, {"V_STRIDE", 2}, {"FM_H", 6}, {"FM_W", 7}, {"FM_C", 4}});
  instruction.set({{"K_H", 3}, {"K_W", 2}, {"FM_D", 5}, {"K_D", 2}, {"D_STRIDE", 2}});
  return instruction;
}

TEST(UnityResolveVolume, Pool) {
  const auto v = pool().with({{"FRONT_PAD", 1}, {"BACK_PAD", 2}, {"R_PAD", 3}, {"PAD", 0x80}}).as<VolumePool>();
  EXPECT_EQ(v.planes.op, Opcode::POOL3D);
  EXPECT_EQ(v.planes.kind, Pool::Kind::max);
  EXPECT_EQ(v.planes.kernel_height, 3U);
  EXPECT_EQ(v.planes.kernel_width, 2U);
  EXPECT_EQ(v.planes.padding.value, 0x80U);
  EXPECT_EQ(v.planes.right, 3U);
  EXPECT_EQ(source_steps(v.planes.source, v.depth), MapSteps(6 * 56, 56, 8, 2));
  EXPECT_EQ(v.depth.source, 5U);
  EXPECT_EQ(v.depth.kernel, 2U);
  EXPECT_EQ(v.depth.front, 1U);
  EXPECT_EQ(v.depth.back, 2U);
  EXPECT_EQ(v.depth.stride, 2U);
  EXPECT_EQ(v.depth.result, (5 + 3 - 2) / 2 + 1U);
  EXPECT_EQ(v.depth.lines(v.planes.result), (6 - 3) / 2 + 1U);
  EXPECT_EQ(v.planes.result.width, (7 + 3 - 2) / 2 + 1U);
  EXPECT_EQ(v.planes.result.channels, 4U);
  EXPECT_EQ(v.planes.result.address, 0x3000U);
  EXPECT_EQ(v.planes.result.row, 5 * 8U);
  const auto strided = pool().with({{"SURF", 10}, {"LINE_STRIDE", 100}, {"FM_D_STRIDE", 1000}}).as<VolumePool>();
  EXPECT_EQ(source_steps(strided.planes.source, strided.depth), MapSteps(2000, 200, 20, 2));
  EXPECT_EQ(strided.planes.result.row, 3 * 8U);
  const auto whole = pool().with({{"K_D", 0}, {"K_H", 0}, {"K_W", 0}}).as<VolumePool>();
  EXPECT_EQ(whole.depth.kernel, 5U);
  EXPECT_EQ(whole.planes.kernel_height, 6U);
  EXPECT_EQ(whole.planes.kernel_width, 7U);
  EXPECT_EQ(whole.planes.result.height, 1U);
  for (unsigned kind = 0; kind < 4; ++kind)
    EXPECT_EQ(pool().with({{"KIND", kind}}).as<VolumePool>().planes.kind, static_cast<Pool::Kind>(kind));
  for (const char *field : {"FM_D", "FM_H", "FM_W", "FM_C", "D_STRIDE", "V_STRIDE", "H_STRIDE"})
    expect_refused(pool().with({{field, 0}}), field, 0, 1);
  expect_refused(pool().with({{"FORMAT", 1}}), "FORMAT", 1, 0);
  expect_refused(pool().with({{"PAD_MODE", 2}}), "PAD_MODE", 2, 1);
  expect_error(pool().with({{"K_D", 6}}), ErrorCode::shape_mismatch, "K_D", 6, 5);
  expect_error(pool().with({{"K_H", 7}}), ErrorCode::shape_mismatch, "K_H", 7, 6);
  expect_error(pool().with({{"K_W", 8}}), ErrorCode::shape_mismatch, "K_W", 8, 7);
  expect_error(pool().with({{"FM_UNIT", kS16}, {"FM_D_STRIDE", 1001}}), ErrorCode::misaligned_address, "FM_D_STRIDE", 1001, 2);
  expect_error(pool().with({{"D", 0x1347}}), ErrorCode::tensor_overlap, "D", 0x1347, 0);
  EXPECT_TRUE(pool().with({{"D", 0x1348}}).resolve());
}

TestInstruction sections(Opcode op) {
  TestInstruction instruction(op, {{"FM", 0x1000}, {"D", 0x3000}, {"FM_UNIT", kS8}, {"FM_H", 6}, {"FM_W", 7}, {"FM_C", 4}});
  instruction.set({{"O_H", 3}, {"O_W", 5}});
  if (op == Opcode::ADAPTIVV_POOL1D) instruction.set({{"FM_H", 1}, {"O_H", 1}});
  if (op == Opcode::ADAPTIVV_POOL3D) instruction.set({{"FM_D", 5}, {"O_D", 2}});
  return instruction;
}

TEST(UnityResolveVolume, Sections) {
  const auto roi = sections(Opcode::ROI_POOL).as<SectionPool>();
  EXPECT_EQ(roi.op, Opcode::ROI_POOL);
  EXPECT_EQ(roi.kind, Pool::Kind::max);
  EXPECT_EQ(roi.source.height, 6U);
  EXPECT_EQ(roi.source.width, 7U);
  EXPECT_EQ(roi.source.row, 56U);
  EXPECT_EQ(roi.result.address, 0x3000U);
  EXPECT_EQ(roi.result.height, 3U);
  EXPECT_EQ(roi.result.width, 5U);
  EXPECT_EQ(roi.result.channels, 4U);
  EXPECT_EQ(roi.result.row, 5 * 8U);
  EXPECT_EQ(roi.depth.source, 1U);
  EXPECT_EQ(roi.depth.result, 1U);
  const auto region = sections(Opcode::ROI_POOL).with({{"LINE_STRIDE", 100}, {"SURF", 1000}, {"FORMAT", 1}}).as<SectionPool>();
  EXPECT_EQ(region.source.row, 200U);
  EXPECT_EQ(region.source.channel, 2000U);
  EXPECT_EQ(region.result.row, 10U);
  EXPECT_EQ(region.result.channel, 30U);
  const auto more = sections(Opcode::ADAPTIVV_POOL2D).with({{"O_H", 4095}, {"O_W", 4095}, {"KIND", 3}, {"D", 0x10000}}).as<SectionPool>();
  EXPECT_EQ(more.kind, Pool::Kind::median);
  EXPECT_EQ(more.result.height, 4095U);
  const auto line = sections(Opcode::ADAPTIVV_POOL1D).with({{"KIND", 2}}).as<SectionPool>();
  EXPECT_EQ(line.kind, Pool::Kind::average);
  EXPECT_EQ(line.result.width, 5U);
  expect_refused(sections(Opcode::ADAPTIVV_POOL1D).with({{"FM_H", 2}}), "FM_H", 2, 1);
  expect_refused(sections(Opcode::ADAPTIVV_POOL1D).with({{"O_H", 2}}), "O_H", 2, 1);
  for (const Opcode op : {Opcode::ROI_POOL, Opcode::ADAPTIVV_POOL1D, Opcode::ADAPTIVV_POOL2D, Opcode::ADAPTIVV_POOL3D}) {
    for (const char *field : {"FM_H", "FM_W", "FM_C", "O_H", "O_W"}) expect_refused(sections(op).with({{field, 0}}), field, 0, 1);
    for (const char *field : {"T_PAD", "B_PAD", "L_PAD", "R_PAD", "H_STRIDE", "V_STRIDE", "PAD_MODE", "PAD", "K_H", "K_W"})
      expect_refused(sections(op).with({{field, 1}}), field, 1, 0);
    expect_error(sections(op).with({{"D", 0x1000}}), ErrorCode::tensor_overlap, "D", 0x1000, 0);
    expect_error(sections(op).with({{"FM_UNIT", kS32}, {"D", 0x3002}}), ErrorCode::misaligned_address, "D", 0x3002, 4);
    expect_error(sections(op).with({{"FM_UNIT", kS16}, {"SURF", 9}}), ErrorCode::misaligned_address, "SURF", 9, 2);
    if (op != Opcode::ADAPTIVV_POOL3D) expect_refused(sections(op).with({{"FORMAT", 2}}), "FORMAT", 2, 1);
  }
}

TEST(UnityResolveVolume, SectionsOfVolumes) {
  const TestInstruction volume = sections(Opcode::ADAPTIVV_POOL3D);
  const auto s = volume.with({{"KIND", 1}, {"FM_D_STRIDE", 1000}}).as<SectionPool>();
  EXPECT_EQ(s.op, Opcode::ADAPTIVV_POOL3D);
  EXPECT_EQ(s.kind, Pool::Kind::min);
  EXPECT_EQ(s.depth.source, 5U);
  EXPECT_EQ(s.depth.source_step, 2000U);
  EXPECT_EQ(s.depth.result, 2U);
  EXPECT_EQ(s.depth.lines(s.result), 3U);
  EXPECT_EQ(s.result.height, 6U);
  EXPECT_EQ(volume.as<SectionPool>().depth.source_step, 6 * 56U);
  EXPECT_EQ(volume.with({{"O_D", 4095}, {"O_H", 4095}}).as<SectionPool>().result.height, 4095U * 4095U);
  expect_refused(volume.with({{"FM_D", 0}}), "FM_D", 0, 1);
  expect_refused(volume.with({{"O_D", 0}}), "O_D", 0, 1);
  expect_refused(volume.with({{"FORMAT", 1}}), "FORMAT", 1, 0);
  expect_error(volume.with({{"FM_UNIT", kS16}, {"FM_D_STRIDE", 1001}}), ErrorCode::misaligned_address, "FM_D_STRIDE", 1001, 2);
  expect_error(volume.with({{"D", 0x1347}}), ErrorCode::tensor_overlap, "D", 0x1347, 0);
  EXPECT_TRUE(volume.with({{"D", 0x1348}}).resolve());
}

}  // namespace resolve_volume_test
}  // namespace
}  // namespace cox::isa::unity
