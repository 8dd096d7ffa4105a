// SPDX-License-Identifier: MIT
// Convolutions that read weights that were not loaded for them, although tokens order all accesses.
#include "sim/model/tile/hazard/weight_blocks.h"

#include <gtest/gtest.h>

#include "tests/sim/tile/hazard/program.h"

namespace cox::model::hazard {
namespace {

using test::Program;

/// Returns the stale weights of a task: `loads`, then a convolution of 8 kernels over 8 channels in `layer`, with its weights at `unit`. A
/// token orders the loads before the convolution.
std::vector<StaleWeights> stale(const std::vector<std::string> &loads, int unit, int layer = -1) {
  std::vector<std::string> lines = {test::start(), test::cut(0, 8191, {"", R"("PE")"})};
  lines.insert(lines.end(), loads.begin(), loads.end());
  for (const std::string &line : test::convolution_configuration(8, 8)) lines.push_back(line);
  lines.push_back(test::convolution(0, unit, 1024, {R"("CT", "LW")", ""}, layer));
  lines.push_back(test::end());
  const Program program(lines);
  const Analysis analysis = program.analysis();
  EXPECT_TRUE(analysis.passes());
  return analysis.stale_weights;
}

const test::Classes kToPe{"", R"("PE")"};

TEST(WeightBlocks, TheirOwn) { EXPECT_TRUE(stale({test::weight_configuration(8), test::load_weights(0, 5, 8, 8, kToPe)}, 5).empty()); }

TEST(WeightBlocks, PartOfALargerBlock) {
  // The load writes 16 records of 40 bytes from byte 0 of WL0 on. The convolution reads 8 records from unit 5 on, which is byte 5 * 64 =
  // 320. They are the last 8 that the load writes.
  EXPECT_TRUE(stale({test::weight_configuration(8), test::load_weights(0, 0, 16, 8, kToPe)}, 5).empty());
}

TEST(WeightBlocks, NotAWholeNumberOfRecords) {
  const std::vector<StaleWeights> found = stale({test::weight_configuration(8), test::load_weights(0, 0, 16, 8, kToPe)}, 1);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].overwritten_by, std::vector<std::int32_t>{3});
}

TEST(WeightBlocks, OverwrittenByRecordsOfAnotherShape) {
  const std::vector<StaleWeights> found = stale({test::weight_configuration(8), test::load_weights(0, 5, 8, 8),
                                                 test::weight_configuration(16), test::load_weights(640, 6, 1, 16, kToPe)},
                                                5);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].convolution, 10);
  EXPECT_EQ(found[0].address, 5);
  EXPECT_EQ(found[0].overwritten_by, std::vector<std::int32_t>{5});
  EXPECT_EQ(found[0].loaded_by, 3);
  EXPECT_FALSE(found[0].never_loaded);
}

TEST(WeightBlocks, LoadedForAnotherLayer) {
  const std::vector<std::string> loads = {test::weight_configuration(8), test::load_weights(0, 5, 8, 8, {}, "4"),
                                          test::load_weights(640, 5, 8, 8, kToPe, "6, 7")};
  EXPECT_EQ(stale(loads, 5, 4).size(), 1U);
  EXPECT_TRUE(stale(loads, 5, 7).empty());
  EXPECT_TRUE(stale(loads, 5).empty());  // the convolution names no layer, so it takes weights of any layer
}

TEST(WeightBlocks, NeverLoaded) {
  const std::vector<StaleWeights> found = stale({test::weight_configuration(8), test::load_weights(0, 5, 4, 8, kToPe)}, 5);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_TRUE(found[0].never_loaded);
  EXPECT_TRUE(found[0].overwritten_by.empty());
  EXPECT_EQ(found[0].loaded_by, -1);
}

}  // namespace
}  // namespace cox::model::hazard
