// SPDX-License-Identifier: MIT
// What the engine says of containers that fail, and the keys that the next container finds.
#include "coxswain/kernels/unity/engine.h"

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "coxswain/hal/unity/keys.h"
#include "coxswain/kernels/unity/data.h"
#include "tests/kernels/device_test.h"

namespace cox::tests::unity::engine_test {
namespace {

using isa::unity::Key;
using kernels::unity::ContainerBuilder;
using registers::WaitingUnit;

class UnityEngine : public DeviceTest {
 protected:
  UnityEngine() {
    EXPECT_TRUE(engine.init(accelerator, {.windows = windows}).ok());
    begin(builder, 0);
    begin(second, 1);
  }
  ~UnityEngine() override { EXPECT_TRUE(engine.close().ok()); }

  void begin(ContainerBuilder &container, unsigned number) {
    constexpr std::size_t kBytes = 8192;
    ASSERT_TRUE(container
                    .init(board_->core_dram().subspan(kWindowBytes + number * kBytes, kBytes), engine.windows(),
                          {.units = 2, .instructions = 8, .signals = 4})
                    .ok());
  }
  /// Unit 0 fills bytes and gives the signal a key; then unit 1, which wants `wanted` keys of it, fills others.
  void write(ContainerBuilder &container, unsigned wanted) {
    const Result<unsigned> signal = container.add_signal();
    ASSERT_TRUE(signal.ok());
    fill(container);
    EXPECT_TRUE(container.give_key(signal.value()).ok());
    EXPECT_TRUE(container.select_unit(1).ok());
    EXPECT_TRUE(container.take_keys(signal.value(), wanted).ok());
    fill(container);
    EXPECT_TRUE(container.finish().ok());
  }
  void fill(ContainerBuilder &container) { EXPECT_TRUE(kernels::unity::fill(container, {at(64 * fills_++), 64, 3}).ok()); }
  /// The container finds the keys that are there.
  static void forget_initial_keys(ContainerBuilder &container) {
    auto *const header = const_cast<std::byte *>(container.code().data());
    constexpr std::uint32_t kNone = 0;
    std::memcpy(header + offsetof(isa::unity::ContainerHeader, keys), &kNone, sizeof kNone);
  }
  void expect_waiting(unsigned unit, int instruction, Key key, unsigned wanted, unsigned held) {
    const kernels::StreamFault &fault = engine.fault();
    ASSERT_EQ(fault.waiting_units, 1U);
    const WaitingUnit &waiting = fault.waiting[0];
    EXPECT_EQ(waiting.unit, unit);
    EXPECT_EQ(waiting.instruction, instruction);
    EXPECT_EQ(waiting.table, key.table);
    EXPECT_EQ(waiting.entry, key.entry);
    EXPECT_EQ(waiting.wanted, wanted);
    EXPECT_EQ(waiting.held, held);
  }

  kernels::unity::Engine engine;
  ContainerBuilder builder, second;
  unsigned fills_ = 0;
};

TEST_F(UnityEngine, ADeadlockNamesTheWaitingInstruction) {
  write(builder, 2);
  const Status status = engine.run(builder);
  EXPECT_EQ(status.code(), ErrorCode::device_fault);
  EXPECT_EQ(engine.fault().code, hal::FaultCode::deadlock);
  EXPECT_EQ(engine.fault().instruction, 0);
  expect_waiting(1, 0, {0, 0}, 2, 1);
  write(second, 1);
  EXPECT_TRUE(engine.run(second).ok());
}

/// The control core could give the key, so that only the limit of the wait ends the run.
TEST_F(UnityEngine, AContainerThatWaitsForTheControlCoreMeetsTheTimeLimit) {
  write(builder, 2);
  constexpr std::uint16_t kFlags = isa::unity::kFlagHostDeposits | isa::unity::kFlagRelative;
  std::memcpy(const_cast<std::byte *>(builder.code().data()) + offsetof(isa::unity::ContainerHeader, flags), &kFlags, sizeof kFlags);
  constexpr std::uint64_t kMicroseconds = 2000;
  EXPECT_EQ(engine.run(builder, kMicroseconds).code(), ErrorCode::timeout);
  expect_waiting(1, 0, {0, 0}, 2, 1);
}

TEST_F(UnityEngine, AFaultLeavesNoKeys) {
  write(builder, 2);
  EXPECT_FALSE(engine.run(builder).ok());
  EXPECT_EQ(hal::unity::read_keys({0, 0}), 0) << "unit 0 had given a key";
  write(second, 2);
  forget_initial_keys(second);
  EXPECT_FALSE(engine.run(second).ok()) << "one key of each container";
  expect_waiting(1, 0, {0, 0}, 2, 1);
}

TEST_F(UnityEngine, AKeyTableOfAnotherContextIsRefusedByName) {
  write(builder, 1);
  const auto give_tables = [&](unsigned tables) {
    ASSERT_TRUE(hal::unity::configure(engine.runner().context(), {.page = 0, .key_tables = tables}).ok());
  };
  give_tables(0b1110);
  EXPECT_EQ(engine.run(builder).code(), ErrorCode::device_fault);
  EXPECT_EQ(engine.fault().code, hal::FaultCode::field_out_of_range);
  EXPECT_STREQ(engine.fault().field, "key") << "the initial keys of the container";

  forget_initial_keys(builder);
  give_tables(0b1110);
  EXPECT_EQ(engine.run(builder).code(), ErrorCode::device_fault);
  EXPECT_EQ(engine.fault().code, hal::FaultCode::field_out_of_range);
  EXPECT_STREQ(engine.fault().field, "keyw_bar");
  EXPECT_EQ(engine.fault().instruction, 0);
}

}  // namespace
}  // namespace cox::tests::unity::engine_test
