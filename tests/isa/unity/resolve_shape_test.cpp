// SPDX-License-Identifier: MIT
// resolve() of operations that move elements, reductions, softmax and norms.
#include <gtest/gtest.h>

#include <bit>

#include "tests/isa/unity/program.h"

namespace cox::isa::unity {
namespace {
namespace resolve_shape_test {

constexpr std::int64_t kU4 = 0, kU8 = 1, kU64 = 4, kS4 = 5, kS8 = 6, kS16 = 7, kS32 = 8, kFp16 = 10, kFp32 = 11;

void expect_run(const Run &run, std::uint64_t address, std::int64_t unit, std::uint64_t elements) {
  EXPECT_EQ(run.address, address);
  EXPECT_EQ(static_cast<std::int64_t>(run.unit), unit);
  EXPECT_EQ(run.elements, elements);
}

TEST(UnityResolveShape, Copies) {
  for (const Opcode op : {Opcode::RESHAPE, Opcode::SQUEEZE, Opcode::UNSQUEEZE, Opcode::FLATTEN, Opcode::EXPAND_DIM}) {
    const TestInstruction copy(op, {{"S", 0x1000}, {"D", 0x2000}, {"LEN", 9}, {"UNIT", kS16}});
    EXPECT_EQ(copy.as<Copy>().op, op);
    expect_run(copy.as<Copy>().source, 0x1000, kS16, 9);
    expect_run(copy.as<Copy>().result, 0x2000, kS16, 9);
    EXPECT_TRUE(copy.with({{"D", 0x1000}}).resolve());
    expect_error(copy.with({{"D", 0x1010}}), ErrorCode::tensor_overlap, "D", 0x1010, 0);
    expect_refused(copy.with({{"LEN", 0}}), "LEN", 0, 1);
    expect_refused(copy.with({{"ZERO", 8}}), "ZERO", 8, 0);
  }
}

TEST(UnityResolveShape, Reductions) {
  const TestInstruction mean(Opcode::REDUCE_MEAN,
                             {{"S", 0x1000}, {"D", 0x2000}, {"FW", 5}, {"FH", 4}, {"FC", 3}, {"UNIT", kS8}, {"ROUND", 3}, {"SAT", 1}});
  const unsigned kept[] = {1, 15, 12, 20, 3, 5, 4};
  for (unsigned axis = 0; axis < 7; ++axis) {
    const auto r = mean.with({{"AXIS", axis}}).as<Reduction>();
    expect_run(r.source, 0x1000, kS8, 60);
    expect_run(r.result, 0x2000, kS8, kept[axis]);
    EXPECT_EQ(r.over_height, axis == 0 || axis == 1 || axis == 4 || axis == 5);
    EXPECT_EQ(r.over_width, axis == 0 || axis == 2 || axis == 4 || axis == 6);
    EXPECT_EQ(r.over_channels, axis == 0 || axis == 3 || axis == 5 || axis == 6);
    EXPECT_EQ(r.rounding, Rounding::half_even);
    EXPECT_TRUE(r.saturate);
    EXPECT_EQ(r.height, 4U);
    EXPECT_EQ(r.width, 5U);
    EXPECT_EQ(r.channels, 3U);
  }
  expect_refused(mean.with({{"AXIS", 7}}), "AXIS", 7, 6);
  for (const char *field : {"FH", "FW", "FC"}) expect_refused(mean.with({{field, 0}}), field, 0, 1);
  expect_error(mean.with({{"D", 0x103B}}), ErrorCode::tensor_overlap, "D", 0x103B, 0);
}

TestInstruction move(std::int64_t mode) {
  return TestInstruction(Opcode::DATA_MOVE, {{"S", 0x1000},
                                             {"D", 0x4000},
                                             {"UNIT", kS16},
                                             {"TRANSFER", mode},
                                             {"S_SIZE", 12},
                                             {"S_NUM", 2},
                                             {"S_WIDTH", 4},
                                             {"D_SIZE", 12},
                                             {"D_NUM", 2},
                                             {"D_WIDTH", 4}});
}

TEST(UnityResolveShape, DataMoveCopies) {
  const auto dense = move(0).as<DataMove>();
  EXPECT_EQ(dense.mode, MoveMode::copy);
  EXPECT_EQ(dense.source.surfaces, 2U);
  EXPECT_EQ(dense.source.lines, 3U);
  EXPECT_EQ(dense.source.width, 4U);
  EXPECT_EQ(dense.source.line, 16U);
  EXPECT_EQ(dense.source.surface, 48U);
  const auto apart =
      move(0)
          .with({{"S_LINE_LO", 0x20}, {"S_LINE_HI", 1}, {"S_SURF", 0x40}, {"D_SIZE", 8}, {"D_NUM", 3}, {"D_WIDTH", 2}, {"D_LINE_LO", 6}})
          .as<DataMove>();
  EXPECT_EQ(apart.source.line, 2 * 0x10020U);
  EXPECT_EQ(apart.source.surface, 0x80U);
  EXPECT_EQ(apart.destination.lines, 4U);
  EXPECT_EQ(apart.destination.line, 12U);
  EXPECT_EQ(apart.destination.surface, 48U);
  // Dense lines of 4-bit elements begin at bytes.
  EXPECT_EQ(move(0).with({{"UNIT", kU4}, {"S_SIZE", 9}, {"S_WIDTH", 3}, {"D_SIZE", 9}, {"D_WIDTH", 3}}).as<DataMove>().source.line, 4U);
  expect_error(move(0).with({{"D_SIZE", 8}}), ErrorCode::shape_mismatch, "D_SIZE", 16, 24);
  expect_error(move(0).with({{"S_WIDTH", 5}}), ErrorCode::shape_mismatch, "S_WIDTH", 5, 12);
  for (const char *field : {"S_SIZE", "S_NUM", "S_WIDTH", "D_SIZE", "D_NUM", "D_WIDTH"})
    expect_refused(move(0).with({{field, 0}}), field, 0, 1);
  expect_error(move(0).with({{"S_LINE_LO", 9}}), ErrorCode::misaligned_address, "S_LINE_LO", 9, 2);
  expect_error(move(0).with({{"D_SURF", 25}}), ErrorCode::misaligned_address, "D_SURF", 25, 2);
  expect_error(move(0).with({{"S", 0x1001}}), ErrorCode::misaligned_address, "S", 0x1001, 2);
}

TEST(UnityResolveShape, DestinationsDoNotOverlapThemselves) {
  expect_error(move(0).with({{"D_LINE_LO", 6}}), ErrorCode::shape_mismatch, "D_LINE_LO", 6, 8);
  EXPECT_TRUE(move(0).with({{"S_LINE_LO", 6}}).resolve());  // sources may
  expect_error(move(0).with({{"D_SURF", 22}}), ErrorCode::shape_mismatch, "D_SURF", 22, 24);
  EXPECT_TRUE(move(0).with({{"D_SURF", 8}, {"D_LINE_LO", 16}}).resolve());  // surfaces in the gaps of lines
  expect_error(move(0).with({{"D_SURF", 8}, {"D_LINE_LO", 14}}), ErrorCode::shape_mismatch, "D_SURF", 8, 36);
  expect_error(move(0).with({{"D_SURF", 6}, {"D_LINE_LO", 16}}), ErrorCode::shape_mismatch, "D_SURF", 6, 40);
  EXPECT_TRUE(move(0).with({{"S_NUM", 1}, {"D_NUM", 1}, {"D_SURF", 2}}).resolve());
}

TEST(UnityResolveShape, DataMoveOtherModes) {
  const TestInstruction fill(Opcode::DATA_MOVE,
                             {{"S", 0xFFFF}, {"D", 0x4000}, {"UNIT", kS16}, {"TRANSFER", 1}, {"D_SIZE", 12}, {"D_NUM", 2}, {"D_WIDTH", 4}});
  EXPECT_EQ(fill.as<DataMove>().mode, MoveMode::fill);
  EXPECT_EQ(fill.as<DataMove>().value, 0xFFFFU);
  expect_refused(fill.with({{"S", 0x10000}}), "S", 0x10000, 0xFFFF);
  for (const char *field : {"S_SIZE", "S_NUM", "S_WIDTH", "S_SURF", "S_LINE_LO"}) expect_refused(fill.with({{field, 4}}), field, 4, 0);
  expect_refused(fill.with({{"S_LINE_HI", 1}}), "S_LINE_LO", 0x10000, 0);
  const TestInstruction repeat = move(2).with({{"S_NUM", 1}, {"D_NUM", 1}, {"D_SIZE", 72}, {"D_WIDTH", 8}});
  EXPECT_EQ(repeat.as<DataMove>().destination.lines, 9U);
  expect_refused(repeat.with({{"S_NUM", 2}}), "S_NUM", 2, 1);
  expect_refused(repeat.with({{"D_NUM", 2}}), "D_NUM", 2, 1);
  expect_error(repeat.with({{"D_SIZE", 54}, {"D_WIDTH", 6}}), ErrorCode::shape_mismatch, "D_WIDTH", 6, 4);
  expect_error(repeat.with({{"D_SIZE", 80}}), ErrorCode::shape_mismatch, "D_SIZE", 10, 3);
  const TestInstruction transpose = move(3).with({{"D_WIDTH", 3}});
  EXPECT_EQ(transpose.as<DataMove>().destination.lines, 4U);
  expect_error(transpose.with({{"D_WIDTH", 4}}), ErrorCode::shape_mismatch, "D_WIDTH", 4, 3);
  expect_error(transpose.with({{"D_SIZE", 9}}), ErrorCode::shape_mismatch, "D_SIZE", 3, 4);
  expect_error(transpose.with({{"D_NUM", 1}}), ErrorCode::shape_mismatch, "D_NUM", 1, 2);
}

TEST(UnityResolveShape, InterleavedMovesInOneBuffer) {
  // Columns 0 to 3 of each line of 16 elements go to columns 8 to 11 of the same lines.
  const TestInstruction columns = move(0).with({{"S_LINE_LO", 32}, {"D_LINE_LO", 32}, {"S_NUM", 1}, {"D_NUM", 1}, {"D", 0x1010}});
  EXPECT_TRUE(columns.resolve());
  expect_error(columns.with({{"D", 0x1006}}), ErrorCode::tensor_overlap, "D", 0x1006, 0);
  expect_error(columns.with({{"D", 0x1020}}), ErrorCode::tensor_overlap, "D", 0x1020, 0);
  expect_error(columns.with({{"D", 0x1000}}), ErrorCode::tensor_overlap, "D", 0x1000, 0);
}

TEST(UnityResolveShape, Concat) {
  const TestInstruction concat(Opcode::CONCAT, {{"S0", 0x1000},
                                                {"S1", 0x1800},
                                                {"D", 0x2000},
                                                {"FH0", 2},
                                                {"FW0", 3},
                                                {"FC0", 4},
                                                {"FH1", 2},
                                                {"FW1", 3},
                                                {"FC1", 5},
                                                {"AXIS", 3},
                                                {"UNIT", kS8}});
  const auto c = concat.as<Concatenate>();
  EXPECT_EQ(c.outer, 6U);
  EXPECT_EQ(c.first, 4U);
  EXPECT_EQ(c.second, 5U);
  expect_run(c.result, 0x2000, kS8, 54);
  expect_run(c.source[1], 0x1800, kS8, 30);
  const auto lines = concat.with({{"AXIS", 1}, {"FH1", 7}, {"FC1", 4}}).as<Concatenate>();
  EXPECT_EQ(lines.outer, 1U);
  EXPECT_EQ(lines.first, 24U);
  EXPECT_EQ(lines.second, 84U);
  const auto columns = concat.with({{"AXIS", 2}, {"FW1", 1}, {"FC1", 4}}).as<Concatenate>();
  EXPECT_EQ(columns.outer, 2U);
  EXPECT_EQ(columns.first, 12U);
  EXPECT_EQ(columns.second, 4U);
  expect_error(concat.with({{"FH1", 3}}), ErrorCode::shape_mismatch, "FH1", 3, 2);
  expect_error(concat.with({{"FW1", 2}}), ErrorCode::shape_mismatch, "FW1", 2, 3);
  expect_error(concat.with({{"AXIS", 0}}), ErrorCode::shape_mismatch, "FC1", 5, 4);
  EXPECT_EQ(concat.with({{"AXIS", 0}, {"FC1", 4}}).as<Concatenate>().first, 24U);
  expect_refused(concat.with({{"AXIS", 4}}), "AXIS", 4, 3);
  for (const char *field : {"FH0", "FW0", "FC0", "FH1", "FW1", "FC1"}) expect_refused(concat.with({{field, 0}}), field, 0, 1);
  expect_error(concat.with({{"D", 0x1000}}), ErrorCode::tensor_overlap, "D", 0x1000, 0);
}

TEST(UnityResolveShape, SplitAndSlice) {
  const TestInstruction split(
      Opcode::SPLIT,
      {{"S", 0x1000}, {"D0", 0x2000}, {"D1", 0x3000}, {"FH", 6}, {"FW", 3}, {"FC", 4}, {"SPLIT_INDEX", 2}, {"AXIS", 1}, {"UNIT", kS8}});
  const auto s = split.as<Split>();
  EXPECT_EQ(s.outer, 1U);
  EXPECT_EQ(s.extent, 6U);
  EXPECT_EQ(s.inner, 12U);
  expect_run(s.result[0], 0x2000, kS8, 24);
  expect_run(s.result[1], 0x3000, kS8, 48);
  expect_refused(split.with({{"SPLIT_INDEX", 0}}), "SPLIT_INDEX", 0, 1);
  expect_refused(split.with({{"SPLIT_INDEX", 6}}), "SPLIT_INDEX", 6, 5);
  expect_error(split.with({{"AXIS", 0}}), ErrorCode::shape_mismatch, "AXIS", 1, 2);
  expect_refused(split.with({{"AXIS", 4}}), "AXIS", 4, 3);
  for (const char *field : {"FH", "FW", "FC"}) expect_refused(split.with({{field, 0}}), field, 0, 1);
  expect_error(split.with({{"D1", 0x2010}}), ErrorCode::tensor_overlap, "D1", 0x2010, 0);
  expect_error(split.with({{"D0", 0x1010}}), ErrorCode::tensor_overlap, "D0", 0x1010, 0);
  const TestInstruction slice(
      Opcode::SLICE,
      {{"S", 0x1000}, {"D0", 0x2000}, {"D1", 0x3000}, {"FH", 6}, {"FW", 3}, {"FC", 4}, {"SLICE_INDEX", 5}, {"AXIS", 1}, {"UNIT", kS8}});
  expect_run(slice.as<Split>().result[0], 0x2000, kS8, 12);
  expect_run(slice.as<Split>().result[1], 0x3000, kS8, 60);
  expect_run(slice.with({{"D1", 0}}).as<Split>().result[1], 0, kS8, 0);
  expect_run(slice.with({{"AXIS", 0}, {"SLICE_INDEX", 0}}).as<Split>().result[1], 0x3000, kS8, 0);
  expect_refused(slice.with({{"SLICE_INDEX", 6}}), "SLICE_INDEX", 6, 5);
}

TEST(UnityResolveShape, TransposeAndPad) {
  const TestInstruction transpose(Opcode::TRANSPOSE, {{"S", 0x1000},
                                                      {"D", 0x2000},
                                                      {"FN", 2},
                                                      {"FH", 3},
                                                      {"FW", 4},
                                                      {"FC", 5},
                                                      {"P0", 3},
                                                      {"P1", 0},
                                                      {"P2", 2},
                                                      {"P3", 1},
                                                      {"UNIT", kFp16}});
  const auto t = transpose.as<Transpose>();
  EXPECT_EQ(t.extents, (std::array<std::uint32_t, 4>{2, 3, 4, 5}));
  EXPECT_EQ(t.order, (std::array<std::uint8_t, 4>{3, 0, 2, 1}));
  expect_run(t.result, 0x2000, kFp16, 120);
  expect_error(transpose.with({{"P2", 3}}), ErrorCode::shape_mismatch, "P2", 3, 0);
  for (const char *field : {"FN", "FH", "FW", "FC"}) expect_refused(transpose.with({{field, 0}}), field, 0, 1);
  expect_error(transpose.with({{"D", 0x1000}}), ErrorCode::tensor_overlap, "D", 0x1000, 0);
  const TestInstruction pad(Opcode::PAD, {{"S", 0x1000},
                                          {"D", 0x2000},
                                          {"FH", 3},
                                          {"FW", 4},
                                          {"FC", 5},
                                          {"PH0", 1},
                                          {"PH1", 2},
                                          {"PW0", 3},
                                          {"PW1", 15},
                                          {"VALUE", 0x80},
                                          {"UNIT", kS8}});
  const auto p = pad.as<Pad>();
  EXPECT_EQ(p.top, 1U);
  EXPECT_EQ(p.bottom, 2U);
  EXPECT_EQ(p.left, 3U);
  EXPECT_EQ(p.right, 15U);
  EXPECT_EQ(p.value, -128);
  expect_run(p.source, 0x1000, kS8, 60);
  expect_run(p.result, 0x2000, kS8, 6 * 22 * 5);
  EXPECT_EQ(pad.with({{"UNIT", kU8}}).as<Pad>().value, 128);
  expect_refused(pad.with({{"UNIT", kFp32}}), "VALUE", 0x80, 0);
  expect_refused(pad.with({{"UNIT", kS4}}), "VALUE", -128, -8);
  expect_refused(pad.with({{"UNIT", kU4}, {"VALUE", 16}}), "VALUE", 16, 15);
  EXPECT_EQ(pad.with({{"UNIT", kS4}, {"VALUE", 0xF8}}).as<Pad>().value, -8);
  for (const char *field : {"FH", "FW", "FC"}) expect_refused(pad.with({{field, 0}}), field, 0, 1);
}

TEST(UnityResolveShape, GatherAndScatter) {
  const TestInstruction gather(
      Opcode::GATHER,
      {{"S", 0x1000}, {"INDEX", 0x1804}, {"D", 0x2000}, {"FH", 3}, {"FW", 4}, {"FC", 5}, {"INDEX_LEN", 7}, {"AXIS", 2}, {"UNIT", kS16}});
  const auto g = gather.as<Gather>();
  EXPECT_EQ(g.outer, 3U);
  EXPECT_EQ(g.extent, 4U);
  EXPECT_EQ(g.inner, 5U);
  expect_run(g.source, 0x1000, kS16, 60);
  expect_run(g.index, 0x1804, kS32, 7);
  expect_run(g.result, 0x2000, kS16, 105);
  expect_run(gather.with({{"U8", 1}, {"INDEX", 0x1801}}).as<Gather>().index, 0x1801, kU8, 7);
  expect_error(gather.with({{"INDEX", 0x1802}}), ErrorCode::misaligned_address, "INDEX", 0x1802, 4);
  for (const char *field : {"FH", "FW", "FC", "INDEX_LEN"}) expect_refused(gather.with({{field, 0}}), field, 0, 1);
  expect_refused(gather.with({{"AXIS", 5}}), "AXIS", 5, 3);
  expect_error(gather.with({{"D", 0x1800}}), ErrorCode::tensor_overlap, "D", 0x1800, 0);
  const TestInstruction tuples(
      Opcode::GATHER_ND,
      {{"S", 0x1000}, {"INDEX", 0x1804}, {"D", 0x2000}, {"FH", 3}, {"FW", 4}, {"FC", 5}, {"INDEX_LEN", 7}, {"UNIT", kS16}});
  EXPECT_EQ(tuples.as<Gather>().coordinates, 3);
  EXPECT_EQ(tuples.as<Gather>().extent, 60U);
  expect_run(tuples.as<Gather>().index, 0x1804, kS32, 21);
  expect_run(tuples.as<Gather>().result, 0x2000, kS16, 7);
  const auto pairs = tuples.with({{"COORDS", 2}}).as<Gather>();
  EXPECT_EQ(pairs.extent, 12U);
  EXPECT_EQ(pairs.inner, 5U);
  EXPECT_EQ(pairs.coordinate_extents, (std::array<std::uint32_t, 3>{3, 4, 5}));
  expect_run(pairs.index, 0x1804, kS32, 14);
  expect_run(pairs.result, 0x2000, kS16, 35);
  expect_error(tuples.with({{"INDEX", 0x1802}}), ErrorCode::misaligned_address, "INDEX", 0x1802, 4);
  for (const char *field : {"FH", "FW", "FC", "INDEX_LEN"}) expect_refused(tuples.with({{field, 0}}), field, 0, 1);
  const TestInstruction scatter(Opcode::SCATTER,
                                {{"S", 0x1000}, {"INDEX", 0x1804}, {"UPDATE", 0x2000}, {"LEN", 100}, {"INDEX_LEN", 7}, {"UNIT", kS8}});
  expect_run(scatter.as<Scatter>().tensor, 0x1000, kS8, 100);
  expect_run(scatter.as<Scatter>().update, 0x2000, kS8, 7);
  expect_run(scatter.as<Scatter>().index, 0x1804, kS32, 7);
  for (const char *field : {"LEN", "INDEX_LEN"}) expect_refused(scatter.with({{field, 0}}), field, 0, 1);
  expect_error(scatter.with({{"UPDATE", 0x1060}}), ErrorCode::tensor_overlap, "S", 0x1000, 0);
  const auto s = TestInstruction(Opcode::SCATTER_ND, {{"S", 0x1000},
                                                      {"INDEX", 0x1804},
                                                      {"UPDATE", 0x2000},
                                                      {"FH", 3},
                                                      {"FW", 4},
                                                      {"FC", 5},
                                                      {"INDEX_LEN", 7},
                                                      {"COORDS", 1},
                                                      {"UNIT", kS16}})
                     .as<Scatter>();
  expect_run(s.tensor, 0x1000, kS16, 60);
  expect_run(s.update, 0x2000, kS16, 140);
  EXPECT_EQ(s.coordinates, 1);
  EXPECT_EQ(s.extent, 3U);
  EXPECT_EQ(s.inner, 20U);
}

TEST(UnityResolveShape, Resize) {
  const TestInstruction resize(Opcode::RESIZE_BILINEAR,
                               {{"FM", 0x1000}, {"D", 0x2000}, {"UNIT", kS8}, {"FH", 3}, {"FW", 5}, {"FC", 2}, {"O_H", 6}, {"O_W", 7}});
  const auto r = resize.with({{"ALIGN", 2}}).as<Resize>();
  EXPECT_TRUE(r.half_pixel);
  EXPECT_FALSE(r.align_corners);
  EXPECT_EQ(r.source.row, 20U);
  EXPECT_EQ(r.source.column, 4U);
  EXPECT_EQ(r.result.row, 28U);
  EXPECT_EQ(r.result.height, 6U);
  const auto planes = resize.with({{"FORMAT", 1}, {"ALIGN", 1}}).as<Resize>();
  EXPECT_TRUE(planes.align_corners);
  EXPECT_EQ(planes.source.column, 2U);
  EXPECT_EQ(planes.source.channel, 30U);
  expect_refused(resize.with({{"ALIGN", 3}}), "ALIGN", 3, 2);
  expect_refused(resize.with({{"FORMAT", 2}}), "FORMAT", 2, 1);
  expect_refused(resize.with({{"UNIT", kU64}}), "UNIT", kU64, 12);
  for (const char *field : {"FH", "FW", "FC", "O_H", "O_W"}) expect_refused(resize.with({{field, 0}}), field, 0, 1);
  EXPECT_TRUE(TestInstruction(Opcode::RESIZE_NEAREST,
                              {{"FM", 0x1000}, {"D", 0x2000}, {"UNIT", kU64}, {"FH", 3}, {"FW", 5}, {"FC", 2}, {"O_H", 6}, {"O_W", 7}})
                  .resolve());
  // At 16-bit addresses OP Mode has 16 bits, of which 12 are reserved.
  expect_error(TestInstruction(Opcode::RESIZE_NEAREST, {}, AddressSpace::bits16).with_bit(36), ErrorCode::reserved_bits, "table", 36, 0);
}

TEST(UnityResolveShape, Softmax) {
  const TestInstruction softmax(Opcode::SOFTMAX, {{"FM", 0x1000}, {"D", 0x2000}, {"UNIT", kFp32}, {"I_H", 3}, {"I_W", 4}, {"FC", 5}});
  const auto view = [&](std::int64_t axis, std::int64_t format) {
    const auto s = softmax.with({{"AXIS", axis}, {"FORMAT", format}}).as<Softmax>();
    return std::array<std::uint64_t, 3>{s.outer, s.extent, s.inner};
  };
  using View = std::array<std::uint64_t, 3>;
  EXPECT_EQ(view(0, 0), (View{1, 1, 60}));
  EXPECT_EQ(view(1, 0), (View{1, 3, 20}));
  EXPECT_EQ(view(2, 0), (View{3, 4, 5}));
  EXPECT_EQ(view(3, 0), (View{12, 5, 1}));
  EXPECT_EQ(view(1, 1), (View{5, 3, 4}));
  EXPECT_EQ(view(2, 1), (View{15, 4, 1}));
  EXPECT_EQ(view(3, 1), (View{1, 5, 12}));
  expect_run(softmax.as<Softmax>().result, 0x2000, kFp32, 60);
  const TestInstruction quantised = softmax.with({{"UNIT", kS8}, {"QMUL", 0x7FFFFFFF}, {"LSHIFT", 31}, {"DIFF_MIN", -248}});
  EXPECT_EQ(quantised.as<Softmax>().multiplier, 0x7FFFFFFF);
  EXPECT_EQ(quantised.as<Softmax>().left_shift, 31);
  EXPECT_EQ(quantised.as<Softmax>().smallest_difference, -248);
  expect_refused(quantised.with({{"QMUL", 0x80000000}}), "QMUL", INT32_MIN, 0);
  expect_refused(quantised.with({{"LSHIFT", 32}}), "LSHIFT", 32, 31);
  expect_refused(quantised.with({{"DIFF_MIN", 1}}), "DIFF_MIN", 1, 0);
  expect_error(quantised.with_bit(128 - 8), ErrorCode::reserved_bits, "table", 120, 0);
  expect_error(quantised.with_bit(2 * 32 + 127), ErrorCode::reserved_bits, "table", 191, 0);
  expect_refused(softmax.with({{"UNIT", kU8}}), "UNIT", kU8, 12);
  expect_refused(softmax.with({{"FORMAT", 2}}), "FORMAT", 2, 1);
  for (const char *field : {"I_H", "I_W", "FC"}) expect_refused(softmax.with({{field, 0}}), field, 0, 1);
  const TestInstruction logarithm(Opcode::LOGSOFTMAX, {{"FM", 0x1000}, {"D", 0x2000}, {"UNIT", kFp32}, {"I_H", 3}, {"I_W", 4}, {"FC", 5}});
  EXPECT_TRUE(logarithm.resolve());
  expect_refused(logarithm.with({{"UNIT", kS8}}), "UNIT", kS8, 12);
}

TEST(UnityResolveShape, Norms) {
  const TestInstruction batch(Opcode::BATCH_NORM, {{"FM", 0x1000},
                                                   {"W", 0x1400},
                                                   {"BIAS", 0x1500},
                                                   {"D", 0x2000},
                                                   {"MEAN", 0x1600},
                                                   {"VAR", 0x1700},
                                                   {"UNIT", kFp32},
                                                   {"I_H", 2},
                                                   {"I_W", 3},
                                                   {"FC", 4},
                                                   {"BATCH_NUM", 5}});
  const auto n = batch.as<Norm>();
  expect_run(n.source, 0x1000, kFp32, 120);
  expect_run(n.weight, 0x1400, kFp32, 4);
  expect_run(n.mean, 0x1600, kFp32, 4);
  expect_run(n.variance, 0x1700, kFp32, 4);
  EXPECT_EQ(n.batches, 5U);
  EXPECT_EQ(n.spatial, 6U);
  EXPECT_TRUE(n.channels_last);
  EXPECT_FALSE(batch.with({{"FORMAT", 1}}).as<Norm>().channels_last);
  expect_refused(batch.with({{"UNIT", kS8}}), "UNIT", kS8, 12);
  expect_refused(batch.with({{"FORMAT", 2}}), "FORMAT", 2, 1);
  for (const char *field : {"I_H", "I_W", "FC", "BATCH_NUM"}) expect_refused(batch.with({{field, 0}}), field, 0, 1);
  expect_error(batch.with({{"D", 0x1000}}), ErrorCode::tensor_overlap, "D", 0x1000, 0);
  const TestInstruction group(Opcode::GROUP_NORM, {{"FM", 0x1000},
                                                   {"W", 0x1400},
                                                   {"BIAS", 0x1500},
                                                   {"D", 0x2000},
                                                   {"UNIT", kFp16},
                                                   {"I_H", 2},
                                                   {"I_W", 3},
                                                   {"FC", 6},
                                                   {"GROUP_NUM", 3}});
  EXPECT_EQ(group.as<Norm>().groups, 3U);
  expect_error(group.with({{"GROUP_NUM", 4}}), ErrorCode::shape_mismatch, "GROUP_NUM", 4, 6);
  expect_refused(group.with({{"GROUP_NUM", 0}}), "GROUP_NUM", 0, 1);
  for (const Opcode op : {Opcode::INSTANCE_NORM, Opcode::LAYER_NORM}) {
    const auto other =
        TestInstruction(
            op, {{"FM", 0x1000}, {"W", 0x1400}, {"BIAS", 0x1500}, {"D", 0x2000}, {"UNIT", kFp16}, {"I_H", 2}, {"I_W", 3}, {"FC", 6}})
            .as<Norm>();
    expect_run(other.bias, 0x1500, kFp16, 6);
    EXPECT_EQ(other.mean.elements, 0U);
    EXPECT_EQ(other.epsilon, 1e-5F);
  }
  const auto word = [](float value) { return static_cast<std::int64_t>(std::bit_cast<std::uint32_t>(value)); };
  const TestInstruction local(Opcode::LRN_NORM, {{"FM", 0x1000},
                                                 {"D", 0x2000},
                                                 {"UNIT", kFp32},
                                                 {"I_H", 2},
                                                 {"I_W", 3},
                                                 {"FC", 6},
                                                 {"SIZE", 5},
                                                 {"ALPHA", word(0.5F)},
                                                 {"BETA", word(0.75F)},
                                                 {"BIAS", word(2)}});
  const auto l = local.as<Norm>();
  EXPECT_EQ(l.size, 5U);
  EXPECT_EQ(l.alpha, 0.5F);
  EXPECT_EQ(l.beta, 0.75F);
  EXPECT_EQ(l.k, 2.0F);
  EXPECT_EQ(l.weight.elements, 0U);
  expect_refused(local.with({{"SIZE", 0}}), "SIZE", 0, 1);
  EXPECT_EQ(
      TestInstruction(Opcode::LP_NORM, {{"FM", 0x1000}, {"D", 0x2000}, {"UNIT", kFp32}, {"I_H", 2}, {"I_W", 3}, {"FC", 6}, {"P", word(3)}})
          .as<Norm>()
          .p,
      3.0F);
  expect_run(TestInstruction(Opcode::L2_NORM, {{"FM", 0x1000}, {"D", 0x2000}, {"UNIT", kFp32}, {"I_H", 2}, {"I_W", 3}, {"FC", 6}})
                 .as<Norm>()
                 .result,
             0x2000, kFp32, 36);
}

}  // namespace resolve_shape_test
}  // namespace
}  // namespace cox::isa::unity
