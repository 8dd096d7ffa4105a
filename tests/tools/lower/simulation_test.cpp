// SPDX-License-Identifier: MIT
// Compares the durations of small programs with values worked out by hand.
#include "tools/lower/program/simulation.h"

#include <gmock/gmock.h>

namespace cox::lower {
namespace {

using isa::tile::Class;

/// DRAM moves 1 byte a cycle. An instruction that waits for another one starts 6 + 4 cycles after the other has ended.
model::TileGeometry geometry() {
  model::TileGeometry result;
  result.dram_bytes_per_1024_cycles = 1024;
  result.doorbell_latency = 6;
  result.interrupt_latency = 4;
  return result;
}

Instruction instruction(Class queue, model::Duration duration, std::vector<std::int32_t> waits_for = {}, unsigned core = 0) {
  Instruction result;
  result.queue = queue;
  result.core = static_cast<std::uint8_t>(core);
  result.duration = duration;
  result.waits_for = std::move(waits_for);
  return result;
}

TEST(Simulation, AQueueRunsOneAfterTheOther) {
  EXPECT_EQ(duration_of({instruction(Class::PE, {100, 0, 0}), instruction(Class::PE, {50, 0, 0})}, geometry()), 150U);
}

TEST(Simulation, QueuesRunSideBySide) {
  EXPECT_EQ(duration_of({instruction(Class::PE, {100, 0, 0}), instruction(Class::VP, {70, 0, 0})}, geometry()), 100U);
  EXPECT_EQ(duration_of({instruction(Class::PE, {100, 0, 0}), instruction(Class::PE, {70, 0, 0}, {}, 1)}, geometry()), 100U);
}

TEST(Simulation, ATokenTakesTheTimeOfAnInterruptAndADoorbell) {
  EXPECT_EQ(duration_of({instruction(Class::PE, {100, 0, 0}), instruction(Class::VP, {70, 0, 0}, {0})}, geometry()), 180U);
}

TEST(Simulation, TransfersShareDram) {
  // Alone, a transfer takes 20 fixed cycles, and 100 cycles for 100 bytes. Two transfers at once take 20 fixed cycles, and 200 cycles at
  // half of the rate each.
  EXPECT_EQ(duration_of({instruction(Class::LD, {20, 100, 100})}, geometry()), 120U);
  EXPECT_EQ(duration_of({instruction(Class::LD, {20, 100, 100}), instruction(Class::LW, {20, 100, 100})}, geometry()), 220U);
  EXPECT_EQ(duration_of({instruction(Class::LD, {20, 100, 100}), instruction(Class::LD, {20, 100, 100}, {}, 1)}, geometry()), 220U);
  // The second transfer begins at cycle 70, when the first has moved 50 bytes.
  // Then each has half of the rate. The first moves its other 50 bytes in 100 cycles, until cycle 170. The second moves 50 bytes meanwhile.
  // The second then has the full rate, and moves its other 50 bytes until cycle 220.
  EXPECT_EQ(duration_of({instruction(Class::LD, {20, 100, 100}), instruction(Class::ST, {70, 100, 100})}, geometry()), 220U);
}

TEST(Simulation, ImagesOfABatchShareTheVectorProcessor) {
  isa::tile::Vector vector;
  vector.channels = 32;  // one pixel a cycle: the vector processor handles 32 bytes a cycle
  vector.height = vector.width = 10;
  vector.source.element_bits = vector.destination.element_bits = 8;
  const auto duration = [&vector](std::uint32_t images) {
    vector.images = images;
    return model::duration_of({}, vector, {}, model::TileGeometry{}).fixed;
  };
  // An instruction takes 20 cycles to start. The images share the other 118 cycles: 18 of setup, and 100 for 100 pixels.
  EXPECT_EQ(duration(1), 138U);
  EXPECT_EQ(duration(2), 20U + 59);
  EXPECT_EQ(duration(4), 20U + 30);  // 118 / 4 = 29.5 is rounded up
  EXPECT_EQ(duration(16), 20U + 8);  // 118 / 16 = 7.4 is rounded up
  EXPECT_EQ(duration(256), 21U);
}

}  // namespace
}  // namespace cox::lower
