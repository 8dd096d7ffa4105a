// SPDX-License-Identifier: MIT
// A fault names unit, instruction and field; nothing else happens.
#include <gtest/gtest.h>

#include "rig.h"

namespace cox::model::unity::testing::faults_test {

void expect_fault(Rig &rig, ErrorCode code, const char *what, unsigned unit, std::uint32_t number) {
  const Outcome &outcome = rig.run();
  EXPECT_EQ(outcome.status.code(), code);
  EXPECT_STREQ(outcome.status.what(), what);
  EXPECT_EQ(outcome.position, Rig::position(*rig.container, unit, number));
}

TEST(UnityFaults, AddressesOutsideOfTheWindows) {
  Rig rig(2);
  rig.queue(0, {rig.add(word_at(1), word_at(0), word_at(0), block())});
  rig.queue(1, {rig.add(word_at(2), word_at(0), word_at(0)), rig.add(kReadOnly, word_at(0), word_at(0))});
  expect_fault(rig, ErrorCode::address_outside_window, "D", 1, 1);
  EXPECT_EQ(rig.machine.outcome().status.value(), static_cast<std::int64_t>(kReadOnly));
}

TEST(UnityFaults, FieldsOfAHalfThatIsOff) {
  const auto expect = [](std::uint32_t bits, ErrorCode code, const char *what) {
    Rig rig;
    Item item = rig.add(word_at(1), word_at(0), word_at(0));
    item.code[1] |= bits;
    rig.queue(0, {item});
    expect_fault(rig, code, what, 0, 0);
  };
  expect(1U << 3, ErrorCode::field_out_of_range, "num_key");
  expect(1U << 6, ErrorCode::field_out_of_range, "keyr_bar");
  expect(1U << 8, ErrorCode::field_out_of_range, "keyw_bar");
  expect(1U << 17, ErrorCode::field_out_of_range, "fetch_key");
  expect(1U << 25, ErrorCode::field_out_of_range, "deposit_key");
  expect(1U << 26, ErrorCode::reserved_bits, "ADD");
}

TEST(UnityFaults, ReadsOfWhatMayOnlyBeRead) {
  Rig rig;
  rig.dram.set_word(kReadOnly, 4);
  rig.queue(0, {rig.add(word_at(1), kReadOnly, kReadOnly)});
  ASSERT_TRUE(rig.run().status.ok());
  EXPECT_EQ(rig.dram.word(word_at(1)), 8);
}

TEST(UnityFaults, AContainerMayReadItselfOnly) {
  Rig rig;
  rig.queue(0, {rig.add(word_at(1), kBase, kBase)});
  rig.write();
  const std::int32_t magic = rig.dram.word(kBase);
  rig.dram.closed = kTables - kBase;
  ASSERT_TRUE(rig.run().status.ok());
  EXPECT_EQ(rig.dram.word(word_at(1)), static_cast<std::int32_t>(2 * static_cast<std::uint32_t>(magic)));

  const auto size = static_cast<std::uint32_t>(rig.container_bytes.size());
  Rig outside;
  outside.dram.closed = kTables - kBase;
  outside.queue(0, {outside.add(word_at(1), kBase + size - 4, kBase + size)});
  expect_fault(outside, ErrorCode::address_outside_window, "S1", 0, 0);
  Rig write;
  write.dram.closed = kTables - kBase;
  write.queue(0, {write.add(kBase, word_at(0), word_at(0))});
  expect_fault(write, ErrorCode::address_outside_window, "D", 0, 0);
}

TEST(UnityFaults, InstructionsInFlightHaveNoEffect) {
  Rig rig(2);
  rig.dram.set_word(word_at(0), 5);
  rig.queue(0, {rig.add(word_at(2), word_at(0), word_at(0), block()),
                rig.binary(Opcode::ADD, word_at(100), word_at(0), word_at(0), 100, deposit({0, 0}))});
  rig.queue(1, {rig.add(word_at(1), word_at(0), word_at(0), block()), rig.add(0, 0, 0)});
  expect_fault(rig, ErrorCode::address_outside_window, "S0", 1, 1);
  EXPECT_EQ(rig.dram.word(word_at(1)), 10);
  EXPECT_EQ(rig.dram.word(word_at(100)), 0);
  EXPECT_EQ(rig.machine.key({0, 0}), 0);
}

TEST(UnityFaults, WaitingConsumersAreInTheReport) {
  Rig rig(2);
  rig.queue(0, {rig.add(0, 0, 0, deposit({1, 2}))});
  rig.queue(1, {rig.add(word_at(1), word_at(0), word_at(0), fetch({1, 2}, 3))});
  rig.keys({1, 2}, 2);
  const Outcome &outcome = rig.run();
  EXPECT_EQ(outcome.status.code(), ErrorCode::address_outside_window);
  // Unit 0 faults in the cycle in which unit 1 would ask.
  EXPECT_TRUE(outcome.waiting.empty());
  Rig later(2);
  later.queue(0, {later.add(word_at(5), word_at(0), word_at(0), block()), later.add(0, 0, 0, deposit({1, 2}))});
  later.queue(1, {later.add(word_at(1), word_at(0), word_at(0), fetch({1, 2}, 3))});
  later.keys({1, 2}, 2);
  const Outcome &second = later.run();
  ASSERT_EQ(second.waiting.size(), 1U);
  EXPECT_EQ(second.waiting[0], (Waiting{1, Rig::position(*later.container, 1, 0), {1, 2}, 3, 2}));
}

TEST(UnityFaults, AnIndexOutsideIsFoundWhenTheInstructionRuns) {
  Rig rig;
  rig.dram.set_word(word_at(0), 10);
  rig.queue(0, {rig.gather(word_at(1), word_at(20), 10, word_at(0))});
  expect_fault(rig, ErrorCode::field_out_of_range, "index", 0, 0);
  EXPECT_EQ(rig.machine.outcome().status.value(), 10);
}

TEST(UnityFaults, OtherEnginesAreNotThereYet) {
  Rig rig;
  rig.queue(0, {rig.add(word_at(1), word_at(0), word_at(0)), {MachineCode{}, isa::unity::Domain::mx}});
  expect_fault(rig, ErrorCode::unsupported, "domain", 0, 1);
}

TEST(UnityFaults, ReservedBitsOfAPayload) {
  Rig rig;
  Item item = rig.add(word_at(1), word_at(0), word_at(0));
  item.code[0] |= 1U << 22;
  rig.queue(0, {item});
  EXPECT_EQ(rig.run().status.code(), ErrorCode::reserved_bits);
}

TEST(UnityFaults, TheBus) {
  Rig rig;
  rig.queue(0, {rig.add(word_at(1), word_at(0), word_at(0))});
  rig.write();
  rig.machine.start(*rig.container, {.address = kBase, .page = 0, .key_tables = 15}, rig.dram, 0);
  rig.dram.fails = true;
  rig.machine.step(0);
  ASSERT_TRUE(rig.machine.done());
  EXPECT_EQ(rig.machine.outcome().status.code(), ErrorCode::device_fault);

  rig.dram.fails = false;
  rig.machine.start(*rig.container, {.address = kBase, .page = 0, .key_tables = 15}, rig.dram, 0);
  rig.machine.step(0);
  rig.dram.fails = true;
  while (!rig.machine.done()) rig.machine.step(rig.machine.next_event());
  EXPECT_EQ(rig.machine.outcome().status.code(), ErrorCode::device_fault);
}

TEST(UnityFaults, UnitsThatDoNotExist) {
  Rig rig(3);
  rig.queue(0, {rig.add(word_at(1), word_at(0), word_at(0))});
  rig.write();
  Machine machine({}, 2, Path::reference);
  machine.start(*rig.container, {.address = kBase, .page = 0, .key_tables = 15}, rig.dram, 70);
  EXPECT_TRUE(machine.done());
  EXPECT_STREQ(machine.outcome().status.what(), "units");
  EXPECT_EQ(machine.outcome().position, 0U);
  EXPECT_EQ(machine.outcome().time, 70U);
  EXPECT_EQ(rig.dram.word(word_at(1)), 0);
}

}  // namespace cox::model::unity::testing::faults_test
