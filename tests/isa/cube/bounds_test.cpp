// SPDX-License-Identifier: MIT
// resolve() must refuse accesses beyond the end of their buffer, and outputs that overlap inputs. check_windows() must refuse accesses
// outside of the windows.
#include <gtest/gtest.h>

#include <random>

#include "tests/isa/cube/operation.h"

namespace cox::isa::cube {
namespace {

constexpr ErrorCode kBuffer = ErrorCode::address_outside_buffer, kWindow = ErrorCode::address_outside_window,
                    kOverlap = ErrorCode::tensor_overlap;
constexpr std::int64_t kL1 = 1048576, kL0 = 65536, kL0C = 262144;

TEST(Bounds, DramToL1) {
  // 3 rows of 100 bytes take 2 pitches of 128 bytes and the last row: 2 * 128 + 100 = 356 bytes.
  const auto load = [](const std::vector<Setting> &more) {
    return instruction(Opcode::DRAM_TO_L1, with({{"Rows", 3}, {"SourcePitch", 128}, {"RowBytes", 100}, {"DestinationPitch", 128}}, more));
  };
  EXPECT_TRUE(resolved(load({{"Destination", kL1 - 356}})).ok());
  expect_refused(load({{"Destination", kL1 - 355}}), kBuffer, "Destination", kL1 + 1, kL1);
  // With Format 1 the load writes fractals. A row of 100 bytes takes 4 columns of 32 bytes. 3 rows take one fractal of 512 bytes in each
  // column: 2,048 bytes.
  EXPECT_TRUE(resolved(load({{"Format", 1}, {"DestinationPitch", 1}, {"Destination", kL1 - 2048}})).ok());
  expect_refused(load({{"Format", 1}, {"DestinationPitch", 2}, {"Destination", kL1 - 2048}}), kBuffer, "Destination", kL1 + 1536, kL1);
  // DRAM ends at 2^48.
  EXPECT_TRUE(resolved(load({{"SourceHigh", 0xFFFF}, {"Source", 0xFFFFFFFF - 355}})).ok());
  expect_refused(load({{"SourceHigh", 0xFFFF}, {"Source", 0xFFFFFFFF - 354}}), kWindow, "Source", 0xFFFF'FFFF'FE9D, 0x1'0000'0000'0000);
  // With the largest value in each field, the source exceeds DRAM and the destination exceeds L1. The error names the source.
  expect_refused(load({{"Rows", 65535}, {"SourcePitch", 0xFFFFFFFF}, {"SourceHigh", 0xFFFF}, {"DestinationPitch", 1048575}}), kWindow,
                 "Source", 0xFFFF'0000'0000, 0x1'0000'0000'0000);
  expect_refused(load({{"Rows", 65535}, {"DestinationPitch", 1048575}}), kBuffer, "Destination", 65534 * 1048575LL + 100, kL1);
}

TEST(Bounds, L1ToL0) {
  // 32 x 32 in BF16: the move reads 2 columns of 2 fractals from L1 and writes 4 fractals to L0.
  for (const Opcode opcode : {Opcode::L1_TO_L0A, Opcode::L1_TO_L0B}) {
    const auto move = [opcode](const std::vector<Setting> &more) {
      return instruction(opcode, with({{"SourcePitch", 4}, {"Rows", 32}, {"Columns", 32}}, more));
    };
    EXPECT_TRUE(resolved(move({{"Source", kL1 - 3072}, {"Destination", kL0 - 2048}})).ok());
    expect_refused(move({{"Source", kL1 - 2560}}), kBuffer, "Source", kL1 + 512, kL1);
    expect_refused(move({{"Destination", kL0 - 1536}}), kBuffer, "Destination", kL0 + 512, kL0);
    // 4,095 x 4,095 FP32 elements take 256 x 512 fractals, which have 64 MiB.
    expect_refused(move({{"Rows", 4095}, {"Columns", 4095}, {"Type", 2}, {"SourcePitch", 1}}), kBuffer, "Destination", 67108864, kL0);
  }
}

TEST(Bounds, Im2col) {
  // The map has 3 x 4 pixels of 5 BF16 channels (10 bytes). The row pitch is 100 bytes, the pixel pitch is 16 bytes.
  // It takes 2 row pitches, 3 pixel pitches and the last pixel: 2 * 100 + 3 * 16 + 10 = 258 bytes.
  const Configuration map = configured(Opcode::IM2COL_CFG, {{"Height", 3},
                                                            {"Width", 4},
                                                            {"Channels", 5},
                                                            {"PixelPitch", 16},
                                                            {"RowPitch", 100},
                                                            {"KernelHeight", 1},
                                                            {"KernelWidth", 1},
                                                            {"StrideY", 1},
                                                            {"StrideX", 1},
                                                            {"DilationY", 1},
                                                            {"DilationX", 1},
                                                            {"OutWidth", 4}});
  const auto gather = [](std::int64_t source, std::int64_t destination) {
    return instruction(Opcode::IM2COL_TO_L0A, {{"Source", source}, {"Destination", destination}, {"Rows", 12}, {"Columns", 5}});
  };
  EXPECT_TRUE(resolved(gather(kL1 - 258, kL0 - 512), map).ok());
  expect_refused(gather(kL1 - 257, 0), kBuffer, "Source", kL1 + 1, kL1, map);
  expect_refused(instruction(Opcode::IM2COL_TO_L0A, {{"Destination", kL0 - 512}, {"Rows", 17}, {"Columns", 5}}), kBuffer, "Destination",
                 kL0 + 512, kL0, map);
}

TEST(Bounds, L1ToBt) {
  EXPECT_TRUE(resolved(instruction(Opcode::L1_TO_BT, {{"Source", kL1 - 1024}, {"Bytes", 1024}})).ok());
  expect_refused(instruction(Opcode::L1_TO_BT, {{"Source", kL1 - 64}, {"Bytes", 128}}), kBuffer, "Source", kL1 + 64, kL1);
  expect_refused(instruction(Opcode::L1_TO_BT, {{"Destination", 960}, {"Bytes", 128}}), kBuffer, "Destination", 1088, 1024);
}

TEST(Bounds, Mad) {
  // The left operand, 32 x 16 in BF16, takes 2 fractals of 512 bytes. The right operand, 16 x 48, takes 3.
  // The accumulators, 32 x 48, take 2 * 3 fractals of 1,024 bytes.
  const auto mad = [](const std::vector<Setting> &more) { return instruction(Opcode::MAD, with({{"M", 32}, {"K", 16}, {"N", 48}}, more)); };
  EXPECT_TRUE(resolved(mad({{"Left", kL0 - 1024}, {"Right", kL0 - 1536}, {"Destination", kL0C - 6144}})).ok());
  expect_refused(mad({{"Left", kL0 - 512}}), kBuffer, "Left", kL0 + 512, kL0);
  expect_refused(mad({{"Right", kL0 - 1024}}), kBuffer, "Right", kL0 + 512, kL0);
  expect_refused(mad({{"Destination", kL0C - 5120}}), kBuffer, "Destination", kL0C + 1024, kL0C);
  // L0A and L0B hold 128 fractals each. 16 rows take all of them with k = 2,048 in BF16, and with k = 4,095 in INT8.
  EXPECT_TRUE(resolved(mad({{"M", 16}, {"N", 16}, {"K", 2048}})).ok());
  EXPECT_TRUE(resolved(mad({{"M", 16}, {"N", 16}, {"K", 4095}, {"Type", 3}})).ok());
  EXPECT_TRUE(resolved(mad({{"M", 32}, {"N", 32}, {"K", 4094}, {"Type", 4}})).ok());
  EXPECT_TRUE(resolved(mad({{"M", 2048}, {"N", 1}, {"K", 1}})).ok());
  EXPECT_TRUE(resolved(mad({{"M", 1}, {"N", 2048}, {"K", 1}})).ok());
  expect_refused(mad({{"M", 4095}, {"N", 1}, {"K", 4095}}), kBuffer, "Left", 256 * 256 * 512, kL0);
  expect_refused(mad({{"M", 4095}, {"N", 17}, {"K", 1}}), kBuffer, "Left", 131072, kL0);
  expect_refused(mad({{"M", 1}, {"N", 4095}, {"K", 1}}), kBuffer, "Right", 131072, kL0);
}

TEST(Bounds, OutputFromL0C) {
  const auto store = [](const std::vector<Setting> &more) {
    return instruction(Opcode::L0C_TO_DRAM, with({{"Rows", 33}, {"Columns", 17}, {"SourcePitch", 3}, {"DestinationPitch", 68}}, more));
  };
  // The accumulators have two columns of 3 fractals of 1,024 bytes. In each column the store reads only 33 rows of 64 bytes.
  EXPECT_TRUE(resolved(store({{"Source", kL0C - 6144}})).ok());
  expect_refused(store({{"Source", kL0C - 5120}}), kBuffer, "Source", kL0C - 5120 + 3072 + 33 * 64, kL0C);
  expect_refused(store({{"DestinationHigh", 0xFFFF}, {"Destination", 0xFFFFFFFF - 2242}}), kWindow, "Destination", 0xFFFF'FFFF'F73D,
                 0x1'0000'0000'0000);  // 33 rows of 68 bytes take 2,244 bytes, but memory ends after 2,243
  EXPECT_TRUE(resolved(store({{"DestinationHigh", 0xFFFF}, {"Destination", 0xFFFFFFFF - 2243}})).ok());
}

TEST(Bounds, OutputWithTables) {
  const MachineCode store = instruction(
      Opcode::L0C_TO_DRAM,
      {{"Rows", 2}, {"Columns", 8}, {"SourcePitch", 1}, {"DestinationPitch", 32}, {"Channel", 100}, {"ResidualAddress", kL1 - 96}});
  const auto with_table = [&](const std::vector<Setting> &settings) {
    return resolved(store, configured(Opcode::OUT_CFG, settings)).status();
  };
  // Channels 100 to 107 end at byte 108 * 4 = 432 of the table.
  EXPECT_TRUE(with_table({{"ScaleMode", 2}, {"ScaleAddress", kL1 - 432}}).ok());
  expect_error(with_table({{"ScaleMode", 2}, {"ScaleAddress", kL1 - 428}}), kBuffer, "ScaleAddress", kL1 + 4, kL1);
  EXPECT_TRUE(with_table({{"Bias", 1}, {"BiasAddress", kL1 - 432}}).ok());
  expect_error(with_table({{"Bias", 1}, {"BiasAddress", kL1 - 428}}), kBuffer, "BiasAddress", kL1 + 4, kL1);
  EXPECT_TRUE(with_table({{"Residual", 1}, {"ResidualPitch", 64}}).ok());
  expect_error(with_table({{"Residual", 1}, {"ResidualPitch", 65}}), kBuffer, "ResidualAddress", kL1 + 1, kL1);
}

TEST(Bounds, OutputToL1) {
  const auto store = [](const std::vector<Setting> &more) {
    return instruction(Opcode::L0C_TO_L1, with({{"Rows", 17}, {"Columns", 9}, {"SourcePitch", 2}, {"DestinationPitch", 40}}, more));
  };
  EXPECT_TRUE(resolved(store({{"Destination", kL1 - 676}})).ok());  // 16 pitches of 40 bytes and a row of 36 bytes
  expect_refused(store({{"Destination", kL1 - 675}}), kBuffer, "Destination", kL1 + 1, kL1);
  // With Format 1 the store writes fractals: 2 columns of 2 fractals of 512 bytes.
  EXPECT_TRUE(resolved(store({{"Format", 1}, {"DestinationPitch", 2}, {"Destination", kL1 - 2048}})).ok());
  expect_refused(store({{"Format", 1}, {"DestinationPitch", 2}, {"Destination", kL1 - 1536}}), kBuffer, "Destination", kL1 + 512, kL1);
}

/// Stores 4 x 8 FP32 to L1, in rows of 32 bytes with pitch 64.
Status store_beside(const std::vector<Setting> &configuration, std::int64_t destination, std::int64_t residual = 0) {
  const MachineCode code = instruction(Opcode::L0C_TO_L1, {{"Rows", 4},
                                                           {"Columns", 8},
                                                           {"SourcePitch", 1},
                                                           {"DestinationPitch", 64},
                                                           {"Destination", destination},
                                                           {"ResidualAddress", residual}});
  return resolved(code, configured(Opcode::OUT_CFG, configuration)).status();
}

TEST(Apart, TablesAndTheResidual) {
  const std::vector<Setting> factors = {{"ScaleMode", 2}, {"ScaleAddress", 4096}};
  const std::vector<Setting> biases = {{"Bias", 1}, {"BiasAddress", 4096}};
  for (const auto &table : {factors, biases}) {  // the table has 32 bytes at 4,096
    EXPECT_TRUE(store_beside(table, 4128).ok());
    EXPECT_TRUE(store_beside(table, 4096 - 224).ok());
    expect_error(store_beside(table, 4127), kOverlap, "Destination", 4127, 4096);
    expect_error(store_beside(table, 4096 - 223), kOverlap, "Destination", 4096 - 223, 4096);
    expect_error(store_beside(table, 4096 - 64), kOverlap, "Destination", 4096 - 64, 4096);  // the second row overlaps
    EXPECT_TRUE(store_beside(table, 4096 - 32).ok());                                        // fits between two rows
    expect_error(store_beside(table, 4096 - 31), kOverlap, "Destination", 4096 - 31, 4096);
    expect_error(store_beside(table, 4096 - 33), kOverlap, "Destination", 4096 - 33, 4096);
  }
  const auto residual = [](std::int64_t pitch) { return std::vector<Setting>{{"Residual", 1}, {"ResidualPitch", pitch}}; };
  EXPECT_TRUE(store_beside(residual(64), 4096, 4128).ok());  // residual rows between the output rows
  EXPECT_TRUE(store_beside(residual(64), 4128, 4096).ok());  // output rows between the residual rows
  expect_error(store_beside(residual(64), 4096, 4096), kOverlap, "Destination", 4096, 4096);
  // A residual row begins in the last byte of an output row.
  expect_error(store_beside(residual(64), 4096, 4127), kOverlap, "Destination", 4096, 4127);
  // With pitch 0 there is only one residual row. The first call puts it on the last output row, the second call behind that row.
  expect_error(store_beside(residual(0), 4096, 4096 + 3 * 64), kOverlap, "Destination", 4096, 4096 + 3 * 64);
  EXPECT_TRUE(store_beside(residual(0), 4096, 4096 + 4 * 64).ok());
  // If the residual is not used, its address does not matter.
  EXPECT_TRUE(store_beside({}, 4096, 4096).ok());
}

/// resolve() must refuse the store if, and only if, the output and the residual share a byte. The test looks at every byte.
TEST(Apart, AnyPitches) {
  std::mt19937 random(7);
  const auto draw = [&](int least, int most) { return std::uniform_int_distribution(least, most)(random); };
  const auto index_of = [](int start, int row, int pitch, int byte) {
    const int index = start + row * pitch + byte;
    return static_cast<std::size_t>(index);
  };
  int overlapping = 0;
  for (int i = 0; i < 3000; ++i) {
    const int rows = draw(1, 6), columns = draw(1, 20), pitch = columns + draw(0, 30), destination = draw(0, 200), other = draw(0, 200),
              other_pitch = draw(0, 60);
    std::vector<bool> written(1000);
    for (int row = 0; row < rows; ++row) {
      for (int byte = 0; byte < columns; ++byte) written[index_of(destination, row, pitch, byte)] = true;
    }
    bool shared = false;
    for (int row = 0; row < rows; ++row) {
      for (int byte = 0; byte < columns; ++byte) shared = shared || written[index_of(other, row, other_pitch, byte)];
    }
    const MachineCode code = instruction(Opcode::L0C_TO_L1, {{"Rows", rows},
                                                             {"Columns", columns},
                                                             {"To", 4},
                                                             {"SourcePitch", 1},
                                                             {"DestinationPitch", pitch},
                                                             {"Destination", destination},
                                                             {"ResidualAddress", other}});
    const Status status = resolved(code, configured(Opcode::OUT_CFG, {{"Residual", 1}, {"ResidualPitch", other_pitch}})).status();
    ASSERT_EQ(status.code() == kOverlap, shared)
        << rows << "x" << columns << " " << destination << "+" << pitch << " " << other << "+" << other_pitch;
    overlapping += shared ? 1 : 0;
  }
  EXPECT_GT(overlapping, 500);
  EXPECT_LT(overlapping, 2500);
}

TEST(Windows, OnlyDramHasThem) {
  const auto windows_of = [](const MachineCode &code, std::span<const Window> windows) {
    return check_windows(footprint(resolved(code).value()), windows);
  };
  // The load reads 356 bytes from 0x60000010 on: 2 pitches of 128 bytes and the last row of 100 bytes.
  const MachineCode load = instruction(
      Opcode::DRAM_TO_L1, {{"Source", 0x60000010}, {"Rows", 3}, {"SourcePitch", 128}, {"RowBytes", 100}, {"DestinationPitch", 128}});
  const MachineCode store = instruction(
      Opcode::L0C_TO_DRAM, {{"Destination", 0x60000010}, {"Rows", 3}, {"Columns", 25}, {"SourcePitch", 1}, {"DestinationPitch", 128}});
  const struct {
    const MachineCode &code;
    const char *field;
    bool write;
  } kCases[] = {{load, "Source", false}, {store, "Destination", true}};
  for (const auto &one : kCases) {
    const auto status = [&](std::uint64_t base, std::uint64_t bytes, bool read, bool write) {
      const Window windows[] = {{}, {base, bytes, read, write}};
      return windows_of(one.code, windows);
    };
    EXPECT_TRUE(status(0x60000010, 356, !one.write, one.write).ok());
    EXPECT_TRUE(status(0, 0xFFFFFFFF, true, true).ok());
    expect_error(status(0x60000010, 355, true, true), kWindow, one.field, 0x60000010);
    expect_error(status(0x60000011, 400, true, true), kWindow, one.field, 0x60000010);
    expect_error(status(0x60000010, 356, one.write, !one.write), kWindow, one.field, 0x60000010);
    // Two adjacent windows do not count as one.
    const Window halves[] = {{0x60000000, 100, true, true}, {0x60000064, 1000, true, true}};
    expect_error(windows_of(one.code, halves), kWindow, one.field, 0x60000010);
    expect_error(windows_of(one.code, {}), kWindow, one.field, 0x60000010);
  }
  EXPECT_TRUE(windows_of(instruction(Opcode::MAD, {{"M", 16}, {"K", 16}, {"N", 16}}), {}).ok());
}

}  // namespace
}  // namespace cox::isa::cube
