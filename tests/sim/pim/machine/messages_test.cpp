// SPDX-License-Identifier: MIT
// Sends, receives and waits: what they move, in which order they pair, and faults of two sides that disagree.
#include <gtest/gtest.h>

#include "tests/sim/pim/machine/rig.h"

namespace cox::model::pim::testing::messages_test {

using namespace isa::pim::build;

/// Registers of all cores: r1 = data, r2 = data + 64, r3 = output, r4 to r7 = the cores 0 to 3, r8 = 4, r9 = 8, r10 = 64 and r11 = 1 (an
/// id); r0 = 0 (another id).
Source cores_source(unsigned cores) {
  Source source(cores);
  for (unsigned core = 0; core < cores; ++core) {
    source.set(core, 1, kData)
        .set(core, 2, kData + 64)
        .set(core, 3, kOutput)
        .set(core, 8, 4)
        .set(core, 9, 8)
        .set(core, 10, 64)
        .set(core, 11, 1);
    for (unsigned i = 0; i < 4; ++i) source.set(core, 4 + i, i);
  }
  return source;
}
constexpr bool kAsync = true;

TEST(PimMessages, DataGoesFromOneCoreToAnother) {
  Source source = cores_source(2);
  source.code[0] = {send(r(5), {r(1), r(3), r(0), r(9)})};
  source.code[1] = {receive(r(4), {r(1), r(3), r(0), r(9)}), load_local(r(20), r(3), 4)};
  Rig rig(2);
  rig.set_word(0, data_space, 0, 11);
  rig.set_word(0, data_space, 4, 22);
  rig.set_word(1, output_space, 8, 33);
  rig.run(source);
  ASSERT_TRUE(rig.status().ok());
  EXPECT_EQ(rig.word(1, output_space, 0), 11U);
  EXPECT_EQ(rig.general(1, 20), 22U) << "a synchronous receive waits for its data";
  EXPECT_EQ(rig.word(1, output_space, 8), 33U) << "eight bytes, not more";
  EXPECT_EQ(rig.machine.counters(0).messages_sent, 1U);
  EXPECT_EQ(rig.machine.counters(0).bytes_sent, 8U);
  EXPECT_EQ(rig.machine.counters(1).bytes_received, 8U);
  EXPECT_EQ(rig.machine.counters(0).energy.network, 8 * std::uint64_t{Energy().hop_byte});
}

TEST(PimMessages, MessagesOfARoutePairInOrder) {
  Source source = cores_source(2);
  // Two sends with one id before one with another; the receiver takes the other id first.
  source.code[0] = {send(r(5), {r(1), r(3), r(0), r(8)}, kAsync), send(r(5), {r(2), r(3), r(0), r(8)}, kAsync),
                    send(r(5), {r(1), r(2), r(11), r(9)}, kAsync), wait(r(5), r(0)), wait(r(5), r(11))};
  source.code[1] = {receive(r(4), {r(1), r(2), r(11), r(9)}), receive(r(4), {r(1), r(3), r(0), r(8)}), load_local(r(20), r(3)),
                    receive(r(4), {r(2), r(3), r(0), r(8)}), load_local(r(21), r(3))};
  Rig rig(2);
  rig.set_word(0, data_space, 0, 11);
  rig.set_word(0, data_space, 64, 22);
  rig.run(source);
  ASSERT_TRUE(rig.status().ok()) << rig.status().what();
  EXPECT_EQ(rig.general(1, 20), 11U);
  EXPECT_EQ(rig.general(1, 21), 22U);
  EXPECT_EQ(rig.word(1, data_space, 64), 11U);
}

TEST(PimMessages, AWaitEndsWhenBothDirectionsOfItsCoreAndIdAreDone) {
  Source source = cores_source(2);
  // Core 0 sends and receives with id 0; core 1 answers late. Another id stays open meanwhile.
  source.code[0] = {send(r(5), {r(1), r(3), r(0), r(8)}, kAsync),
                    receive(r(5), {r(1), r(3), r(0), r(8)}, kAsync),
                    receive(r(5), {r(1), r(2), r(11), r(8)}, kAsync),
                    wait(r(5), r(0)),
                    load_local(r(20), r(3)),
                    wait(r(5), r(11))};
  source.code[1] = {receive(r(4), {r(1), r(3), r(0), r(8)})};
  source.code[1].resize(40, add(r(30), r(30), r(30)));
  source.code[1].push_back(send(r(4), {r(1), r(3), r(0), r(8)}));
  source.code[1].push_back(load_local(r(20), r(3)));
  source.code[1].push_back(send(r(4), {r(1), r(2), r(11), r(8)}));
  Rig rig(2);
  rig.set_word(0, data_space, 0, 11);
  rig.set_word(1, data_space, 0, 22);
  rig.run(source);
  ASSERT_TRUE(rig.status().ok()) << rig.status().what();
  EXPECT_EQ(rig.general(0, 20), 22U);
  EXPECT_EQ(rig.general(1, 20), 11U);
  EXPECT_EQ(rig.word(0, data_space, 64), 22U);
}

TEST(PimMessages, WithoutAWaitTheDataIsNotThereYet) {
  Source source = cores_source(2);
  source.code[0] = {send(r(5), {r(1), r(3), r(0), r(8)})};
  source.code[1] = {receive(r(4), {r(1), r(3), r(0), r(8)}, kAsync), load_local(r(20), r(3)), wait(r(4), r(0)), load_local(r(21), r(3))};
  Rig rig(2);
  rig.set_word(0, data_space, 0, 11);
  rig.run(source);
  EXPECT_EQ(rig.general(1, 20), 0U);
  EXPECT_EQ(rig.general(1, 21), 11U);
}

TEST(PimMessages, AnInstructionThatWaitsToIssueSeesTheDataThatLandsBefore) {
  // A transfer waits until cycle 42 for `data`, which a trans of 40 lines writes. Its mask lands in cycle 8.
  Source source = cores_source(2);
  source.set(0, 20, kMaskBuffer).set(1, 20, kMaskBuffer).set(1, 21, kInputBuffer).set(1, 22, 5000).set(1, 32 + 1, 8);
  source.code[0] = {send(r(5), {r(20), r(20), r(0), r(8)})};
  source.code[1] = {receive(r(4), {r(20), r(20), r(0), r(8)}, kAsync), trans(r(1), r(3), r(22)), pim_transfer(r(1), r(21), r(9), r(20))};
  Rig rig(2);
  rig.set_word(0, mask_buffer_space, 0, 0x14);
  rig.set_word(1, mask_buffer_space, 0, 0xFF);
  for (unsigned i = 0; i < 8; i += 4) rig.set_word(1, input_buffer_space, i, 0x04030201 + 0x04040404 * (i / 4));
  EXPECT_EQ(rig.run(source), 2 + 41 + 2 * 2 + 1U);
  ASSERT_TRUE(rig.status().ok());
  EXPECT_EQ(rig.word(1, data_space, 0), 0x0503U);
}

TEST(PimMessages, AMessageWithoutBytesOnlySynchronises) {
  Source source = cores_source(2);
  source.code[0] = {send(r(5), {r(1), r(3), r(0), r(0)})};
  source.code[1] = {receive(r(4), {r(1), r(3), r(0), r(0)})};
  Rig rig(2);
  rig.run(source);
  EXPECT_TRUE(rig.status().ok());
  EXPECT_EQ(rig.machine.counters(1).messages_received, 1U);
}

/// Both cores must fault with their own names of the field and see each other's value.
void expect_mismatch(Source source, const char *sends, const char *receives, std::uint32_t sent, std::uint32_t received) {
  Rig rig(3);
  source.code.resize(3);
  source.code[2] = Instructions(200, addi(r(1), r(1), 1));
  rig.set_word(0, data_space, 0, 11);
  rig.run(source);
  EXPECT_EQ(rig.status().code(), ErrorCode::message_mismatch);
  const CoreState sender = rig.machine.state(0), receiver = rig.machine.state(1);
  EXPECT_EQ(sender.phase, Phase::faulted);
  EXPECT_EQ(receiver.phase, Phase::faulted);
  EXPECT_STREQ(sender.fault.what(), sends);
  EXPECT_STREQ(receiver.fault.what(), receives);
  EXPECT_EQ(sender.fault.value(), sent);
  EXPECT_EQ(sender.fault.limit(), received);
  EXPECT_EQ(receiver.fault.value(), received);
  EXPECT_EQ(receiver.fault.limit(), sent);
  EXPECT_EQ(sender.fault_time, receiver.fault_time);
  EXPECT_EQ(rig.machine.outcome().position.core, 0U);
  EXPECT_EQ(rig.word(1, output_space, 0), 0U);
  EXPECT_EQ(rig.machine.state(2).phase, Phase::ended);
  EXPECT_EQ(rig.machine.outcome().waiting, 0U);
}

TEST(PimMessages, SidesThatDisagreeFaultInBothCores) {
  Source source = cores_source(2);
  source.code[0] = {send(r(5), {r(1), r(3), r(0), r(8)})};
  source.code[1] = {receive(r(4), {r(2), r(3), r(0), r(8)})};
  expect_mismatch(source, "rs", "rs2", kData, kData + 64);
  source.code[1] = {receive(r(4), {r(1), r(2), r(0), r(8)})};
  expect_mismatch(source, "rd2", "rd", kOutput, kData + 64);
  source.code[1] = {receive(r(4), {r(1), r(3), r(0), r(9)})};
  expect_mismatch(source, "reg_len", "reg_len", 4, 8);
}

TEST(PimMessages, AnAsynchronousSideFaultsAtItsInstructionWhereverItsCoreIs) {
  Source source = cores_source(2);
  source.code[0] = {add(r(20), r(20), r(20)), send(r(5), {r(1), r(3), r(0), r(8)}, kAsync)};
  for (unsigned i = 0; i < 30; ++i) source.code[0].push_back(addi(r(21), r(21), 1));
  source.code[1] = Instructions(9, add(r(20), r(20), r(20)));
  source.code[1].push_back(receive(r(4), {r(1), r(3), r(0), r(9)}));
  expect_mismatch(source, "reg_len", "reg_len", 4, 8);
  Rig rig(2);
  rig.run(source);
  EXPECT_EQ(rig.machine.state(0).counter, 1U);
  // The receive issues in cycle 10. By then the sender has issued instructions 0 to 8, and 9 in the same cycle, before the higher core.
  EXPECT_EQ(rig.general(0, 21), 8U);
  EXPECT_EQ(rig.machine.state(0).fault_time, 1010U);
  EXPECT_EQ(rig.machine.counters(0).cycles, 11U) << "the instruction that issued in cycle 10 ends";
  // The same with a sender that has ended.
  source.code[0].resize(2);
  expect_mismatch(source, "reg_len", "reg_len", 4, 8);
  // And with one that waits in a barrier, which then lacks it.
  source.code[0].push_back(barrier(r(0), r(11)));
  source.code[0].push_back(barrier(r(0), r(6)));
  expect_mismatch(source, "reg_len", "reg_len", 4, 8);
}

TEST(PimMessages, AMessageOfACoreThatFaultsLaterStillArrives) {
  Source source = cores_source(2);
  source.code[0] = {send(r(5), {r(1), r(3), r(0), r(8)}, kAsync), {0xFFFFFFFF}};
  source.code[1] = Instructions(50, add(r(20), r(20), r(20)));
  source.code[1].push_back(receive(r(4), {r(1), r(3), r(0), r(8)}));
  Rig rig(2);
  rig.set_word(0, data_space, 0, 11);
  rig.run(source);
  EXPECT_EQ(rig.status().code(), ErrorCode::unknown_instruction);
  EXPECT_EQ(rig.word(1, output_space, 0), 11U);
  EXPECT_EQ(rig.machine.outcome().waiting, 0U);
}

TEST(PimMessages, ACoreMayHaveManyMessagesOpenAndThenWaitsForRoom) {
  // 1,100 sends in a loop, before the first is received.
  Source source = cores_source(2);
  source.set(0, 20, 1100).set(1, 20, 1100).set(1, 23, 3000);
  source.code[0] = {send(r(5), {r(1), r(3), r(0), r(8)}, kAsync), addi(r(21), r(21), 1), bne(r(20), r(21), -2)};
  source.code[1] = {addi(r(22), r(22), 1), blt(r(22), r(23), -1), addi(r(21), r(21), 1), receive(r(4), {r(1), r(3), r(0), r(8)}, kAsync),
                    bne(r(20), r(21), -2)};
  Rig rig(2);
  rig.run(source);
  ASSERT_TRUE(rig.status().ok()) << error_name(rig.status().code());
  EXPECT_EQ(rig.machine.counters(0).messages_sent, 1100U);
  EXPECT_GT(rig.machine.counters(0).stalled_for(Stall::message), 0U);
  source.code[1].clear();
  rig.run(source);
  EXPECT_EQ(rig.status().code(), ErrorCode::deadlock);
  EXPECT_EQ(rig.machine.state(0).phase, Phase::message);
  EXPECT_EQ(rig.machine.state(0).open_messages, 1024U);
}

}  // namespace cox::model::pim::testing::messages_test
