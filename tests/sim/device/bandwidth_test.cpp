// SPDX-License-Identifier: MIT
// Fair sharing of the DRAM bandwidth, worked out by hand (docs/model.md, DRAM bandwidth).
#include "sim/model/device/dram_channel.h"

#include <cmath>
#include <stdexcept>

#include "sim/model/tile/duration.h"
#include "tests/sim/device/machine.h"

namespace cox::test {
namespace {

using model::DramChannel;

TEST(DramChannel, OneMoverHasItAll) {
  DramChannel channel(16 * 1024);
  channel.begin(0, 100, 1600);
  EXPECT_EQ(channel.finish(0), 200u);
  EXPECT_EQ(channel.alone(1600), 100u);
  EXPECT_EQ(channel.alone(1601), 101u);
}

TEST(DramChannel, TwoMoversHaveHalfEachAndTheLastTheRest) {
  DramChannel channel(16 * 1024);
  channel.begin(0, 0, 1600);
  channel.begin(1, 50, 1600);
  // At cycle 50 the first mover has 800 bytes left. From then on each mover has 8 bytes a cycle.
  EXPECT_EQ(channel.finish(0), 150u);
  EXPECT_EQ(channel.finish(1), 250u);
  channel.end(0, 150);
  // The second mover has 800 bytes left and again moves 16 a cycle.
  EXPECT_EQ(channel.finish(1), 200u);
}

TEST(DramChannel, ThreeMoversShareWithoutARemainder) {
  DramChannel channel(16 * 1024);
  for (const unsigned mover : {0u, 1u, 2u}) channel.begin(mover, 0, 1600);
  for (const unsigned mover : {0u, 1u, 2u}) EXPECT_EQ(channel.finish(mover), 300u);
  channel.end(0, 300);
  channel.end(1, 300);
  EXPECT_EQ(channel.finish(2), 300u);
}

// 32 movers: an exact share would take 3,200 cycles. Shares are rounded down, so it takes one more.
TEST(DramChannel, ManyMoversShareAlmostWithoutARemainder) {
  DramChannel channel(16 * 1024);
  EXPECT_EQ(channel.add_movers(30), 0u);
  EXPECT_EQ(channel.add_movers(2), 30u);
  EXPECT_THROW(static_cast<void>(channel.add_movers(1)), std::length_error);
  for (unsigned mover = 0; mover < 32; ++mover) channel.begin(mover, 0, 1600);
  for (unsigned mover = 0; mover < 32; ++mover) EXPECT_EQ(channel.finish(mover), 3201u);
  for (unsigned mover = 15; mover < 32; ++mover) channel.end(mover, 0);
  for (unsigned mover = 0; mover < 15; ++mover) EXPECT_EQ(channel.finish(mover), 1500u) << "fifteen share exactly";
}

// A change of the channel's speed concerns only the bytes that have not moved yet.
TEST(DramChannel, ATransferInFlightKeepsWhatItHasMovedWhenTheChannelSlowsDown) {
  DramChannel channel(16 * 1024);
  channel.begin(0, 0, 1600);
  channel.slow_down(50, 8);
  EXPECT_EQ(channel.finish(0), 450u) << "800 bytes left, at 2 a cycle";
  channel.slow_down(250, 1);
  EXPECT_EQ(channel.finish(0), 275u) << "400 bytes left, at 16 a cycle";
}

TEST(DramChannel, WorkLeftIsExactOverManyChanges) {
  DramChannel channel(17589);
  channel.begin(0, 0, 1'000'000);
  std::uint64_t now = 0;
  // A second mover is active in three of seven cycles, which halves the rate in those cycles.
  for (unsigned i = 0; i < 1000; ++i) {
    channel.begin(1, now + 4, 1'000'000);
    channel.end(1, now + 7);
    now += 7;
  }
  // In each of the 1,000 rounds, the first mover had 4 cycles at the full rate and 3 at half of it. In all rounds together it moved as much
  // as in 1,000 x (4 + 3/2) = 5,500 cycles at the full rate, which is 17589/1024 bytes a cycle.
  const double left = 1e6 - 5500.0 * 17589 / 1024;
  EXPECT_EQ(channel.finish(0), now + static_cast<std::uint64_t>(std::ceil(left * 1024 / 17589)));
}

/// An ldw_mov that loads `kernels` records of 40 bytes (1x1, 8 channels). load_weights() makes an lw_mov that loads the same records.
MachineCode load(double kernels) {
  return make(Opcode::ldw_mov, {{"DBSG", {0}}, {"STaddr", {0}}, {"DTaddr", {0}}, {"Wsize", {kernels, 8, 1, 1}}});
}
MachineCode load_weights(double kernels) {
  return make(Opcode::lw_mov, {{"SS", {1}}, {"STaddr", {0}}, {"DTaddr", {0}}, {"Wsize", {kernels, 8, 1, 1}}});
}

TEST(Bandwidth, LoadsOfTwoQueuesShareAndTheCountersShowIt) {
  Machine machine(R"({"geometry": {"dram_bytes_per_1024_cycles": 16384, "load_setup_cycles": 10}})");
  machine.bring_up();
  machine.submit({whole_buffer(), make(Opcode::ldw_cfg, {{"BAS", {0}}, {"DF", {1}}, {"SWsize", {8, 1, 1}}, {"DWsize", {8, 1, 1}}}),
                  make(Opcode::lw_cfg, {{"BAS", {0}}, {"DF", {1}}, {"SWsize", {8, 1, 1}}, {"DWsize", {8, 1, 1}}})});
  machine.run();
  machine.advance_to(1000);
  machine.submit({with_completion(load(400))});  // moves 16,000 bytes from cycle 1060 on: 1,000 cycles if nothing else moves
  machine.advance_to(1500);
  machine.submit({with_completion(load_weights(80))});  // moves 3,200 bytes from cycle 1560 on: 200 cycles if nothing else moves
  machine.run();
  // From cycle 1560 on, each load moves 8 bytes a cycle, so the second load takes 400 cycles. In these cycles the first load moves
  // 3,200 of the 8,000 bytes that it has left. Then it has the whole bandwidth, and its last 4,800 bytes take 300 cycles.
  ASSERT_EQ(machine.completions(), 2u);
  EXPECT_EQ(machine.entry(0).queue, 2u);
  EXPECT_EQ(machine.entry(0).end, 1960u);
  EXPECT_EQ(machine.entry(1).end, 2260u);
  EXPECT_EQ(machine.counter(Class::LW, r::core::sq::stalled_lo::kOffset), 200u);
  EXPECT_EQ(machine.counter(Class::LW, r::core::sq::busy_lo::kOffset), 21u + 210);
  EXPECT_EQ(machine.counter(Class::LW, r::core::sq::bytes_lo::kOffset), 3200u);
  EXPECT_EQ(machine.counter(Class::LD, r::core::sq::stalled_lo::kOffset), 200u);
  EXPECT_EQ(machine.counter(Class::LD, r::core::sq::bytes_lo::kOffset), 16000u);
}

// Durations worked out by hand (docs/model.md, Time) for the default grid of 8 by 8 processing elements with 8 by 8 multipliers each.

constexpr auto kRows = isa::tile::CutMode::CUT_H;
constexpr auto kKernels = isa::tile::CutMode::CUT_K;

/// Cycles of a PE operation that divides its kernels among the columns of the grid, and its output rows among the rows of the grid.
std::uint64_t cycles_of(const isa::tile::Operation &operation) {
  isa::tile::Configuration configuration;
  const MachineCode parameters =
      make(Opcode::pe_cfg_pm, {{"STRIDE", {1, 1}}, {"XYmode", {static_cast<double>(kKernels), static_cast<double>(kRows)}}});
  EXPECT_TRUE(configuration.apply(parameters).ok());
  return model::duration_of(make(Opcode::pe_conv), operation, configuration, model::TileGeometry()).fixed;
}

isa::tile::Convolution convolution(isa::tile::DataFmt source, isa::tile::DataFmt weights, std::uint32_t groups) {
  isa::tile::Convolution result;
  result.source.format.format = source;
  result.weight_format.format = weights;
  result.batch = 1;
  result.kernels = 64;
  result.channels = 64 / groups;
  result.height = result.width = 16;
  result.groups = groups;
  result.kernel_height = result.kernel_width = 3;
  return result;
}

TEST(Durations, OfConvolutionsByFormatAndGroups) {
  using enum isa::tile::DataFmt;
  // The setup takes 600 cycles. Then each of the 8 x 8 elements of the grid computes 2 rows of 16 pixels for 8 of the 64 kernels.
  // An element takes 8 kernels and 8 input channels in a step: its 8 kernels are 1 step, and the 64 input channels are 8 steps.
  // 32 pixels * 9 taps * 1 step of kernels * 8 steps of channels = 2,304 cycles
  // The 16,384 results leave in less time: 615 cycles at 27,300 results per 1,024 cycles.
  EXPECT_EQ(cycles_of(convolution(INT8, INT8, 1)), 600u + 2304);
  EXPECT_EQ(cycles_of(convolution(INT4, INT4, 1)), 600u + 2304);
  EXPECT_EQ(cycles_of(convolution(INT8, INT16, 1)), 600u + 2 * 2304);
  EXPECT_EQ(cycles_of(convolution(FP16, FP16, 1)), 600u + 4 * 2304);
  EXPECT_EQ(cycles_of(convolution(BF16, BF16, 1)), 600u + 4 * 2304);
  EXPECT_EQ(cycles_of(convolution(FP32, FP32, 1)), 600u + 8 * 2304);
  // Two groups of 32 kernels and 32 channels. Each of the grid's 8 columns computes 8 of the 64 kernels, in 4 steps of 8 channels.
  EXPECT_EQ(cycles_of(convolution(INT8, INT8, 2)), 600u + 32 * 9 * 1 * 4);
  // Depthwise: each of the 64 groups has one kernel and one channel, which take one step. Each of the grid's 8 columns computes 8 groups,
  // one after the other.
  EXPECT_EQ(cycles_of(convolution(INT8, INT8, 64)), 600u + 32 * 9 * 8 * 1);
  // The accumulators take longer than the computation. There are 16 * 16 * 64 = 16,384 of them. Each has 64 bits, so it counts as two
  // results when it is read and as two when it is written. These 65,536 results take 2,458.2 cycles at 27,300 results per 1,024 cycles.
  isa::tile::Convolution sums = convolution(INT16, INT8, 1);
  sums.kernel_height = sums.kernel_width = 1;
  sums.channels = 8;
  sums.accumulate = sums.store_accumulators = true;
  EXPECT_EQ(cycles_of(sums), 2459u);
}

TEST(Durations, OfVectorsByFunctionAndOfTransforms) {
  isa::tile::Vector vector;
  vector.channels = 64;
  vector.height = vector.width = 4;
  vector.source.element_bits = 8;
  vector.destination.element_bits = 16;  // a pixel has 64 * 2 = 128 bytes: 4 cycles at 32 bytes a cycle
  const std::pair<isa::tile::VectorFunction, unsigned> cases[] = {
      {isa::tile::VectorFunction::arithmetic, 1}, {isa::tile::VectorFunction::sum, 1},     {isa::tile::VectorFunction::nearest, 1},
      {isa::tile::VectorFunction::bilinear, 2},   {isa::tile::VectorFunction::softmax, 3}, {isa::tile::VectorFunction::layer_norm, 3}};
  for (const auto &[function, passes] : cases) {
    vector.function = function;
    EXPECT_EQ(cycles_of(vector), 38u + passes * 16 * 4);
  }
  isa::tile::Transform transform;
  transform.element_bits = 4;
  transform.batch = 1;
  transform.channels = 64;
  transform.height = transform.width = 4;
  // The 512 bytes count 4 times, because the order of dimensions changes: 2,048 bytes at 256 a cycle take 8 cycles.
  EXPECT_EQ(cycles_of(transform), 21u + 8);
}

}  // namespace
}  // namespace cox::test
