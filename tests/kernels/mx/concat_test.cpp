// SPDX-License-Identifier: MIT
#include "coxswain/kernels/mx/concat.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "tests/kernels/mx/dram.h"
#include "tests/kernels/mx/refusal.h"

namespace cox::kernels::mx {
namespace concat_test {

using isa::mx::kMostBlocks;
using tests::Dram;

/// The inputs follow each other in the output. The kernel copies an input unless an earlier kernel has already written it in place.
TEST(Concat, RandomShapes) {
  std::mt19937 random(8);
  const auto some = [&](std::uint32_t least, std::uint32_t most) {
    return std::uniform_int_distribution<std::uint32_t>(least, most)(random);
  };
  Dram dram(500'000);
  for (int round = 0; round < 250; ++round) {
    dram.clear();
    const std::uint32_t height = some(1, 12), width = some(1, 12), count = some(1, 5);
    std::vector<std::uint32_t> channels;
    std::uint32_t sum = 0;
    for (std::uint32_t i = 0; i < count; ++i) {
      channels.push_back(i + 1 < count ? 16 * some(1, 5) : some(1, 80));
      sum += channels.back();
    }
    const Tensor output = dram.tensor(sum, height, width);
    std::vector<Tensor> inputs;
    std::vector<tests::Block> expected;
    std::uint32_t first = 0;
    unsigned copied = 0;
    for (const std::uint32_t own : channels) {
      const bool in_place = some(0, 2) == 0;
      inputs.push_back(in_place ? output.slice(first, own) : dram.tensor(own, height, width));
      tests::fill(dram.blocks(inputs.back()), random, true);
      expected.insert(expected.end(), dram.blocks(inputs.back()).begin(), dram.blocks(inputs.back()).end());
      first += own;
      copied += in_place ? 0 : 1;
    }
    ASSERT_TRUE(concat(dram.stream(), inputs, output).ok());
    EXPECT_EQ(dram.run(), copied);
    ASSERT_TRUE(std::equal(expected.begin(), expected.end(), dram.blocks(output).begin(), dram.blocks(output).end())) << round;
  }
}

TEST(Concat, OneInputTwiceAndLongRuns) {
  std::mt19937 random(9);
  Dram dram(std::size_t{18} * 3 * (kMostBlocks + 1) + 100);
  const Tensor input = dram.tensor(16, kMostBlocks + 1, 1);
  const Tensor output = dram.tensor(32, kMostBlocks + 1, 1);
  tests::fill(dram.blocks(input), random);
  const Tensor inputs[] = {input, input};
  ASSERT_TRUE(concat(dram.stream(), inputs, output).ok());
  EXPECT_EQ(dram.run(), 4U);
  const auto expected = dram.blocks(input);
  EXPECT_TRUE(std::equal(expected.begin(), expected.end(), dram.blocks(output).begin()));
  EXPECT_TRUE(std::equal(expected.begin(), expected.end(), dram.blocks(output).begin() + kMostBlocks + 1));
}

TEST(Concat, BadArguments) {
  constexpr std::uint64_t kBase = 0x6000'0000, kWindow = 0x100'0000;
  tests::RefusingStream refusing({{.base = kBase, .bytes = kWindow, .read = true, .write = true}});
  const Tensor a{kBase, 32, 5, 7}, b{kBase + 0x10000, 20, 5, 7}, output{kBase + 0x20000, 52, 5, 7};
  const auto with = [](std::vector<Tensor> inputs, Tensor to) { return [=](Stream &stream) { return concat(stream, inputs, to); }; };
  refusing.expect_taken(with({a, b}, output));
  refusing.expect(with({}, output), ErrorCode::invalid_argument, "inputs", 0, 1);
  for (const auto size : {&Tensor::channels, &Tensor::height, &Tensor::width}) {
    Tensor empty = b;
    empty.*size = 0;
    refusing.expect(with({a, empty}, output), ErrorCode::invalid_argument, "inputs", 0, 1, 1);
    empty = output;
    empty.*size = 0;
    refusing.expect(with({a, b}, empty), ErrorCode::invalid_argument, "output", 0, 1);
  }
  refusing.expect(with({b, a}, output), ErrorCode::invalid_argument, "inputs", 20, 16, 0);
  Tensor wrong = b;
  wrong.height = 4;
  refusing.expect(with({a, wrong}, output), ErrorCode::shape_mismatch, "inputs", 4, 5, 1);
  wrong = a;
  wrong.width = 8;
  refusing.expect(with({wrong, b}, output), ErrorCode::shape_mismatch, "inputs", 8, 7, 0);
  wrong = output;
  wrong.channels = 53;
  refusing.expect(with({a, b}, wrong), ErrorCode::shape_mismatch, "output", 53, 52);
  wrong = b;
  wrong.address += 1;
  refusing.expect(with({a, wrong}, output), ErrorCode::misaligned_address, "InOffset", wrong.address, 2, 1);
  wrong.address = kBase + kWindow - 18;
  refusing.expect(with({a, wrong}, output), ErrorCode::address_outside_window, "InOffset", wrong.address, -1, 1);
  wrong = output;
  wrong.address = kBase + kWindow - 18;
  refusing.expect(with({a, b}, wrong), ErrorCode::address_outside_window, "OutOffset", wrong.address, -1, 0);
  // Input b is at the beginning of the output, where input a belongs.
  wrong = b;
  wrong.address = output.address;
  refusing.expect(with({a, wrong}, output), ErrorCode::tensor_overlap, "OutOffset", output.address, -1, 1);
  refusing.expect_full_stream_refused(with({a, b}, output));
}

/// The kernel copies no input if it will refuse another one.
TEST(Concat, AllIsCheckedBeforeAnythingIsFlushed) {
  constexpr std::uint64_t kBase = 0x6000'0000;
  std::vector<std::uint64_t> memory(4);
  const isa::mx::Window windows[] = {{.base = kBase, .bytes = 0x100'0000, .read = true, .write = true}};
  Stream stream;
  ASSERT_TRUE(stream.init(std::as_writable_bytes(std::span(memory)), windows).ok());
  unsigned flushes = 0;
  stream.set_flush(
      [](void *owner, Stream &) {
        ++*static_cast<unsigned *>(owner);
        return Status();
      },
      &flushes);
  const Tensor a{kBase, 16, 5, 7}, bad{kBase + 0x10001, 16, 5, 7}, output{kBase + 0x20000, 48, 5, 7};
  const Tensor inputs[] = {a, a, bad};
  EXPECT_EQ(concat(stream, inputs, output).code(), ErrorCode::misaligned_address);
  EXPECT_EQ(flushes, 0U);
  const Tensor good[] = {a, a, a};
  EXPECT_TRUE(concat(stream, good, output).ok());
  EXPECT_EQ(flushes, 2U);
}

}  // namespace concat_test
}  // namespace cox::kernels::mx
