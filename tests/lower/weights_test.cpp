// SPDX-License-Identifier: MIT
// Weight records, against bytes worked out by hand (docs/isa/tile.md, Weights; docs/lowering.md, Arithmetic).
#include "tools/lower/weights.h"

#include <gmock/gmock.h>

#include <cstring>

#include "isa/tile/configuration.h"
#include "tests/lower/network_files.h"
#include "tools/lower/weight_tiles.h"

namespace cox::lower {
namespace {

using test::Folder;
using test::json;

float float_at(const std::vector<std::uint8_t> &bytes, std::size_t offset) {
  float value = 0;
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

TEST(Weights, RecordsPadChannelsAndFoldTheZeroPoint) {
  const Folder folder;
  test::write_small_weights(folder);
  json description = test::small_network();
  description["layers"][0]["output"]["zero_point"] = 6;
  description["layers"][0]["output"]["scale"] = 0.25;
  const Network network = read_network(folder.write("net.json", description.dump()));
  const WeightImage image = pack_weights(network);

  // 3 channels take 8 bytes, 9 positions, 32 bytes of parameters.
  ASSERT_EQ(image.layers.size(), 5U);
  EXPECT_EQ(image.layers[0].record_bytes, 0U);
  EXPECT_EQ(image.layers[1].record_bytes, 9U * 8 + 32);
  EXPECT_EQ(image.layers[1].offset, 0U);
  EXPECT_EQ(image.layers[4].record_bytes, 16U * 16 + 32);
  EXPECT_EQ(image.layers[4].offset, (16U * 104 + 63) / 64 * 64);
  for (std::size_t byte = 0; byte < 72; ++byte) EXPECT_EQ(image.bytes[byte], byte % 8 < 3 ? 1 : 0) << byte;
  // scale' = 0.25 * 0.5; bias' = 2 + 0.125 * (-6 * 27).
  EXPECT_EQ(float_at(image.bytes, 72), 0.125F);
  EXPECT_EQ(float_at(image.bytes, 76), -18.25F);
  for (std::size_t byte = 80; byte < 104; ++byte) EXPECT_EQ(image.bytes[byte], 0);
}

TEST(WeightTiles, SplitAtMultiplesOfEightAndTakeTurns) {
  const Folder folder;
  json description = test::small_network();
  // 64 channels, 5 x 5: 1,632 bytes a record; half of WL0 holds 361 of them, 320 at a multiple of 64. Four tiles are needed: 250 each, 256
  // at a multiple of 64.
  description["input"]["shape"] = {64, 8, 8};
  description["layers"] = json::array({
      {{"name", "quantise"}, {"operation", "quantise"}, {"inputs", {"image"}}, {"output", test::map_of(64, 8, 8)}},
      {{"name", "conv"},
       {"operation", "convolution"},
       {"inputs", {"quantise"}},
       {"kernel", {5, 5}},
       {"padding", {2, 2, 2, 2}},
       {"weights", "conv.bin"},
       {"output", test::map_of(1000, 8, 8)}},
  });
  description["output"]["layer"] = "conv";
  folder.write_weights("conv.bin", 1000, 1600);
  const Network network = read_network(folder.write("net.json", description.dump()));
  const WeightImage image = pack_weights(network);
  Plan plan;
  plan.tile_bytes = 1 << 30;
  const std::vector<WeightTile> tiles = tile_weights(network, image, plan)[1];
  ASSERT_EQ(tiles.size(), 4U);
  EXPECT_EQ(tiles[0].slices[0].kernels, 256U);
  EXPECT_EQ(tiles[1].slices[0].first_kernel, 256U);
  EXPECT_EQ(tiles[3].slices[0].kernels, 232U);
  EXPECT_EQ(tiles[3].bytes, 232 * 1632);
  // 20 records fit: 16 at a multiple of eight.
  plan.tile_bytes = 20 * 1632;
  const std::vector<WeightTile> small = tile_weights(network, image, plan)[1];
  ASSERT_EQ(small.size(), 63U);
  EXPECT_EQ(small[1].slices[0].kernels, 16U);
  EXPECT_EQ(small[62].slices[0].kernels, 8U);
  // Four cores: 256 kernels each, the last one 232; all in one tile.
  plan.cores = 4;
  plan.by_kernels = true;
  plan.tile_bytes = 1 << 30;
  const std::vector<WeightTile> shared = tile_weights(network, image, plan)[1];
  ASSERT_EQ(shared.size(), 1U);
  EXPECT_EQ(shared[0].bytes, 256 * 1632);
  EXPECT_EQ(shared[0].slices[3].first_kernel, 768U);
  EXPECT_EQ(shared[0].slices[3].kernels, 232U);
}

TEST(WeightTiles, KernelsLargerThanHalfOfWl0AreRefused) {
  const Folder folder;
  json description = test::small_network();
  description["input"]["shape"] = {1200, 8, 8};
  description["layers"] = json::array({
      {{"name", "quantise"}, {"operation", "quantise"}, {"inputs", {"image"}}, {"output", test::map_of(1200, 8, 8)}},
      {{"name", "dense"},
       {"operation", "fully_connected"},
       {"inputs", {"quantise"}},
       {"weights", "dense.bin"},
       {"output", test::map_of(16, 1, 1)}},
  });
  description["output"]["layer"] = "dense";
  folder.write_weights("dense.bin", 16, std::size_t{1200} * 64);
  const Network network = read_network(folder.write("net.json", description.dump()));
  try {
    static_cast<void>(tile_weights(network, pack_weights(network), Plan{}));
    FAIL();
  } catch (const NetworkError &error) {
    EXPECT_THAT(error.what(),
                ::testing::HasSubstr("layer dense: kernel: 8 kernels of 76832 bytes do not fit half of the weight buffer, 589824 bytes"));
  }
}

}  // namespace
}  // namespace cox::lower
