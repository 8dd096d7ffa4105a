// SPDX-License-Identifier: MIT
// The flag that each bit of a mask stands for, and the flags and the pipe of an instruction.
#include <gtest/gtest.h>

#include "tests/isa/cube/instruction.h"

namespace cox::isa::cube {
namespace {

constexpr Pipe kMTE2 = Pipe::MTE2, kMTE1 = Pipe::MTE1, kM = Pipe::M, kFIX = Pipe::FIX;

/// A mask of the pipe `own` has eight bits for each of the other three pipes, in the order MTE2, MTE1, M, FIX (docs/isa/cube.md, Flags).
/// The first of the bits for `other` is `first`.
const struct {
  Pipe own, other;
  unsigned first;
} kPairs[] = {{kMTE2, kMTE1, 0}, {kMTE2, kM, 8}, {kMTE2, kFIX, 16}, {kMTE1, kMTE2, 0}, {kMTE1, kM, 8},   {kMTE1, kFIX, 16},
              {kM, kMTE2, 0},    {kM, kMTE1, 8}, {kM, kFIX, 16},    {kFIX, kMTE2, 0},  {kFIX, kMTE1, 8}, {kFIX, kM, 16}};

TEST(Flags, MaskBitOfAllPairs) {
  for (const auto &pair : kPairs) {
    for (unsigned event = 0; event < 8; ++event) {
      EXPECT_EQ(mask_bit(pair.own, pair.other, event), pair.first + event);
      EXPECT_EQ(other_pipe(pair.own, pair.first + event), pair.other);
    }
  }
}

TEST(Flags, PipeOfEachInstruction) {
  const struct {
    Opcode opcode;
    Pipe pipe;
  } kPipes[] = {{Opcode::DRAM_TO_L1, kMTE2},    {Opcode::L1_TO_L0A, kMTE1}, {Opcode::L1_TO_L0B, kMTE1}, {Opcode::IM2COL_CFG, kMTE1},
                {Opcode::IM2COL_TO_L0A, kMTE1}, {Opcode::L1_TO_BT, kMTE1},  {Opcode::MAD, kM},          {Opcode::OUT_CFG, kFIX},
                {Opcode::L0C_TO_DRAM, kFIX},    {Opcode::L0C_TO_L1, kFIX},  {Opcode::BARRIER, kMTE2}};
  for (const auto &one : kPipes) EXPECT_EQ(pipe_of(smallest(one.opcode)), one.pipe) << instruction_of(one.opcode).name;
  for (const Pipe pipe : kAllPipes) {
    EXPECT_EQ(pipe_of(instruction(Opcode::SET_FLAG, {{"Pipe", static_cast<int>(pipe)}})), pipe);
    EXPECT_EQ(pipe_of(instruction(Opcode::WAIT_FLAG, {{"Pipe", static_cast<int>(pipe)}})), pipe);
  }
}

TEST(Flags, MasksOfASlot) {
  const Flags flags = flags_of(instruction(Opcode::MAD, {{"Wait", 0x800001}, {"Set", 0x00A500}}));
  EXPECT_EQ(flags.wait, 0x800001U);
  EXPECT_EQ(flags.set, 0x00A500U);
}

TEST(Flags, SetFlagAndWaitFlag) {
  for (const auto &pair : kPairs) {
    for (unsigned event = 0; event < 8; ++event) {
      const int own = static_cast<int>(pair.own), other = static_cast<int>(pair.other);
      const Flags set = flags_of(instruction(Opcode::SET_FLAG, {{"Pipe", own}, {"Target", other}, {"Event", event}}));
      EXPECT_EQ(set.set, 1U << (pair.first + event));
      EXPECT_EQ(set.wait, 0U);
      const Flags wait = flags_of(instruction(Opcode::WAIT_FLAG, {{"Pipe", own}, {"Origin", other}, {"Event", event}}));
      EXPECT_EQ(wait.wait, 1U << (pair.first + event));
      EXPECT_EQ(wait.set, 0U);
    }
  }
  // A SET_FLAG sets its own flag, given by Pipe, Target and Event, and also the flags of its mask Set.
  const Flags both = flags_of(instruction(Opcode::SET_FLAG, {{"Pipe", 2}, {"Target", 3}, {"Event", 1}, {"Wait", 4}, {"Set", 1}}));
  EXPECT_EQ(both.wait, 4U);
  EXPECT_EQ(both.set, (1U << 17) + 1U);
  // A pipe cannot set a flag for itself: resolve() refuses that, and flags_of() gives no flags.
  EXPECT_EQ(flags_of(begin(Opcode::SET_FLAG)).set, 0U);
  EXPECT_EQ(flags_of(begin(Opcode::WAIT_FLAG)).wait, 0U);
}

}  // namespace
}  // namespace cox::isa::cube
