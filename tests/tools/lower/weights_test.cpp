// SPDX-License-Identifier: MIT
// Compares weight records with bytes worked out by hand (docs/isa/tile.md, Weights; docs/lowering.md, Arithmetic).
#include "tools/lower/weights/weights.h"

#include <gmock/gmock.h>

#include <cstring>

#include "coxswain/isa/tile/configuration.h"
#include "tests/tools/lower/network_files.h"
#include "tools/lower/weights/constants.h"
#include "tools/lower/weights/tables.h"
#include "tools/lower/weights/weight_tiles.h"

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

  // A record has 8 bytes for 3 channels, times 9 positions, plus 32 bytes of parameters.
  ASSERT_EQ(image.layers.size(), 5U);
  EXPECT_EQ(image.layers[0].record_bytes, 0U);
  EXPECT_EQ(image.layers[1].record_bytes, 9U * 8 + 32);
  EXPECT_EQ(image.layers[1].offset, 0U);
  EXPECT_EQ(image.layers[4].record_bytes, 16U * 16 + 32);
  EXPECT_EQ(image.layers[4].offset, (16U * 104 + 63) / 64 * 64);
  for (std::size_t byte = 0; byte < 72; ++byte) EXPECT_EQ(image.bytes[byte], byte % 8 < 3 ? 1 : 0) << byte;
  // scale = 0.25 (input) * 0.5 (weights) = 0.125
  // bias = 2 - 0.125 * 6 (zero point) * 27 (weights of 1) = -18.25
  EXPECT_EQ(float_at(image.bytes, 72), 0.125F);
  EXPECT_EQ(float_at(image.bytes, 76), -18.25F);
  for (std::size_t byte = 80; byte < 104; ++byte) EXPECT_EQ(image.bytes[byte], 0);
}

TEST(Weights, KernelsOfGroupsAreTurnedForATransposedConvolutionAndHaveSlopes) {
  const Folder folder;
  json description = test::small_network();
  description["input"]["shape"] = {2, 1, 4};
  description["layers"] = json::array({
      {{"name", "quantise"}, {"operation", "quantise"}, {"inputs", {"image"}}, {"output", test::map_of(2, 1, 4)}},
      {{"name", "up"},
       {"operation", "transposed_convolution"},
       {"inputs", {"quantise"}},
       {"kernel", {1, 3}},
       {"groups", 2},
       {"activation", "prelu"},
       {"weights", "up.bin"},
       {"output", test::map_of(2, 1, 6)}},
      {{"name", "gate"}, {"operation", "tanh"}, {"inputs", {"up"}}, {"output", test::map_of(2, 1, 6)}},
      {{"name", "gelu"}, {"operation", "gelu"}, {"inputs", {"gate"}}, {"output", test::map_of(2, 1, 6)}},
      {{"name", "again"}, {"operation", "tanh"}, {"inputs", {"gelu"}}, {"output", test::map_of(2, 1, 6)}},
  });
  description["output"]["layer"] = "again";
  std::string bytes = "\1\2\3\4\5\6";
  for (const float value : {0.5F, 0.5F, 2.0F, 2.0F, 0.25F, -0.5F}) bytes.append(reinterpret_cast<const char *>(&value), sizeof value);
  folder.write("up.bin", bytes);
  const Network network = read_network(folder.write("net.json", description.dump()));
  const WeightImage image = pack_weights(network);

  // A record has three positions of one channel each, 8 bytes apart, in reverse order. Scale, bias and slope follow.
  ASSERT_EQ(image.layers[1].record_bytes, 3U * 8 + 32);
  for (const std::size_t record : {0U, 1U}) {
    for (const std::size_t position : {0U, 1U, 2U}) EXPECT_EQ(image.bytes[record * 56 + position * 8], record * 3 + 3 - position);
  }
  EXPECT_EQ(float_at(image.bytes, 24), 0.25F);
  EXPECT_EQ(float_at(image.bytes, 32), 0.25F);
  EXPECT_EQ(float_at(image.bytes, 56 + 32), -0.5F);

  // There is one table for each function, in the order in which layers first use the functions.
  EXPECT_EQ(tables_of(network), (std::vector<TableFunction>{TableFunction::tanh, TableFunction::gelu}));
  EXPECT_EQ(image.constants_offset, 128);
  ASSERT_EQ(image.bytes.size(), 128U + 2 * 1088);
  // A table has 16 entries for each interval of length 1, from x = -8 on. The test reads tanh(0), tanh(8), gelu(1) and gelu(-8).
  EXPECT_EQ(float_at(image.bytes, 128 + 4 * 128), 0);
  EXPECT_EQ(float_at(image.bytes, 128 + 4 * 256), 0.99999977F);
  EXPECT_EQ(float_at(image.bytes, 128 + 1088 + 4 * 144), 0.84134475F);
  EXPECT_NEAR(float_at(image.bytes, 128 + 1088), -4.977e-15, 0.001e-15);
}

TEST(Weights, GammaAndBetaAreTwoRowsBehindTheTables) {
  const Folder folder;
  json description = test::small_network();
  description["input"]["shape"] = {3, 1, 6};
  const json map = test::map_of(3, 1, 6);
  description["layers"] = json::array({
      {{"name", "quantise"}, {"operation", "quantise"}, {"inputs", {"image"}}, {"output", map}},
      {{"name", "norm"}, {"operation", "layer_norm"}, {"inputs", {"quantise"}}, {"epsilon", 1}, {"weights", "norm.bin"}, {"output", map}},
      {{"name", "plain"}, {"operation", "layer_norm"}, {"inputs", {"norm"}}, {"epsilon", 1}, {"output", map}},
      {{"name", "gate"}, {"operation", "tanh"}, {"inputs", {"plain"}}, {"output", map}},
      {{"name", "again"}, {"operation", "layer_norm"}, {"inputs", {"gate"}}, {"epsilon", 1}, {"weights", "again.bin"}, {"output", map}},
  });
  description["output"]["layer"] = "again";
  const auto write = [&folder](const char *name, std::initializer_list<float> values) {
    std::string bytes;
    for (const float value : values) bytes.append(reinterpret_cast<const char *>(&value), sizeof value);
    folder.write(name, bytes);
  };
  write("norm.bin", {1, 2, 3, 4, 5, 6});
  write("again.bin", {7, 8, 9, 10, 11, 12});
  const Network network = read_network(folder.write("net.json", description.dump()));
  const WeightImage image = pack_weights(network);
  // A row of three FP32 numbers is padded to 16 bytes, and two such rows to 64.
  EXPECT_EQ(constant_bytes(network), 1088 + 2 * 64);
  EXPECT_EQ(norm_offset(network, network.layers[1]), 1088);
  EXPECT_EQ(norm_offset(network, network.layers[4]), 1152);
  ASSERT_EQ(image.bytes.size(), 1088U + 128);
  EXPECT_EQ(float_at(image.bytes, 1088 + 8), 3);
  EXPECT_EQ(float_at(image.bytes, 1088 + 16), 4);
  EXPECT_EQ(float_at(image.bytes, 1152), 7);
  EXPECT_EQ(float_at(image.bytes, 1152 + 16 + 8), 12);

  const auto refusal = [&network]() -> std::string {
    try {
      static_cast<void>(pack_weights(network));
      return "";
    } catch (const NetworkError &error) {
      return error.what();
    }
  };
  write("norm.bin", {1, 2, 3, 4, std::numeric_limits<float>::infinity(), 6});
  EXPECT_THAT(refusal(), ::testing::HasSubstr("layer norm: weights: beta 1 is not finite"));
  write("norm.bin", {1, 2, 3, 4, 5});
  EXPECT_THAT(refusal(), ::testing::HasSubstr("norm.bin has 20 bytes; a gamma and a beta for each of 3 channels are 24"));
}

/// Returns a network whose layer 1 is a convolution of 48 channels in 12 groups, with this number of kernels.
Network network_of_groups(const Folder &folder, std::uint32_t kernels) {
  json description = test::small_network();
  description["input"]["shape"] = {48, 8, 8};
  description["layers"] = json::array({
      {{"name", "quantise"}, {"operation", "quantise"}, {"inputs", {"image"}}, {"output", test::map_of(48, 8, 8)}},
      {{"name", "conv"},
       {"operation", "convolution"},
       {"inputs", {"quantise"}},
       {"kernel", {3, 3}},
       {"padding", {1, 1, 1, 1}},
       {"groups", 12},
       {"weights", "conv.bin"},
       {"output", test::map_of(kernels, 8, 8)}},
  });
  description["output"]["layer"] = "conv";
  folder.write_weights("conv.bin", kernels, 36);
  return read_network(folder.write("net.json", description.dump()));
}

TEST(WeightTiles, HoldWholeGroups) {
  const Folder folder;
  const Network network = network_of_groups(folder, 144);
  // Tiles and cores take multiples of 24 kernels, which is two groups of 12. A tile has room for 70 kernels, so it takes 48. The 144
  // kernels make three equal tiles.
  Plan plan;
  plan.tile_bytes = 70 * 104;
  const std::vector<WeightTile> tiles = tile_weights(network, pack_weights(network), plan)[1];
  ASSERT_EQ(tiles.size(), 3U);
  for (const WeightTile &tile : tiles) EXPECT_EQ(tile.slices[0].kernels, 48U);
  plan.cores = 4;
  plan.division = Division::kernels;
  const std::vector<Slice> slices = slices_of(network, network.layers[1], plan);
  EXPECT_EQ(slices[2].first_kernel, 96U);
  EXPECT_EQ(slices[2].kernels, 48U);
  EXPECT_EQ(slices[3].kernels, 0U);
}

TEST(WeightTiles, BeginAtAnL2AddressOfTheInputToo) {
  const Folder folder;
  const Network network = network_of_groups(folder, 96);
  // A group has 4 channels and 8 kernels. A tile must begin at a multiple of 8 channels, so it takes two groups.
  Plan plan;
  plan.tile_bytes = 10 * 104;
  const std::vector<WeightTile> tiles = tile_weights(network, pack_weights(network), plan)[1];
  ASSERT_EQ(tiles.size(), 6U);
  for (const WeightTile &tile : tiles) EXPECT_EQ(tile.slices[0].kernels, 16U);
}

TEST(WeightTiles, SplitAtMultiplesOfEightAndTakeTurns) {
  const Folder folder;
  json description = test::small_network();
  // With 64 channels and 5 x 5 positions a record has 64 * 25 + 32 = 1,632 bytes. Half of WL0 holds 401 records, so a tile has at most 384
  // kernels, a multiple of 64. The 1,000 kernels fill two such tiles, and the other 232 make a third.
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
  ASSERT_EQ(tiles.size(), 3U);
  EXPECT_EQ(tiles[0].slices[0].kernels, 384U);
  EXPECT_EQ(tiles[1].slices[0].first_kernel, 384U);
  EXPECT_EQ(tiles[2].slices[0].kernels, 232U);
  EXPECT_EQ(tiles[2].bytes, 232 * 1632);
  // There is room for 20 records, so a tile has 16 kernels, a multiple of eight.
  plan.tile_bytes = 20 * 1632;
  const std::vector<WeightTile> small = tile_weights(network, image, plan)[1];
  ASSERT_EQ(small.size(), 63U);
  EXPECT_EQ(small[1].slices[0].kernels, 16U);
  EXPECT_EQ(small[62].slices[0].kernels, 8U);
  // Cores 0 to 2 compute 256 of the 1,000 kernels each, and core 3 computes the other 232. The whole layer is one tile.
  plan.cores = 4;
  plan.division = Division::kernels;
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
  description["input"]["shape"] = {1400, 8, 8};
  description["layers"] = json::array({
      {{"name", "quantise"}, {"operation", "quantise"}, {"inputs", {"image"}}, {"output", test::map_of(1400, 8, 8)}},
      {{"name", "dense"},
       {"operation", "fully_connected"},
       {"inputs", {"quantise"}},
       {"weights", "dense.bin"},
       {"output", test::map_of(16, 1, 1)}},
  });
  description["output"]["layer"] = "dense";
  folder.write_weights("dense.bin", 16, std::size_t{1400} * 64);
  const Network network = read_network(folder.write("net.json", description.dump()));
  try {
    static_cast<void>(tile_weights(network, pack_weights(network), Plan{}));
    FAIL();
  } catch (const NetworkError &error) {
    EXPECT_THAT(error.what(),
                ::testing::HasSubstr("layer dense: kernel: 8 kernels of 89632 bytes do not fit half of the weight buffer, 655360 bytes"));
  }
}

}  // namespace
}  // namespace cox::lower
