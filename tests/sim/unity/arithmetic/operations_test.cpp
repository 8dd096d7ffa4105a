// SPDX-License-Identifier: MIT
// Results worked out by hand. In these cases the specification leaves the result open.
#include <gtest/gtest.h>

#include <cfenv>

#include "sim/model/unity/arithmetic/execute.h"
#include "tests/sim/unity/arithmetic/test_memory.h"

namespace cox::test::unity_operations_test {
namespace {

using namespace isa::unity;  // the operations
using model::unity::Path;

using Bytes = std::vector<std::uint8_t>;

/// Executes an operation on memory that begins with `bytes`, with both paths. Returns the bytes afterwards.
Bytes after(const Operation &operation, const Bytes &bytes) {
  std::vector<std::byte> start;
  for (const std::uint8_t byte : bytes) start.push_back(static_cast<std::byte>(byte));
  Bytes results[2];
  for (const Path path : {Path::reference, Path::fast}) {
    TestMemory memory(start);
    EXPECT_TRUE(model::unity::execute(operation, memory, path));
    for (const std::byte byte : memory.finish()) results[static_cast<int>(path)].push_back(std::to_integer<std::uint8_t>(byte));
  }
  EXPECT_EQ(results[0], results[1]);
  return results[0];
}

Run run(std::uint64_t offset, Unit unit, std::uint64_t elements) { return {TestMemory::kBase + offset, unit, elements}; }

TEST(UnityOperations, FourBitElementsInPlace) {
  // 1, 2, 3 and a spare nibble, which becomes 0.
  const Elementwise twice{
      .op = Opcode::ADD, .sources = 2, .source = {run(0, Unit::u4, 3), run(0, Unit::u4, 3)}, .result = run(0, Unit::u4, 3)};
  EXPECT_EQ(after(twice, {0x21, 0xF3, 0x77}), (Bytes{0x42, 0x06, 0x77}));
}

TEST(UnityOperations, AScalarIsReadBeforeItIsOverwritten) {
  const Elementwise add{.op = Opcode::ADD,
                        .sources = 2,
                        .source = {run(4, Unit::u8, 3), run(0, Unit::u8, 1)},
                        .result = run(0, Unit::u8, 3),
                        .scalar_second = true};
  EXPECT_EQ(after(add, {10, 0, 0, 0, 1, 2, 3}), (Bytes{11, 12, 13, 0, 1, 2, 3}));
}

TEST(UnityOperations, DivisionByZeroAndNegativePowers) {
  const auto binary = [](Opcode op, Rounding rounding) {
    return Elementwise{
        .op = op, .sources = 2, .source = {run(0, Unit::s8, 2), run(2, Unit::s8, 2)}, .result = run(4, Unit::s8, 2), .rounding = rounding};
  };
  // -7 and 5 over 0: all ones; modulo 0: the dividend.
  EXPECT_EQ(after(binary(Opcode::DIV, Rounding::drop), {0xF9, 5, 0, 0, 0, 0}), (Bytes{0xF9, 5, 0, 0, 0xFF, 0xFF}));
  EXPECT_EQ(after(binary(Opcode::MOD, Rounding::drop), {0xF9, 5, 0, 0, 0, 0}), (Bytes{0xF9, 5, 0, 0, 0xF9, 5}));
  // 0^-1 is all ones; 2^-1 is 1/2.
  EXPECT_EQ(after(binary(Opcode::POW, Rounding::half_up), {0, 2, 0xFF, 0xFF, 0, 0}), (Bytes{0, 2, 0xFF, 0xFF, 0xFF, 1}));
  EXPECT_EQ(after(binary(Opcode::POW, Rounding::half_even), {0, 2, 0xFF, 0xFF, 0, 0}), (Bytes{0, 2, 0xFF, 0xFF, 0xFF, 0}));
  // (-7) mod 4 has the dividend's sign.
  EXPECT_EQ(after(binary(Opcode::MOD, Rounding::drop), {0xF9, 7, 4, 0xFC, 0, 0}), (Bytes{0xF9, 7, 4, 0xFC, 0xFD, 3}));
}

TEST(UnityOperations, ProductsOf64BitsAreExactBeforeTheyAreClamped) {
  Elementwise multiply{
      .op = Opcode::MUL, .sources = 2, .source = {run(0, Unit::u64, 1), run(8, Unit::u64, 1)}, .result = run(16, Unit::u8, 1)};
  const Bytes ones(16, 0xFF);
  Bytes memory = ones;
  memory.push_back(0);
  EXPECT_EQ(after(multiply, memory).back(), 1);  // (2^64 - 1)^2 modulo 2^8
  multiply.saturate = true;
  EXPECT_EQ(after(multiply, memory).back(), 0xFF);
}

TEST(UnityOperations, AnIndexOutsideChangesNothing) {
  Gather gather{
      .op = Opcode::GATHER, .source = run(0, Unit::u8, 4), .result = run(16, Unit::u8, 2), .index = run(8, Unit::s32, 2), .extent = 4};
  std::vector<std::byte> start(18);
  start[8] = std::byte{3};
  start[12] = std::byte{4};
  for (const Path path : {Path::reference, Path::fast}) {
    TestMemory memory(start);
    const Status status = model::unity::execute(gather, memory, path);
    EXPECT_EQ(status.code(), ErrorCode::field_out_of_range);
    EXPECT_STREQ(status.what(), "index");
    EXPECT_EQ(status.index(), 1);
    EXPECT_EQ(status.value(), 4);
    EXPECT_EQ(status.limit(), 4);
    EXPECT_EQ(memory.finish(), start);
  }
}

TEST(UnityOperations, AConvolutionWithPaddingOfItsOwn) {
  // One line 1 2 3 with padding 10 on both sides, kernel 1 1 1, then + 100 and clamped to s8.
  Convolution c{.op = Opcode::CONV2D};
  c.source = {.address = TestMemory::kBase, .unit = Unit::s8, .width = 3, .row = 6, .column = 2, .channel = 2};
  c.result = {.address = TestMemory::kBase + 6, .unit = Unit::s8, .width = 3, .row = 6, .column = 2, .channel = 2};
  c.kernel = {.address = TestMemory::kBase + 3, .unit = Unit::s8, .width = 3, .number_step = 6, .row = 6, .column = 2, .channel = 2};
  c.left = c.right = 1;
  c.padding = {.unit = Unit::s8, .value = 10};
  c.scale = {.unit = Unit::s8, .value = 115};
  EXPECT_EQ(after(c, {1, 2, 3, 1, 1, 1, 0, 0, 0}), (Bytes{1, 2, 3, 1, 1, 1, 127, 121, 127}));
}

TEST(UnityOperations, ATransposedConvolutionDoesNotFlipItsKernel) {
  // 1 and 2 with two gaps of padding 0 become 1 0 0 2; kernel 3 5.
  Convolution c{.op = Opcode::TRANSPOSE_CONV};
  c.source = {.address = TestMemory::kBase, .unit = Unit::u8, .width = 2, .row = 4, .column = 2, .channel = 2};
  c.result = {.address = TestMemory::kBase + 4, .unit = Unit::u8, .width = 3, .row = 6, .column = 2, .channel = 2};
  c.kernel = {.address = TestMemory::kBase + 2, .unit = Unit::u8, .width = 2, .number_step = 4, .row = 4, .column = 2, .channel = 2};
  c.enlarge_horizontal = 3;
  EXPECT_EQ(after(c, {1, 2, 3, 5, 0, 0, 0}), (Bytes{1, 2, 3, 5, 3, 0, 10}));
}

TEST(UnityOperations, AveragesRoundHalvesAwayFromZero) {
  Pool p{.op = Opcode::AVRG_POOL, .kind = Pool::Kind::average, .kernel_width = 2, .stride_horizontal = 2};
  p.source = {.address = TestMemory::kBase, .unit = Unit::s8, .width = 4, .row = 8, .column = 2, .channel = 2};
  p.result = {.address = TestMemory::kBase + 4, .unit = Unit::s8, .width = 2, .row = 4, .column = 2, .channel = 2};
  EXPECT_EQ(after(p, {1, 2, 0xFF, 0xFE, 0, 0}), (Bytes{1, 2, 0xFF, 0xFE, 2, 0xFE}));  // 1.5 and -1.5
}

TEST(UnityOperations, TheCallersRoundingModeHasNoEffect) {
  // 1 / 3 in FP32, to nearest.
  const Elementwise third{.op = Opcode::RECIPROCAL, .source = {run(0, Unit::u8, 1)}, .result = run(4, Unit::fp32, 1)};
  std::fesetround(FE_DOWNWARD);
  const Bytes bytes = after(third, {3, 0, 0, 0, 0, 0, 0, 0});
  EXPECT_EQ(std::fegetround(), FE_DOWNWARD);
  std::fesetround(FE_TONEAREST);
  EXPECT_EQ(bytes, (Bytes{3, 0, 0, 0, 0xAB, 0xAA, 0xAA, 0x3E}));
}

TEST(UnityOperations, ExitAndBranchesDoNothing) {
  EXPECT_EQ(after(Exit{}, {1, 2}), (Bytes{1, 2}));
  EXPECT_EQ(after(Branch{.op = Opcode::COND}, {1, 2}), (Bytes{1, 2}));
}

}  // namespace
}  // namespace cox::test::unity_operations_test
