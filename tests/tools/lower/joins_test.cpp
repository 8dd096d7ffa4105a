// SPDX-License-Identifier: MIT
// Tests which inputs of a concatenation are written together, and the intermediate map that this needs.
#include "tools/lower/plan/joins.h"

#include <gtest/gtest.h>

#include <tuple>
#include <vector>

#include "tools/lower/plan/strips.h"

namespace cox::lower {
namespace {

/// Returns a network with one layer: a concatenation of maps of 3 x 5 with these numbers of channels.
Network network_of(const std::vector<std::uint32_t> &channels) {
  Network network;
  Layer layer;
  layer.operation = Operation::concatenation;
  std::uint32_t all = 0;
  for (const std::uint32_t count : channels) {
    layer.inputs.push_back(network.maps.size());
    network.maps.emplace_back().shape = {count, 3, 5};
    all += count;
  }
  layer.output = network.maps.size();
  network.maps.emplace_back().shape = {all, 3, 5};
  network.layers.push_back(layer);
  return network;
}

using Joins = std::vector<std::tuple<std::size_t, std::size_t, std::uint32_t, std::uint32_t>>;

Joins joins(const std::vector<std::uint32_t> &channels) {
  const Network network = network_of(channels);
  Joins found;
  for (const Join &join : joins_of(network, network.layers[0])) {
    found.emplace_back(join.first_input, join.end_input, join.first_channel, join.channels);
  }
  return found;
}

TEST(Joins, BeginAtMultiplesOfEightChannels) {
  EXPECT_EQ(joins({16, 8, 3}), (Joins{{0, 1, 0, 16}, {1, 2, 16, 8}, {2, 3, 24, 3}}));
  EXPECT_EQ(joins({11, 11}), (Joins{{0, 2, 0, 22}}));
  EXPECT_EQ(joins({8, 5, 2, 1, 16, 4, 7}), (Joins{{0, 1, 0, 8}, {1, 4, 8, 8}, {4, 5, 16, 16}, {5, 7, 32, 11}}));
  EXPECT_EQ(joins({4, 4, 4}), (Joins{{0, 2, 0, 8}, {2, 3, 8, 4}}));
}

TEST(Joins, OtherLayersHaveNone) {
  Network network = network_of({11, 11});
  network.layers[0].operation = Operation::add;
  EXPECT_TRUE(joins_of(network, network.layers[0]).empty());
}

TEST(Joins, OnlyOfSeveralInputsAreTransposed) {
  const Network plain = network_of({16, 8, 3});
  EXPECT_FALSE(intermediate_of(plain, plain.layers[0]).has_value());
  // The inputs make three joins, of 4 + 4, 32 and 11 + 6 channels. The intermediate map holds the wider of the joins that have several
  // inputs, transposed: its 17 channels become columns, and its 5 columns become channels.
  const Network network = network_of({4, 4, 32, 11, 6});
  const auto between = intermediate_of(network, network.layers[0]);
  ASSERT_TRUE(between.has_value());
  EXPECT_EQ(between->shape, (Shape{5, 3, 17}));
}

}  // namespace
}  // namespace cox::lower
