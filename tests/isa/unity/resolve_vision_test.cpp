// SPDX-License-Identifier: MIT
// resolve() of look-ups, pixel shuffles and grids, and the bytes that they touch.
#include <gtest/gtest.h>

#include <string>

#include "tests/isa/unity/program.h"

namespace cox::isa::unity {
namespace {
namespace resolve_vision_test {

constexpr std::int64_t kU4 = 0, kS16 = 7, kS64 = 9, kFp16 = 10, kFp32 = 11, kFp64 = 12;

void expect_run(const Run &run, std::uint64_t address, std::int64_t unit, std::uint64_t elements) {
  EXPECT_EQ(run.address, address);
  EXPECT_EQ(static_cast<std::int64_t>(run.unit), unit);
  EXPECT_EQ(run.elements, elements);
}

using Shape = std::array<std::uint32_t, 3>;      // height, width, channels
using Distances = std::array<std::uint64_t, 3>;  // of rows, columns, channels in nibbles

void expect_map(const FeatureMap &map, std::uint64_t address, std::int64_t unit, Shape shape, Distances distances) {
  EXPECT_EQ(map.address, address);
  EXPECT_EQ(static_cast<std::int64_t>(map.unit), unit);
  EXPECT_EQ((Shape{map.height, map.width, map.channels}), shape);
  EXPECT_EQ((Distances{map.row, map.column, map.channel}), distances);
}

/// What an instruction touches besides its table.
std::string accesses(const TestInstruction &instruction) {
  std::string listed;
  for (const Access &access : instruction.accesses()) {
    if (std::string_view(access.field) == "table") continue;
    listed += std::string(access.write ? "writes " : "reads ") + access.field + ' ' + std::to_string(access.bytes) + '\n';
  }
  return listed;
}

TEST(UnityResolveVision, Embedding) {
  const TestInstruction embedding(
      Opcode::EMBEDDING, {{"TABLE", 0x1000}, {"INDEX", 0x2000}, {"D", 0x3000}, {"WIDTH", 5}, {"N", 3}, {"ROWS", 7}, {"UNIT", kS16}});
  const auto l = embedding.as<Lookup>();
  EXPECT_EQ(l.op, Opcode::EMBEDDING);
  EXPECT_EQ(l.rows, 7U);
  EXPECT_EQ(l.width, 5U);
  expect_run(l.table, 0x1000, kS16, 35);
  expect_run(l.index, 0x2000, 8, 3);
  expect_run(l.result, 0x3000, kS16, 15);
  EXPECT_EQ(accesses(embedding), "reads TABLE 70\nreads INDEX 12\nwrites D 30\n");
  EXPECT_EQ(accesses(embedding.with({{"UNIT", kU4}})), "reads TABLE 18\nreads INDEX 12\nwrites D 8\n");  // no gaps between rows
  for (const char *field : {"WIDTH", "N", "ROWS"}) {
    expect_refused(embedding.with({{field, 0}}), field, 0, 1);
    EXPECT_TRUE(embedding.with({{field, 1}}).resolve());
  }
  expect_error(embedding.with({{"INDEX", 0x2002}}), ErrorCode::misaligned_address, "INDEX", 0x2002, 4);
  expect_error(embedding.with({{"D", 0x1044}}), ErrorCode::tensor_overlap, "D", 0x1044, 0);
  EXPECT_TRUE(embedding.with({{"D", 0x1046}}).resolve());
  expect_error(embedding.with({{"D", 0x200A}}), ErrorCode::tensor_overlap, "D", 0x200A, 0);
}

TEST(UnityResolveVision, LargestEmbedding) {
  const TestInstruction embedding(Opcode::EMBEDDING,
                                  {{"TABLE", 1LL << 48},
                                   {"INDEX", 2LL << 48},
                                   {"D", 3LL << 48},
                                   {"WIDTH", 4095},
                                   {"N", 0xFFFFFFFF},
                                   {"ROWS", 0xFFFFFFFF},
                                   {"UNIT", kFp64}},
                                  AddressSpace::bits64);
  EXPECT_EQ(embedding.as<Lookup>().table.elements, 4095 * 0xFFFFFFFFULL);
  EXPECT_EQ(embedding.as<Lookup>().result.elements, 4095 * 0xFFFFFFFFULL);
}

TEST(UnityResolveVision, OneHot) {
  const TestInstruction one_hot(Opcode::ONE_HOT, {{"INDEX", 0x2000}, {"D", 0x3000}, {"DEPTH", 5}, {"N", 3}, {"UNIT", kU4}});
  const auto l = one_hot.as<Lookup>();
  EXPECT_EQ(l.op, Opcode::ONE_HOT);
  EXPECT_EQ(l.width, 5U);
  expect_run(l.table, 0, 1, 0);
  expect_run(l.index, 0x2000, 8, 3);
  expect_run(l.result, 0x3000, kU4, 15);
  EXPECT_EQ(accesses(one_hot), "reads INDEX 12\nwrites D 8\n");
  for (const char *field : {"DEPTH", "N"}) {
    expect_refused(one_hot.with({{field, 0}}), field, 0, 1);
    EXPECT_TRUE(one_hot.with({{field, 1}}).resolve());
  }
  EXPECT_EQ(one_hot.with({{"DEPTH", 4095}}).as<Lookup>().width, 4095U);
  expect_error(one_hot.with({{"D", 0x200B}}), ErrorCode::tensor_overlap, "D", 0x200B, 0);
  EXPECT_TRUE(one_hot.with({{"D", 0x200C}}).resolve());
}

TEST(UnityResolveVision, PixelShuffle) {
  const TestInstruction shuffle(
      Opcode::PIXEL_SHUFFLE,
      {{"FM", 0x1000}, {"D", 0x4000}, {"SCALE", 2}, {"FH", 3}, {"FW", 5}, {"FC", 12}, {"FORMAT", 0}, {"UNIT", kS16}});
  auto p = shuffle.as<PixelShuffle>();
  EXPECT_EQ(p.op, Opcode::PIXEL_SHUFFLE);
  EXPECT_EQ(p.scale, 2U);
  expect_map(p.source, 0x1000, kS16, {3, 5, 12}, {240, 48, 4});
  expect_map(p.result, 0x4000, kS16, {6, 10, 3}, {120, 12, 4});
  p = shuffle.with({{"FORMAT", 1}}).as<PixelShuffle>();
  expect_map(p.source, 0x1000, kS16, {3, 5, 12}, {20, 4, 60});
  expect_map(p.result, 0x4000, kS16, {6, 10, 3}, {40, 4, 240});
  EXPECT_EQ(accesses(shuffle), "reads FM 360\nwrites D 360\n");
  // Lines of 4-bit elements start at bytes.
  EXPECT_EQ(accesses(shuffle.with({{"UNIT", kU4}, {"FORMAT", 1}})), "reads FM 108\nwrites D 90\n");
  expect_refused(shuffle.with({{"FORMAT", 2}}), "FORMAT", 2, 1);
  for (const char *field : {"SCALE", "FH", "FW", "FC"}) expect_refused(shuffle.with({{field, 0}}), field, 0, 1);
  expect_error(shuffle.with({{"FC", 10}}), ErrorCode::shape_mismatch, "FC", 10, 4);
  expect_error(shuffle.with({{"SCALE", 4}}), ErrorCode::shape_mismatch, "FC", 12, 16);
  expect_map(shuffle.with({{"SCALE", 31}, {"FC", 961}, {"D", 0x10000}}).as<PixelShuffle>().result, 0x10000, kS16, {93, 155, 1},
             {620, 4, 4});
  expect_error(shuffle.with({{"D", 0x1000}}), ErrorCode::tensor_overlap, "D", 0x1000, 0);
  expect_error(shuffle.with({{"D", 0x1166}}), ErrorCode::tensor_overlap, "D", 0x1166, 0);
  EXPECT_TRUE(shuffle.with({{"D", 0x1168}}).resolve());
}

TEST(UnityResolveVision, PixelUnshuffle) {
  const TestInstruction unshuffle(
      Opcode::PIXEL_UNSHUFFLE,
      {{"FM", 0x1000}, {"D", 0x4000}, {"SCALE", 3}, {"FH", 6}, {"FW", 9}, {"FC", 2}, {"FORMAT", 0}, {"UNIT", kS16}});
  const auto p = unshuffle.as<PixelShuffle>();
  EXPECT_EQ(p.op, Opcode::PIXEL_UNSHUFFLE);
  expect_map(p.source, 0x1000, kS16, {6, 9, 2}, {72, 8, 4});
  expect_map(p.result, 0x4000, kS16, {2, 3, 18}, {216, 72, 4});
  expect_error(unshuffle.with({{"FH", 7}}), ErrorCode::shape_mismatch, "FH", 7, 3);
  expect_error(unshuffle.with({{"FW", 8}}), ErrorCode::shape_mismatch, "FW", 8, 3);
  EXPECT_TRUE(unshuffle.with({{"FC", 1}}).resolve());
  for (const char *field : {"SCALE", "FH", "FW", "FC"}) expect_refused(unshuffle.with({{field, 0}}), field, 0, 1);
  const TestInstruction largest(
      Opcode::PIXEL_UNSHUFFLE,
      {{"FM", 1LL << 48}, {"D", 2LL << 48}, {"SCALE", 31}, {"FH", 4092}, {"FW", 4092}, {"FC", 4095}, {"FORMAT", 1}, {"UNIT", kFp64}},
      AddressSpace::bits64);
  EXPECT_EQ(largest.as<PixelShuffle>().result.channels, 4095U * 961);
  EXPECT_EQ(accesses(largest), "reads FM 548548640640\nwrites D 548548640640\n");
}

TEST(UnityResolveVision, GridSample) {
  const TestInstruction sample(Opcode::GRID_SAMPLE, {{"FM", 0x1000},
                                                     {"GRID", 0x2000},
                                                     {"D", 0x3000},
                                                     {"UNIT", kFp16},
                                                     {"FORMAT", 0},
                                                     {"FC", 2},
                                                     {"FH", 3},
                                                     {"FW", 5},
                                                     {"O_H", 4},
                                                     {"O_W", 7}});
  auto g = sample.as<GridSample>();
  expect_map(g.source, 0x1000, kFp16, {3, 5, 2}, {40, 8, 4});
  expect_map(g.result, 0x3000, kFp16, {4, 7, 2}, {56, 8, 4});
  expect_run(g.grid, 0x2000, kFp16, 56);
  EXPECT_EQ(g.padding, GridSample::Padding::zeros);
  EXPECT_FALSE(g.nearest);
  EXPECT_FALSE(g.align_corners);
  g = sample.with({{"FORMAT", 1}, {"PADDING", 2}, {"NEAREST", 1}}).as<GridSample>();
  expect_map(g.source, 0x1000, kFp16, {3, 5, 2}, {20, 4, 60});
  expect_map(g.result, 0x3000, kFp16, {4, 7, 2}, {28, 4, 112});
  EXPECT_EQ(g.padding, GridSample::Padding::reflection);
  EXPECT_TRUE(g.nearest);
  EXPECT_FALSE(g.align_corners);
  g = sample.with({{"PADDING", 1}, {"ALIGN", 1}}).as<GridSample>();
  EXPECT_EQ(g.padding, GridSample::Padding::border);
  EXPECT_FALSE(g.nearest);
  EXPECT_TRUE(g.align_corners);
  EXPECT_EQ(accesses(sample), "reads FM 60\nreads GRID 112\nwrites D 112\n");
  for (const char *field : {"FC", "FH", "FW", "O_H", "O_W"}) {
    expect_refused(sample.with({{field, 0}}), field, 0, 1);
    EXPECT_TRUE(sample.with({{field, 1}}).resolve());
    EXPECT_TRUE(sample.with({{field, 4095}, {"D", 0x1000000}, {"FM", 0x2000000}, {"GRID", 0x3000000}}).resolve());
  }
  expect_refused(sample.with({{"FORMAT", 2}}), "FORMAT", 2, 1);
  expect_refused(sample.with({{"PADDING", 3}}), "PADDING", 3, 2);
  expect_refused(sample.with({{"UNIT", kS64}}), "UNIT", kS64, 12);
  expect_error(sample.with({{"D", 0x103A}}), ErrorCode::tensor_overlap, "D", 0x103A, 0);
  EXPECT_TRUE(sample.with({{"D", 0x103C}}).resolve());
  expect_error(sample.with({{"D", 0x206E}}), ErrorCode::tensor_overlap, "D", 0x206E, 0);
  EXPECT_TRUE(sample.with({{"D", 0x2070}}).resolve());
}

TEST(UnityResolveVision, AffineGrid) {
  const TestInstruction affine(Opcode::AFFINE_GRID, {{"THETA", 0x1000}, {"D", 0x3000}, {"UNIT", kFp32}, {"O_H", 4}, {"O_W", 7}});
  const auto a = affine.as<AffineGrid>();
  EXPECT_EQ(a.height, 4U);
  EXPECT_EQ(a.width, 7U);
  EXPECT_FALSE(a.align_corners);
  expect_run(a.matrix, 0x1000, kFp32, 6);
  expect_run(a.result, 0x3000, kFp32, 56);
  EXPECT_TRUE(affine.with({{"ALIGN", 1}}).as<AffineGrid>().align_corners);
  EXPECT_EQ(accesses(affine), "reads THETA 24\nwrites D 224\n");
  for (const char *field : {"O_H", "O_W"}) {
    expect_refused(affine.with({{field, 0}}), field, 0, 1);
    EXPECT_TRUE(affine.with({{field, 1}}).resolve());
    EXPECT_TRUE(affine.with({{field, 4095}}).resolve());
  }
  expect_refused(affine.with({{"UNIT", kS64}}), "UNIT", kS64, 12);
  expect_error(affine.with({{"D", 0x1014}}), ErrorCode::tensor_overlap, "D", 0x1014, 0);
  EXPECT_TRUE(affine.with({{"D", 0x1018}}).resolve());
}

}  // namespace resolve_vision_test
}  // namespace
}  // namespace cox::isa::unity
