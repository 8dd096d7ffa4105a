// SPDX-License-Identifier: MIT
// What the check of a program reports: wrong instructions, faults, deadlocks with the cores that wait, and accesses that nothing orders.
#include <gtest/gtest.h>

#include "tests/tools/pim/text.h"
#include "tools/pim/check_program.h"

namespace cox::tools::pim::check_test {
namespace {

Report check(const std::string &text, std::uint64_t most_cycles = kMostCheckedCycles) {
  const std::vector<std::uint8_t> bytes = build_program(assemble_program(text, "test.pim").parts);
  return check_program({.stream = bytes, .windows = {}, .constants = {}}, {}, most_cycles);
}

/// The errors, one a line, each behind its kind.
std::string errors(const std::string &text) {
  std::string all;
  for (const Finding &finding : check(text).errors) all += finding.kind + ": " + finding.message + "\n";
  return all;
}

// Registers of messages: r1 the other core, r2 the source, r3 the destination, r4 the id, r5 the bytes.
const std::string kRegisters = ".set r2 = input\n.set r3 = output\n.set r4 = 9\n.set r5 = 64\n.set r1 = CORES - 1 - CORE\n";
std::string two_cores(const std::string &first, const std::string &second) {
  return ".core 0\n" + kRegisters + first + "\n.core 1\n" + kRegisters + second + "\n";
}

TEST(CheckPim, AProgramWithoutMistakes) {
  EXPECT_EQ(errors("li r1, 5\nloop: addi r1, r1, -1\nli r2, 0\nbgt r1, r2, loop"), "");
  EXPECT_EQ(errors(two_cores("send r2, r1, r3, r4, r5", "receive r1, r2, r3, r4, r5")), "");
}

TEST(CheckPim, Instructions) {
  EXPECT_EQ(errors("nop\n.word 0x80000008"),
            "reserved_bits: core 0, instruction 1 (.word 0x80000008): reserved_bits: add: bit 3 must be 0\n");
  EXPECT_EQ(errors("pim-batch r1, r2, r3, r4\nnop"),
            "batch_without_compute: core 0, instruction 0 (pim-batch r1, r2, r3, r4): no pim-compute follows it\n");
  const Report report = check("jmp end\nbeq r1, r2, .+5\nend:");
  EXPECT_TRUE(report.errors.empty());
  ASSERT_EQ(report.warnings.size(), 1U);
  EXPECT_EQ(report.warnings[0].message, "core 0, instruction 1 (beq r1, r2, .+5): its target, instruction 6, is not in the core's code");
}

TEST(CheckPim, Copies) {
  EXPECT_EQ(errors("nop\n.load 0x80000, dram, 0x100000"),
            "address_outside_buffer: address_outside_buffer: copy 0: 0x80000 lies in no local memory and not in the array\n");
}

TEST(CheckPim, FaultsOfSeveralCores) {
  const std::string text =
      errors(".core 0\nli r1, 0x90\nlui r1, 0x50\nload-local r2, r1, 0\nli r1, -4\nload-local r2, r1\n.core 1\nnop\njmp .-5\n");
  EXPECT_NE(text.find("address_outside_buffer: core 0, instruction 5 (load-local r2, r1): address_outside_buffer: rs1"), std::string::npos)
      << text;
  EXPECT_NE(text.find("branch_outside_program: core 1, instruction 1 (jmp .-5): branch_outside_program"), std::string::npos) << text;
}

TEST(CheckPim, ADeadlockNamesTheCoresAndWhatTheyWaitFor) {
  EXPECT_EQ(errors(two_cores("receive r1, r2, r3, r4, r5", "receive r1, r2, r3, r4, r5")),
            "deadlock: deadlock: cores 0 and 1 can never go on\n"
            "  core 0, instruction 0 (receive r1, r2, r3, r4, r5): waits for core 1 to send the message with id 9\n"
            "  core 1, instruction 0 (receive r1, r2, r3, r4, r5): waits for core 0 to send the message with id 9\n");
  EXPECT_EQ(errors(".core 0-2\n.set r1 = 7\n.set r2 = 3\n.set r3 = CORE\n.set r4 = 2\nbeq r3, r4, end\nbarrier r1, r2\nend:\n"),
            "deadlock: deadlock: cores 0 and 1 can never go on\n"
            "  core 0, instruction 1 (barrier r1, r2): waits at barrier 7 of 3 cores, where cores 0 and 1 have arrived\n"
            "  core 1, instruction 1 (barrier r1, r2): waits at barrier 7 of 3 cores, where cores 0 and 1 have arrived\n");
  EXPECT_EQ(errors(two_cores("send r2, r1, r3, r4, r5, async\nwait r1, r4", "nop")),
            "deadlock: deadlock: core 0 can never go on\n"
            "  core 0, instruction 1 (wait r1, r4): waits for messages with core 1 and id 9\n"
            "    core 0, instruction 0 (send r2, r1, r3, r4, r5, async): core 1 has not received this message, id 9\n");
  EXPECT_EQ(errors(two_cores("send r2, r1, r3, r4, r5, async", "nop")),
            "deadlock: deadlock: core 0 can never go on\n"
            "  core 0: has ended after 1 instruction; messages that have not arrived: 1\n"
            "    core 0, instruction 0 (send r2, r1, r3, r4, r5, async): core 1 has not received this message, id 9\n");
  // The wait is for another id than the message that the core has left open.
  EXPECT_EQ(errors(two_cores("li r6, 5\nreceive r1, r2, r2, r6, r5, async\nreceive r1, r2, r3, r4, r5, async\nwait r1, r4", "nop")),
            "deadlock: deadlock: core 0 can never go on\n"
            "  core 0, instruction 3 (wait r1, r4): waits for messages with core 1 and id 9\n"
            "    core 0, instruction 2 (receive r1, r2, r3, r4, r5, async): core 1 has not sent this message, id 9\n");
}

TEST(CheckPim, AProgramThatDoesNotEnd) {
  const Report report = check("loop: jmp loop", 5000);
  EXPECT_TRUE(report.errors.empty());
  ASSERT_EQ(report.warnings.size(), 1U);
  EXPECT_EQ(report.warnings[0].message, "the check stopped the program after 5000 cycles");
}

// DRAM: r6 is an address in window 0.
TEST(CheckPim, TwoCoresAtTheSameBytesOfDram) {
  const std::string store = ".set r6 = dram + 32\nstore-global r0, r6\n", load = ".set r6 = dram + 34\nload-global r0, r6\n";
  EXPECT_EQ(errors(two_cores(store, load)),
            "hazard: core 0, instruction 0 (store-global r0, r6) writes bytes 0x22 to 0x23 of window 0, which core 1, instruction 0 "
            "(load-global r0, r6) reads; nothing orders the two\n");
  // Two reads, or other bytes, or an order by a message or a barrier: no hazard.
  EXPECT_EQ(errors(two_cores(load, load)), "");
  EXPECT_EQ(errors(two_cores(store, ".set r6 = dram + 36\nload-global r0, r6\n")), "");
  EXPECT_EQ(errors(two_cores(store + "send r2, r1, r3, r4, r5", "receive r1, r2, r3, r4, r5\n" + load)), "");
  const std::string barrier = "li r7, 1\nli r8, 2\nbarrier r7, r8\n";
  EXPECT_EQ(errors(two_cores(store + barrier, barrier + load)), "");
  // The order of a synchronous message holds both ways: its sender goes on after the receiver has arrived.
  EXPECT_EQ(errors(two_cores("send r2, r1, r3, r4, r5\n" + store, load + "receive r1, r2, r3, r4, r5\n")), "");
  // An asynchronous one orders what follows the wait.
  EXPECT_NE(errors(two_cores(store + "send r2, r1, r3, r4, r5", "receive r1, r2, r3, r4, r5, async\n" + load + "wait r1, r4\n")), "");
  EXPECT_EQ(errors(two_cores(store + "send r2, r1, r3, r4, r5", "receive r1, r2, r3, r4, r5, async\nwait r1, r4\n" + load)), "");
  EXPECT_NE(errors(two_cores("send r2, r1, r3, r4, r5, async\n" + store, load + "receive r1, r2, r3, r4, r5\n")), "");
  EXPECT_EQ(errors(two_cores("send r2, r1, r3, r4, r5, async\nwait r1, r4\n" + store, load + "receive r1, r2, r3, r4, r5\n")), "");
}

TEST(CheckPim, EachPairIsReportedOnce) {
  const std::string loop = "li r9, 10\nloop: addi r9, r9, -1\n.set r6 = dram\nstore-global r9, r6\nbgt r9, r10, loop\n";
  EXPECT_LE(check(two_cores(loop, loop)).errors.size(), 2U);
  EXPECT_GE(check(two_cores(loop, loop)).errors.size(), 1U);
}

TEST(CheckPim, BytesOfAMessageThatMayBeOnItsWay) {
  EXPECT_EQ(
      errors(two_cores("send r2, r1, r3, r4, r5", "receive r1, r2, r3, r4, r5, async\nload-local r6, r3, 60\nwait r1, r4\n")),
      "hazard: core 1, instruction 1 (load-local r6, r3, 60) reads bytes 0x3c to 0x3f of output, where the data of core 1, instruction "
      "0 (receive r1, r2, r3, r4, r5, async) may not have arrived\n");
  EXPECT_EQ(errors(two_cores("send r2, r1, r3, r4, r5", "receive r1, r2, r3, r4, r5, async\nload-local r6, r3, 64\nwait r1, r4\n")), "");
  EXPECT_EQ(errors(two_cores("send r2, r1, r3, r4, r5", "receive r1, r2, r3, r4, r5, async\nwait r1, r4\nload-local r6, r3, 60\n")), "");
  EXPECT_EQ(
      errors(two_cores("send r2, r1, r3, r4, r5, async\nstore-local r6, r2\nwait r1, r4\n", "receive r1, r2, r3, r4, r5")),
      "hazard: core 0, instruction 1 (store-local r6, r2) writes bytes 0x0 to 0x3 of input, which core 0, instruction 0 (send r2, r1, "
      "r3, r4, r5, async) may still read\n");
  EXPECT_EQ(errors(two_cores("send r2, r1, r3, r4, r5, async\nload-local r6, r2\nwait r1, r4\n", "receive r1, r2, r3, r4, r5")), "");
  EXPECT_EQ(errors(two_cores("send r2, r1, r3, r4, r5, async\nwait r1, r4\nstore-local r6, r2\n", "receive r1, r2, r3, r4, r5")), "");
}

TEST(CheckPim, WhatIsNoProgram) {
  const std::vector<std::uint8_t> bytes(7);
  EXPECT_EQ(check_program({.stream = bytes, .windows = {}, .constants = {}}, {}).errors.at(0).message,
            "stream_truncated: the program has 7 bytes, and a part of it ends at byte 32");
}

TEST(CheckPim, MoreCoresThanTheDeviceHas) {
  EXPECT_EQ(errors(".core 0-16\nnop"), "image_geometry: image_geometry: the program has 17 cores, the device 16\n");
}

}  // namespace
}  // namespace cox::tools::pim::check_test
