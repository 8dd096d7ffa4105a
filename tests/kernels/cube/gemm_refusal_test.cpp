// SPDX-License-Identifier: MIT
// Arguments that gemm() refuses: the error names the reason, and the stream stays unchanged.
#include <gtest/gtest.h>

#include <cstring>
#include <functional>

#include "coxswain/kernels/cube/gemm.h"
#include "tests/kernels/cube/gemm_problem.h"

namespace cox::tests {
namespace {

using kernels::cube::Activation;
using kernels::cube::gemm;
using kernels::cube::Order;
using kernels::cube::OutputType;
using kernels::cube::Type;

class GemmRefusal : public testing::Test {
 protected:
  GemmRefusal() : memory(1U << 20, 1U << 14) {
    good.left.rows = 40;
    good.left.columns = good.right.rows = 50;
    good.right.columns = 60;
    good.output.rows = 40;
    good.output.columns = 60;
    good.left.address = memory.take(50000, 64);
    good.right.address = memory.take(50000, 64);
    good.output.address = memory.take(50000, 64);
    good.addend = good.output;
    good.biases = memory.take(240, 64);
  }

  void expect(ErrorCode code, const char *what, const std::function<void(GemmArguments &)> &change) {
    GemmArguments arguments = good;
    change(arguments);
    Stream &stream = memory.stream();
    stream.clear();
    ASSERT_TRUE(gemm(stream, good).ok());
    const std::uint32_t before = stream.slots();
    const Status status = gemm(stream, arguments);
    EXPECT_EQ(status.code(), code) << error_name(status.code()) << " " << status.what();
    EXPECT_STREQ(status.what(), what);
    EXPECT_EQ(stream.slots(), before);
    if (code != ErrorCode::no_room) {
      EXPECT_EQ(check_gemm(stream, arguments).code(), code);
    }
  }

  CubeMemory memory;
  GemmArguments good;
};

TEST_F(GemmRefusal, Sizes) {
  expect(ErrorCode::invalid_argument, "left", [](auto &a) { a.left.rows = 0; });
  expect(ErrorCode::invalid_argument, "left", [](auto &a) { a.left.columns = 0; });
  expect(ErrorCode::invalid_argument, "right", [](auto &a) { a.right.columns = 0; });
  expect(ErrorCode::invalid_argument, "batches", [](auto &a) { a.batches = 0; });
  expect(ErrorCode::shape_mismatch, "right", [](auto &a) { a.right.rows = 51; });
  expect(ErrorCode::shape_mismatch, "output", [](auto &a) { a.output.rows = 41; });
  expect(ErrorCode::shape_mismatch, "output", [](auto &a) { a.output.columns = 59; });
  expect(ErrorCode::shape_mismatch, "addend", [](auto &a) { a.beta = 1, a.addend.rows = 39; });
  expect(ErrorCode::shape_mismatch, "addend", [](auto &a) { a.beta = 1, a.addend.columns = 61; });
  expect(ErrorCode::shape_mismatch, "k", [](auto &a) { a.type = Type::int4, a.left.columns = a.right.rows = 49; });
  expect(ErrorCode::address_outside_window, "left", [](auto &a) { a.left.rows = a.output.rows = 0xFFFFFFF0U; });
  expect(ErrorCode::address_outside_window, "right", [](auto &a) { a.right.columns = a.output.columns = 0xFFFFFFF0U; });
  // A row of 2^27 FP32 numbers has 2^32 bits. Counted in 32 bits, this number would wrap around to 0.
  expect(ErrorCode::address_outside_window, "left", [](auto &a) {
    a.type = Type::float32;
    a.left.rows = a.output.rows = 1;
    a.left.columns = a.right.rows = 1U << 27;
  });
}

TEST_F(GemmRefusal, PitchesOrdersAndPlaces) {
  expect(ErrorCode::invalid_argument, "left", [](auto &a) { a.left.pitch = 98; });
  expect(ErrorCode::invalid_argument, "right", [](auto &a) { a.right.order = Order::column_major, a.right.pitch = 98; });
  expect(ErrorCode::invalid_argument, "output", [](auto &a) { a.output.pitch = 236; });
  expect(ErrorCode::invalid_argument, "output", [](auto &a) { a.output.order = Order::column_major; });
  expect(ErrorCode::invalid_argument, "output", [](auto &a) { a.output.in_l1 = true; });
  expect(ErrorCode::invalid_argument, "left", [](auto &a) { a.left.order = static_cast<Order>(2); });
  expect(ErrorCode::invalid_argument, "right", [](auto &a) { a.right.order = static_cast<Order>(255); });
  expect(ErrorCode::invalid_argument, "addend", [](auto &a) { a.beta = 1, a.addend.order = Order::column_major; });
}

TEST_F(GemmRefusal, ConversionsThatTheTypeHasNot) {
  const auto integers = [](auto &a) { a.type = Type::int8, a.to = OutputType::int32; };
  expect(ErrorCode::invalid_argument, "type", [](auto &a) { a.type = static_cast<Type>(5); });
  expect(ErrorCode::invalid_argument, "to", [](auto &a) { a.to = OutputType::int32; });
  expect(ErrorCode::invalid_argument, "to", [](auto &a) { a.to = static_cast<OutputType>(5); });
  expect(ErrorCode::invalid_argument, "activation", [](auto &a) { a.activation = static_cast<Activation>(4); });
  expect(ErrorCode::invalid_argument, "alpha", [&](auto &a) { a.scales = good.biases, a.alpha = 2; });
  expect(ErrorCode::invalid_argument, "zero_point", [](auto &a) { a.zero_point = 1; });
  expect(ErrorCode::invalid_argument, "zero_point", [](auto &a) { a.to = OutputType::int8, a.zero_point = 128; });
  expect(ErrorCode::invalid_argument, "zero_point", [](auto &a) { a.to = OutputType::int8, a.zero_point = -129; });
  expect(ErrorCode::invalid_argument, "alpha", [&](auto &a) { integers(a), a.alpha = 2; });
  expect(ErrorCode::invalid_argument, "beta", [&](auto &a) { integers(a), a.beta = 1; });
  expect(ErrorCode::invalid_argument, "scales", [&](auto &a) { integers(a), a.scales = a.biases; });
  expect(ErrorCode::invalid_argument, "activation", [&](auto &a) { integers(a), a.activation = Activation::Clip; });
}

TEST_F(GemmRefusal, Addresses) {
  expect(ErrorCode::misaligned_address, "left", [](auto &a) { ++a.left.address; });
  expect(ErrorCode::misaligned_address, "left", [](auto &a) { a.left.pitch = 101; });
  expect(ErrorCode::misaligned_address, "right",
         [](auto &a) { a.batches = 2, a.right_stride = 6001, a.left_stride = a.output_stride = 16000; });
  expect(ErrorCode::misaligned_address, "output", [](auto &a) { a.output.address += 2; });
  expect(ErrorCode::misaligned_address, "addend", [](auto &a) { a.beta = 1, a.addend.address += 2; });
  expect(ErrorCode::misaligned_address, "biases", [](auto &a) { a.biases += 2; });
  expect(ErrorCode::misaligned_address, "scales", [](auto &a) { a.scales = a.biases + 1; });
  expect(ErrorCode::address_outside_window, "left", [](auto &a) { a.left.address = 0; });
  expect(ErrorCode::address_outside_window, "right", [](auto &a) { a.right.address = 0; });
  expect(ErrorCode::address_outside_window, "output", [](auto &a) { a.output.address = 0; });
  expect(ErrorCode::address_outside_window, "output", [](auto &a) { a.output.address = ~std::uint64_t{63}; });
  expect(ErrorCode::address_outside_window, "addend", [](auto &a) { a.beta = 1, a.addend.address = 4; });
  expect(ErrorCode::address_outside_window, "biases", [](auto &a) { a.biases = 4; });
  expect(ErrorCode::address_outside_window, "scales", [](auto &a) { a.scales = 4; });
  expect(ErrorCode::address_outside_window, "left", [](auto &a) { a.batches = 1U << 31, a.left_stride = std::uint64_t{1} << 40; });
}

TEST_F(GemmRefusal, OutputsThatShareBytes) {
  const auto end_of = [](std::uint64_t address, std::uint64_t bytes) { return address + bytes - 4; };
  expect(ErrorCode::tensor_overlap, "left", [&](auto &a) { a.output.address = end_of(a.left.address, 4000); });
  expect(ErrorCode::tensor_overlap, "right", [&](auto &a) { a.output.address = end_of(a.right.address, 6000); });
  expect(ErrorCode::tensor_overlap, "biases", [&](auto &a) { a.biases = end_of(a.output.address, 9600); });
  expect(ErrorCode::tensor_overlap, "scales", [&](auto &a) { a.scales = end_of(a.output.address, 9600); });
  expect(ErrorCode::tensor_overlap, "addend", [&](auto &a) { a.beta = 1, a.addend.address += 240; });
  expect(ErrorCode::tensor_overlap, "addend", [&](auto &a) { a.beta = 1, a.addend.pitch = 244; });
  expect(ErrorCode::tensor_overlap, "output", [&](auto &a) { a.batches = 2, a.output_stride = 9596; });
  expect(ErrorCode::tensor_overlap, "output", [&](auto &a) { a.batches = 3, a.output.pitch = 640, a.output_stride = 240; });
}

TEST_F(GemmRefusal, NotWhatIsApart) {
  GemmArguments side_by_side = good;
  side_by_side.batches = 3;
  side_by_side.output.pitch = 720;
  side_by_side.output_stride = 240;
  EXPECT_TRUE(gemm(memory.stream(), side_by_side).ok());
  GemmArguments behind = good;
  behind.output.address = good.left.address + 4000;
  EXPECT_TRUE(gemm(memory.stream(), behind).ok());
}

TEST_F(GemmRefusal, PlacesInL1) {
  const auto in_l1 = [](auto &a) { a.left.in_l1 = true, a.left.address = 512, a.left.pitch = 3; };
  expect(ErrorCode::misaligned_address, "left", [&](auto &a) { in_l1(a), a.left.address = 256; });
  expect(ErrorCode::invalid_argument, "left", [&](auto &a) { in_l1(a), a.left.pitch = 2; });
  // A pitch above 2,048 is refused even if there is only one column of fractals and the pitch has no effect.
  const auto one_column = [&](auto &a, std::uint32_t pitch) { in_l1(a), a.left.columns = a.right.rows = 16, a.left.pitch = pitch; };
  expect(ErrorCode::invalid_argument, "left", [&](auto &a) { one_column(a, 2049); });
  GemmArguments pitched = good;
  one_column(pitched, 2048);
  EXPECT_TRUE(gemm(memory.stream(), pitched).ok());
  expect(ErrorCode::address_outside_buffer, "left", [&](auto &a) { in_l1(a), a.left.address = (1U << 20) - 11 * 512; });
  expect(ErrorCode::address_outside_buffer, "left", [&](auto &a) { in_l1(a), a.left.address = std::uint64_t{1} << 47; });
  // The matrix has 4 columns of 3 fractals. Its last byte is the last byte of L1.
  GemmArguments fits = good;
  in_l1(fits);
  fits.left.address = (1U << 20) - 12 * 512;
  EXPECT_TRUE(gemm(memory.stream(), fits).ok());
  // The free part of L1 between the operands has no room for a block of B.
  expect(ErrorCode::no_room, "L1", [](auto &a) {
    a.output.address = a.left.address + 400000;
    a.left.in_l1 = true;
    a.left.address = 0;
    a.left.pitch = 1;
    a.left.rows = a.output.rows = 16;
    a.left.columns = a.right.rows = 32 * 1024 - 16;
    a.right.columns = a.output.columns = 1;
    a.biases = 0;
  });
}

TEST_F(GemmRefusal, AStreamWithoutRoomIsAsItWas) {
  Stream &stream = memory.stream();
  stream.clear();
  ASSERT_TRUE(gemm(stream, good).ok());
  const std::uint32_t before = stream.slots();
  GemmArguments large = good;
  large.left.rows = large.output.rows = 200;
  large.left.columns = large.right.rows = 100;
  large.right.columns = large.output.columns = 50;
  large.batches = 200;
  large.output_stride = 40000;
  large.output.address = 0;
  CubeMemory wide(10U << 20, 1U << 14);
  large.left.address = wide.take(40000);
  large.right.address = wide.take(20000);
  large.output.address = wide.take(8U << 20);
  large.biases = 0;
  const Status status = gemm(wide.stream(), large);
  EXPECT_EQ(status.code(), ErrorCode::no_room);
  EXPECT_EQ(wide.stream().slots(), 0U);
  EXPECT_EQ(stream.slots(), before);
  large.batches = 1;
  EXPECT_TRUE(gemm(wide.stream(), large).ok()) << "a smaller one has room after that";
}

TEST(GemmStream, MustHaveMemory) {
  Stream stream;
  const Status status = gemm(stream, GemmArguments());
  EXPECT_EQ(status.code(), ErrorCode::not_ready);
  EXPECT_STREQ(status.what(), "stream");
}

}  // namespace
}  // namespace cox::tests
