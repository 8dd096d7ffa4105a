// SPDX-License-Identifier: MIT
// gemm() with random problems of all types, orders and outputs. Further tests are about rounding, wrap-around, NaN, and given tiles.
#include "coxswain/kernels/cube/gemm.h"

#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <memory>
#include <ostream>
#include <vector>

#include "coxswain/isa/cube/build.h"
#include "coxswain/kernels/cube/pipeline.h"
#include "sim/model/cube/hazard/detector.h"
#include "tests/kernels/cube/gemm_problem.h"

namespace cox::isa::cube {

static void PrintTo(Type type, std::ostream *out) {
  constexpr const char *kNames[] = {"bfloat16", "half", "float32", "int8", "int4"};
  *out << kNames[static_cast<unsigned>(type)];
}

}  // namespace cox::isa::cube

namespace cox::tests {
namespace {

using isa::cube::is_integer;
using isa::cube::MachineCode;
using kernels::cube::Activation;
using kernels::cube::choose_tiling;
using kernels::cube::gemm_product;
using kernels::cube::Order;
using kernels::cube::OutputType;
using kernels::cube::Tiling;
using kernels::cube::Type;

/// Returns a random size from 1 to `most`. Half of the calls choose from kEdges.
std::uint32_t size(std::mt19937 &random, std::uint32_t most) {
  constexpr std::uint32_t kEdges[] = {1, 15, 16, 17, 31, 32, 33, 64, 65, 128, 129};
  const std::uint32_t chosen = random() % 2 == 0 ? kEdges[random() % std::size(kEdges)] : 1 + static_cast<std::uint32_t>(random()) % most;
  return std::min(chosen, most);
}

GemmArguments shape(Type type, OutputType to, std::uint32_t m, std::uint32_t n, std::uint32_t k) {
  GemmArguments a;
  a.type = type;
  a.to = to;
  a.left.rows = m;
  a.left.columns = a.right.rows = type == Type::int4 ? (k + 1) / 2 * 2 : k;
  a.right.columns = n;
  return a;
}

Order any_order(std::mt19937 &random) { return random() % 2 == 0 ? Order::row_major : Order::column_major; }

GemmArguments random_arguments(Type type, std::mt19937 &random) {
  constexpr OutputType kTo[] = {OutputType::float32, OutputType::half, OutputType::bfloat16, OutputType::int8, OutputType::int32};
  const OutputType to = kTo[random() % (is_integer(type) ? 5 : 4)];
  // One dimension may be so long that the kernel has to divide it. The others stay small, which keeps a test of many problems short.
  std::uint32_t m = size(random, 80), n = size(random, 80), k = size(random, 150);
  switch (random() % 6) {
    case 0: m = size(random, 700); break;
    case 1: n = size(random, 700); break;
    case 2: k = size(random, 1500); break;
    default: break;
  }
  GemmArguments a = shape(type, to, m, n, k);
  a.left.order = any_order(random);
  a.right.order = any_order(random);
  if (random() % 4 == 0) a.batches = 2 + static_cast<std::uint32_t>(random() % 3);
  if (random() % 2 == 0) a.biases = 1;
  if (to == OutputType::int32) {
    if (random() % 2 == 0) a.activation = Activation::ReLU;
    return a;
  }
  if (is_integer(type) && random() % 2 == 0) {
    a.scales = 1;
  } else if (is_integer(type) || random() % 2 == 0) {
    a.alpha = is_integer(type) ? 0.004F : 0.75F;
  }
  if (random() % 2 == 0) {
    a.beta = -1.25F;
    a.addend.address = random() % 2 == 0 ? GemmProblem::kInPlace : 1;
  }
  a.activation = static_cast<Activation>(random() % 4);
  a.activation_parameter = a.activation == Activation::LeakyReLU ? 0.125F : 6;
  if (to == OutputType::int8) a.zero_point = static_cast<std::int32_t>(random() % 256) - 128;
  return a;
}

class RandomGemm : public testing::TestWithParam<Type> {};

TEST_P(RandomGemm, IsEigens) {
  std::mt19937 random(11 + static_cast<unsigned>(GetParam()));
  for (unsigned i = 0; i < 70; ++i) {
    GemmProblem problem(random_arguments(GetParam(), random), random, random() % 2 == 0);
    SCOPED_TRACE(problem.text());
    problem.run();
    problem.expect_right();
    if (HasFailure()) return;
  }
}

TEST_P(RandomGemm, OfOperandsInL1IsEigens) {
  std::mt19937 random(21 + static_cast<unsigned>(GetParam()));
  for (unsigned i = 0; i < 24; ++i) {
    GemmArguments a = random_arguments(GetParam(), random);
    a.left.in_l1 = i % 3 != 0;
    a.right.in_l1 = i % 3 != 1;
    a.left.columns = a.right.rows = std::min<std::uint32_t>(a.left.columns, 256);
    GemmProblem problem(a, random, random() % 2 == 0);
    SCOPED_TRACE(problem.text());
    problem.run();
    problem.expect_right();
    if (HasFailure()) return;
  }
}

INSTANTIATE_TEST_SUITE_P(Types, RandomGemm, testing::Values(Type::bfloat16, Type::half, Type::float32, Type::int8, Type::int4),
                         testing::PrintToStringParamName());

TEST(Gemm, OfLargerMatricesIsEigens) {
  std::mt19937 random(31);
  const GemmArguments wanted[] = {shape(Type::bfloat16, OutputType::bfloat16, 500, 333, 401),
                                  shape(Type::int8, OutputType::int32, 260, 700, 900),
                                  shape(Type::float32, OutputType::float32, 200, 300, 301),
                                  shape(Type::int4, OutputType::int8, 300, 300, 2050), shape(Type::half, OutputType::half, 64, 48, 5000)};
  for (const GemmArguments &arguments : wanted) {
    GemmProblem problem(arguments, random);
    problem.run();
    problem.expect_right();
  }
}

TEST(Gemm, OfMoreColumnsThanHaveTheirBiasesInL1) {
  std::mt19937 random(32);
  GemmArguments a = shape(Type::int8, OutputType::int8, 3, 20001, 40);
  a.biases = a.scales = 1;
  GemmProblem problem(a, random);
  problem.run();
  problem.expect_right();
  a.right.in_l1 = true;
  a.right.columns = 9001;
  GemmProblem in_l1(a, random, true);
  in_l1.run();
  in_l1.expect_right();
}

TEST(Gemm, GivesTheSameBitsHoweverItIsCut) {
  std::mt19937 random(33);
  GemmProblem problem(shape(Type::bfloat16, OutputType::float32, 100, 90, 300), random);
  const Tiling chosen = choose_tiling(gemm_product(problem.arguments));
  for (const std::uint32_t tile : {16, 32, 48, 112}) {
    for (const bool left_outer : {true, false}) {
      for (const std::uint32_t step : {1, 3, 4}) {
        Tiling tiling = chosen;
        tiling.m_tile = tile;
        tiling.n_tile = 144 - tile;
        tiling.left_outer = left_outer;
        tiling.step_units = step;
        tiling.block_units = 2 * step;
        tiling.places = 2;
        tiling.panels = step == 3 ? 0 : 1;
        tiling.outer_in_l0 = tiling.inner_stays = false;
        tiling.last_piece = step == 4 ? 16 : 0;
        tiling.short_start = step != 1;
        SCOPED_TRACE(std::to_string(tile) + " " + std::to_string(step));
        problem.run(&tiling);
        problem.expect_right();
      }
    }
  }
  Tiling other = chosen;
  other.product.k = 299;
  EXPECT_EQ(gemm(problem.memory().stream(), problem.arguments, other).code(), ErrorCode::invalid_argument);
  EXPECT_EQ(gemm(problem.memory().stream(), problem.arguments, Tiling()).code(), ErrorCode::invalid_argument);
}

/// gemm() writes the slots of several consecutive tiles at once if these slots differ only in their addresses. The products of this test
/// have dozens of such tiles, with biases, scales and addends. Some panels stay in L1, others are loaded again for each tile.
TEST(Gemm, OfManyAlikeTilesIsEigens) {
  std::mt19937 random(37);
  GemmArguments wanted = shape(Type::int8, OutputType::half, 16 * 6 + 3, 16 * 9, 32 * 12);
  wanted.biases = wanted.scales = wanted.addend.address = 1;
  wanted.beta = 0.5F;
  wanted.batches = 2;
  for (const bool left_k_rows : {false, true}) {
    wanted.left.order = left_k_rows ? Order::column_major : Order::row_major;
    wanted.right.order = left_k_rows ? Order::row_major : Order::column_major;
    GemmProblem problem(wanted, random, true);
    const std::uint32_t tile = left_k_rows ? 32 : 16;
    for (unsigned i = 0; i < 8; ++i) {
      const bool is_long = i / 4 == 1;
      const Tiling tiling{.product = gemm_product(problem.arguments),
                          .m_tile = tile,
                          .n_tile = tile,
                          .step_units = 1,
                          .block_units = is_long ? 3U : 2U,
                          .places = is_long ? 2U : 3U,
                          .panels = i / 2 % 2,
                          .left_outer = i % 2 == 0,
                          .short_start = i != 3,
                          .last_piece = i % 3 == 0 ? 32U : 0U,
                          .cycles = 1};
      SCOPED_TRACE(i);
      problem.run(&tiling);
      problem.expect_right();
    }
  }
}

bool has_hazard(std::span<const std::byte> code) {
  const model::cube::Analysis analysis = model::cube::analyse(code);
  EXPECT_TRUE(analysis.refusal.ok());
  return !analysis.findings.empty();
}

/// Returns `code` without the flags by which FIX tells MTE2 that it has read an addend in L1. Sets `flags` to their number.
std::vector<MachineCode> without_addend_flags(std::span<const std::byte> code, unsigned &flags) {
  std::vector<MachineCode> slots(code.size() / isa::cube::kSlotBytes);
  std::memcpy(slots.data(), code.data(), code.size());
  flags = 0;
  for (MachineCode &slot : slots) {
    if ((slot[isa::cube::kWaitWord] & kernels::cube::kResidualFree.wait()) != 0 && isa::cube::pipe_of(slot) == isa::cube::Pipe::MTE2) {
      slot[isa::cube::kWaitWord] &= ~kernels::cube::kResidualFree.wait();
      ++flags;
    }
    if (isa::cube::pipe_of(slot) == isa::cube::Pipe::FIX) slot[isa::cube::kSetWord] &= ~kernels::cube::kResidualFree.set();
  }
  return slots;
}

/// In L1, the addend of tile t overwrites the addend of tile t - 2, which FIX must have read before. If the flags of the blocks of A and B
/// do not ensure this, the kernel adds flags for the addend. Without these flags such a stream must have a hazard.
TEST(Gemm, TheAddendHasFlagsOfItsOwnOnlyIfBlocksDoNotTell) {
  std::mt19937 random(38);
  unsigned with_flags = 0, without_flags = 0;
  for (std::uint32_t k_units = 1; k_units <= 6; ++k_units) {
    GemmArguments wanted = shape(Type::int8, OutputType::half, 16 * 3, 16 * 3, 32 * k_units);
    wanted.right.order = Order::column_major;  // tiles of 16 columns need this order
    wanted.addend.address = 1;
    wanted.beta = 0.5F;
    GemmProblem problem(wanted, random);
    for (const std::uint32_t steps_of_block : {1, 2}) {
      for (const std::uint32_t places : {2, 3}) {
        for (const bool left_outer : {true, false}) {
          const Tiling tiling{.product = gemm_product(problem.arguments),
                              .m_tile = 16,
                              .n_tile = 16,
                              .step_units = 1,
                              .block_units = steps_of_block,
                              .places = places,
                              .left_outer = left_outer,
                              .cycles = 1};
          SCOPED_TRACE(testing::Message() << k_units << " units, " << steps_of_block << " steps of a block, " << places << " places");
          ASSERT_NO_FATAL_FAILURE(problem.run(&tiling));
          problem.expect_right();
          const std::span<const std::byte> code = problem.memory().stream().code();
          EXPECT_FALSE(has_hazard(code));
          unsigned flags = 0;
          const std::vector<MachineCode> without = without_addend_flags(code, flags);
          ++(flags == 0 ? without_flags : with_flags);
          EXPECT_EQ(has_hazard(std::as_bytes(std::span(without))), flags != 0);
        }
      }
    }
  }
  EXPECT_GT(with_flags, 0U);
  EXPECT_GT(without_flags, 0U);
}

TEST(Gemm, AccumulatorsOfIntegersWrapAround) {
  std::mt19937 random(34);
  constexpr std::uint32_t kDepth = 131074;
  GemmProblem problem(shape(Type::int8, OutputType::int32, 1, 1, kDepth), random);
  std::memset(reinterpret_cast<void *>(problem.left_element(0, 0, 0)), -128, kDepth);   // NOLINT(performance-no-int-to-ptr)
  std::memset(reinterpret_cast<void *>(problem.right_element(0, 0, 0)), -128, kDepth);  // NOLINT(performance-no-int-to-ptr)
  problem.run();
  std::int32_t sum = 0;
  std::memcpy(&sum, problem.output(0, 0, 0).data(), sizeof sum);
  EXPECT_EQ(sum, std::numeric_limits<std::int32_t>::min() + 2 * 16384);  // 131,074 * 2^14 = 2^31 + 2 * 2^14, which wraps around
}

TEST(Gemm, NanAndInfinityGoWhereTheirRowsAndColumnsDo) {
  std::mt19937 random(35);
  for (const OutputType to : {OutputType::float32, OutputType::bfloat16, OutputType::half, OutputType::int8}) {
    GemmProblem problem(shape(Type::bfloat16, to, 40, 37, 70), random);
    const auto put = [](std::uint64_t address, std::uint16_t bits) {
      std::memcpy(reinterpret_cast<void *>(address), &bits, sizeof bits);  // NOLINT(performance-no-int-to-ptr)
    };
    put(problem.left_element(0, 3, 69), 0x7FA1);    // a NaN whose bits differ from those of the NaN in results
    put(problem.left_element(0, 17, 5), 0x7F80);    // infinity
    put(problem.right_element(0, 5, 20), 0x0000);   // times 0
    put(problem.right_element(0, 40, 36), 0xFF80);  // minus infinity
    problem.run();
    problem.expect_right();
    const auto bits = [&](std::uint32_t row, std::uint32_t column) {
      std::uint32_t value = 0;
      std::memcpy(&value, problem.output(0, row, column).data(), problem.output(0, row, column).size());
      return value;
    };
    const std::uint32_t nan = to == OutputType::float32    ? 0x7FC00000U
                              : to == OutputType::bfloat16 ? 0x7FC0U
                              : to == OutputType::half     ? 0x7E00U
                                                           : 0U;
    EXPECT_EQ(bits(3, 0), nan);
    EXPECT_EQ(bits(17, 20), nan);
    if (to == OutputType::int8) {
      EXPECT_TRUE(bits(17, 0) == 0x7F || bits(17, 0) == 0x80);
    }
    if (to == OutputType::float32) {
      EXPECT_EQ(bits(17, 0) & 0x7FFFFFFFU, 0x7F800000U);
      EXPECT_EQ(bits(39, 36) & 0x7FFFFFFFU, 0x7F800000U);
    }
  }
}

TEST(Gemm, ReadsNothingOfTheAddendWithoutBeta) {
  std::mt19937 random(36);
  GemmProblem problem(shape(Type::half, OutputType::float32, 20, 20, 20), random);
  problem.arguments.addend.address = 1;  // no memory is there, so reading the addend would fail
  problem.run();
  problem.expect_right();
}

/// Source addresses of all loads of a bfloat16 product whose operands are consecutive from `base` on. The product is not executed.
std::vector<std::uint64_t> loads(std::uint64_t base, std::uint32_t m, std::uint32_t n, std::uint32_t k, std::uint32_t pitch) {
  using isa::cube::Opcode;
  constexpr std::size_t kSlots = 16384;
  std::vector<isa::cube::MachineCode> memory(kSlots + 1);
  void *first = memory.data();
  std::size_t room = memory.size() * isa::cube::kSlotBytes;
  std::align(isa::cube::kSlotBytes, kSlots * isa::cube::kSlotBytes, first, room);
  const isa::Window windows[] = {{.base = 0, .bytes = std::uint64_t{1} << 40, .read = true, .write = true}};
  kernels::cube::Stream stream;
  EXPECT_TRUE(stream.init({static_cast<std::byte *>(first), kSlots * isa::cube::kSlotBytes}, windows).ok());
  GemmArguments a = shape(Type::bfloat16, OutputType::float32, m, n, k);
  a.left.address = base;
  a.right.address = base + std::uint64_t{m} * k * 2;
  a.right.pitch = pitch;
  a.output = {.address = std::uint64_t{1} << 39, .rows = m, .columns = n};
  EXPECT_TRUE(gemm(stream, a).ok());
  std::vector<std::uint64_t> sources;
  const auto *const slots = static_cast<const isa::cube::MachineCode *>(first);
  for (std::uint32_t i = 0; i < stream.slots(); ++i) {
    if ((slots[i][0] & 0xFF) != static_cast<std::uint32_t>(Opcode::DRAM_TO_L1)) continue;
    constexpr unsigned kLow = isa::cube::word_of<Opcode::DRAM_TO_L1, "Source">();
    sources.push_back((std::uint64_t{slots[i][kLow + 1] & 0xFFFF} << 32) | slots[i][kLow]);
  }
  return sources;
}

TEST(Gemm, OperandsMayLieAcrossMultiplesOf4GiB) {
  constexpr std::uint64_t kBoundary = std::uint64_t{1} << 32;
  constexpr std::uint64_t kLow = std::uint64_t{1} << 20;
  struct Case {
    std::uint32_t m, n, k;
  };
  // In the first case a panel of A stays in L1. In the second case loads of A and loads of B alternate.
  for (const Case &c : {Case{.m = 512, .n = 1024, .k = 1024}, Case{.m = 384, .n = 512, .k = 4096}}) {
    const std::uint64_t left_bytes = std::uint64_t{c.m} * c.k * 2, row_bytes = c.n * 2;
    const std::vector<std::uint64_t> expected = loads(kLow, c.m, c.n, c.k, 0);
    ASSERT_GT(expected.size(), 50U);
    // With the first base, a boundary of 4 GiB is inside of A. With the second it is inside of B.
    for (const std::uint64_t base : {kBoundary - left_bytes / 2, kBoundary - left_bytes - c.k / 2 * row_bytes - 96}) {
      std::vector<std::uint64_t> moved = loads(base, c.m, c.n, c.k, 0);
      for (std::uint64_t &source : moved) source -= base - kLow;
      EXPECT_EQ(moved, expected) << c.m << " " << c.k << " from " << base;
    }
    // The pitch of B is so large that there is a boundary of 4 GiB between any two of its blocks.
    constexpr std::uint64_t kPitch = 1U << 26;
    std::vector<std::uint64_t> apart = expected;
    for (std::uint64_t &source : apart) {
      if (source < kLow + left_bytes) continue;
      const std::uint64_t offset = source - kLow - left_bytes;
      source += offset / row_bytes * (kPitch - row_bytes);
    }
    EXPECT_EQ(loads(kLow, c.m, c.n, c.k, kPitch), apart) << c.m << " " << c.k;
  }
}

}  // namespace
}  // namespace cox::tests
