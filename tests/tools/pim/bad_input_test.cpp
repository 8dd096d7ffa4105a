// SPDX-License-Identifier: MIT
// What `cox check` and `cox run` say about programs that are wrong: core, number and text of the instruction, field, and value. The tests
// of the instruction set and of the machine (tests/isa/pim, tests/sim/pim/machine) show that a fault changes nothing and stops only its
// core.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <sstream>

#include "coxswain/isa/pim/build.h"
#include "tests/tools/pim/text.h"
#include "tools/pim/check_program.h"

namespace cox::tools::pim::bad_input_test {
namespace {

/// Leaves out each .set of a core that a later one replaces.
std::string last_settings(const std::string &text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line); lines.push_back(line)) {
    if (!line.starts_with(".set ")) continue;
    const std::string name = line.substr(0, line.find('='));
    for (auto earlier = lines.rbegin(); earlier != lines.rend() && !earlier->starts_with(".core"); ++earlier) {
      if (earlier->starts_with(name)) earlier->clear();
    }
  }
  std::string all;
  for (const std::string &line : lines) all += line + "\n";
  return all;
}

/// The errors and warnings, one a line.
std::string complaints(const std::string &program) {
  const std::string text = last_settings(program);
  const std::vector<std::uint8_t> bytes = build_program(assemble_program(text, "test.pim").parts);
  const Report report = check_program({.stream = bytes, .windows = {}, .constants = {}}, {});
  std::string all;
  for (const Finding &finding : report.errors) all += finding.message + "\n";
  for (const Finding &finding : report.warnings) all += "warning: " + finding.message + "\n";
  return all;
}

/// Registers with which pim-compute r1, r2, r3 and pim-output r4, r5, r6 are right, then `changes`.
std::string array_program(const std::string &changes, const std::string &instruction) {
  return ".set input_bit_width = 8\n.set weight_bit_width = 8\n.set output_bit_width = 32\n.set activation_group_num = 1\n"
         ".set activation_column_num = 16\n.set group_size = 16\n.set r1 = input\n.set r2 = 32\n.set r4 = output\n.set r6 = mask_buffer\n"
         ".set value_sparse_mask = mask_buffer\n" +
         changes + "\nnop\n" + instruction + "\n";
}

TEST(BadInputPim, TheArrayProgramIsRight) {
  EXPECT_EQ(complaints(array_program("", "pim-compute r1, r2, r3, group\npim-output r4, r5, r6, outsum")), "");
}

TEST(BadInputPim, IllegalEncodings) {
  EXPECT_EQ(complaints("nop\n.word 0xffffffff"),
            "core 0, instruction 1 (.word 0xffffffff): unknown_instruction: no instruction has these bits\n");
  EXPECT_EQ(complaints("nop\n.word 0x80000008"), "core 0, instruction 1 (.word 0x80000008): reserved_bits: add: bit 3 must be 0\n");
}

TEST(BadInputPim, SpecialRegistersThatDoNotExist) {
  for (const unsigned number : {9U, 15U, 21U, 31U}) {
    const std::string word = fmt::format(".word {:#010x}", isa::pim::build::special_li(static_cast<isa::pim::Special>(number), 0)[0]);
    EXPECT_EQ(complaints("nop\n" + word),
              fmt::format("core 0, instruction 1 ({}): field_out_of_range: rd: there is no special register {}\n", word, number));
  }
}

TEST(BadInputPim, WidthsOutOfRange) {
  const std::string compute = "pim-compute r1, r2, r3, group", at = "core 0, instruction 1 (" + compute + "): field_out_of_range: ";
  EXPECT_EQ(complaints(array_program(".set input_bit_width = 3", compute)),
            at + "input_bit_width: 3 is no width; 1, 2, 4, 8, 16 and 32 are\n");
  EXPECT_EQ(complaints(array_program(".set weight_bit_width = 64", compute)),
            at + "weight_bit_width: 64 is no width; 1, 2, 4, 8, 16 and 32 are\n");
  EXPECT_EQ(complaints(array_program("", "pim-compute r1, r2, r3, bit_sparse, group")),
            "core 0, instruction 1 (pim-compute r1, r2, r3, bit_sparse, group): field_out_of_range: weight_bit_width: 8 must be 1 with "
            "bit_sparse\n");
}

TEST(BadInputPim, GroupsThatTheConfigurationLacks) {
  const std::string compute = "pim-compute r1, r2, r3, group", at = "core 0, instruction 1 (" + compute + "): field_out_of_range: ";
  EXPECT_EQ(complaints(array_program(".set group_size = 24", compute)), at + "group_size: the array has no groups of 24 macros\n");
  EXPECT_EQ(complaints(array_program(".set activation_group_num = 17", compute)), at + "activation_group_num: 17; 16 is the most\n");
  EXPECT_EQ(complaints(array_program(".set activation_column_num = 129", compute)), at + "activation_column_num: 129; 128 is the most\n");
  EXPECT_EQ(complaints(array_program(".set activation_column_num = 0", compute)), at + "activation_column_num: 0; 1 is the least\n");
  EXPECT_EQ(complaints(array_program(".set r3 = 16", compute)), at + "rs3 (r3): 16; 15 is the most\n");
}

TEST(BadInputPim, AddressesOutsideOrAcrossMemories) {
  EXPECT_EQ(complaints(".set r7 = 0x90000000 - 0x10000000 - 0x100000\nload-local r8, r7"),
            "core 0, instruction 0 (load-local r8, r7): address_outside_buffer: rs1 (r7): 0x7ff00000 is no address of a memory that "
            "load-local reaches\n");
  EXPECT_EQ(
      complaints(".set r7 = input + 0x3fffe\nload-local r8, r7"),
      "core 0, instruction 0 (load-local r8, r7): address_outside_buffer: rs1 (r7): the bytes from 0x0013fffe on pass the end of their "
      "memory, 0x00140000\n");
  EXPECT_EQ(complaints(".set r7 = input\nload-global r8, r7"),
            "core 0, instruction 0 (load-global r8, r7): address_outside_window: rs1 (r7): 0x00100000 is no address of DRAM\n");
  EXPECT_EQ(complaints(".set r7 = dram + 0x400000 - 2\nload-global r8, r7"),
            "core 0, instruction 0 (load-global r8, r7): address_outside_window: rs1 (r7): the bytes from 0x3ffffe on pass the end of the "
            "program's window, which has 0x400000\n");
}

TEST(BadInputPim, ABatchWithoutItsCompute) {
  EXPECT_EQ(complaints("nop\npim-batch r1, r2, r3, r4"), "core 0, instruction 1 (pim-batch r1, r2, r3, r4): no pim-compute follows it\n");
  EXPECT_EQ(complaints(array_program("", "pim-batch r3, r2, r3, r3\npim-compute r1, r2, r3, group")),
            "core 0, instruction 2 (pim-compute r1, r2, r3, group): field_out_of_range: rs1 (r3) of the pim-batch: 0; 1 is the least\n");
}

TEST(BadInputPim, MasksOfComputesAndOutputs) {
  // 33 inputs are set for macro 0.
  EXPECT_EQ(complaints(array_program(".set r2 = 40\n.set r7 = -1\n.set r6 = mask_buffer",
                                     "store-local r7, r6\nli r8, 1\nstore-local r8, r6, 4\npim-compute r1, r2, r3, value_sparse, group")),
            "core 0, instruction 4 (pim-compute r1, r2, r3, value_sparse, group): field_out_of_range: value_sparse_mask: 33 inputs are set "
            "for macro 0, which has 32 compartments\n");
  EXPECT_EQ(
      complaints(array_program(".set r5 = 16\n.set r7 = 0x8000", "store-local r7, r6\npim-output r4, r5, r6, outsum")),
      "core 0, instruction 2 (pim-output r4, r5, r6, outsum): field_out_of_range: rs2 (r6): the last bit of the mask, 15, is set, but no "
      "sum follows\n");
}

TEST(BadInputPim, CountsBelow0) {
  EXPECT_EQ(complaints(array_program(".set r2 = -1", "pim-compute r1, r2, r3, group")),
            "core 0, instruction 1 (pim-compute r1, r2, r3, group): field_out_of_range: rs2 (r2): -1 is below 0\n");
  EXPECT_EQ(complaints(".set r2 = -8\ntrans r1, r1, r2"),
            "core 0, instruction 0 (trans r1, r1, r2): field_out_of_range: rs2 (r2): -8 is below 0\n");
}

TEST(BadInputPim, SimdOperationsAndTheirOperands) {
  EXPECT_EQ(
      complaints("simd-compute r1, r2, r3, r4, opcode=99, input_num=1"),
      "core 0, instruction 0 (simd-compute r1, r2, r3, r4, input_num=1, opcode=0x63): unsupported: opcode: 0x63 is no SIMD operation\n");
  EXPECT_EQ(
      complaints("simd-compute r1, r2, r3, r4, opcode=0, input_num=3"),
      "core 0, instruction 0 (simd-compute r1, r2, r3, r4, input_num=3, opcode=0x00): unsupported: the operation does not take 4 inputs\n");
}

TEST(BadInputPim, AnElementOfASimdInput) {
  // The shift of the third element is 32.
  EXPECT_EQ(
      complaints(".set r1 = output\n.set r2 = input\n.set r3 = data\n.set r4 = 3\n.set r5 = 32\n"
                 ".set simd_input1_bit_width = 32\n.set simd_input2_bit_width = 32\n.set simd_input3_bit_width = 32\n"
                 ".set simd_output_bit_width = 32\nstore-local r5, r3, 8\nsimd-quantify r1, r2, r3, r4, inputs=3\n"),
      "core 0, instruction 1 (simd-quantify r1, r2, r3, r4, inputs=3): field_out_of_range: rs2 (r3): element 2 is 32; 31 is the most\n");
}

TEST(BadInputPim, ABranchOutOfTheProgram) {
  EXPECT_EQ(complaints("nop\njmp .+5"),
            "core 0, instruction 1 (jmp .+5): branch_outside_program: the target, instruction 6, is not in the core's code, which has 2\n"
            "warning: core 0, instruction 1 (jmp .+5): its target, instruction 6, is not in the core's code\n");
}

const std::string kRegisters =
    ".set r1 = 1 - CORE\n.set r2 = input\n.set r3 = output\n.set r4 = 9\n.set r5 = 64\n.set r6 = CORE\n.set r7 = CORES\n";
std::string two_cores(const std::string &first, const std::string &second) {
  return ".core 0\n" + kRegisters + first + "\n.core 1\n" + kRegisters + second + "\n";
}

TEST(BadInputPim, MessagesThatDisagree) {
  EXPECT_EQ(complaints(two_cores("send r2, r1, r3, r4, r5", ".set r5 = 32\nreceive r1, r2, r3, r4, r5")),
            "core 0, instruction 0 (send r2, r1, r3, r4, r5): message_mismatch: reg_len (r5): 64 bytes here, 32 on the other side\n"
            "core 1, instruction 0 (receive r1, r2, r3, r4, r5): message_mismatch: reg_len (r5): 32 bytes here, 64 on the other side\n");
  EXPECT_EQ(
      complaints(two_cores("send r2, r1, r3, r4, r5", ".set r3 = data\nreceive r1, r2, r3, r4, r5")),
      "core 0, instruction 0 (send r2, r1, r3, r4, r5): message_mismatch: rd2 (r3): 0x00200000 here, 0x00300000 on the other side\n"
      "core 1, instruction 0 (receive r1, r2, r3, r4, r5): message_mismatch: rd (r3): 0x00300000 here, 0x00200000 on the other side\n");
}

TEST(BadInputPim, MessagesThatNeverMeet) {
  EXPECT_EQ(complaints(two_cores("send r2, r1, r3, r4, r5", "receive r1, r2, r3, r3, r5")),
            "deadlock: cores 0 and 1 can never go on\n"
            "  core 0, instruction 0 (send r2, r1, r3, r4, r5): waits for core 1 to receive the message with id 9\n"
            "  core 1, instruction 0 (receive r1, r2, r3, r3, r5): waits for core 0 to send the message with id 2097152\n");
}

TEST(BadInputPim, MoreOpenMessagesThanACoreMayHave) {
  EXPECT_EQ(complaints(two_cores("li r8, 1025\nloop: send r2, r1, r3, r4, r5, async\naddi r8, r8, -1\nbgt r8, r0, loop", "nop")),
            "deadlock: core 0 can never go on\n"
            "  core 0, instruction 1 (send r2, r1, r3, r4, r5, async): waits for one of its 1024 open messages to arrive\n");
}

TEST(BadInputPim, MessagesToOneselfAndToNoCore) {
  EXPECT_EQ(complaints(two_cores("send r2, r6, r3, r4, r5", "nop")),
            "core 0, instruction 0 (send r2, r6, r3, r4, r5): own_core: rd1 (r6): core 0 names itself\n");
  EXPECT_EQ(complaints(two_cores("receive r7, r2, r3, r4, r5", "nop")),
            "core 0, instruction 0 (receive r7, r2, r3, r4, r5): field_out_of_range: rs1 (r7): there is no core 2; the program has 2\n");
  EXPECT_EQ(complaints(two_cores("wait r2, r3", "nop")),
            "core 0, instruction 0 (wait r2, r3): field_out_of_range: rs_core (r2): there is no core 1048576; the program has 2\n");
}

TEST(BadInputPim, BarriersThatDoNotMatch) {
  EXPECT_EQ(complaints(two_cores("barrier r4, r7", ".set r7 = 1\nnop\nbarrier r4, r7")),
            "core 1, instruction 1 (barrier r4, r7): barrier_mismatch: rs_num (r7): a barrier of 1 core; the core that came first says 2\n"
            "deadlock: core 0 can never go on\n"
            "  core 0, instruction 0 (barrier r4, r7): waits at barrier 9 of 2 cores, where core 0 has arrived\n");
  EXPECT_EQ(complaints(two_cores("barrier r4, r5", "nop")),
            "core 0, instruction 0 (barrier r4, r5): barrier_mismatch: rs_num (r5): a barrier of 64 cores; the program has 2\n");
  EXPECT_EQ(complaints(two_cores("barrier r4, r6", "nop")),
            "core 0, instruction 0 (barrier r4, r6): barrier_mismatch: rs_num (r6): a barrier of 0 cores; 1 is the least\n");
}

TEST(BadInputPim, AProgramThatNeverEnds) {
  EXPECT_EQ(complaints(".time_limit 1000\nloop: jmp loop"),
            "core 0, instruction 0 (jmp .+0): time_limit: the program did not end in 1000 cycles\n");
}

TEST(BadInputPim, DivisionBy0IsDefined) { EXPECT_EQ(complaints(".set r1 = 5\ndiv r2, r1, r0\nmod r3, r1, r0"), ""); }

}  // namespace
}  // namespace cox::tools::pim::bad_input_test
