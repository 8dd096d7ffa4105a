// SPDX-License-Identifier: MIT
#include "tools/lower/plan/placement.h"

#include <gmock/gmock.h>

#include "tests/tools/lower/network_files.h"
#include "tools/lower/weights/staging.h"

namespace cox::lower {
namespace {

using test::Folder;

Network small_network(const Folder &folder) { return read_network(folder.write("net.json", test::small_network().dump())); }

/// Returns a plan that runs `images` images through the small network, in groups of `group` images. If `first_group` is not 0, the layers
/// numbered below `first_layers` take groups of `first_group`.
Plan plan_of(std::uint32_t images, std::uint32_t group, std::uint32_t first_group = 0, std::size_t first_layers = 0) {
  Plan plan;
  plan.images = images;
  if (first_group != 0) plan.segments.push_back({0, first_layers, first_group});
  plan.segments.push_back({first_layers, 5, group});
  return plan;
}

bool share(const PlacedMap &a, const PlacedMap &b) { return a.base < b.base + b.bytes && b.base < a.base + a.bytes; }
bool live_together(const PlacedMap &a, const PlacedMap &b) { return a.first_step <= b.last_step && b.first_step <= a.last_step; }

TEST(Placement, PixelsArePaddedToEightBytes) {
  const Folder folder;
  const Network network = small_network(folder);
  EXPECT_EQ(layout_of(network.maps[0]).pixel_bytes, 8);  // 3 FP16 channels
  EXPECT_EQ(layout_of(network.maps[1]).pixel_bytes, 8);  // 3 INT8 channels
  EXPECT_EQ(layout_of(network.maps[2]).pixel_bytes, 16);
  EXPECT_EQ(layout_of(network.maps[2]).row_bytes, 128);
  EXPECT_EQ(layout_of(network.maps[2]).image_bytes, 1024);
  EXPECT_EQ(layout_of(network.maps[5]).pixel_bytes, 24);  // 10 FP16 channels: 20 bytes and 4 of padding
}

TEST(Placement, MapsThatLiveTogetherShareNothing) {
  const Folder folder;
  const Network network = small_network(folder);
  for (const Plan &plan : {plan_of(1, 1), plan_of(4, 2), plan_of(4, 4, 2, 3), plan_of(3, 3, 2, 2)}) {
    const Placement placement(network, plan, 1 << 20);
    const std::vector<PlacedMap> &maps = placement.maps();
    for (std::size_t i = 0; i < maps.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        // A sum may take the place of its summand if the step of the sum is the last reader of the summand.
        const bool in_place = maps[i].map == 4 && maps[j].map == 3 && maps[i].base == maps[j].base && maps[i].bytes == maps[j].bytes;
        EXPECT_TRUE(in_place || !live_together(maps[i], maps[j]) || !share(maps[i], maps[j])) << i << " and " << j;
      }
    }
  }
}

TEST(Placement, BytesAreUsedAgainWhereThereAreNoOthers) {
  const Folder folder;
  // Image (512 bytes), quantised (512) and conv (1,024) fill the 2,048 bytes. When the pool is computed, image and quantised are dead. The
  // pool takes the image's bytes, because these have been idle longer.
  const Placement placement(small_network(folder), plan_of(1, 1), 2048);
  EXPECT_EQ(placement.address(3, 0), 0);
  EXPECT_EQ(placement.bytes(), 2048);
}

TEST(Placement, BytesThatAreIdleLongestAreTakenFirst) {
  const Folder folder;
  const Placement placement(small_network(folder), plan_of(1, 1), 1 << 20);
  for (std::size_t map = 1; map <= 3; ++map) EXPECT_GT(placement.address(map, 0), placement.address(map - 1, 0)) << "untouched bytes";
}

TEST(Placement, ASumTakesTheBytesOfASummand) {
  const Folder folder;
  const Placement placement(small_network(folder), plan_of(2, 2), 1 << 20);
  EXPECT_EQ(placement.address(4, 0), placement.address(3, 0));
  EXPECT_EQ(placement.address(4, 1), placement.address(3, 1));
}

TEST(Placement, ImagesOfAGroupLieOneBehindTheOther) {
  const Folder folder;
  // Quantise and conv run on two images at a time, the other layers on four. So the output of conv is kept for four images, and its input
  // for two.
  const Placement placement(small_network(folder), plan_of(4, 4, 2, 2), 1 << 20);
  for (std::uint32_t image = 1; image < 4; ++image) EXPECT_EQ(placement.address(2, image), placement.address(2, 0) + image * 1024);
  EXPECT_EQ(placement.address(1, 1), placement.address(1, 0) + 512);
  EXPECT_EQ(placement.maps()[1].images, 2U);
}

TEST(Placement, MapsThatDoNotFitAreRefused) {
  const Folder folder;
  try {
    static_cast<void>(Placement(small_network(folder), plan_of(1, 1), 2000));
    FAIL();
  } catch (const NetworkError &error) {
    EXPECT_THAT(error.what(), ::testing::HasSubstr("layer conv: output.shape: the map of 1024 bytes does not fit"));
  }
}

TEST(Staging, WeightsWaitWhereNoMapLives) {
  const Folder folder;
  Plan plan = plan_of(1, 1);
  plan.compact = true;
  // The compact placement puts the map `image` into bytes 0 to 511 (live in steps 0 and 1), the map `quantised` into bytes 512 to 1,023
  // (live in steps 1 and 2), and the map `conv` into bytes 1,024 to 2,047 (live in steps 2 and 3).
  const Placement placement(small_network(folder), plan, 2048);
  Staging staging(placement, 4096);
  EXPECT_TRUE(staging.begin_step().empty());
  const Ring::Place first = staging.take({1, 0}, 1024);
  EXPECT_FALSE(first.present);
  EXPECT_EQ(first.address, 512) << "behind the image";
  EXPECT_TRUE(staging.take({1, 0}, 1024).present);

  const std::vector<Ring::Entry> evicted = staging.begin_step();
  ASSERT_EQ(evicted.size(), 1U) << "the quantised image overwrites it";
  EXPECT_EQ(evicted[0].key, Ring::Key(1, 0));
  EXPECT_EQ(evicted[0].end, 1536);
  const Ring::Place again = staging.take({1, 0}, 1024);
  EXPECT_FALSE(again.present);
  EXPECT_EQ(again.address, 1536) << "the place must be behind the last one used";

  EXPECT_EQ(staging.begin_step().size(), 1U) << "conv overwrites it";
  EXPECT_EQ(staging.take({2, 0}, 1536).address, 2560);
  // No map uses bytes 2,048 to 4,095, but the tile {2, 0} uses all except the first 512 of them. So the tile {2, 1} evicts it.
  const Ring::Place last = staging.take({2, 1}, 1024);
  EXPECT_EQ(last.address, 2048);
  ASSERT_EQ(last.evicted.size(), 1U);
  EXPECT_EQ(last.evicted[0].key, Ring::Key(2, 0));
  EXPECT_THROW(static_cast<void>(staging.take({3, 0}, 4096)), std::logic_error);
}

TEST(Steps, AnEarlierSegmentRunsForEachOfItsGroups) {
  const Folder folder;
  std::string text;
  for (const Step &step : steps_of(small_network(folder), plan_of(4, 4, 2, 2))) {
    text += (step.kind == Step::Kind::load    ? "L"
             : step.kind == Step::Kind::store ? "S"
                                              : std::to_string(step.layer)) +
            ":" + std::to_string(step.first_image) + "+" + std::to_string(step.images) + " ";
  }
  EXPECT_EQ(text, "L:0+2 0:0+2 1:0+2 L:2+2 0:2+2 1:2+2 2:0+4 3:0+4 4:0+4 S:0+4 ");
}

}  // namespace
}  // namespace cox::lower
