// SPDX-License-Identifier: MIT
// Compares the fast path with the reference, bit for bit, on random operations. Uses every set of kernels that this host supports.
#include <gtest/gtest.h>

#include <algorithm>
#include <ostream>

#include "random_case.h"
#include "sim/model/cube/arithmetic/fast.h"

namespace cox::model::cube {

static void PrintTo(const Kernels *set, std::ostream *out) { *out << set->name; }

}  // namespace cox::model::cube

namespace cox::test {
namespace {

using namespace isa::cube;
using model::cube::Buffers;
using model::cube::Kernels;
using model::cube::Path;

class MoveEquivalence : public testing::Test {
 protected:
  /// Executes the operation with the reference on `expected` and with the kernels on `actual`. Expects equal buffers afterwards. L1 must be
  /// equal before the call; the function copies only the other buffers, because L1 is large.
  void check(const Operation &operation, std::byte *expected_dram, std::byte *dram, std::uint32_t number) {
    actual.l0a = expected.l0a;
    actual.l0b = expected.l0b;
    actual.l0c = expected.l0c;
    actual.bias_table = expected.bias_table;
    model::cube::execute(operation, expected, expected_dram, Path::reference);
    model::cube::fast::execute(operation, actual, dram, *kernels);
    ASSERT_EQ(first_difference(actual.l1, expected.l1), -1) << "case " << number;
    ASSERT_EQ(first_difference(actual.l0a, expected.l0a), -1) << "case " << number;
    ASSERT_EQ(first_difference(actual.l0b, expected.l0b), -1) << "case " << number;
    ASSERT_EQ(first_difference(actual.l0c, expected.l0c), -1) << "case " << number;
    ASSERT_EQ(first_difference(actual.bias_table, expected.bias_table), -1) << "case " << number;
  }

  static std::int64_t first_difference(const model::cube::Buffer &a, const model::cube::Buffer &b) {
    return a == b ? -1 : std::mismatch(a.begin(), a.end(), b.begin()).first - a.begin();
  }

  const Kernels *kernels = model::cube::fast::supported_kernels().back();  // moves do not use the kernels, so any set will do
  Buffers expected, actual;
};

class Equivalence : public MoveEquivalence, public testing::WithParamInterface<const Kernels *> {
 protected:
  Equivalence() { kernels = GetParam(); }
};

TEST_P(Equivalence, Mad) {
  Random random(1);
  for (std::uint32_t i = 0; i < 300; ++i) {
    const Mad mad = random_mad(random, static_cast<Type>(i % 5), i % 20 == 0 ? 3e5 : 3e4);
    fill(random, mad, expected);
    SCOPED_TRACE(testing::Message() << "type " << i % 5 << ", " << mad.m << " x " << mad.k << " x " << mad.n);
    ASSERT_NO_FATAL_FAILURE(check(mad, nullptr, nullptr, i));
  }
}

TEST_P(Equivalence, MadOfAwkwardSizes) {
  Random random(2);
  constexpr std::uint32_t kSizes[] = {0, 1, 15, 16, 17};
  for (const std::uint32_t m : kSizes) {
    for (const std::uint32_t k : kSizes) {
      for (const std::uint32_t n : kSizes) {
        for (std::uint32_t type = 0; type < 5; ++type) {
          Mad mad = random_mad(random, static_cast<Type>(type), 1);
          mad.left = mad.right = mad.destination = 0;
          mad.m = m;
          mad.n = n;
          mad.k = type == static_cast<std::uint32_t>(Type::int4) ? k & ~1U : k;
          fill(random, mad, expected);
          SCOPED_TRACE(testing::Message() << "type " << type << ", " << m << " x " << k << " x " << n);
          ASSERT_NO_FATAL_FAILURE(check(mad, nullptr, nullptr, 0));
        }
      }
    }
  }
}

TEST_P(Equivalence, MadOfTheLargestSizes) {
  Random random(3);
  struct Size {
    Type type;
    std::uint32_t m, k, n;
  };
  for (const Size &size : {Size{Type::int8, 16, 4095, 16}, Size{Type::int8, 3, 4094, 15}, Size{Type::int4, 17, 4094, 32},
                           Size{Type::bfloat16, 16, 2048, 15}, Size{Type::half, 1, 2047, 16}, Size{Type::float32, 5, 1024, 16},
                           Size{Type::bfloat16, 2048, 16, 32}, Size{Type::int4, 32, 64, 2047}, Size{Type::float32, 32, 16, 1024}}) {
    Mad mad = random_mad(random, size.type, 1);
    mad.left = mad.right = mad.destination = 0;
    mad.m = size.m;
    mad.k = size.k;
    mad.n = size.n;
    fill(random, mad, expected);
    SCOPED_TRACE(testing::Message() << static_cast<int>(size.type) << ", " << size.m << " x " << size.k << " x " << size.n);
    ASSERT_NO_FATAL_FAILURE(check(mad, nullptr, nullptr, 0));
  }
}

TEST_F(MoveEquivalence, Load) {
  Random random(4);
  for (std::uint32_t i = 0; i < 300; ++i) {
    Load load = random_load(random);
    ASSERT_NO_FATAL_FAILURE(check(load.operation, load.dram.data() + load.offset, load.dram.data() + load.offset, i));
  }
}

TEST_F(MoveEquivalence, Move) {
  Random random(5);
  fill(random, expected.l1);
  actual.l1 = expected.l1;
  for (std::uint32_t i = 0; i < 400; ++i) {
    const L1ToL0 move = random_move(random);
    SCOPED_TRACE(testing::Message() << "type " << static_cast<int>(move.type) << ", " << move.rows << " x " << move.columns
                                    << (move.transpose ? " transposed" : ""));
    ASSERT_NO_FATAL_FAILURE(check(move, nullptr, nullptr, i));
  }
  for (std::uint32_t i = 0; i < 20; ++i) {
    const std::uint32_t bytes = kBiasAlignment * random.in(1, 16);
    const L1ToBt move{random.in(0, 1000) * kBiasAlignment, random.in(0, (kBiasTableBytes - bytes) / kBiasAlignment) * kBiasAlignment,
                      bytes};
    ASSERT_NO_FATAL_FAILURE(check(move, nullptr, nullptr, i));
  }
}

TEST_F(MoveEquivalence, Im2col) {
  Random random(6);
  fill(random, expected.l1);
  actual.l1 = expected.l1;
  for (std::uint32_t i = 0; i < 300; ++i) ASSERT_NO_FATAL_FAILURE(check(random_im2col(random), nullptr, nullptr, i));
}

TEST_P(Equivalence, Output) {
  Random random(7);
  fill(random, expected.l1);
  actual.l1 = expected.l1;
  for (std::uint32_t i = 0; i < 300; ++i) {
    const Store store = random_output(random);
    fill(random, store.operation, expected);
    actual.l1 = expected.l1;
    const std::size_t offset = random.in(0, 17);
    std::vector<std::byte> expected_dram(offset + store.dram_bytes), dram(offset + store.dram_bytes);
    ASSERT_NO_FATAL_FAILURE(check(store.operation, expected_dram.data() + offset, dram.data() + offset, i));
    ASSERT_TRUE(dram == expected_dram) << "case " << i;
  }
}

INSTANTIATE_TEST_SUITE_P(Kernels, Equivalence,
                         testing::ValuesIn(model::cube::fast::supported_kernels().begin(), model::cube::fast::supported_kernels().end()),
                         testing::PrintToStringParamName());

}  // namespace
}  // namespace cox::test
