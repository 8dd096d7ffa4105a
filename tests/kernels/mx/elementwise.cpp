// SPDX-License-Identifier: MIT
#include "tests/kernels/mx/elementwise.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#include "tests/kernels/mx/refusal.h"

namespace cox::tests {
namespace {

using isa::mx::kBlockElements;
using isa::mx::kMostBlocks;

std::array<double, 16> real_of(const Block &block) {
  std::array<double, 16> result{};
  const auto values = values_of(block);
  std::copy(values.begin(), values.end(), result.begin());
  return result;
}

void expect_blocks(const ElementwiseKernel &kernel, std::span<const Block> input1, std::span<const Block> input2,
                   std::span<const Block> output) {
  constexpr std::size_t kReal = 6000;  // number of blocks to compare with double precision; the contents of longer tensors repeat
  for (std::size_t i = 0; i < output.size(); ++i) {
    const auto single = kernel.single(values_of(input1[i]), values_of(input2[i]));
    ASSERT_EQ(output[i], isa::mx::quantise(single)) << "block " << i;
    if (i >= kReal) continue;
    const bool overflow = std::any_of(single.begin(), single.end(), [](float value) { return !std::isfinite(value); });
    auto real = kernel.real(real_of(input1[i]), real_of(input2[i]));
    if (overflow) real.fill(std::nan(""));
    expect_within_format(output[i], real, kernel.slack, "beside real numbers");
    if (testing::Test::HasFatalFailure()) return;
  }
}

/// Memory of the output: separate from the inputs, or that of an input.
enum class Place { apart, input1, input2 };

/// Runs the kernel and checks everything that it wrote.
void expect_right(Dram &dram, const ElementwiseKernel &kernel, const Tensor &shape, Place place, std::mt19937 &random) {
  dram.clear();
  const Tensor input1 = dram.tensor(shape.channels, shape.height, shape.width);
  const Tensor input2 = kernel.inputs == 2 ? dram.tensor(shape.channels, shape.height, shape.width) : input1;
  const Tensor apart = dram.tensor(shape.channels, shape.height, shape.width);
  const Tensor output = place == Place::apart ? apart : place == Place::input1 ? input1 : input2;
  fill(dram.blocks(input1), random, true);
  if (kernel.inputs == 2) fill(dram.blocks(input2), random, true);
  const auto copy = [&](const Tensor &tensor) { return std::vector<Block>(dram.blocks(tensor).begin(), dram.blocks(tensor).end()); };
  const std::vector<Block> before1 = copy(input1), before2 = copy(input2);
  std::vector<std::byte> memory(dram.bytes().begin(), dram.bytes().end());

  ASSERT_TRUE(kernel.append(dram.stream(), input1, input2, output).ok());
  EXPECT_EQ(dram.run(), (shape.count() + kMostBlocks - 1) / kMostBlocks);
  expect_blocks(kernel, before1, before2, dram.blocks(output));
  std::memcpy(memory.data() + (output.address - dram.base()), dram.blocks(output).data(), output.bytes());
  EXPECT_TRUE(std::equal(memory.begin(), memory.end(), dram.bytes().begin())) << "written outside of the output";
}

Place random_place(const ElementwiseKernel &kernel, std::mt19937 &random) {
  return static_cast<Place>(std::uniform_int_distribution<int>(0, kernel.inputs == 2 ? 2 : 1)(random));
}

}  // namespace

void expect_right_on_random_shapes(const ElementwiseKernel &kernel, unsigned seed) {
  std::mt19937 random(seed);
  Dram dram(100'000);
  std::uniform_int_distribution<std::uint32_t> channels(1, 80), side(1, 17);
  for (int i = 0; i < 250; ++i) {
    Tensor shape{0, channels(random), side(random), side(random)};
    if (kernel.whole_blocks) shape.channels = shape.blocks() * kBlockElements;
    expect_right(dram, kernel, shape, random_place(kernel, random), random);
    ASSERT_FALSE(testing::Test::HasFailure()) << shape.channels << " channels, " << shape.height << " x " << shape.width;
  }
}

void expect_right_at_edges_of_length(const ElementwiseKernel &kernel, unsigned seed) {
  std::mt19937 random(seed);
  Dram dram(std::size_t{3} * 18 * (2 * kMostBlocks + 5) + 100);
  for (const std::uint32_t blocks : {1U, kMostBlocks - 1, kMostBlocks, kMostBlocks + 1, 2 * kMostBlocks + 5}) {
    const Place place = blocks % 2 == 0 ? Place::input1 : Place::apart;
    expect_right(dram, kernel, {0, kBlockElements, blocks, 1}, place, random);
    ASSERT_FALSE(testing::Test::HasFailure()) << blocks << " blocks";
  }
}

void expect_bad_arguments_refused(const ElementwiseKernel &kernel) {
  constexpr std::uint64_t kBase = 0x6000'0000;
  constexpr std::uint64_t kWindow = 0x1000'0000;
  const bool two = kernel.inputs == 2;
  for (const std::uint32_t height : {5U, kMostBlocks + 7}) {
    RefusingStream refusing({{.base = kBase, .bytes = kWindow, .read = true, .write = true},
                             {.base = kBase + kWindow, .bytes = kWindow, .read = true, .write = false}});
    const Tensor a{kBase, 16, height, 1};
    const Tensor b{kBase + 0x100'0000, 16, height, 1};
    const Tensor out{kBase + 0x200'0000, 16, height, 1};
    const auto with = [&](Tensor in1, Tensor in2, Tensor output) {
      return [&kernel, in1, in2, output](Stream &stream) { return kernel.append(stream, in1, in2, output); };
    };
    const auto moved = [](Tensor tensor, std::uint64_t address) {
      tensor.address = address;
      return tensor;
    };
    refusing.expect_taken(with(a, b, out));

    for (const auto size : {&Tensor::channels, &Tensor::height, &Tensor::width}) {
      Tensor empty = a;
      empty.*size = 0;
      refusing.expect(with(empty, empty, empty), ErrorCode::invalid_argument, kernel.input1, 0, 1);
      Tensor larger = out;
      larger.*size += 16;
      refusing.expect(with(a, b, larger), ErrorCode::shape_mismatch, "output", larger.*size, a.*size);
      if (two) refusing.expect(with(a, larger, out), ErrorCode::shape_mismatch, "input2", larger.*size, a.*size);
    }
    if (kernel.whole_blocks) {
      const auto ten = [](Tensor tensor) {
        tensor.channels = 10;
        return tensor;
      };
      refusing.expect(with(ten(a), ten(b), ten(out)), ErrorCode::invalid_argument, "channels", 10, 16);
    }
    Tensor huge = a;
    huge.height = huge.width = 1U << 20;
    refusing.expect(with(huge, huge, huge), ErrorCode::address_outside_window, kernel.input1);
    huge = {kBase, 0xFFFF'FFFF, 1, 1};
    if (!kernel.whole_blocks) refusing.expect(with(huge, huge, huge), ErrorCode::address_outside_window, kernel.input1);

    refusing.expect(with(moved(a, kBase + 1), b, out), ErrorCode::misaligned_address, kernel.input1_field, kBase + 1, 2);
    refusing.expect(with(a, b, moved(out, out.address + 1)), ErrorCode::misaligned_address, "OutOffset", out.address + 1, 2);
    refusing.expect(with(moved(a, kBase - 18), b, out), ErrorCode::address_outside_window, kernel.input1_field, kBase - 18);
    const std::uint64_t last = kBase + 2 * kWindow - a.bytes();
    refusing.expect_taken(with(moved(a, last), b, out));
    refusing.expect(with(moved(a, last + 2), b, out), ErrorCode::address_outside_window, kernel.input1_field, last + 2);
    refusing.expect(with(a, b, moved(out, kBase + kWindow)), ErrorCode::address_outside_window, "OutOffset", kBase + kWindow);
    refusing.expect(with(a, b, moved(out, kBase + 18)), ErrorCode::tensor_overlap, "OutOffset", kBase + 18, kBase);
    refusing.expect_taken(with(a, b, a));
    if (two) {
      const std::uint64_t odd = b.address + 1;
      refusing.expect(with(a, moved(b, odd), out), ErrorCode::misaligned_address, "InOffset2", odd, 2);
      refusing.expect(with(a, moved(b, kBase - 2), out), ErrorCode::address_outside_window, "InOffset2", kBase - 2);
      refusing.expect(with(a, b, moved(out, b.address - 2)), ErrorCode::tensor_overlap, "OutOffset", b.address - 2, b.address);
      refusing.expect_taken(with(a, b, b));
      refusing.expect_taken(with(a, a, out));
    }
    refusing.expect_full_stream_refused(with(a, b, out));
  }
}

}  // namespace cox::tests
