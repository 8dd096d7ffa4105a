// SPDX-License-Identifier: MIT
// Tests which input rows a layer needs for given output rows; the expected rows are worked out by hand. Also tests that a deferred
// instruction (program.h) goes right before the first write to the bytes that it reads.
#include "tools/lower/plan/rows.h"

#include <gmock/gmock.h>

#include <ostream>
#include <string>

namespace cox::lower {
namespace {

struct Case {
  const char *name;
  Layer layer;
  std::uint32_t input_height, output_height;
  Rows output, needed;
};

Layer under_kernel(Operation operation, std::uint32_t kernel, std::uint32_t stride, std::uint32_t dilation, std::uint32_t upsample,
                   std::uint32_t top) {
  Layer layer;
  layer.operation = operation;
  layer.kernel = {kernel, 1};
  layer.stride = {stride, 1};
  layer.dilation = {dilation, 1};
  layer.upsample = {upsample, 1};
  layer.padding.top = top;
  return layer;
}

Layer resized(bool bilinear, Coordinates coordinates) {
  Layer layer;
  layer.operation = Operation::resize;
  layer.bilinear = bilinear;
  layer.coordinates = coordinates;
  return layer;
}

Layer of(Operation operation) {
  Layer layer;
  layer.operation = operation;
  return layer;
}

const Layer kSame = under_kernel(Operation::convolution, 3, 1, 1, 1, 1);
const Layer kDilated = under_kernel(Operation::convolution, 3, 2, 2, 1, 1);
// A transposed convolution with a kernel of 4 rows and a stride of 2. Output row r needs rows r - 2 to r + 1 of the upsampled input, in
// which row i of the input is row 2 * i.
const Layer kTransposed = under_kernel(Operation::transposed_convolution, 4, 1, 1, 2, 2);
const Layer kSpread = under_kernel(Operation::transposed_convolution, 1, 1, 1, 3, 0);

const Case kCases[] = {
    {"SameTop", kSame, 10, 10, {0, 5}, {0, 6}},
    {"SameBottom", kSame, 10, 10, {5, 10}, {4, 10}},
    {"Dilated", kDilated, 12, 5, {2, 4}, {3, 10}},
    {"TransposedTop", kTransposed, 5, 10, {0, 5}, {0, 3}},
    {"TransposedBottom", kTransposed, 5, 10, {5, 10}, {2, 5}},
    {"NothingBetweenSpreadRows", kSpread, 4, 10, {4, 6}, {2, 2}},
    {"WholeKernel", under_kernel(Operation::fully_connected, 7, 1, 1, 1, 0), 7, 1, {0, 1}, {0, 7}},
    {"PoolOverTheEdge", under_kernel(Operation::maximum_pool, 3, 2, 1, 1, 1), 5, 3, {2, 3}, {3, 5}},
    {"BilinearTop", resized(true, Coordinates::half_pixel), 4, 8, {0, 4}, {0, 3}},
    {"BilinearBottom", resized(true, Coordinates::half_pixel), 4, 8, {4, 8}, {1, 4}},
    {"NearestSmaller", resized(false, Coordinates::half_pixel), 9, 3, {1, 2}, {4, 5}},
    {"NearestAligned", resized(false, Coordinates::aligned_corners), 5, 3, {1, 3}, {2, 5}},
    {"OneRow", resized(false, Coordinates::aligned_corners), 5, 1, {0, 1}, {0, 1}},
    {"Mean", of(Operation::global_average_pool), 9, 1, {0, 1}, {0, 9}},
    {"ElementWise", of(Operation::multiply), 9, 9, {3, 6}, {3, 6}},
    {"Repeated", of(Operation::multiply), 1, 9, {3, 6}, {0, 1}},
};

void PrintTo(const Case &given, std::ostream *out) { *out << given.name; }

class RowsNeeded : public ::testing::TestWithParam<Case> {};

TEST_P(RowsNeeded, AreThoseUnderTheOutput) {
  const Case &given = GetParam();
  Network network;
  network.maps.resize(2);
  network.maps[0].shape = {1, given.input_height, 1};
  network.maps[1].shape = {1, given.output_height, 1};
  Layer layer = given.layer;
  layer.inputs = {0};
  layer.output = 1;
  const Rows needed = rows_needed(network, layer, 0, given.output);
  EXPECT_EQ(needed.first, given.needed.first);
  EXPECT_EQ(needed.end, given.needed.end);
}

INSTANTIATE_TEST_SUITE_P(Rows, RowsNeeded, ::testing::ValuesIn(kCases), [](const auto &given) { return std::string(given.param.name); });

Instruction touching(const char *name, const Touch &touch, bool deferred = false) {
  Instruction instruction;
  instruction.name = name;
  instruction.deferred = deferred;
  instruction.touches = {touch};
  return instruction;
}

TEST(Releases, StandRightBeforeWhatOverwritesTheBytes) {
  Program program = {
      touching("first", {Resource::l2, false, 0, 64, 1}, true),    touching("second", {Resource::l2, false, 64, 128, 1}, true),
      touching("never", {Resource::l2, false, 256, 320, 1}, true), touching("reads", {Resource::l2, false, 0, 512, 1}),
      touching("another core", {Resource::l2, true, 0, 512, 0}),   touching("another memory", {Resource::wl0, true, 0, 512, 1}),
      touching("last byte", {Resource::l2, true, 127, 200, 1}),    touching("again", {Resource::l2, true, 127, 200, 1}),
      touching("behind", {Resource::l2, true, 320, 512, 1}),       touching("all", {Resource::l2, true, 0, 65, 1}),
  };
  Links::place_releases(program);
  std::vector<std::string_view> names;
  for (const Instruction &instruction : program) names.push_back(instruction.name);
  EXPECT_THAT(names,
              ::testing::ElementsAre("reads", "another core", "another memory", "second", "last byte", "again", "behind", "first", "all"));
}

}  // namespace
}  // namespace cox::lower
