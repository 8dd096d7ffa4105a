// SPDX-License-Identifier: MIT
// Arguments that conv2d() refuses: the error names the reason, and the stream stays unchanged.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <vector>

#include "coxswain/isa/cube/build.h"
#include "coxswain/kernels/cube/conv2d.h"

namespace cox::tests {
namespace {

using isa::cube::Activation;
using isa::cube::OutputType;
using isa::cube::ScaleMode;
using isa::cube::Type;
using kernels::cube::Conv2dArguments;
using kernels::cube::Stream;

class Conv2dRefusal : public testing::Test {
 protected:
  Conv2dRefusal() {
    EXPECT_TRUE(stream.init(memory, {&window, 1}).ok());
    EXPECT_TRUE(stream.append(isa::cube::encode(isa::cube::Barrier{.pipes = 1})).ok());
  }

  /// Valid arguments with every optional tensor, from an input of 2 x 8 x 6 x 12 (NHWC) to an output of 2 x 4 x 3 x 8.
  static Conv2dArguments good() {
    Conv2dArguments a;
    a.batch = 2;
    a.height = 8;
    a.width = 6;
    a.channels = 12;
    a.output_channels = 8;
    a.groups = 2;
    a.kernel_height = a.kernel_width = 3;
    a.stride_y = a.stride_x = 2;
    a.pad_top = a.pad_left = 1;
    a.output_type = OutputType::int8;
    a.output_height = 4;
    a.output_width = 3;
    a.input = kBase;
    a.weights = kBase + 0x1000;
    a.bias = kBase + 0x2000;
    a.scale_mode = ScaleMode::channel;
    a.scales = kBase + 0x3000;
    a.residual = kBase + 0x4000;
    a.output = kBase + 0x5000;
    return a;
  }

  void expect_refused(const Conv2dArguments &a, ErrorCode code, const char *what, std::int64_t value, std::int64_t limit) {
    const std::vector<std::byte> before(stream.code().begin(), stream.code().end());
    const Status status = kernels::cube::conv2d(stream, a);
    EXPECT_EQ(status.code(), code) << what << ": " << error_name(status.code()) << " of " << status.what();
    EXPECT_STREQ(status.what(), what);
    EXPECT_EQ(status.value(), value) << what;
    EXPECT_EQ(status.limit(), limit) << what;
    EXPECT_TRUE(std::equal(before.begin(), before.end(), stream.code().begin(), stream.code().end())) << what;
  }
  void expect_invalid(const Conv2dArguments &a, const char *what, std::int64_t value, std::int64_t limit) {
    expect_refused(a, ErrorCode::invalid_argument, what, value, limit);
    EXPECT_EQ(kernels::cube::conv2d_slots(a).status().code(), ErrorCode::invalid_argument) << what;
  }

  static constexpr std::uint64_t kBase = 0x4000'0000, kBytes = 0x10000;
  isa::Window window{.base = kBase, .bytes = kBytes, .read = true, .write = true};
  alignas(32) std::array<std::byte, 1U << 14> memory{};
  Stream stream;
};

TEST_F(Conv2dRefusal, WhatIsGoodIsTaken) {
  const Stream::Mark mark = stream.mark();
  EXPECT_TRUE(kernels::cube::conv2d(stream, good()).ok());
  EXPECT_EQ(stream.slots(), 1 + kernels::cube::conv2d_slots(good()).value());
  stream.roll_back(mark);
}

TEST_F(Conv2dRefusal, Numbers) {
  std::uint32_t Conv2dArguments::*const kCounts[] = {
      &Conv2dArguments::batch,         &Conv2dArguments::height,         &Conv2dArguments::width,    &Conv2dArguments::channels,
      &Conv2dArguments::kernel_height, &Conv2dArguments::kernel_width,   &Conv2dArguments::stride_y, &Conv2dArguments::stride_x,
      &Conv2dArguments::dilation_y,    &Conv2dArguments::dilation_x,     &Conv2dArguments::groups,   &Conv2dArguments::output_height,
      &Conv2dArguments::output_width,  &Conv2dArguments::output_channels};
  const char *const kNames[] = {"batch",    "height",     "width",      "channels", "kernel_height", "kernel_width", "stride_y",
                                "stride_x", "dilation_y", "dilation_x", "groups",   "output_height", "output_width", "output_channels"};
  for (std::size_t i = 0; i < std::size(kCounts); ++i) {
    Conv2dArguments a = good();
    a.*kCounts[i] = 0;
    expect_invalid(a, kNames[i], 0, 1);
  }
  Conv2dArguments a = good();
  a.output_channels = kernels::cube::kMostOutputChannels + 2;
  expect_invalid(a, "output_channels", kernels::cube::kMostOutputChannels + 2, kernels::cube::kMostOutputChannels);
  a = good();
  a.groups = 8;
  expect_invalid(a, "groups", 8, 12);
  a.groups = 3;
  expect_invalid(a, "groups", 3, 8);
  a = good();
  a.groups = 4;
  a.type = Type::int4;
  expect_invalid(a, "channels", 3, 2);
  a = good();
  a.pad_value = 128;
  expect_invalid(a, "pad_value", 128, 127);
  a.pad_value = -129;
  expect_invalid(a, "pad_value", -129, -128);
  a.pad_value = 1;
  a.type = Type::half;
  expect_invalid(a, "pad_value", 1, 0);
  a = good();
  a.zero_point = 128;
  expect_invalid(a, "zero_point", 128, 127);
  a.zero_point = -1;
  a.output_type = OutputType::half;
  expect_invalid(a, "zero_point", -1, 0);
}

TEST_F(Conv2dRefusal, TypesAndModes) {
  Conv2dArguments a = good();
  a.type = static_cast<Type>(5);
  expect_invalid(a, "type", 5, 4);
  a = good();
  a.output_type = static_cast<OutputType>(5);
  expect_invalid(a, "output_type", 5, 4);
  a = good();
  a.scale_mode = static_cast<ScaleMode>(3);
  expect_invalid(a, "scale_mode", 3, 2);
  a = good();
  a.activation = static_cast<Activation>(4);
  expect_invalid(a, "activation", 4, 3);
  a = good();
  a.scales = 0;
  expect_invalid(a, "scales", 0, 1);
  a = good();
  a.output_type = OutputType::int32;
  expect_invalid(a, "scale_mode", 2, 0);
  a.scale_mode = ScaleMode::none;
  expect_invalid(a, "residual", kBase + 0x4000, 0);
  a.residual = 0;
  a.activation = Activation::Clip;
  expect_invalid(a, "activation", 3, 1);
  a.type = Type::half;
  expect_invalid(a, "output_type", 3, 1);
}

TEST_F(Conv2dRefusal, Shapes) {
  Conv2dArguments a = good();
  a.output_height = 5;
  expect_refused(a, ErrorCode::shape_mismatch, "output_height", 5, 4);
  a = good();
  a.output_width = 2;
  expect_refused(a, ErrorCode::shape_mismatch, "output_width", 2, 3);
  a = good();
  a.dilation_y = 5;  // needs 11 rows, but there are 9
  expect_refused(a, ErrorCode::shape_mismatch, "output_height", 4, 0);
}

TEST(Conv2dOutputSide, CountsPlaces) {
  EXPECT_EQ(kernels::cube::conv2d_output_side(224, 3, 3, 7, 1, 2), 112U);
  EXPECT_EQ(kernels::cube::conv2d_output_side(5, 0, 0, 3, 2, 1), 1U);
  EXPECT_EQ(kernels::cube::conv2d_output_side(4, 0, 0, 3, 2, 1), 0U);
  EXPECT_EQ(kernels::cube::conv2d_output_side(~0U, ~0U, 0, 1, 1, 2), ~0U);
  EXPECT_EQ(kernels::cube::conv2d_output_side(~0U, ~0U, 1, 1, 1, 2), 0U);
}

TEST_F(Conv2dRefusal, Memory) {
  std::uint64_t Conv2dArguments::*const kReads[] = {&Conv2dArguments::input, &Conv2dArguments::weights, &Conv2dArguments::bias,
                                                    &Conv2dArguments::scales, &Conv2dArguments::residual};
  const char *const kNames[] = {"input", "weights", "bias", "scales", "residual"};
  const std::int64_t kSizes[] = {2 * 8 * 6 * 12, 8 * 9 * 6, 32, 32, 2 * 4 * 3 * 8};
  constexpr std::int64_t kOutputBytes = 2 * 4 * 3 * 8;
  for (std::size_t i = 0; i < std::size(kReads); ++i) {
    Conv2dArguments a = good();
    a.*kReads[i] = kBase + kBytes - static_cast<std::uint64_t>(kSizes[i]) + 1;
    expect_refused(a, ErrorCode::address_outside_window, kNames[i], static_cast<std::int64_t>(a.*kReads[i]), 0);
    // The output shares one byte with an operand.
    a = good();
    a.*kReads[i] = a.output + kOutputBytes - 1;
    expect_refused(a, ErrorCode::tensor_overlap, "output", static_cast<std::int64_t>(a.output), static_cast<std::int64_t>(a.*kReads[i]));
    a.*kReads[i] = a.output - static_cast<std::uint64_t>(kSizes[i]) + 1;
    expect_refused(a, ErrorCode::tensor_overlap, "output", static_cast<std::int64_t>(a.output), static_cast<std::int64_t>(a.*kReads[i]));
  }
  Conv2dArguments a = good();
  a.output = kBase - 1;
  expect_refused(a, ErrorCode::address_outside_window, "output", kBase - 1, 0);
  // The size in bytes needs more than 32 bits, then more than 64 bits.
  a = good();
  a.batch = 1U << 25;
  expect_refused(a, ErrorCode::address_outside_window, "input", kBase, 0);
  a.batch = a.channels = 1U << 31;
  expect_refused(a, ErrorCode::address_outside_window, "input", kBase, 0);
  // A tensor has more than 2^32 - 1 bytes: the input with elements of 4 bits, then the weights with elements of a byte.
  a = good();
  a.type = Type::int4;
  a.pad_value = 0;
  a.channels = 1U << 28;
  a.batch = (1U << 6) / a.groups;
  EXPECT_EQ(kernels::cube::conv2d_slots(a).status().code(), ErrorCode::address_outside_window);
  a = good();
  a.height = 1;
  a.kernel_height = 1U << 31;
  a.pad_top = a.pad_bottom = 1U << 31;
  a.output_height = 1U << 30;
  a.output_height = kernels::cube::conv2d_output_side(1, 1U << 31, 1U << 31, 1U << 31, 1, 2);
  expect_refused(a, ErrorCode::address_outside_window, "weights", kBase + 0x1000, 0);
  a = good();
  a.pad_bottom = 1U << 31;
  a.output_height = kernels::cube::conv2d_output_side(8, 1, 1U << 31, 3, 1, 2);
  expect_refused(a, ErrorCode::address_outside_window, "output", kBase + 0x5000, 0);
}

TEST_F(Conv2dRefusal, AWindowThatMayNotBeWritten) {
  window.write = false;
  ASSERT_TRUE(stream.init(memory, {&window, 1}).ok());
  expect_refused(good(), ErrorCode::address_outside_window, "output", kBase + 0x5000, 0);
}

/// Tries every amount of room that is less than the call needs.
TEST_F(Conv2dRefusal, AFullStream) {
  const std::uint64_t wanted = kernels::cube::conv2d_slots(good()).value();
  std::uint64_t filled = 1;
  for (const std::uint64_t room = memory.size() / isa::cube::kSlotBytes; filled + wanted <= room; ++filled)
    ASSERT_TRUE(stream.append(isa::cube::encode(isa::cube::Barrier{.pipes = 1})).ok());
  for (std::uint64_t rest = wanted - 1;; --rest) {
    const std::uint32_t before = stream.slots();
    EXPECT_EQ(kernels::cube::conv2d(stream, good()).code(), ErrorCode::no_room) << rest;
    ASSERT_EQ(stream.slots(), before) << rest;
    if (rest == 0) break;
    ASSERT_TRUE(stream.append(isa::cube::encode(isa::cube::Barrier{.pipes = 1})).ok());
  }
}

}  // namespace
}  // namespace cox::tests
