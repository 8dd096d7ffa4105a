// SPDX-License-Identifier: MIT
// ProgramBuilder: constants in registers, loops, several cores, settings and copies.
#include "coxswain/kernels/pim/program_builder.h"

#include <gtest/gtest.h>

#include "coxswain/isa/pim/build.h"
#include "tests/kernels/pim/pim_bench.h"

namespace cox::tests::pim::program_builder_test {
namespace {

using isa::pim::Copy;
using isa::pim::CopyKind;
using isa::pim::Special;
using kernels::pim::ProgramBuilder;
using kernels::pim::Register;
using kernels::pim::Value;

constexpr std::uint32_t kData = 0x300000;

/// Appends code for one core.
template <typename Emit>
void emit(ProgramBuilder &builder, unsigned core, Emit emit_code) {
  ASSERT_TRUE(builder.begin_kernel().ok());
  builder.begin_core(core);
  emit_code();
  const Status status = builder.end_kernel();
  ASSERT_TRUE(status.ok()) << status.what();
}

std::uint32_t word(Bench &bench, unsigned core, std::uint32_t offset) {
  std::uint32_t word;
  std::memcpy(&word, bench.machine.memory(core, 2).data() + offset, sizeof(word));
  return word;
}

TEST(PimProgramBuilder, ConstantsThatRegistersHoldCostNothing) {
  Bench bench;
  ProgramBuilder &builder = bench.builder;
  ASSERT_TRUE(builder.begin_kernel().ok());
  builder.begin_core(0);
  const auto cost = [&](auto emit_code) {
    const std::uint32_t before = builder.instructions();
    emit_code();
    return builder.instructions() - before;
  };
  EXPECT_EQ(cost([&] { builder.copy(0x300000, 64, 0x300100); }), 4U) << "lui, general-li, addi to the first address";
  EXPECT_EQ(cost([&] { builder.copy(0x300000, 64, 0x300100); }), 1U);
  EXPECT_EQ(cost([&] { builder.copy(0x300000, 0, 0x300100); }), 1U) << "registers are 0 at the start";
  EXPECT_EQ(cost([&] { builder.set(Special::input_bit_width, 8); }), 1U);
  EXPECT_EQ(cost([&] { builder.set(Special::input_bit_width, 8); }), 0U);
  EXPECT_EQ(cost([&] { builder.set(Special::input_bit_width, 0x300000); }), 1U);
  const Register variable = builder.variable(5);
  EXPECT_EQ(cost([&] { builder.add(variable, 7); }), 1U);
  EXPECT_EQ(cost([&] { builder.assign(variable, Value(variable, 0x12345678)); }), 3U);
  builder.release(variable);
  EXPECT_TRUE(builder.end_kernel().ok());
}

TEST(PimProgramBuilder, AllConstants) {
  Bench bench;
  const std::uint32_t constants[] = {0,          1,          0x1FFFFF,   0x200000,   0x7FFF,     0x8000,
                                     0xFFFF8000, 0xFFFF7FFF, 0xFFFFFFFF, 0x80000000, 0x12348765, 0x12340000};
  emit(bench.builder, 0, [&] {
    for (std::uint32_t i = 0; i < std::size(constants); ++i) bench.builder.store_word(kData + i * 4, constants[i]);
    const Register variable = bench.builder.variable(100);
    bench.builder.subtract_from(30, variable);
    bench.builder.assign(variable, Value(variable, 0x00FFFFFF));
    bench.builder.copy(kData, 4, Value(variable, kData - 70 + 1 - 0x01000000 + 0x100 + 140));
    bench.builder.release(variable);
  });
  bench.run();
  for (std::uint32_t i = 0; i < std::size(constants); ++i) EXPECT_EQ(word(bench, 0, i * 4), constants[i]) << i;
}

TEST(PimProgramBuilder, Loops) {
  Bench bench;
  emit(bench.builder, 0, [&] {
    ProgramBuilder &builder = bench.builder;
    const Register place = builder.variable(kData);
    // A register holds this constant when the loop begins, but not in its second turn.
    builder.store_word(kData + 0x3000, 1000);
    builder.repeat(3, [&] {
      // More constants than there are registers: each turn must load them again.
      for (std::uint32_t i = 0; i < 40; ++i) builder.store_word(Value(place, i * 4), 1000 + i);
      builder.repeat(2, [&] {
        builder.add(place, 160);
        builder.set(Special::group_size, 16);
        builder.set(Special::group_size, 32);
      });
    });
    builder.repeat(0, [&] { builder.store_word(kData, 99); });
    builder.repeat(1, [&] { builder.store_word(kData + 4, 98); });
    builder.release(place);
  });
  bench.run();
  for (std::uint32_t turn = 0; turn < 3; ++turn) {
    for (std::uint32_t i = 0; i < 40; ++i)
      EXPECT_EQ(word(bench, 0, turn * 320 + i * 4), turn == 0 && i == 1 ? 98 : 1000 + i) << turn << " " << i;
  }
  EXPECT_EQ(bench.machine.registers(0).special[3], 32U);
}

TEST(PimProgramBuilder, CoresTakeTurns) {
  Bench bench(3);
  for (const unsigned core : {2U, 0U, 2U, 2U, 1U, 0U}) {
    emit(bench.builder, core, [&] {
      const Register place = bench.builder.variable(kData + core * 64);
      bench.builder.store_word(place, 100 + core);
      bench.builder.release(place);
      bench.builder.barrier(7, 1);
    });
  }
  emit(bench.builder, 0, [&] {
    bench.builder.send(true, kData, 1, kData + 128, 5, 4);
    bench.builder.store_word(kData + 8, 1);
  });
  emit(bench.builder, 1, [&] {
    bench.builder.receive(false, 0, kData, kData + 128, 5, 4);
    bench.builder.wait(0, 5);
  });
  bench.run();
  EXPECT_EQ(word(bench, 0, 0), 100U);
  EXPECT_EQ(word(bench, 1, 64), 101U);
  EXPECT_EQ(word(bench, 2, 128), 102U);
  EXPECT_EQ(word(bench, 1, 128), 100U);
}

TEST(PimProgramBuilder, CoresShareCode) {
  // Core 0 has no code of its own, core 2 has, and each core sends its number to the next one of three.
  constexpr unsigned kCores = 4, kSharers = 3;
  Bench bench(kCores);
  ProgramBuilder &builder = bench.builder;
  ASSERT_TRUE(builder.begin_kernel().ok());
  builder.begin_core(0);
  builder.begin_core(3);
  builder.store_word(kData, 33);
  builder.begin_core(2);
  builder.store_word(kData + 4, 22);
  const Register number = builder.begin_cores(0, kSharers);
  const Register next = builder.variable(Value(number, 1)), place = builder.variable(number);
  builder.remainder(next, kSharers);
  builder.multiply(place, 8);
  builder.store_word(kData + 60, 1000);
  builder.repeat(3, [&] {
    builder.copy(kData + 60, 4, Value(place, kData + 64));
    builder.add(place, 32);
  });
  const Register before = builder.variable(Value(number, kSharers - 1));
  builder.remainder(before, kSharers);
  builder.send(false, kData + 60, next, Value(number, kData + 8), Value(number, 40), 4);
  builder.receive(true, before, kData + 60, Value(before, kData + 8), Value(before, 40), 4);
  for (const Register each : {number, next, place, before}) builder.release(each);
  ASSERT_TRUE(builder.end_kernel().ok());
  bench.run();
  EXPECT_EQ(word(bench, 3, 0), 33U);
  EXPECT_EQ(word(bench, 2, 4), 22U);
  for (unsigned core = 0; core < kSharers; ++core) {
    for (unsigned i = 0; i < 3; ++i) EXPECT_EQ(word(bench, core, 64 + core * 8 + i * 32), 1000U) << core;
    EXPECT_EQ(word(bench, core, 8 + (core + kSharers - 1) % kSharers), 1000U) << core;
  }

  ASSERT_TRUE(builder.begin_kernel().ok());
  static_cast<void>(builder.begin_cores(0, 2));
  ASSERT_TRUE(builder.end_kernel().ok());
  const std::uint32_t instructions = builder.instructions();
  ASSERT_TRUE(builder.begin_kernel().ok());
  builder.begin_core(1);
  const Status status = builder.end_kernel();
  EXPECT_EQ(status.code(), ErrorCode::unsupported);
  EXPECT_EQ(builder.instructions(), instructions);
  emit(builder, 2, [&] { builder.store_word(kData, 7); });
  bench.run();
  EXPECT_EQ(word(bench, 2, 0), 7U);
}

TEST(PimProgramBuilder, SettingsAndCopies) {
  Bench bench(2);
  const std::uint32_t from = bench.put(std::vector<std::uint32_t>{11, 22}), to = bench.allocate(64);
  ProgramBuilder &builder = bench.builder;
  EXPECT_TRUE(builder.set(1, 5, 77).ok());
  EXPECT_TRUE(builder.set(0, 32 + 3, 16).ok());
  EXPECT_EQ(builder.set(2, 5, 77).code(), ErrorCode::invalid_argument);
  EXPECT_EQ(builder.set(0, 32 + 9, 77).code(), ErrorCode::invalid_argument);
  EXPECT_TRUE(builder.add(Copy{.kind = CopyKind::load, .core = 1, .local = kData, .dram = from, .bytes = 8}).ok());
  EXPECT_EQ(builder.set(1, 5, 77).code(), ErrorCode::not_ready);
  EXPECT_TRUE(builder.add(Copy{.kind = CopyKind::store, .core = 1, .local = kData, .dram = to, .bytes = 12}).ok());
  emit(builder, 1, [&] { builder.copy(kData, 4, kData + 8); });
  EXPECT_EQ(builder.add(Copy{}).code(), ErrorCode::not_ready);
  builder.set_time_limit(123'456'789'012);
  EXPECT_EQ(isa::pim::Program::open(builder.code()).value().header().time_limit_hi, 28U);
  bench.run();
  EXPECT_EQ(bench.get<std::uint32_t>(to, 3), (std::vector<std::uint32_t>{11, 22, 11}));
  EXPECT_EQ(bench.machine.registers(1).general[5], 77U);
  EXPECT_EQ(bench.machine.registers(0).special[3], 16U);
}

TEST(PimProgramBuilder, TooManyVariables) {
  Bench bench;
  ASSERT_TRUE(bench.builder.begin_kernel().ok());
  bench.builder.begin_core(0);
  for (unsigned i = 0; i < 30; ++i) static_cast<void>(bench.builder.variable(i));
  const Status status = bench.builder.end_kernel();
  EXPECT_EQ(status.code(), ErrorCode::no_room);
  EXPECT_STREQ(status.what(), "registers");
  EXPECT_EQ(bench.builder.instructions(), 0U);
  bench.run();
}

TEST(PimProgramBuilder, Addresses) {
  Bench bench;
  EXPECT_EQ(bench.builder.address_of(TestDram::kBase + 100).value(), 0x80000064U);
  EXPECT_EQ(bench.builder.address_of(TestDram::kBase - 1).status().code(), ErrorCode::address_outside_window);
  EXPECT_EQ(bench.builder.address_of(TestDram::kBase + (24U << 20) - 4, 5).status().code(), ErrorCode::address_outside_window);
}

}  // namespace
}  // namespace cox::tests::pim::program_builder_test
