// SPDX-License-Identifier: MIT
// Bytes that each instruction reads and writes, worked out by hand.
#include <gtest/gtest.h>

#include <ostream>

#include "tests/isa/cube/operation.h"

namespace cox::isa::cube {
namespace footprint_test {

std::vector<Access> accesses(const MachineCode &code, const Configuration &configuration = plain()) {
  const Result<Operation> result = resolved(code, configuration);
  EXPECT_TRUE(result.ok()) << error_name(result.status().code()) << " " << result.status().what();
  const Footprint all = footprint(result.value());
  return {all.accesses.begin(), all.accesses.begin() + all.count};
}

/// An access of `count` runs of `run` bytes that begin `stride` bytes apart.
Access one(Memory memory, bool write, const char *field, std::uint64_t start, std::uint64_t run, std::uint32_t count = 1,
           std::uint64_t stride = 0) {
  return {memory, write, start, run, {count, 1}, {stride, 0}, field};
}

void expect(const std::vector<Access> &found, const std::vector<Access> &expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    SCOPED_TRACE(testing::Message() << "access " << i);
    EXPECT_EQ(found[i].memory, expected[i].memory);
    EXPECT_EQ(found[i].write, expected[i].write);
    EXPECT_EQ(found[i].start, expected[i].start);
    EXPECT_EQ(found[i].run, expected[i].run);
    EXPECT_EQ(found[i].count, expected[i].count);
    EXPECT_EQ(found[i].stride, expected[i].stride);
    EXPECT_STREQ(found[i].field, expected[i].field);
  }
}

TEST(Footprint, NothingAtAll) {
  expect(accesses(instruction(Opcode::SET_FLAG, {{"Target", 1}})), {});
  expect(accesses(instruction(Opcode::WAIT_FLAG, {{"Origin", 1}})), {});
  for (const Opcode opcode : {Opcode::BARRIER, Opcode::IM2COL_CFG, Opcode::OUT_CFG}) expect(accesses(smallest(opcode)), {});
}

TEST(Footprint, End) {
  Access access = one(Memory::l1, false, "", 1000, 10, 3, 30);
  EXPECT_EQ(access.end(), 1070U);
  access.count[1] = 2;
  access.stride[1] = 500;
  EXPECT_EQ(access.end(), 1570U);
}

const std::vector<Setting> kLoad = {{"Source", 0x60000000}, {"Rows", 33},         {"SourcePitch", 4096},
                                    {"RowBytes", 100},      {"Destination", 512}, {"DestinationPitch", 128}};

TEST(Footprint, DramToL1Linear) {
  const auto load = [](const std::vector<Setting> &more) { return accesses(instruction(Opcode::DRAM_TO_L1, with(kLoad, more))); };
  expect(load({}),
         {one(Memory::dram, false, "Source", 0x60000000, 100, 33, 4096), one(Memory::l1, true, "Destination", 512, 100, 33, 128)});
  // Rows without gaps are one run. With pitch 0 one row is read repeatedly.
  expect(load({{"SourcePitch", 100}, {"DestinationPitch", 100}}),
         {one(Memory::dram, false, "Source", 0x60000000, 3300), one(Memory::l1, true, "Destination", 512, 3300)});
  expect(load({{"SourcePitch", 0}}),
         {one(Memory::dram, false, "Source", 0x60000000, 100), one(Memory::l1, true, "Destination", 512, 100, 33, 128)});
  expect(load({{"Rows", 1}}), {one(Memory::dram, false, "Source", 0x60000000, 100), one(Memory::l1, true, "Destination", 512, 100)});
  // Rows that are read may overlap.
  expect(load({{"SourcePitch", 50}}),
         {one(Memory::dram, false, "Source", 0x60000000, 100, 33, 50), one(Memory::l1, true, "Destination", 512, 100, 33, 128)});
}

TEST(Footprint, DramToL1Fractal) {
  const auto written = [](const std::vector<Setting> &more) {
    return accesses(instruction(Opcode::DRAM_TO_L1, with(with(kLoad, {{"Format", 1}}), more))).back();
  };
  // 33 rows take 3 fractals, 100 bytes take 4 columns of them.
  expect({written({{"DestinationPitch", 5}})}, {one(Memory::l1, true, "Destination", 512, 1536, 4, 2560)});
  expect({written({{"DestinationPitch", 3}})}, {one(Memory::l1, true, "Destination", 512, 6144)});
  expect({written({{"DestinationPitch", 5}, {"RowBytes", 32}})}, {one(Memory::l1, true, "Destination", 512, 1536)});
}

TEST(Footprint, L1ToL0A) {
  // 18 x 50 in BF16 takes 2 x 4 fractals of L0A. Without Transpose, L1 holds the matrix as 4 columns of fractals with 18 rows of 32 bytes.
  // With Transpose, L1 holds 2 columns with 50 rows.
  const std::vector<Setting> move = {{"Source", 0x400}, {"Destination", 0x600}, {"SourcePitch", 7}, {"Rows", 18}, {"Columns", 50}};
  expect(accesses(instruction(Opcode::L1_TO_L0A, move)),
         {one(Memory::l1, false, "Source", 0x400, 18 * 32, 4, 3584), one(Memory::l0a, true, "Destination", 0x600, 4096)});
  expect(accesses(instruction(Opcode::L1_TO_L0A, with(move, {{"Transpose", 1}}))),
         {one(Memory::l1, false, "Source", 0x400, 50 * 32, 2, 3584), one(Memory::l0a, true, "Destination", 0x600, 4096)});
  // 112 rows fill the 7 fractals of each column, so there are no gaps.
  expect(accesses(instruction(Opcode::L1_TO_L0A, with(move, {{"Rows", 112}}))),
         {one(Memory::l1, false, "Source", 0x400, 4 * 3584), one(Memory::l0a, true, "Destination", 0x600, 7 * 4 * 512)});
  // FP32: 50 elements take 7 fractals of 8, or 8 fractals if k is aligned.
  expect(accesses(instruction(Opcode::L1_TO_L0A, with(move, {{"Type", 2}, {"KDirectionAlign", 1}}))),
         {one(Memory::l1, false, "Source", 0x400, 18 * 32, 7, 3584), one(Memory::l0a, true, "Destination", 0x600, 8192)});
  // INT4, transposed: in L1, each of the matrix's 50 columns is one row of 32 bytes.
  expect(accesses(instruction(Opcode::L1_TO_L0A, with(move, {{"Type", 4}, {"Transpose", 1}, {"Rows", 17}}))),
         {one(Memory::l1, false, "Source", 0x400, 50 * 32), one(Memory::l0a, true, "Destination", 0x600, 1024)});
}

TEST(Footprint, L1ToL0B) {
  // 50 x 18 in INT8 takes 2 x 2 fractals of L0B. Without Transpose, L1 holds the matrix as 18 x 50: 2 columns of fractals with 18 rows.
  // With Transpose, L1 holds it as 50 x 18: 1 column with 50 rows.
  const std::vector<Setting> move = {{"Source", 0x400}, {"Destination", 0x600}, {"SourcePitch", 7},
                                     {"Rows", 50},      {"Columns", 18},        {"Type", 3}};
  expect(accesses(instruction(Opcode::L1_TO_L0B, move)),
         {one(Memory::l1, false, "Source", 0x400, 18 * 32, 2, 3584), one(Memory::l0b, true, "Destination", 0x600, 2048)});
  expect(accesses(instruction(Opcode::L1_TO_L0B, with(move, {{"Transpose", 1}}))),
         {one(Memory::l1, false, "Source", 0x400, 50 * 32), one(Memory::l0b, true, "Destination", 0x600, 2048)});
}

TEST(Footprint, Im2colToL0A) {
  // The map has 10 x 11 pixels of 12 INT8 channels; all of it counts as read. The 40 x 70 elements in L0A take 3 x 3 fractals.
  const auto read = [](std::int64_t pixel, std::int64_t row, std::int64_t width = 11, std::int64_t height = 10) {
    const Configuration map = configured(Opcode::IM2COL_CFG, {{"Height", height},
                                                              {"Width", width},
                                                              {"Channels", 12},
                                                              {"Type", 3},
                                                              {"PixelPitch", pixel},
                                                              {"RowPitch", row},
                                                              {"KernelHeight", 3},
                                                              {"KernelWidth", 3},
                                                              {"StrideY", 1},
                                                              {"StrideX", 1},
                                                              {"DilationY", 1},
                                                              {"DilationX", 1},
                                                              {"OutWidth", 9}});
    const std::vector<Access> all =
        accesses(instruction(Opcode::IM2COL_TO_L0A, {{"Source", 77}, {"Destination", 0xA00}, {"Rows", 40}, {"Columns", 70}}), map);
    EXPECT_EQ(all.size(), 2U);
    expect({all.back()}, {one(Memory::l0a, true, "Destination", 0xA00, 4608)});
    return all.front();
  };
  expect({read(13, 150)}, {Access{Memory::l1, false, 77, 12, {11, 10}, {13, 150}, "Source"}});
  expect({read(12, 150)}, {one(Memory::l1, false, "Source", 77, 132, 10, 150)});
  expect({read(12, 132)}, {one(Memory::l1, false, "Source", 77, 1320)});
  expect({read(100, 150, 1)}, {one(Memory::l1, false, "Source", 77, 12, 10, 150)});
  expect({read(13, 150, 11, 1)}, {one(Memory::l1, false, "Source", 77, 12, 11, 13)});
}

TEST(Footprint, L1ToBt) {
  expect(accesses(instruction(Opcode::L1_TO_BT, {{"Source", 0x1C0}, {"Destination", 0x340}, {"Bytes", 192}})),
         {one(Memory::l1, false, "Source", 0x1C0, 192), one(Memory::bias_table, true, "Destination", 0x340, 192)});
}

/// The left operand, 33 x 50 in FP16, takes 3 x 4 fractals of 512 bytes. The right operand, 50 x 17, takes 4 x 2.
/// The accumulators, 33 x 17, take 3 x 2 fractals of 1,024 bytes.
const std::vector<Setting> kMad = {{"Destination", 0x800}, {"Left", 0x200}, {"Right", 0x400}, {"M", 33}, {"K", 50}, {"N", 17}, {"Type", 1}};

TEST(Footprint, Mad) {
  const Access left = one(Memory::l0a, false, "Left", 0x200, 6144), right = one(Memory::l0b, false, "Right", 0x400, 4096);
  const Access written = one(Memory::l0c, true, "Destination", 0x800, 6144);
  expect(accesses(instruction(Opcode::MAD, with(kMad, {{"CmatrixInitVal", 1}}))), {left, right, written});
  expect(accesses(instruction(Opcode::MAD, kMad)), {left, right, one(Memory::l0c, false, "Destination", 0x800, 6144), written});
  expect(accesses(instruction(Opcode::MAD, with(kMad, {{"CmatrixSource", 1}, {"BiasAddress", 0x40}}))),
         {left, right, one(Memory::bias_table, false, "BiasAddress", 0x40, 68), written});
  for (const char *side : {"M", "K", "N"}) expect(accesses(instruction(Opcode::MAD, with(kMad, {{side, 0}}))), {});
}

TEST(Footprint, MadReadsRoundTheBiasTable) {
  const auto biases = [](std::int64_t address, std::int64_t n) {
    const std::vector<Access> all =
        accesses(instruction(Opcode::MAD, with(kMad, {{"CmatrixSource", 1}, {"BiasAddress", address}, {"N", n}, {"M", 1}, {"K", 1}})));
    return std::vector<Access>(all.begin() + 2, all.end() - 1);
  };
  const auto read = [](std::uint64_t start, std::uint64_t run) { return one(Memory::bias_table, false, "BiasAddress", start, run); };
  expect(biases(960, 16), {read(960, 64)});
  expect(biases(960, 17), {read(960, 64), read(0, 4)});
  expect(biases(1024, 17), {read(0, 68)});
  expect(biases(0xFFFFFFC0, 17), {read(960, 64), read(0, 4)});
  expect(biases(64, 255), {read(64, 960), read(0, 60)});
  expect(biases(64, 256), {read(0, 1024)});
  expect(biases(64, 1000), {read(0, 1024)});
}

/// Stores 33 x 50 as BF16. L0C has 4 columns of fractals, with 33 rows of 64 bytes in each.
const std::vector<Setting> kStore = {
    {"Destination", 0x4400}, {"Channel", 48},           {"DestinationPitch", 128}, {"Source", 0x800}, {"To", 2}, {"Rows", 33},
    {"Columns", 50},         {"ResidualAddress", 0x55}, {"SourcePitch", 5}};

TEST(Footprint, L0CToDram) {
  const Access read = one(Memory::l0c, false, "Source", 0x800, 33 * 64, 4, 5120);
  const auto written = [](std::uint64_t run, std::uint32_t count, std::uint64_t stride) {
    return one(Memory::dram, true, "Destination", 0x12'0000'4400, run, count, stride);
  };
  const std::vector<Setting> store = with(kStore, {{"DestinationHigh", 0x12}});
  expect(accesses(instruction(Opcode::L0C_TO_DRAM, store)), {read, written(100, 33, 128)});
  expect(accesses(instruction(Opcode::L0C_TO_DRAM, with(store, {{"DestinationPitch", 100}}))), {read, written(3300, 1, 0)});
  // The store reads the factors and biases of channels 48 to 97. The residual has a row for each output row, or one row that is read
  // repeatedly.
  const std::vector<Setting> scaling = {{"ScaleMode", 2},         {"ScaleAddress", 0x80000}, {"Bias", 1},
                                        {"BiasAddress", 0x90000}, {"Residual", 1},           {"ResidualPitch", 256}};
  const Access factors = one(Memory::l1, false, "ScaleAddress", 0x80000 + 192, 200);
  const Access biases = one(Memory::l1, false, "BiasAddress", 0x90000 + 192, 200);
  expect(accesses(instruction(Opcode::L0C_TO_DRAM, store), configured(Opcode::OUT_CFG, scaling)),
         {read, factors, biases, one(Memory::l1, false, "ResidualAddress", 0x55, 100, 33, 256), written(100, 33, 128)});
  expect(accesses(instruction(Opcode::L0C_TO_DRAM, store), configured(Opcode::OUT_CFG, with(scaling, {{"ResidualPitch", 0}}))),
         {read, factors, biases, one(Memory::l1, false, "ResidualAddress", 0x55, 100), written(100, 33, 128)});
  // A single factor for all channels is not read from L1.
  expect(accesses(instruction(Opcode::L0C_TO_DRAM, store), configured(Opcode::OUT_CFG, {{"ScaleMode", 1}})), {read, written(100, 33, 128)});
}

TEST(Footprint, L0CToL1) {
  const Access read = one(Memory::l0c, false, "Source", 0x800, 33 * 64, 4, 5120);
  expect(accesses(instruction(Opcode::L0C_TO_L1, kStore)), {read, one(Memory::l1, true, "Destination", 0x4400, 100, 33, 128)});
  // With Format 1 the store writes fractals. A row of 50 elements takes 4 fractals of 16 BF16, 2 of 32 INT8 or 7 of 8 FP32. The 33 rows
  // take 3 fractals.
  const std::vector<Setting> fractal = with(kStore, {{"Format", 1}, {"DestinationPitch", 4}});
  expect(accesses(instruction(Opcode::L0C_TO_L1, fractal)), {read, one(Memory::l1, true, "Destination", 0x4400, 1536, 4, 2048)});
  expect(accesses(instruction(Opcode::L0C_TO_L1, with(fractal, {{"To", 4}}))),
         {read, one(Memory::l1, true, "Destination", 0x4400, 1536, 2, 2048)});
  expect(accesses(instruction(Opcode::L0C_TO_L1, with(fractal, {{"To", 0}, {"DestinationPitch", 3}}))),
         {read, one(Memory::l1, true, "Destination", 0x4400, 7 * 1536)});
}

}  // namespace footprint_test
}  // namespace cox::isa::cube
