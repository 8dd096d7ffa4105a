// SPDX-License-Identifier: MIT
// Effects of the matrix unit's streams, through registers and memory. Other tests cover the arithmetic of each operation.
#include <gtest/gtest.h>

#include "tests/sim/cube/engine/machine.h"

namespace cox::test {
namespace {

constexpr std::uint32_t kM = 33, kK = 70, kN = 20;
constexpr std::uint64_t kA = CubeMachine::kWindow, kB = kA + 0x10000, kC = kA + 0x20000;
constexpr std::uint32_t kPitchA = 80, kPitchB = 32, kPitchC = 96;  // bytes; larger than a row, so there are gaps between rows

int a_of(std::uint32_t i, std::uint32_t k) { return static_cast<int>((i * 31 + k * 17) % 255) - 127; }
int b_of(std::uint32_t k, std::uint32_t j) { return static_cast<int>((k * 13 + j * 29) % 251) - 125; }

void fill(CubeMachine &machine) {
  for (std::uint32_t i = 0; i < kM; ++i) {
    for (std::uint32_t k = 0; k < kK; ++k) machine.set_value(kA + i * kPitchA + k, static_cast<std::int8_t>(a_of(i, k)));
  }
  for (std::uint32_t k = 0; k < kK; ++k) {
    for (std::uint32_t j = 0; j < kN; ++j) machine.set_value(kB + k * kPitchB + j, static_cast<std::int8_t>(b_of(k, j)));
  }
}

constexpr std::uint32_t kL1B = 0x8000;

/// C = A * B in INT8. The slots set and await all flags themselves, without SET_FLAG and WAIT_FLAG.
std::vector<cube::MachineCode> product() {
  const cube::Format fractal = cube::Format::fractal;
  return {
      slot(cube::DramToL1{kA, kM, kK, kPitchA, fractal, 0, 3}, {{}, {{Pipe::MTE1, 0}}}),
      slot(cube::DramToL1{kB, kK, kN, kPitchB, fractal, kL1B, 5}, {{}, {{Pipe::MTE1, 1}}}),
      slot(cube::L1ToL0{false, cube::Type::int8, false, false, 0, 3, 0, kM, kK}, {{{Pipe::MTE2, 0}}, {}}),
      slot(cube::L1ToL0{true, cube::Type::int8, true, false, kL1B, 5, 0, kK, kN}, {{{Pipe::MTE2, 1}}, {{Pipe::M, 0}}}),
      slot(cube::Mad{cube::Type::int8, 0, 0, 0, kM, kK, kN}, {{{Pipe::MTE1, 0}}, {{Pipe::FIX, 0}}}),
      slot(cube::OutputConfiguration{}),
      slot(cube::Output{.configuration = {},
                        .destination = kC,
                        .destination_pitch = kPitchC,
                        .integer = true,
                        .to = cube::OutputType::int32,
                        .source_pitch = 3,
                        .rows = kM,
                        .columns = kN},
           {{{Pipe::M, 0}}, {}}),
  };
}

void expect_product(CubeMachine &machine) {
  for (std::uint32_t i = 0; i < kM; ++i) {
    for (std::uint32_t j = 0; j < kN; ++j) {
      std::int32_t sum = 0;
      for (std::uint32_t k = 0; k < kK; ++k) sum += a_of(i, k) * b_of(k, j);
      ASSERT_EQ(machine.value<std::int32_t>(kC + i * kPitchC + j * 4), sum) << i << ", " << j;
    }
    // The store writes nothing between the rows.
    ASSERT_EQ(machine.value<std::int32_t>(kC + i * kPitchC + kN * 4), 0) << i;
  }
}

TEST(CubeFunction, AProductFromDramToDram) {
  CubeMachine machine;
  fill(machine);
  machine.submit(product());
  machine.run();
  ASSERT_EQ(machine.engine_completions(), 1u);
  const Entry entry = machine.engine_entry(0);
  EXPECT_EQ(entry.status, FaultCode::none);
  EXPECT_EQ(entry.queue, machine.row().queue_number());
  EXPECT_EQ(entry.tag, 0u);
  EXPECT_EQ(entry.phase, 1u);
  EXPECT_EQ(machine.warnings(0), 0u);
  EXPECT_EQ(machine.read(r::engine::head::offset(1)), 1u);
  EXPECT_EQ(machine.read(r::engine::status::offset(1)), 0u);
  EXPECT_EQ(machine.level[0], 1);
  EXPECT_EQ(machine.read(r::int_status::kOffset), 0x20u);
  expect_product(machine);
}

TEST(CubeFunction, TheSameByCopyAndByTheReference) {
  for (const char *options : {"{}", R"({"path": "reference"})"}) {
    CubeMachine machine(options, false);
    fill(machine);
    machine.submit(product());
    machine.run();
    ASSERT_EQ(machine.engine_entry(0).status, FaultCode::none);
    expect_product(machine);
  }
}

TEST(CubeFunction, OneRowAgainAndAgain) {
  for (const bool mapped : {true, false}) {
    CubeMachine machine("{}", mapped);
    for (std::int32_t i = 0; i < 16; ++i) machine.set_value(kA + static_cast<std::uint32_t>(i) * 4, 100 + i);
    // The load reads one row twice (pitch 0). The second copy goes through the bias table to L0C.
    machine.submit({slot(cube::DramToL1{kA, 2, 64, 0, cube::Format::linear, 0x1000, 128}), cube::encode(cube::Barrier{1}),
                    slot(cube::L1ToBt{0x1080, 0, 64}), cube::encode(cube::Barrier{2}),
                    slot(cube::Mad{.type = cube::Type::int8, .m = 1, .k = 1, .n = 16, .start = cube::Start::bias_table}),
                    cube::encode(cube::Barrier{4}), slot(cube::OutputConfiguration{}),
                    slot(cube::Output{.configuration = {},
                                      .destination = kC,
                                      .destination_pitch = 64,
                                      .integer = true,
                                      .to = cube::OutputType::int32,
                                      .columns = 16})});
    machine.run();
    ASSERT_EQ(machine.engine_entry(0).status, FaultCode::none);
    for (std::int32_t i = 0; i < 16; ++i) EXPECT_EQ(machine.value<std::int32_t>(kC + static_cast<std::uint32_t>(i) * 4), 100 + i);
  }
}

/// The pitch is 2 GiB, so only the first row is in memory.
TEST(CubeFunction, RowsOutsideOfMemoryAreABusErrorHoweverFarApart) {
  for (const bool mapped : {true, false}) {
    CubeMachine machine("{}", mapped);
    machine.write(r::context::window::base_lo::offset(0, 1), 0);
    machine.write(r::context::window::size::offset(0, 1), 0xFFFFFFFF);
    machine.write(r::context::window::access::offset(0, 1), 3);
    machine.submit({slot(cube::DramToL1{kA, 2, 64, 0x80000000, cube::Format::linear, 0, 64})});
    machine.run();
    EXPECT_EQ(machine.engine_entry(0).status, FaultCode::bus_error);
    EXPECT_EQ(machine.engine_entry(0).detail, 64u);
  }
}

}  // namespace
}  // namespace cox::test
