// SPDX-License-Identifier: MIT
// Bytes that each instruction touches, the windows that must hold them, and the work of a convolution, worked out by hand.
#include <gtest/gtest.h>

#include <limits>

#include "tests/isa/mx/operation.h"

namespace cox::isa::mx {
namespace footprint_test {

void expect_access(const Footprint &footprint, unsigned at, const char *field, bool write, std::uint64_t start, std::uint64_t bytes) {
  SCOPED_TRACE(field);
  ASSERT_LT(at, footprint.count);
  const Access &access = footprint.accesses[at];
  EXPECT_STREQ(access.field, field);
  EXPECT_EQ(access.write, write);
  EXPECT_EQ(access.start, start);
  EXPECT_EQ(access.run, bytes);
  EXPECT_EQ(access.count, 1U);
  EXPECT_EQ(access.end(), start + bytes);
}

Footprint of(const MachineCode &code) {
  const Result<Operation> result = resolved(code);
  EXPECT_TRUE(result.ok()) << error_name(result.status().code()) << " " << result.status().what();
  return footprint(result.value());
}

/// A convolution from 64 channels of 10 x 7 pixels to 128 channels of 5 x 4 pixels.
const std::vector<Setting> kConvolution = {{"InChannels", 3}, {"OutChannels", 7}, {"Kernel", 1}, {"Stride", 1},
                                           {"Padding", 1},    {"InHeight", 9},    {"InWidth", 6}};

TEST(Footprint, Confbaddr) { EXPECT_EQ(of(begin(Opcode::CONFBADDR)).count, 0U); }

TEST(Footprint, Convact) {
  const Footprint all = of(instruction(Opcode::CONVACT, kConvolution));
  ASSERT_EQ(all.count, 3U);
  expect_access(all, 0, "InOffset", false, kInput1, 5040);  // 4 blocks of channels * 10 * 7 pixels * 18 bytes
  // 8 blocks of output channels * (9 taps * 4 blocks of input channels * 16 * 18 bytes of weights + 16 * 4 bytes of biases).
  expect_access(all, 1, "WeightOffset", false, kWeight, 83456);
  expect_access(all, 2, "OutOffset1", true, kOutput1, 2880);  // 8 blocks of channels * 5 * 4 pixels * 18 bytes
}

TEST(Footprint, ConvactSplit) {
  std::vector<Setting> settings = kConvolution;
  settings.push_back({"Split", 1});
  const Footprint all = of(instruction(Opcode::CONVACT, settings));
  ASSERT_EQ(all.count, 4U);
  expect_access(all, 1, "WeightOffset", false, kWeight, 83456);
  expect_access(all, 2, "OutOffset1", true, kOutput1, 1440);
  expect_access(all, 3, "OutOffset2", true, kOutput2, 1440);
}

TEST(Footprint, ConvactOfOneBlock) {
  const Footprint all = of(begin(Opcode::CONVACT));
  expect_access(all, 1, "WeightOffset", false, kWeight, 352);  // 16 channels * 18 bytes + 16 biases of 4 bytes
}

TEST(Footprint, Elementwise) {
  const Footprint two = of(instruction(Opcode::ELMUL, {{"InOffset1", 2}, {"InOffset2", 4}, {"OutOffset", 6}, {"Length1", 3}}));
  ASSERT_EQ(two.count, 3U);
  expect_access(two, 0, "InOffset1", false, kInput1 + 2, 54);
  expect_access(two, 1, "InOffset2", false, kInput2 + 4, 54);
  expect_access(two, 2, "OutOffset", true, kOutput1 + 6, 54);
  const Footprint one = of(begin(Opcode::SOFTMAX));
  ASSERT_EQ(one.count, 2U);
  expect_access(one, 0, "InOffset", false, kInput1, 4718592);  // 2^18 blocks of 18 bytes
  expect_access(one, 1, "OutOffset", true, kOutput1, 4718592);
}

TEST(Footprint, Pool) {
  const Footprint all = of(instruction(Opcode::POOL, {{"Channels", 1}, {"Kernel", 3}, {"Stride", 2}, {"InHeight", 8}, {"InWidth", 6}}));
  ASSERT_EQ(all.count, 2U);
  expect_access(all, 0, "InOffset", false, kInput1, 2268);   // 2 blocks of channels * 9 * 7 pixels * 18 bytes
  expect_access(all, 1, "OutOffset1", true, kOutput1, 432);  // 2 blocks of channels * 4 * 3 pixels * 18 bytes
}

TEST(Footprint, Move) {
  const Footprint all = of(instruction(Opcode::MOVE, {{"Repeat", 1}, {"InStride", 5}, {"OutStride", 10}, {"Run", 3}, {"Count", 2}}));
  ASSERT_EQ(all.count, 2U);
  const Access &from = all.accesses[0];
  EXPECT_STREQ(from.field, "InOffset");
  EXPECT_FALSE(from.write);
  EXPECT_EQ(from.start, kInput1);
  EXPECT_EQ(from.run, 72U);     // 4 blocks of 18 bytes
  EXPECT_EQ(from.stride, 90U);  // 5 blocks
  EXPECT_EQ(from.count, 3U);
  EXPECT_EQ(from.end(), kInput1 + 252);  // two strides and a run
  const Access &to = all.accesses[1];
  EXPECT_STREQ(to.field, "OutOffset");
  EXPECT_TRUE(to.write);
  EXPECT_EQ(to.run, 144U);     // 2 copies of 4 blocks
  EXPECT_EQ(to.stride, 180U);  // 10 blocks
  EXPECT_EQ(to.count, 3U);
  EXPECT_EQ(to.end(), kOutput1 + 504);  // two strides and a run
}

TEST(Footprint, MoveThatReadsOneRunAgainAndAgain) {
  const Footprint all = of(instruction(Opcode::MOVE, {{"OutStride", 4}, {"Run", 3}, {"Count", 99}}));
  expect_access(all, 0, "InOffset", false, kInput1, 72);
  EXPECT_EQ(all.accesses[1].end(), kOutput1 + 7200);  // 100 runs of 4 blocks of 18 bytes
}

TEST(Footprint, MoveAtItsLimits) {
  BaseRegisters far = bases();
  far.address[3] = std::uint64_t{1} << 60;
  const MachineCode code =
      instruction(Opcode::MOVE, {{"Repeat", 255}, {"InStride", 0xFFFFFF}, {"OutStride", 0xFFFFFF}, {"Run", 65534}, {"Count", 262143}});
  const Result<Operation> result = resolved(code, far);
  ASSERT_TRUE(result.ok());
  const Footprint all = footprint(result.value());
  EXPECT_EQ(all.accesses[0].stride, 301989870U);                       // 2^24 - 1 blocks of 18 bytes
  EXPECT_EQ(all.accesses[1].run, 301985280U);                          // 256 copies of 65,535 blocks of 18 bytes
  EXPECT_EQ(all.accesses[1].end() - far.address[3], 79164832476690U);  // 262,143 strides and a run
}

TEST(WeightBytes, ByHand) {
  // 16 output channels have 64 bytes of biases. For each tap and each block of 16 input channels, they have 288 bytes of weights.
  EXPECT_EQ(weight_bytes(1, 1, 1), 352U);         // weights 288 + biases 64
  EXPECT_EQ(weight_bytes(3, 4, 8), 83456U);       // 8 output blocks * (9 taps * 4 input blocks * 288 + 64)
  EXPECT_EQ(weight_bytes(3, 64, 64), 10620928U);  // 64 output blocks * (9 taps * 64 input blocks * 288 + 64)
}

TEST(OutputSide, ByHand) {
  EXPECT_EQ(output_side(640, 3, 2, 1), 320U);  // (side 640 + 2 * padding 1 - kernel 3) / stride 2 + 1
  EXPECT_EQ(output_side(641, 3, 2, 1), 321U);
  EXPECT_EQ(output_side(7, 7, 3, 0), 1U);
  EXPECT_EQ(output_side(6, 7, 1, 0), 0U);
  EXPECT_EQ(output_side(20, 5, 1, 2), 20U);
  EXPECT_EQ(output_side(1, 1, 2, 1), 2U);  // the padded map has 3 positions; the kernel is at 0 and 2
}

TEST(MultiplyAccumulates, ByHand) {
  const auto of_code = [](const MachineCode &code) { return multiply_accumulates(resolved(code).value()); };
  EXPECT_EQ(of_code(instruction(Opcode::CONVACT, kConvolution)), 1474560U);  // 5 * 4 pixels * 9 taps * 64 * 128 channels
  std::vector<Setting> split = kConvolution;
  split.push_back({"Split", 1});
  EXPECT_EQ(of_code(instruction(Opcode::CONVACT, split)), 1474560U);
  EXPECT_EQ(of_code(begin(Opcode::CONVACT)), 256U);  // 1 pixel * 1 tap * 16 * 16 channels
  EXPECT_EQ(of_code(begin(Opcode::ELMUL)), 0U);
  EXPECT_EQ(of_code(smallest(Opcode::POOL)), 0U);
  EXPECT_EQ(of_code(begin(Opcode::CONFBADDR)), 0U);
  // The largest possible work: 1024 * 1024 pixels * 9 taps * 1024 * 1024 channels.
  EXPECT_EQ(
      of_code(instruction(Opcode::CONVACT,
                          {{"InChannels", 63}, {"OutChannels", 63}, {"Kernel", 1}, {"Padding", 1}, {"InHeight", 1023}, {"InWidth", 1023}})),
      9895604649984U);
}

Footprint one_access(std::uint64_t start, std::uint64_t bytes, bool write) {
  Footprint footprint;
  footprint.accesses[0] = Access{start, bytes, 0, 1, write, "OutOffset"};
  footprint.count = 1;
  return footprint;
}

bool held(const Footprint &footprint, const Window &window) { return check_windows(footprint, std::span(&window, 1)).ok(); }

TEST(Windows, Edges) {
  const Window window{1000, 100, true, true};
  EXPECT_TRUE(held(one_access(1000, 100, true), window));  // an exact fit
  EXPECT_TRUE(held(one_access(1098, 2, false), window));
  EXPECT_FALSE(held(one_access(1000, 101, true), window));  // one byte too long
  EXPECT_FALSE(held(one_access(1001, 100, true), window));
  EXPECT_FALSE(held(one_access(999, 2, true), window));  // begins one byte before the window
  EXPECT_FALSE(held(one_access(998, 2, true), window));
  EXPECT_FALSE(held(one_access(1100, 2, true), window));
}

TEST(Windows, Permission) {
  EXPECT_FALSE(held(one_access(1000, 2, true), {1000, 100, true, false}));
  EXPECT_TRUE(held(one_access(1000, 2, false), {1000, 100, true, false}));
  EXPECT_FALSE(held(one_access(1000, 2, false), {1000, 100, false, true}));
  EXPECT_TRUE(held(one_access(1000, 2, true), {1000, 100, false, true}));
}

TEST(Windows, AddressesThatWrapAround) {
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();
  EXPECT_FALSE(held(one_access(kMost - 1, 20, true), {0, kMost, true, true}));
  // If a window exceeds the end of the address space, it does not continue at address 0.
  EXPECT_FALSE(held(one_access(kMost - 1, 20, true), {kMost - 1, 40, true, true}));
  EXPECT_TRUE(held(one_access(kMost - 20, 20, true), {kMost - 20, 40, true, true}));
  EXPECT_FALSE(held(one_access(1, 20, true), {kMost - 20, 1000, true, true}));
}

TEST(Windows, OneMustHoldAllOfIt) {
  const Window halves[] = {{1000, 50, true, true}, {1050, 50, true, true}};
  EXPECT_TRUE(check_windows(one_access(1050, 50, true), halves).ok());
  const Status status = check_windows(one_access(1040, 20, true), halves);
  EXPECT_EQ(status.code(), ErrorCode::address_outside_window);
  EXPECT_STREQ(status.what(), "OutOffset");
  EXPECT_EQ(status.value(), 1040);
  // One window that holds and permits the access is enough.
  const Window both[] = {{1000, 100, true, false}, {900, 500, false, true}};
  EXPECT_TRUE(check_windows(one_access(1000, 100, true), both).ok());
  EXPECT_EQ(check_windows(one_access(1000, 100, true), {}).code(), ErrorCode::address_outside_window);
}

TEST(Windows, StridedAccessesToTheirLastByte) {
  Footprint footprint;
  footprint.accesses[0] = Access{1000, 10, 30, 3, false, "InOffset"};  // bytes 1000 to 1069
  footprint.count = 1;
  EXPECT_TRUE(held(footprint, {1000, 70, true, false}));
  EXPECT_FALSE(held(footprint, {1000, 69, true, false}));
}

TEST(Windows, EveryAccessIsLookedAt) {
  const Footprint all = of(instruction(Opcode::CONVACT, {{"OutChannels", 1}, {"Split", 1}}));
  Window windows[] = {{kInput1, 18, true, false}, {kWeight, 704, true, false}, {kOutput1, 18, false, true}, {kOutput2, 18, false, true}};
  EXPECT_TRUE(check_windows(all, windows).ok());
  const char *const fields[] = {"InOffset", "WeightOffset", "OutOffset1", "OutOffset2"};
  for (unsigned i = 0; i < 4; ++i) {
    --windows[i].bytes;
    const Status status = check_windows(all, windows);
    EXPECT_EQ(status.code(), ErrorCode::address_outside_window);
    EXPECT_STREQ(status.what(), fields[i]);
    EXPECT_EQ(status.value(), static_cast<std::int64_t>(windows[i].base));
    ++windows[i].bytes;
  }
}

}  // namespace footprint_test
}  // namespace cox::isa::mx
