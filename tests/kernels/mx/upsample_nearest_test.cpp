// SPDX-License-Identifier: MIT
#include "coxswain/kernels/mx/upsample_nearest.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "tests/kernels/mx/dram.h"
#include "tests/kernels/mx/refusal.h"

namespace cox::kernels::mx {
namespace upsample_nearest_test {

using isa::mx::kMostBlocks;
using tests::Dram;

/// Runs the kernel and compares its output. Returns the number of MOVEs.
unsigned expect_right(Dram &dram, const Tensor &shape, std::uint32_t factor, std::mt19937 &random) {
  dram.clear();
  UpsampleNearestArguments arguments;
  arguments.factor = factor;
  arguments.input = dram.tensor(shape.channels, shape.height, shape.width);
  arguments.output = dram.tensor(shape.channels, shape.height * factor, shape.width * factor);
  const Result<std::uint64_t> scratch = upsample_nearest_scratch_bytes(arguments);
  EXPECT_TRUE(scratch.ok());
  EXPECT_EQ(scratch.value(), factor == 1 ? 0 : arguments.input.bytes() * factor);
  arguments.scratch = dram.scratch(scratch.value());
  tests::fill(dram.blocks(arguments.input), random, true);
  EXPECT_TRUE(upsample_nearest(dram.stream(), arguments).ok());
  const unsigned moves = dram.run();
  const Tensor &output = arguments.output;
  bool right = true;
  for (std::uint32_t c = 0; c < output.blocks(); ++c) {
    for (std::uint32_t y = 0; y < output.height; ++y) {
      for (std::uint32_t x = 0; x < output.width; ++x) {
        right = right && dram.blocks(output)[(std::uint64_t{c} * output.height + y) * output.width + x] ==
                             dram.blocks(arguments.input)[(std::uint64_t{c} * shape.height + y / factor) * shape.width + x / factor];
      }
    }
  }
  EXPECT_TRUE(right) << shape.channels << " channels, " << shape.height << " x " << shape.width << ", factor " << factor;
  return moves;
}

TEST(UpsampleNearest, RandomShapes) {
  std::mt19937 random(10);
  const auto some = [&](std::uint32_t least, std::uint32_t most) {
    return std::uniform_int_distribution<std::uint32_t>(least, most)(random);
  };
  Dram dram(2'000'000);
  for (int round = 0; round < 250; ++round) {
    const std::uint32_t factor = some(1, 6);
    EXPECT_EQ(expect_right(dram, {0, some(1, 80), some(1, 14), some(1, 14)}, factor, random), factor == 1 ? 1U : 2U);
    ASSERT_FALSE(HasFailure());
  }
}

TEST(UpsampleNearest, LargeFactorsAndLongTensors) {
  std::mt19937 random(11);
  Dram dram(std::size_t{18} * 7 * (kMostBlocks + 30) + 1000);
  EXPECT_EQ(expect_right(dram, {0, 16, 3, 2}, 256, random), 2U);
  EXPECT_EQ(expect_right(dram, {0, 32, 1, kMostBlocks / 4}, 2, random), 2U);
  EXPECT_EQ(expect_right(dram, {0, 16, kMostBlocks + 20, 1}, 2, random), 4U) << "two MOVEs for columns, two for rows";
  // The input has more blocks than one MOVE can repeat, so doubling the columns takes two MOVEs. A row of the output is longer than a run
  // of a MOVE. So each copy of a row takes two MOVEs, and there are two copies of each of two rows.
  EXPECT_EQ(expect_right(dram, {0, 16, 2, kMostBlocks / 2 + 5}, 2, random), 2U + 2 * 2 * 2);
}

/// One MOVE for several rows would need a stride of `factor` rows, which exceeds the field. So each row of the input takes its own MOVE.
TEST(UpsampleNearest, StridesThatNoFieldHolds) {
  constexpr std::uint64_t kBase = 0x6000'0000;
  std::vector<std::uint64_t> memory(1024);
  const isa::mx::Window windows[] = {{.base = kBase, .bytes = 0x6000'0000, .read = true, .write = true}};
  Stream stream;
  ASSERT_TRUE(stream.init(std::as_writable_bytes(std::span(memory)), windows).ok());
  UpsampleNearestArguments arguments;
  arguments.factor = 128;
  arguments.input = {kBase, 16, 2, 1100};
  arguments.output = {kBase + 0x1000'0000, 16, 256, 140'800};
  arguments.scratch = {kBase + 0x800'0000, 0x800'0000};
  ASSERT_TRUE(upsample_nearest(stream, arguments).ok());
  const std::vector<isa::mx::Operation> operations = tests::operations_of(stream);
  ASSERT_EQ(operations.size(), 3U);
  const auto second_row = std::get<isa::mx::Move>(operations[2]);
  EXPECT_EQ(second_row.from, arguments.scratch.address + 140'800 * 18);
  EXPECT_EQ(second_row.to, arguments.output.address + std::uint64_t{128} * 140'800 * 18);
  EXPECT_EQ(second_row.run, 140'800U);
  EXPECT_EQ(second_row.repeat, 128U);
}

TEST(UpsampleNearest, BadArguments) {
  constexpr std::uint64_t kBase = 0x6000'0000, kWindow = 0x100'0000;
  tests::RefusingStream refusing({{.base = kBase, .bytes = kWindow, .read = true, .write = true},
                                  {.base = kBase + kWindow, .bytes = kWindow, .read = false, .write = true}});
  UpsampleNearestArguments good;
  good.input = {kBase, 20, 5, 7};
  good.output = {kBase + 0x10000, 20, 10, 14};
  good.scratch = {kBase + 0x20000, 2 * 2 * 5 * 7 * 18};
  const auto call = [](const UpsampleNearestArguments &arguments) {
    return [=](Stream &stream) { return upsample_nearest(stream, arguments); };
  };
  const auto expect_shape_refused = [&](const UpsampleNearestArguments &arguments, ErrorCode code, const char *what, std::uint64_t value,
                                        std::int64_t limit) {
    refusing.expect(call(arguments), code, what, value, limit);
    EXPECT_EQ(upsample_nearest_scratch_bytes(arguments).status().code(), code);
  };
  refusing.expect_taken(call(good));
  for (const auto size : {&Tensor::channels, &Tensor::height, &Tensor::width}) {
    UpsampleNearestArguments bad = good;
    bad.input.*size = 0;
    expect_shape_refused(bad, ErrorCode::invalid_argument, "input", 0, 1);
    bad = good;
    bad.output.*size += 1;
    expect_shape_refused(bad, ErrorCode::shape_mismatch, "output", bad.output.*size, good.output.*size);
  }
  UpsampleNearestArguments bad = good;
  bad.factor = 0;
  expect_shape_refused(bad, ErrorCode::invalid_argument, "factor", 0, 1);
  bad.factor = 257;
  expect_shape_refused(bad, ErrorCode::invalid_argument, "factor", 257, 256);
  // 2^27 rows times 32 are 2^32. The remainder modulo 2^32 is 0 and must not match the output's height of 0.
  bad = good;
  bad.input = {kBase, 16, 1U << 27, 1};
  bad.factor = 32;
  bad.output = {kBase, 16, 0, 32};
  expect_shape_refused(bad, ErrorCode::invalid_argument, "output", 0, 1);
  bad = good;
  bad.scratch.bytes -= 1;
  refusing.expect(call(bad), ErrorCode::no_room, "scratch", bad.scratch.bytes, 2520);
  bad = good;
  bad.scratch.address += 2;
  refusing.expect(call(bad), ErrorCode::misaligned_address, "scratch", bad.scratch.address, 4);
  bad.scratch.address = kBase + kWindow;
  refusing.expect(call(bad), ErrorCode::address_outside_window, "scratch", bad.scratch.address);
  bad.scratch.address = kBase + kWindow - 8;
  refusing.expect(call(bad), ErrorCode::address_outside_window, "scratch", bad.scratch.address);
  bad.scratch.address = good.input.address;
  refusing.expect(call(bad), ErrorCode::tensor_overlap, "scratch", bad.scratch.address);
  bad = good;
  bad.output.address = bad.input.address + 18;
  refusing.expect(call(bad), ErrorCode::tensor_overlap, "OutOffset", bad.output.address, static_cast<std::int64_t>(good.input.address));
  bad.output.address = good.output.address + 1;
  refusing.expect(call(bad), ErrorCode::misaligned_address, "OutOffset", bad.output.address, 2);
  bad.output.address = kBase + 2 * kWindow - 18;
  refusing.expect(call(bad), ErrorCode::address_outside_window, "OutOffset", bad.output.address);
  bad = good;
  bad.input.address = kBase + kWindow;
  refusing.expect(call(bad), ErrorCode::address_outside_window, "InOffset", bad.input.address);
  refusing.expect_full_stream_refused(call(good));
}

}  // namespace upsample_nearest_test
}  // namespace cox::kernels::mx
