// SPDX-License-Identifier: MIT
// The runs of an access cover exactly the bytes that its strides give, and no run is visited twice.
#include "sim/model/cube/hazard/runs.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

namespace cox::model::cube {
namespace {

isa::cube::Access pattern(std::uint64_t run, std::uint32_t count0, std::uint64_t stride0, std::uint32_t count1, std::uint64_t stride1) {
  isa::cube::Access access;
  access.start = 1000;
  access.run = run;
  access.count = {count0, count1};
  access.stride = {stride0, stride1};
  return access;
}

unsigned runs_of(const isa::cube::Access &access) {
  unsigned runs = 0;
  for_each_run(access, [&](std::uint64_t, std::uint64_t) { ++runs; });
  return runs;
}

TEST(Runs, AreTheBytesThatStridesSay) {
  std::mt19937 random(20261123);
  const auto draw = [&](unsigned below) { return static_cast<std::uint32_t>(random() % below); };
  for (int i = 0; i < 5000; ++i) {
    const isa::cube::Access access = pattern(1 + draw(4), 1 + draw(12), draw(14), 1 + draw(12), draw(14));
    std::set<std::uint64_t> expected, actual, starts;
    for (std::uint64_t y = 0; y < access.count[1]; ++y) {
      for (std::uint64_t x = 0; x < access.count[0]; ++x) {
        for (std::uint64_t byte = 0; byte < access.run; ++byte) {
          expected.insert(access.start + y * access.stride[1] + x * access.stride[0] + byte);
        }
      }
    }
    bool once = true;
    for_each_run(access, [&](std::uint64_t first, std::uint64_t bytes) {
      once = once && starts.insert(first).second;
      for (std::uint64_t byte = 0; byte < bytes; ++byte) actual.insert(first + byte);
    });
    ASSERT_EQ(actual, expected) << access.run << ": " << access.count[0] << " of " << access.stride[0] << ", " << access.count[1] << " of "
                                << access.stride[1];
    ASSERT_TRUE(once);
  }
}

TEST(Runs, AreFew) {
  EXPECT_EQ(runs_of(pattern(64, 16, 64, 1, 0)), 1U);
  EXPECT_EQ(runs_of(pattern(64, 16, 0, 1, 0)), 1U);        // the same 64 bytes 16 times
  EXPECT_EQ(runs_of(pattern(64, 4, 64, 4, 256)), 1U);      // a whole map
  EXPECT_EQ(runs_of(pattern(2, 4095, 255, 4095, 1)), 1U);  // gaps along dimension 0, which dimension 1 fills
  EXPECT_EQ(runs_of(pattern(64, 4, 64, 4, 1024)), 4U);
  EXPECT_LT(runs_of(pattern(1, 4095, 2, 4095, 200)), 500000U);  // of 4,095 * 4,095 runs, only 413,495 differ
}

}  // namespace
}  // namespace cox::model::cube
