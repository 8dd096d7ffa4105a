// SPDX-License-Identifier: MIT
// The bytes that visit_accesses() names, against those of every element that the operation touches, one by one; and overlap() against sets
// of bytes.
#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <random>
#include <set>

#include "tests/isa/unity/program.h"

namespace cox::isa::unity {
namespace {
namespace accesses_test {

using Bytes = std::set<std::uint64_t>;
struct Touched {
  std::map<std::string, Bytes> read, written;
};

Touched visited(const TestInstruction &instruction) {
  Touched touched;
  for (const Access &access : instruction.accesses()) {
    EXPECT_GT(access.bytes, 0U);
    Bytes &bytes = (access.write ? touched.written : touched.read)[access.field];
    for (std::uint64_t at = access.start; at < access.end(); ++at) bytes.insert(at);
  }
  return touched;
}

/// Adds the bytes of an element that begins `nibble` nibbles behind an address.
void add(Bytes &bytes, std::uint64_t address, std::uint64_t nibble, Unit unit) {
  for (std::uint64_t i = 0; i < nibbles_of(unit); ++i) bytes.insert(address + (nibble + i) / 2);
}
void add_run(Bytes &bytes, const Run &run) {
  for (std::uint64_t i = 0; i < run.elements; ++i) add(bytes, run.address, i * nibbles_of(run.unit), run.unit);
}
void add_map(Bytes &bytes, const FeatureMap &map) {
  for (std::uint64_t h = 0; h < map.height; ++h) {
    for (std::uint64_t w = 0; w < map.width; ++w) {
      for (std::uint64_t c = 0; c < map.channels; ++c) add(bytes, map.address, map.nibble(h, w, c), map.unit);
    }
  }
}
void add_planes(Bytes &bytes, const FeatureMap &map, const Depth &depth) {
  for (std::uint64_t d = 0; d < depth.source; ++d) {
    FeatureMap plane = map;
    plane.address += d * depth.source_step / 2;
    add_map(bytes, plane);
  }
}
void add_kernel(Bytes &bytes, const Convolution::Kernel &kernel, const Depth &depth) {
  for (std::uint64_t o = 0; o < kernel.number; ++o) {
    for (std::uint64_t kd = 0; kd < depth.kernel; ++kd) {
      for (std::uint64_t kh = 0; kh < kernel.height; ++kh) {
        for (std::uint64_t kw = 0; kw < kernel.width; ++kw) {
          for (std::uint64_t i = 0; i < kernel.channels; ++i) {
            const std::uint64_t inner = kh * kernel.row + kw * kernel.column + i * kernel.channel;
            add(bytes, kernel.address, o * kernel.number_step + kd * depth.kernel_step + inner, kernel.unit);
          }
        }
      }
    }
  }
}
void add_parameter(Bytes &bytes, const Parameter &parameter, const FeatureMap &map) {
  if (parameter.immediate) return;
  for (std::uint64_t h = 0; h < map.height; ++h) {
    for (std::uint64_t w = 0; w < map.width; ++w) {
      for (std::uint64_t c = 0; c < map.channels; ++c) {
        add(bytes, parameter.address, h * parameter.row + w * parameter.column + c * parameter.channel, parameter.unit);
      }
    }
  }
}
void add_surfaces(Bytes &bytes, const Surfaces &area) {
  for (std::uint64_t s = 0; s < area.surfaces; ++s) {
    for (std::uint64_t l = 0; l < area.lines; ++l) {
      for (std::uint64_t x = 0; x < area.width; ++x) {
        add(bytes, area.address, s * area.surface + l * area.line + x * nibbles_of(area.unit), area.unit);
      }
    }
  }
}

void expect_table(const Touched &touched, std::uint64_t bytes) {
  const Bytes &table = touched.read.at("table");
  EXPECT_EQ(*table.begin() % TestInstruction::kPage, TestInstruction::kTable);
  EXPECT_EQ(table.size(), bytes);
}

TestInstruction convolution(std::mt19937 &random, Opcode op, std::int64_t unit) {
  const auto draw = [&](unsigned least, unsigned most) { return static_cast<std::int64_t>(least + random() % (most - least + 1)); };
  const unsigned size = nibbles_of(static_cast<Unit>(unit));
  const bool volume = op == Opcode::CONV3D;
  const bool planes = !volume && random() % 2 != 0;
  const std::int64_t h = draw(3, 5), w = draw(3, 6), c = draw(1, 5), k = draw(1, 3),
                     number = op == Opcode::DEP_CONV ? c * draw(1, 2) : draw(1, 5);
  TestInstruction instruction(op, {{"FM", 0x10000}, {"K", 0x20000}, {"D", 0x30000}, {"FM_UNIT", unit}, {"W_UNIT", unit}, {"D_UNIT", unit}});
  instruction.set({{"H_STRIDE", draw(1, 2)},
                   {"V_STRIDE", draw(1, 2)},
                   {"FM_H", h},
                   {"FM_W", w},
                   {"FM_C", c},
                   {"K_H", k},
                   {"K_W", draw(1, 3)},
                   {"K_NUM", number}});
  instruction.set({{"FORMAT", planes ? 1 : 0}, {"T_PAD", draw(0, 1)}, {"PAD_MODE", 1}, {"PAD", 0x40000}});
  const std::int64_t element = size < 2 ? 1 : size / 2;
  if (random() % 2 != 0) {
    const std::int64_t inner = ((planes ? w : c) * size + 1) / 2, surface = (inner + draw(0, 3)) / element * element + element;
    const std::int64_t line = planes ? surface : w * surface + element * draw(0, 2);
    instruction.set({{"SURF", planes ? h * line + element * draw(0, 2) : surface}, {"LINE_STRIDE", line}});
  }
  if (random() % 2 != 0) instruction.set({{"K_STRIDE", element * draw(200, 300)}});
  if (volume) {
    instruction.set({{"FM_D", draw(1, 4)}, {"K_D", draw(1, 2)}, {"D_STRIDE", draw(1, 2)}, {"BACK_PAD", 1}});
    if (random() % 2 != 0) instruction.set({{"FM_D_STRIDE", element * draw(600, 700)}});
  }
  if (op != Opcode::MATRIX_MUL) {
    const auto parameter = [&](const char *mode, const char *name, std::int64_t address) {
      const std::int64_t value = draw(0, 2);
      instruction.set({{mode, value}, {name, value == 0 ? 0 : address}});
    };
    const bool floats = unit >= 10;
    instruction.set({{"BIAS_UNIT", floats ? 11 : 8}, {"SCALE_UNIT", floats ? 10 : 0}, {"MUL_UNIT", floats ? 11 : 8}});
    parameter("BIAS_MODE", "BIAS", 0x50000);
    parameter("MUL_MODE", "MUL", 0x60000);
    parameter("SCALE_MODE", "SCALE", 0x80000);
    if (!floats && instruction.table().read(find_field(*Set::row(op).layout, "MUL_MODE").place, AddressSpace::bits32) != 0) {
      parameter("SHIFT_MODE", "SHIFT", 0x70001);
    }
  } else {
    instruction.set({{"D_UNIT", unit >= 10 ? 11 : 8}});
  }
  return instruction;
}

/// The bytes of a convolution whose only padding is above or behind.
Touched convolution_touches(const Convolution &c, const Depth &depth) {
  Touched expected;
  add_planes(expected.read["FM"], c.source, depth);
  add_kernel(expected.read["K"], c.kernel, depth);
  if (c.top != 0 || depth.back != 0) {
    for (std::uint64_t i = 0; i < c.source.channels; ++i)
      add(expected.read["PAD"], c.padding.address, i * c.padding.channel, c.source.unit);
  }
  if (!c.plain) {
    add_parameter(expected.read["BIAS"], c.bias, c.result);
    if (c.has_multiplier) {
      add_parameter(expected.read["MUL"], c.multiplier, c.result);
      add_parameter(expected.read["SHIFT"], c.shift, c.result);
    }
    add_parameter(expected.read["SCALE"], c.scale, c.result);
  }
  add_map(expected.written["D"], c.result);
  std::erase_if(expected.read, [](const auto &entry) { return entry.second.empty(); });
  return expected;
}

TEST(UnityAccesses, Convolutions) {
  std::mt19937 random(7);
  unsigned strided = 0;
  for (unsigned turn = 0; turn < 800; ++turn) {
    const Opcode ops[] = {Opcode::CONV2D, Opcode::DEP_CONV, Opcode::MATRIX_MUL, Opcode::CONV3D};
    const Opcode op = ops[turn % 4];
    const std::int64_t units[] = {0, 6, 7, 11, 5};
    const TestInstruction instruction = convolution(random, op, units[turn % 5]);
    const auto volume = op == Opcode::CONV3D ? instruction.as<VolumeConvolution>() : VolumeConvolution{instruction.as<Convolution>(), {}};
    const Convolution &c = volume.planes;
    Touched touched = visited(instruction);
    const Touched expected = convolution_touches(c, volume.depth);
    touched.read.erase("table");
    ASSERT_EQ(touched.read, expected.read) << "turn " << turn;
    ASSERT_EQ(touched.written, expected.written) << "turn " << turn;
    strided += c.source.row > c.source.width * c.source.column + 1 ? 1 : 0;
  }
  EXPECT_GT(strided, 20U);
}

TEST(UnityAccesses, Moves) {
  std::mt19937 random(11);
  for (unsigned turn = 0; turn < 400; ++turn) {
    const auto draw = [&](unsigned least, unsigned most) { return static_cast<std::int64_t>(least + random() % (most - least + 1)); };
    const std::int64_t units[] = {0, 1, 7, 9};
    const std::int64_t unit = units[turn % 4];
    const std::int64_t size = std::max<std::int64_t>(1, bits_of(static_cast<Unit>(unit)) / 8);
    const std::int64_t number = draw(1, 3), lines = draw(1, 4), width = draw(1, 5), line = size * draw(5, 9),
                       surface = line * lines + size * draw(0, 4);
    TestInstruction move(Opcode::DATA_MOVE,
                         {{"S", 0x1000}, {"D", 0x4000}, {"UNIT", unit}, {"S_SIZE", lines * width}, {"S_NUM", number}, {"S_WIDTH", width}});
    move.set({{"D_SIZE", lines * width}, {"D_NUM", number}, {"D_WIDTH", width}});
    if (turn % 3 != 0) move.set({{"S_LINE_LO", line}, {"S_SURF", surface}});
    if (turn % 5 != 0) move.set({{"D_LINE_LO", line}, {"D_SURF", surface}});
    const auto m = move.as<DataMove>();
    Touched expected;
    const Touched touched = visited(move);
    expected.read["table"] = touched.read.at("table");
    add_surfaces(expected.read["S"], m.source);
    add_surfaces(expected.written["D"], m.destination);
    ASSERT_EQ(touched.read, expected.read) << "turn " << turn;
    ASSERT_EQ(touched.written, expected.written) << "turn " << turn;
  }
}

using Runs = std::map<std::string, Run>;

/// Each family's runs, under the names of their fields.
TEST(UnityAccesses, Runs) {
  const auto check = [](const TestInstruction &instruction, unsigned table, const Runs &read, const Runs &written) {
    const Touched touched = visited(instruction);
    expect_table(touched, table);
    Touched expected;
    expected.read["table"] = touched.read.at("table");
    for (const auto &[name, run] : read) add_run(expected.read[name], run);
    for (const auto &[name, run] : written) add_run(expected.written[name], run);
    EXPECT_EQ(touched.read, expected.read);
    EXPECT_EQ(touched.written, expected.written);
  };
  constexpr std::int64_t kS8 = 6, kS16 = 7, kFp32 = 11;
  check(TestInstruction(Opcode::ADD,
                        {{"S0", 0x1000}, {"S1", 0x2000}, {"D", 0x3000}, {"LEN", 7}, {"S0_UNIT", 0}, {"S1_UNIT", kS16}, {"D_UNIT", kFp32}}),
        20, {{"S0", {0x1000, Unit::u4, 7}}, {"S1", {0x2000, Unit::s16, 7}}}, {{"D", {0x3000, Unit::fp32, 7}}});
  check(TestInstruction(Opcode::ADD, {{"S0", 0x1000}, {"S1", 0x2000}, {"D", 0x3000}, {"LEN", 7}, {"SCALAR1", 1}}, AddressSpace::bits16), 12,
        {{"S0", {0x41000, Unit::u4, 7}}, {"S1", {0x42000, Unit::u4, 1}}}, {{"D", {0x43000, Unit::u4, 7}}});
  check(
      TestInstruction(Opcode::ASUM, {{"S0", 0x1000}, {"D", 0x3000}, {"LEN", 7}, {"S0_UNIT", kS8}, {"D_UNIT", kFp32}}, AddressSpace::bits64),
      28, {{"S0", {0x1000, Unit::s8, 7}}}, {{"D", {0x3000, Unit::fp32, 1}}});
  check(TestInstruction(Opcode::DATA_CONVERT, {{"S", 0x1000}, {"D", 0x3000}, {"LEN", 7}, {"S_UNIT", kS8}, {"D_UNIT", kFp32}}), 16,
        {{"S", {0x1000, Unit::s8, 7}}}, {{"D", {0x3000, Unit::fp32, 7}}});
  check(TestInstruction(Opcode::REDUCE_SUM, {{"S", 0x1000}, {"D", 0x3000}, {"FH", 2}, {"FW", 3}, {"FC", 4}, {"AXIS", 4}, {"UNIT", kS8}}),
        20, {{"S", {0x1000, Unit::s8, 24}}}, {{"D", {0x3000, Unit::s8, 4}}});
  check(TestInstruction(Opcode::RESHAPE, {{"S", 0x1000}, {"D", 0x3000}, {"LEN", 5}, {"UNIT", 0}}), 20, {{"S", {0x1000, Unit::u4, 5}}},
        {{"D", {0x3000, Unit::u4, 5}}});
  check(TestInstruction(Opcode::PAD, {{"S", 0x1000}, {"D", 0x3000}, {"FH", 2}, {"FW", 3}, {"FC", 4}, {"PH0", 1}, {"UNIT", kS8}}), 16,
        {{"S", {0x1000, Unit::s8, 24}}}, {{"D", {0x3000, Unit::s8, 36}}});
  check(TestInstruction(Opcode::CONCAT, {{"S0", 0x1000},
                                         {"S1", 0x2000},
                                         {"D", 0x3000},
                                         {"FH0", 2},
                                         {"FW0", 3},
                                         {"FC0", 4},
                                         {"FH1", 2},
                                         {"FW1", 3},
                                         {"FC1", 5},
                                         {"AXIS", 3},
                                         {"UNIT", kS8}}),
        24, {{"S0", {0x1000, Unit::s8, 24}}, {"S1", {0x2000, Unit::s8, 30}}}, {{"D", {0x3000, Unit::s8, 54}}});
  check(
      TestInstruction(
          Opcode::SPLIT,
          {{"S", 0x1000}, {"D0", 0x2000}, {"D1", 0x3000}, {"FH", 2}, {"FW", 3}, {"FC", 4}, {"SPLIT_INDEX", 1}, {"AXIS", 3}, {"UNIT", kS8}}),
      20, {{"S", {0x1000, Unit::s8, 24}}}, {{"D0", {0x2000, Unit::s8, 6}}, {"D1", {0x3000, Unit::s8, 18}}});
  check(TestInstruction(Opcode::SLICE, {{"S", 0x1000}, {"D0", 0x2000}, {"FH", 2}, {"FW", 3}, {"FC", 4}, {"AXIS", 3}, {"UNIT", kS8}}), 20,
        {{"S", {0x1000, Unit::s8, 24}}}, {{"D0", {0x2000, Unit::s8, 6}}});
  check(TestInstruction(
            Opcode::TRANSPOSE,
            {{"S", 0x1000}, {"D", 0x3000}, {"FN", 2}, {"FH", 2}, {"FW", 3}, {"FC", 4}, {"P1", 1}, {"P2", 2}, {"P3", 3}, {"UNIT", kS8}}),
        16, {{"S", {0x1000, Unit::s8, 48}}}, {{"D", {0x3000, Unit::s8, 48}}});
  check(TestInstruction(Opcode::GATHER, {{"S", 0x1000},
                                         {"INDEX", 0x2000},
                                         {"D", 0x3000},
                                         {"FH", 2},
                                         {"FW", 3},
                                         {"FC", 4},
                                         {"INDEX_LEN", 5},
                                         {"AXIS", 3},
                                         {"U8", 1},
                                         {"UNIT", kS8}}),
        20, {{"S", {0x1000, Unit::s8, 24}}, {"INDEX", {0x2000, Unit::u8, 5}}}, {{"D", {0x3000, Unit::s8, 30}}});
  check(TestInstruction(Opcode::SCATTER,
                        {{"S", 0x1000}, {"INDEX", 0x2000}, {"UPDATE", 0x3000}, {"LEN", 20}, {"INDEX_LEN", 5}, {"UNIT", kS8}}),
        20, {{"INDEX", {0x2000, Unit::s32, 5}}, {"UPDATE", {0x3000, Unit::s8, 5}}}, {{"S", {0x1000, Unit::s8, 20}}});
  check(TestInstruction(Opcode::RESIZE_NEAREST,
                        {{"FM", 0x1000}, {"D", 0x3000}, {"UNIT", kS8}, {"FH", 2}, {"FW", 3}, {"FC", 4}, {"O_H", 4}, {"O_W", 5}}),
        24, {{"FM", {0x1000, Unit::s8, 24}}}, {{"D", {0x3000, Unit::s8, 80}}});
  check(TestInstruction(Opcode::ELE_ADD, {{"S0", 0x1000},
                                          {"S1", 0x2000},
                                          {"D", 0x3000},
                                          {"LEN", 12},
                                          {"S0_UNIT", kS8},
                                          {"S1_UNIT", kS8},
                                          {"D_UNIT", kS16},
                                          {"B", 1},
                                          {"VALID", 3}}),
        36, {{"S0", {0x1000, Unit::s8, 12}}, {"S1", {0x2000, Unit::s8, 3}}}, {{"D", {0x3000, Unit::s16, 12}}});
  check(TestInstruction(Opcode::ELE_SUB, {{"S0", 0x1000}, {"S1", 0x2000}, {"D", 0x3000}, {"LEN", 12}, {"LSHIFT", 1}}), 48,
        {{"S0", {0x1000, Unit::u4, 12}}, {"S1", {0x2000, Unit::u4, 12}}}, {{"D", {0x3000, Unit::u4, 12}}});
  check(TestInstruction(Opcode::PRELU, {{"S", 0x1000},
                                        {"D", 0x3000},
                                        {"LEN", 12},
                                        {"UNIT", kS8},
                                        {"M_UNIT", kS16},
                                        {"S_UNIT", 1},
                                        {"B", 1},
                                        {"VALID", 3},
                                        {"MUL", 0x4000},
                                        {"SHIFT", 0x5000}}),
        24, {{"S", {0x1000, Unit::s8, 12}}, {"MUL", {0x4000, Unit::s16, 3}}, {"SHIFT", {0x5000, Unit::u8, 3}}},
        {{"D", {0x3000, Unit::s8, 12}}});
  check(TestInstruction(Opcode::SOFTMAX, {{"FM", 0x1000}, {"D", 0x3000}, {"UNIT", kFp32}, {"I_H", 2}, {"I_W", 3}, {"FC", 4}}), 16,
        {{"FM", {0x1000, Unit::fp32, 24}}}, {{"D", {0x3000, Unit::fp32, 24}}});
  check(TestInstruction(Opcode::SOFTMAX, {{"FM", 0x1000}, {"D", 0x3000}, {"UNIT", kS8}, {"I_H", 2}, {"I_W", 3}, {"FC", 4}}), 24,
        {{"FM", {0x1000, Unit::s8, 24}}}, {{"D", {0x3000, Unit::s8, 24}}});
  check(TestInstruction(Opcode::BATCH_NORM, {{"FM", 0x1000},
                                             {"W", 0x1400},
                                             {"BIAS", 0x1500},
                                             {"D", 0x2000},
                                             {"MEAN", 0x1600},
                                             {"VAR", 0x1700},
                                             {"UNIT", kFp32},
                                             {"I_H", 2},
                                             {"I_W", 3},
                                             {"FC", 4},
                                             {"BATCH_NUM", 2}}),
        32,
        {{"FM", {0x1000, Unit::fp32, 48}},
         {"W", {0x1400, Unit::fp32, 4}},
         {"BIAS", {0x1500, Unit::fp32, 4}},
         {"MEAN", {0x1600, Unit::fp32, 4}},
         {"VAR", {0x1700, Unit::fp32, 4}}},
        {{"D", {0x2000, Unit::fp32, 48}}});
  check(TestInstruction(Opcode::TILE, {{"S", 0x1000}, {"D", 0x2000}, {"REPEAT", 3}, {"FN", 1}, {"FH", 2}, {"FW", 3}, {"FC", 5}}), 16,
        {{"S", {0x1000, Unit::u4, 30}}}, {{"D", {0x2000, Unit::u4, 90}}});
  check(TestInstruction(Opcode::ROLL, {{"S", 0x1000}, {"D", 0x2000}, {"FH", 2}, {"FW", 3}, {"FC", 5}}), 16, {{"S", {0x1000, Unit::u4, 30}}},
        {{"D", {0x2000, Unit::u4, 30}}});
  check(TestInstruction(Opcode::REVERSE, {{"S0", 0x1000}, {"D", 0x2000}, {"FN", 1}, {"FH", 2}, {"FW", 3}, {"FC", 5}}), 20,
        {{"S0", {0x1000, Unit::u4, 30}}}, {{"D", {0x2000, Unit::u4, 30}}});
  check(TestInstruction(Opcode::WHERE, {{"COND", 0x1000}, {"S0", 0x1100}, {"S1", 0x1200}, {"D", 0x2000}, {"LEN", 5}, {"UNIT", 7}}), 24,
        {{"COND", {0x1000, Unit::u4, 5}}, {"S0", {0x1100, Unit::s16, 5}}, {"S1", {0x1200, Unit::s16, 5}}}, {{"D", {0x2000, Unit::s16, 5}}});
  check(TestInstruction(Opcode::ARG_MAX, {{"S0", 0x1000}, {"D", 0x2000}, {"LEN", 5}, {"D_UNIT", 8}}), 16, {{"S0", {0x1000, Unit::u4, 5}}},
        {{"D", {0x2000, Unit::s32, 1}}});
  check(TestInstruction(Opcode::NON_ZERO, {{"S0", 0x1000}, {"D", 0x2000}, {"LEN", 5}, {"D_UNIT", 8}}), 16, {{"S0", {0x1000, Unit::u4, 5}}},
        {{"D", {0x2000, Unit::s32, 6}}});
  check(TestInstruction(Opcode::TOPK, {{"S", 0x1000}, {"D0", 0x2000}, {"D1", 0x3000}, {"LEN", 5}, {"K", 3}}), 20,
        {{"S", {0x1000, Unit::u4, 5}}}, {{"D0", {0x2000, Unit::u4, 3}}, {"D1", {0x3000, Unit::s32, 3}}});
  check(TestInstruction(Opcode::COND, {{"PRED", 0x1004}, {"UNIT", kFp32}}), 16, {{"PRED", {0x1004, Unit::fp32, 1}}}, {});
  check(TestInstruction(Opcode::CASE, {{"PAIRS", 0x1004}, {"N", 3}}), 12, {{"PAIRS", {0x1004, Unit::u32, 6}}}, {});
  check(TestInstruction(Opcode::SWITCH_CASE, {{"INDEX", 0x1002}, {"PROGRAMS", 0x1010}, {"N", 3}, {"UNIT", 2}}, AddressSpace::bits64), 28,
        {{"INDEX", {0x1002, Unit::u16, 1}}, {"PROGRAMS", {0x1010, Unit::u64, 3}}}, {});
}

TEST(UnityAccesses, Pools) {
  const TestInstruction pool(Opcode::AVRG_POOL, {{"FM", 0x1000},
                                                 {"D", 0x3000},
                                                 {"FM_UNIT", 7},
                                                 {"H_STRIDE", 2},
                                                 {"V_STRIDE", 2},
                                                 {"FM_H", 6},
                                                 {"FM_W", 7},
                                                 {"FM_C", 4},
                                                 {"K_H", 3},
                                                 {"K_W", 2},
                                                 {"SURF", 10},
                                                 {"LINE_STRIDE", 72},
                                                 {"PAD_MODE", 1},
                                                 {"PAD", 0x5000}});
  const auto p = pool.as<Pool>();
  Touched expected;
  add_map(expected.read["FM"], p.source);
  add_map(expected.written["D"], p.result);
  Touched touched = visited(pool);
  expect_table(touched, 32);
  touched.read.erase("table");
  EXPECT_EQ(touched.read, expected.read);  // no padding, so its values are not read
  EXPECT_EQ(touched.written, expected.written);
  expected.read.clear();
  add_map(expected.read["FM"], p.source);
  add_run(expected.read["PAD"], {0x5000, Unit::s16, 4});
  touched = visited(pool.with({{"R_PAD", 1}}));
  touched.read.erase("table");
  EXPECT_EQ(touched.read, expected.read);
}

TEST(UnityAccesses, PoolsOfVolumesAndSections) {
  TestInstruction pool(Opcode::POOL3D, {{"FM", 0x1000}, {"D", 0x8000}, {"H_STRIDE", 1}, {"V_STRIDE", 1}, {"D_STRIDE", 1}, {"PAD", 0x5000}});
  TestInstruction sections(Opcode::ADAPTIVV_POOL3D, {{"FM", 0x1000}, {"D", 0x8000}, {"O_D", 2}, {"O_H", 2}, {"O_W", 3}});
  for (TestInstruction *each : {&pool, &sections})
    each->set(
        {{"FM_UNIT", 7}, {"FM_D", 3}, {"FM_H", 4}, {"FM_W", 5}, {"FM_C", 3}, {"SURF", 10}, {"LINE_STRIDE", 60}, {"FM_D_STRIDE", 300}});
  pool.set({{"PAD_MODE", 1}, {"K_H", 2}, {"K_W", 2}, {"K_D", 2}});
  for (const char *pad : {"none", "FRONT_PAD", "BACK_PAD", "L_PAD"}) {
    const bool padded = std::string_view(pad) != "none";
    const TestInstruction one = padded ? pool.with({{pad, 1}}) : pool;
    const auto p = one.as<VolumePool>();
    Touched expected;
    add_planes(expected.read["FM"], p.planes.source, p.depth);
    if (padded) add_run(expected.read["PAD"], {0x5000, Unit::s16, 3});
    add_map(expected.written["D"], p.planes.result);
    Touched touched = visited(one);
    expect_table(touched, 40);
    touched.read.erase("table");
    EXPECT_EQ(touched.read, expected.read) << pad;
    EXPECT_EQ(touched.written, expected.written) << pad;
  }
  const auto s = sections.as<SectionPool>();
  Touched expected;
  add_planes(expected.read["FM"], s.source, s.depth);
  add_map(expected.written["D"], s.result);
  Touched touched = visited(sections);
  expect_table(touched, 40);
  touched.read.erase("table");
  EXPECT_EQ(touched.read, expected.read);
  EXPECT_EQ(touched.written, expected.written);
}

TEST(UnityAccesses, PaddingBetweenPlanesIsRead) {
  TestInstruction instruction(Opcode::TRANS_CONV3D, {{"FM", 0x1000}, {"K", 0x2000}, {"D", 0x3000}, {"FM_D", 2}, {"FM_H", 1}, {"FM_W", 1}});
  instruction.set({{"FM_C", 3}, {"K_D", 1}, {"K_H", 1}, {"K_W", 1}, {"K_NUM", 1}, {"D_STRIDE", 1}, {"V_STRIDE", 1}, {"H_STRIDE", 1}});
  instruction.set({{"ENLARGE_D", 2}, {"ENLARGE_V", 1}, {"ENLARGE_H", 1}, {"PAD_MODE", 1}, {"PAD", 0x5000}});
  EXPECT_TRUE(visited(instruction).read.contains("PAD"));
  EXPECT_FALSE(visited(instruction.with({{"ENLARGE_D", 1}})).read.contains("PAD"));
}

TEST(UnityAccesses, DenseMapsAndParametersAreOneAccess) {
  const TestInstruction instruction(Opcode::CONV2D, {{"FM", 0x1000},
                                                     {"K", 0x2000},
                                                     {"D", 0x3000},
                                                     {"H_STRIDE", 1},
                                                     {"V_STRIDE", 1},
                                                     {"FM_UNIT", 6},
                                                     {"W_UNIT", 6},
                                                     {"D_UNIT", 6},
                                                     {"FM_H", 6},
                                                     {"FM_W", 7},
                                                     {"FM_C", 4},
                                                     {"K_H", 3},
                                                     {"K_W", 2},
                                                     {"K_NUM", 8},
                                                     {"BIAS_UNIT", 8},
                                                     {"BIAS_MODE", 1},
                                                     {"BIAS", 0x4000},
                                                     {"SCALE_MODE", 2},
                                                     {"SCALE", 0x5000}});
  EXPECT_EQ(instruction.accesses().size(), 6U);  // the table, map, kernel, bias, scale and result
}

TEST(UnityAccesses, DistancesAreJoined) {
  class Last final : public RegionVisitor {
   public:
    void visit(const Region &region) override {
      if (!region.write) map = region;
    }
    Region map;
  };
  const auto region = [](const TestInstruction &instruction) {
    Last last;
    visit_regions(instruction.resolve().value(), last);
    return last.map;
  };
  const TestInstruction volume(Opcode::ADAPTIVV_POOL3D, {{"FM", 0x1000},
                                                         {"D", 0x8000},
                                                         {"FM_UNIT", 6},
                                                         {"FM_D", 3},
                                                         {"FM_H", 4},
                                                         {"FM_W", 5},
                                                         {"FM_C", 6},
                                                         {"O_D", 1},
                                                         {"O_H", 1},
                                                         {"O_W", 1}});
  using Numbers = Region::Numbers;
  EXPECT_EQ(region(volume).count, (Numbers{1, 1, 1}));
  EXPECT_EQ(region(volume).chunk, 2 * 360U);
  const Region planes = region(volume.with({{"FM_D_STRIDE", 130}}));
  EXPECT_EQ(planes.count, (Numbers{1, 1, 3}));
  EXPECT_EQ(planes.step, (Numbers{0, 0, 260}));
  EXPECT_EQ(planes.chunk, 2 * 120U);
  const Region lines = region(volume.with({{"LINE_STRIDE", 40}}));
  EXPECT_EQ(lines.count, (Numbers{1, 1, 12}));
  EXPECT_EQ(lines.step, (Numbers{0, 0, 80}));
  EXPECT_EQ(lines.chunk, 2 * 30U);
  const Region columns = region(volume.with({{"SURF", 7}, {"LINE_STRIDE", 40}}));
  EXPECT_EQ(columns.count, (Numbers{1, 12, 5}));
  EXPECT_EQ(columns.step, (Numbers{0, 80, 14}));
}

TEST(UnityAccesses, ExitTouchesNothing) {
  for_each_access(Set::begin(Opcode::EXIT), {kNoMemory, 0}, Operation{Exit{}}, [](const Access &) { ADD_FAILURE(); });
}

TEST(UnityAccesses, OverlapEqualsSetsOfBytes) {
  std::mt19937 random(5);
  unsigned overlapping = 0;
  for (unsigned turn = 0; turn < 20000; ++turn) {
    const auto draw = [&](unsigned least, unsigned most) { return std::uint64_t{least} + random() % (most - least + 1); };
    const auto region = [&] {
      const std::uint64_t chunk = draw(1, 9);
      const Region::Numbers count{draw(1, 3), draw(1, 4), draw(1, 5)}, step{2 * draw(0, 30), 2 * draw(0, 20), 2 * draw(0, 12)};
      return Region{"", false, 8, 0x100 + draw(0, 120), count, step, chunk};
    };
    const auto bytes = [](const Region &r) {
      Bytes all;
      for (std::uint64_t i = 0; i < r.count[0]; ++i) {
        for (std::uint64_t j = 0; j < r.count[1]; ++j) {
          for (std::uint64_t k = 0; k < r.count[2]; ++k) {
            const std::uint64_t start = i * r.step[0] + j * r.step[1] + k * r.step[2];
            for (std::uint64_t n = 0; n < r.chunk; ++n) all.insert(r.address + (start + n) / 2);
          }
        }
      }
      return all;
    };
    const Region a = region(), b = region();
    const Bytes first = bytes(a), second = bytes(b);
    bool common = false;
    for (const std::uint64_t at : first) common = common || second.contains(at);
    ASSERT_EQ(overlap(a, b), common) << turn;
    ASSERT_EQ(overlap(b, a), common) << turn;
    ASSERT_EQ(a.extent(), *first.rbegin() - a.address + 1);
    overlapping += common ? 1 : 0;
  }
  EXPECT_GT(overlapping, 5000U);
  EXPECT_LT(overlapping, 15000U);
  EXPECT_FALSE(overlap({"", false, 8, 0x100, {1, 1, 0}, {}, 4}, {"", false, 8, 0x100, {1, 1, 1}, {}, 4}));
  // At the top of the address space.
  EXPECT_TRUE(overlap({"", false, 8, UINT64_MAX - 3, {1, 1, 1}, {}, 4}, {"", false, 8, UINT64_MAX - 2, {1, 1, 1}, {}, 2}));
}

}  // namespace accesses_test
}  // namespace
}  // namespace cox::isa::unity
