// SPDX-License-Identifier: MIT
// Tests which maps go to DRAM, their addresses, and the strips in which they are processed.
#include <gmock/gmock.h>

#include "tests/tools/lower/network_files.h"
#include "tools/lower/lowering.h"
#include "tools/lower/plan/dram_places.h"
#include "tools/lower/plan/placement.h"
#include "tools/lower/plan/strips.h"

namespace cox::lower {
namespace {

using test::Folder;
using ::testing::HasSubstr;

// Bytes of the small network's maps in L2: image (3 x 8 x 8 FP16) 512, quantised 512, conv (16 channels) 1,024, pool (16 x 4 x 4) 256, sum
// 256, logits 24. In DRAM, without gaps, image has 384 bytes and quantised 192.
constexpr std::size_t kImage = 0, kQuantised = 1, kConv = 2, kPool = 3, kSum = 4, kLogits = 5;
constexpr std::size_t kLayers = 5;

class Spilling : public ::testing::Test {
 protected:
  [[nodiscard]] static Plan plan_of(std::uint32_t images, const std::vector<std::size_t> &spilled = {}, std::int64_t strip_bytes = 0) {
    Plan plan;
    plan.images = images;
    plan.segments = {{0, kLayers, 1}};
    plan.strip_bytes = strip_bytes;
    if (!spilled.empty()) plan.spilled.assign(kLayers + 1, false);
    for (const std::size_t map : spilled) plan.spilled[map] = true;
    return plan;
  }

  Folder folder_;
  Network network_ = read_network(folder_.write("net.json", test::small_network().dump()));
};

TEST_F(Spilling, WhatLiesInL2HasNoStrips) {
  const Plan plan = plan_of(1, {kImage});
  EXPECT_TRUE(strips_of(network_, plan, 0).has_value());
  EXPECT_FALSE(strips_of(network_, plan, 1).has_value());
}

TEST_F(Spilling, AStripHasTheRowsUnderItsOutput) {
  // Conv has a 3 x 3 kernel: two rows of its output (128 bytes each) need four rows of its input (64 bytes each). So a slot needs
  // 2 * 128 + 4 * 64 = 512 bytes, and two slots need 1,024.
  const StripLayout layout = strips_of(network_, plan_of(1, {kQuantised, kConv}, 1024), 1).value();
  EXPECT_EQ(layout.rows, 2U);
  EXPECT_EQ(layout.slots, 2U);
  ASSERT_EQ(layout.buffers.size(), 2U);
  EXPECT_EQ(layout.buffers[0].map, kQuantised);
  EXPECT_EQ(layout.buffers[0].rows, 4U);
  EXPECT_EQ(layout.buffers[1].rows, 2U);
  EXPECT_EQ(layout.buffers[1].offset, 256);
  EXPECT_EQ(layout.bytes(), 1024);
  EXPECT_EQ(strips_of(network_, plan_of(1, {kQuantised, kConv}, 1023), 1)->rows, 1U) << "one byte less";
}

TEST_F(Spilling, OneRowIsTheLeast) {
  const StripLayout layout = strips_of(network_, plan_of(1, {kQuantised, kConv}), 1).value();
  EXPECT_EQ(layout.rows, 1U);
  EXPECT_EQ(layout.slots, 1U) << "two do not fit 0 bytes";
  EXPECT_EQ(layout.bytes(), 3 * 64 + 128);
}

TEST_F(Spilling, ThereAreFourStripsAtLeast) {
  const StripLayout layout = strips_of(network_, plan_of(1, {kQuantised, kConv}, 1 << 20), 1).value();
  EXPECT_EQ(layout.rows, 2U) << "of eight";
  EXPECT_EQ(layout.slots, 2U);
}

TEST_F(Spilling, FullyConnectedTakesAllRows) {
  const StripLayout layout = strips_of(network_, plan_of(1, {kSum}), 4).value();
  ASSERT_EQ(layout.buffers.size(), 1U);
  EXPECT_EQ(layout.buffers[0].rows, 4U);
}

TEST_F(Spilling, AGlobalPoolTakesStripsOfChannels) {
  test::json description = test::small_network();
  description["layers"][2] = {
      {"name", "pool"}, {"operation", "global_average_pool"}, {"inputs", {"conv"}}, {"output", test::map_of(16, 1, 1)}};
  description["layers"][3]["output"] = test::map_of(16, 1, 1);
  network_ = read_network(folder_.write("mean.json", description.dump()));
  // A strip has eight of the 16 channels of conv, for all of its 8 x 8 pixels: 8 * 8 * 8 bytes.
  const StripLayout layout = strips_of(network_, plan_of(1, {kConv}), 2).value();
  EXPECT_EQ(layout.channels, 8U);
  EXPECT_EQ(layout.slot_bytes, 512);
  EXPECT_EQ(layout.buffers[0].rows, 8U);
  EXPECT_EQ(layout.slots, 1U);
  EXPECT_EQ(strips_of(network_, plan_of(1, {kConv}, 1024), 2)->slots, 2U);
}

TEST_F(Spilling, TheInputAndTheOutputAreTakenFirst) {
  // In L2, image would take bytes 0 to 511, quantised 512 to 1,023, and conv 1,024 to 2,047. There are only 1,600 bytes, so one of the
  // three must go to DRAM.
  const Plan plan = spill(network_, plan_of(1), 1600).value();
  EXPECT_TRUE(plan.spilled[kImage] || plan.spilled[kQuantised] || plan.spilled[kConv]);
  EXPECT_LE(least_bytes(network_, plan), 1600);
  EXPECT_FALSE(plan.spilled[kPool]) << "it is less than a quarter of conv";
  EXPECT_FALSE(spill(network_, plan_of(1), 256).has_value()) << "a row of conv and three of its input are 320";
}

TEST_F(Spilling, NothingIsTakenWhereAllFits) {
  const Plan plan = spill(network_, plan_of(1), 2048).value();
  EXPECT_EQ(std::count(plan.spilled.begin(), plan.spilled.end(), true), 0);
}

TEST_F(Spilling, MapsLieBehindTheOutput) {
  // The window holds two images of 384 bytes and two outputs of 20 bytes. Behind them, from byte 832 on (a multiple of 64), lie quantised
  // (192) and conv (1,024). They do not share bytes, because they are needed at the same time.
  const DramPlaces dram(network_, plan_of(2, {kQuantised, kConv}));
  EXPECT_EQ(dram.address(kImage, 0, 1, 2), 384 + 2 * 48);
  EXPECT_EQ(dram.output(), 768);
  EXPECT_EQ(dram.address(kLogits, 0, 1, 0), 788);
  EXPECT_EQ(dram.address(kQuantised, 0, 0, 0), 832);
  EXPECT_EQ(dram.address(kQuantised, 0, 1, 3), 832 + 3 * 24) << "the place holds one image at a time";
  EXPECT_EQ(dram.address(kConv, 0, 0, 1), 832 + 192 + 128);
  EXPECT_EQ(dram.bytes(), 832 + 192 + 1024);
}

TEST_F(Spilling, MapsThatAreNotNeededTogetherShareBytes) {
  const DramPlaces dram(network_, plan_of(1, {kConv, kPool, kSum}));
  EXPECT_EQ(dram.address(kPool, 0, 0, 0), dram.address(kConv, 0, 0, 0) + 1024);
  EXPECT_EQ(dram.address(kSum, 0, 0, 0), dram.address(kConv, 0, 0, 0));
}

TEST_F(Spilling, AMapForALaterSegmentIsKept) {
  Plan plan = plan_of(2, {kQuantised, kConv, kPool});
  plan.segments = {{0, 3, 1}, {3, kLayers, 2}};
  const DramPlaces dram(network_, plan);
  EXPECT_EQ(dram.address(kPool, 0, 1, 0) - dram.address(kPool, 0, 0, 0), 256) << "both images";
  EXPECT_EQ(dram.address(kPool, 0, 0, 0), dram.address(kConv, 0, 0, 0) + 1024) << "the next image is quantised at the same time";
}

// The bytes of `conv` are free when `sum` is computed. But `sum` cannot take them, because the second segment needs the `sum` of both
// images, and computing `conv` of the second image would overwrite the first `sum`.
TEST_F(Spilling, AMapForALaterSegmentSharesNoBytesWithThoseOfTheNextImages) {
  Plan plan = plan_of(2, {kConv, kSum});
  plan.segments = {{0, 4, 1}, {4, kLayers, 2}};
  const DramPlaces dram(network_, plan);
  EXPECT_EQ(dram.address(kSum, 0, 1, 0) - dram.address(kSum, 0, 0, 0), 256) << "both images";
  EXPECT_EQ(dram.address(kSum, 0, 0, 0), dram.address(kConv, 0, 0, 0) + 1024);
}

TEST_F(Spilling, CoresHavePlacesOfTheirOwn) {
  Plan plan = plan_of(1, {kConv});
  plan.cores = 2;
  const DramPlaces dram(network_, plan);
  EXPECT_EQ(dram.address(kConv, 1, 0, 0) - dram.address(kConv, 0, 0, 0), 1024);
  EXPECT_EQ(dram.address(kImage, 1, 0, 0), 384);
}

TEST_F(Spilling, WithoutMapsInDramNothingLiesBehindTheOutput) { EXPECT_EQ(DramPlaces(network_, plan_of(1)).bytes(), 384 + 20); }

TEST_F(Spilling, MoreThanAWindowIsRefused) {
  network_.maps[kImage].shape = {1000, 1000, 2147};  // 4,294,000,000 bytes of FP16
  EXPECT_GT(DramPlaces(network_, plan_of(1)).bytes(), 4294000000);
  EXPECT_THROW(DramPlaces(network_, plan_of(2)), NetworkError);
}

TEST_F(Spilling, WhatNeverFitsIsNamed) {
  test::json description = test::small_network();
  description["input"]["shape"] = {3, 8, 4000};
  for (const int i : {0, 1}) description["layers"][i]["output"]["shape"][2] = 4000;
  for (const int i : {2, 3}) description["layers"][i]["output"]["shape"][2] = 2000;
  description["layers"].erase(4);
  description["output"]["layer"] = "add";
  test::write_small_weights(folder_);
  network_ = read_network(folder_.write("wide.json", description.dump()));
  const WeightImage weights = pack_weights(network_);
  Wish wish;
  wish.l2_kib = 100;
  const auto refusal = [&]() -> std::string {
    try {
      static_cast<void>(lower(network_, weights, wish));
      return "";
    } catch (const NetworkError &error) {
      return error.what();
    }
  };
  // Three rows of quantise have 32,000 bytes each, and one row of conv has 64,000.
  EXPECT_THAT(refusal(), HasSubstr("layer conv: output.shape: one row of the output, and what it follows from in DRAM, 3 rows of quantise, "
                                   "1 row of conv, together 160000 bytes do not fit the L2 buffer of 102400 bytes"));
  wish.l2_kib = 512;
  EXPECT_EQ(refusal(), "");
  wish.cores = 2;
  wish.division = Division::rows;
  EXPECT_THAT(refusal(),
              HasSubstr("cores that share a map's rows or kernels do not work on maps in DRAM: --divide images, or one core, does"));
}

}  // namespace
}  // namespace cox::lower
