// SPDX-License-Identifier: MIT
#include "tools/lower/placement.h"

#include <gmock/gmock.h>

#include "tests/lower/network_files.h"

namespace cox::lower {
namespace {

using test::Folder;

Network small_network(const Folder &folder) { return read_network(folder.write("net.json", test::small_network().dump())); }

bool share(const PlacedMap &a, const PlacedMap &b) { return a.base < b.base + b.bytes && b.base < a.base + a.bytes; }

TEST(Placement, PixelsArePaddedToEightBytes) {
  const Folder folder;
  const std::vector<PlacedMap> places = place_maps(small_network(folder), 1 << 20);
  EXPECT_EQ(places[0].pixel_bytes, 8);  // 3 FP16 channels
  EXPECT_EQ(places[1].pixel_bytes, 8);  // 3 INT8 channels
  EXPECT_EQ(places[2].pixel_bytes, 16);
  EXPECT_EQ(places[2].row_bytes, 128);
  EXPECT_EQ(places[2].bytes, 1024);
  EXPECT_EQ(places[5].pixel_bytes, 24);  // 10 FP16 channels
}

TEST(Placement, MapsThatLiveTogetherShareNothing) {
  const Folder folder;
  const std::vector<PlacedMap> places = place_maps(small_network(folder), 1 << 20);
  for (std::size_t i = 0; i + 1 < places.size(); ++i) EXPECT_FALSE(share(places[i], places[i + 1])) << i;
}

TEST(Placement, BytesAreUsedAgain) {
  const Folder folder;
  const std::vector<PlacedMap> places = place_maps(small_network(folder), 1 << 20);
  EXPECT_EQ(places[0].base, 0);
  EXPECT_EQ(places[2].base, 1024) << "its input lives until it is written";
  EXPECT_EQ(places[3].base, 0) << "where the image was";
}

TEST(Placement, MapsThatDoNotFitAreRefused) {
  const Folder folder;
  try {
    static_cast<void>(place_maps(small_network(folder), 2000));
    FAIL();
  } catch (const NetworkError &error) {
    EXPECT_THAT(error.what(), ::testing::HasSubstr("layer conv: output.shape: the map of 1024 bytes does not fit"));
  }
}

}  // namespace
}  // namespace cox::lower
