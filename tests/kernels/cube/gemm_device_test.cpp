// SPDX-License-Identifier: MIT
// gemm() and gemv() on the model of the whole device: compares predicted and measured cycles, and runs a stream that is longer than its
// memory.
#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "coxswain/kernels/cube/gemm.h"
#include "coxswain/kernels/cube/gemv.h"
#include "tests/bench/cube_machine.h"

namespace cox::tests {
namespace {

using bench::CubeMachine;
using kernels::cube::choose_tiling;
using kernels::cube::gemm_product;
using kernels::cube::GemmArguments;
using kernels::cube::Order;
using kernels::cube::OutputType;
using kernels::cube::Type;

constexpr std::uint64_t kMiB = 1U << 20;

class GemmDevice : public testing::Test {
 protected:
  GemmDevice() : machine(24 * kMiB, 2 * kMiB) {
    std::uint32_t number = 1;
    for (std::byte &byte : machine.tensors().first(16 * kMiB))
      byte = static_cast<std::byte>((number = number * 1664525 + 1013904223) >> 24);
  }

  [[nodiscard]] GemmArguments product(Type type, OutputType to, std::uint32_t m, std::uint32_t k, std::uint32_t n) const {
    GemmArguments call;
    call.type = type;
    call.to = to;
    call.left = {.address = machine.base(), .rows = m, .columns = k};
    call.right = {.address = machine.base() + 8 * kMiB, .rows = k, .columns = n};
    call.output = {.address = machine.base() + 16 * kMiB, .rows = m, .columns = n};
    return call;
  }
  std::uint64_t cycles_of(const GemmArguments &call) {
    machine.stream().clear();
    const Status status = gemm(machine.stream(), call);
    EXPECT_TRUE(status.ok()) << status.what();
    const std::uint64_t cycles = machine.run();
    EXPECT_EQ(machine.engine().warnings(), 0U) << "a flag that is left, an empty MAD";
    return cycles;
  }
  [[nodiscard]] std::vector<std::byte> output_of(const GemmArguments &call) const {
    const auto output = machine.tensors().subspan(16 * kMiB, std::size_t{call.output.rows} * call.output.columns * element_bytes(call.to));
    return {output.begin(), output.end()};
  }

  CubeMachine machine;
};

TEST_F(GemmDevice, TakesAboutAsLongAsWasPredicted) {
  GemmArguments calls[] = {
      product(Type::int8, OutputType::int8, 512, 512, 512),       product(Type::bfloat16, OutputType::bfloat16, 1000, 777, 333),
      product(Type::int8, OutputType::int32, 256, 1024, 1024),    product(Type::float32, OutputType::float32, 200, 300, 500),
      product(Type::int4, OutputType::int8, 512, 2048, 512),      product(Type::half, OutputType::float32, 64, 4096, 64),
      product(Type::bfloat16, OutputType::float32, 700, 64, 700), product(Type::bfloat16, OutputType::float32, 640, 640, 640)};
  calls[3].left.order = Order::column_major;
  calls[7].beta = 1;
  calls[7].addend = calls[7].output;
  for (const GemmArguments &call : calls) {
    const auto predicted = static_cast<double>(choose_tiling(gemm_product(call)).cycles);
    const auto measured = static_cast<double>(cycles_of(call));
    EXPECT_NEAR(measured / predicted, 1, 0.12) << call.left.rows << "x" << call.left.columns << "x" << call.right.columns;
  }
}

TEST_F(GemmDevice, KeepsTheArrayBusy) {
  const auto utilisation = [&](const GemmArguments &call, double peak) {
    const double products = static_cast<double>(call.left.rows) * call.left.columns * call.right.columns;
    return products / peak / static_cast<double>(cycles_of(call));
  };
  EXPECT_GE(utilisation(product(Type::bfloat16, OutputType::bfloat16, 1024, 1024, 1024), 4096), 0.97);
  EXPECT_GE(utilisation(product(Type::int8, OutputType::int8, 1024, 1024, 1024), 8192), 0.97);
  EXPECT_GE(utilisation(product(Type::bfloat16, OutputType::bfloat16, 1000, 777, 333), 4096), 0.85);
  GemmArguments in_l1 = product(Type::bfloat16, OutputType::bfloat16, 128, 128, 128);
  in_l1.left.in_l1 = in_l1.right.in_l1 = true;
  in_l1.left.address = 0;
  in_l1.right.address = 32768;
  EXPECT_GE(utilisation(in_l1, 4096), 0.75);
}

TEST_F(GemmDevice, ReadsAMatrixForAVectorAtTheSpeedOfDram) {
  kernels::cube::GemvArguments call;
  call.matrix = {.address = machine.base(), .rows = 2048, .columns = 2048};
  call.vector = machine.base() + 8 * kMiB;
  call.output = machine.base() + 16 * kMiB;
  machine.stream().clear();
  ASSERT_TRUE(gemv(machine.stream(), call).ok());
  EXPECT_GE(2.0 * 2048 * 2048 / 128 / static_cast<double>(machine.run()), 0.95);
}

TEST_F(GemmDevice, RunsWhileTheRestIsWritten) {
  GemmArguments call = product(Type::int8, OutputType::int32, 600, 700, 500);
  cycles_of(call);
  const std::vector<std::byte> expected = output_of(call);
  std::memset(machine.tensors().data() + 16 * kMiB, 0, expected.size());

  constexpr unsigned kSegments = 2;
  constexpr std::size_t kBytes = std::size_t{kSegments} * kernels::cube::Stream::kMostReserved * isa::cube::kSlotBytes;
  kernels::cube::Stream stream;
  ASSERT_TRUE(stream.init(machine.stream_memory().last(kMiB).first(kBytes), machine.stream().windows(), kSegments).ok());
  ASSERT_TRUE(machine.engine().attach(stream).ok());
  ASSERT_TRUE(gemm(stream, call).ok());
  EXPECT_GT(stream.slots(), 2 * kBytes / isa::cube::kSlotBytes) << "the stream must reuse its memory";
  ASSERT_TRUE(machine.engine().run(stream).ok());
  EXPECT_EQ(machine.engine().warnings(), 0U);
  EXPECT_EQ(output_of(call), expected);
}

}  // namespace
}  // namespace cox::tests
