// SPDX-License-Identifier: MIT
// The debugger's commands and what they print.
#include "tools/pim/debugger.h"

#include <gtest/gtest.h>

#include <sstream>

#include "tests/tools/pim/text.h"
#include "tools/pim/open_program.h"

namespace cox::tools::pim::debugger_test {
namespace {

/// What the debugger prints for commands, one a line.
std::string session(const std::string &text, const std::string &commands) {
  const std::vector<std::uint8_t> bytes = build_program(assemble_program(text, "test.pim").parts);
  const isa::pim::Program program = open_program(bytes, "test.pims");
  WindowMemory memory;
  memory.add_window(0, 4096, true);
  std::istringstream in(commands);
  std::ostringstream out;
  Debugger(program, {}, memory, out).run(in, false);
  return out.str();
}

const std::string kLoop = "li r1, 2\nli r2, input\nloop: store-local r1, r2\naddi r1, r1, -1\nbgt r1, r0, loop\n";

TEST(DebuggerPim, Steps) {
  EXPECT_EQ(session(kLoop, "step\nstep 2\nregisters\nmemory input 0 4\nlist 1\nstep 100\nregisters\nquit\nstep\n"),
            "cycle 0: core 0, instruction 0 (general-li r1, 2): is next; the core is halted\n"
            "cycle 1: core 0, instruction 1 (general-li r2, 1048576): is next; the core is halted\n"
            "cycle 3: core 0, instruction 3 (addi r1, r1, -1): is next; the core is halted\n"
            "  r1                     0x00000002  2\n"
            "  r2                     0x00100000  1048576\n"
            "  0x000000  02 00 00 00\n"
            "cycle 3: core 0, instruction 3 (addi r1, r1, -1): is next; the core is halted\n"
            "        2  a4410000  store-local r1, r2\n"
            "->      3  9021ffff  addi r1, r1, -1\n"
            "        4  e820fffe  bgt r1, r0, 2\n"
            "the program has ended at cycle 9\n"
            "  r2                     0x00100000  1048576\n");
}

TEST(DebuggerPim, Breakpoints) {
  EXPECT_EQ(session(kLoop, "break 3\ncontinue\ncontinue\ndelete 3\ncontinue\n"),
            "cycle 0: core 0, instruction 0 (general-li r1, 2): is next; the core is halted\n"
            "halts before core 0, instruction 3 (addi r1, r1, -1)\n"
            "cycle 4: core 0, instruction 3 (addi r1, r1, -1): is next; the core is halted\n"
            "cycle 7: core 0, instruction 3 (addi r1, r1, -1): is next; the core is halted\n"
            "does not halt before core 0, instruction 3 (addi r1, r1, -1)\n"
            "the program has ended at cycle 9\n");
}

TEST(DebuggerPim, SeveralCores) {
  const std::string text = session(
      ".core 0\n.set r1 = 1\n.set r2 = input\n.set r3 = output\n.set r5 = 4\nsend r2, r1, r3, r4, r5\n"
      ".core 1\n.set r2 = input\n.set r3 = output\n.set r5 = 4\nnop\nreceive r1, r2, r3, r4, r5\n",
      "step\ncores\ncore 1\nbreak 1:1\ncontinue\nstep\ncontinue\ncores\n");
  EXPECT_NE(text.find("core 0, instruction 0 (send r2, r1, r3, r4, r5): waits for core 1 to receive the message with id 0\n"
                      "-> core 0, instruction 0 (send r2, r1, r3, r4, r5): waits for core 1 to receive the message with id 0\n"
                      "   core 1, instruction 0 (addi r0, r0, 0): is next; the core is halted\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("halts before core 1, instruction 1 (receive r1, r2, r3, r4, r5)\n"), std::string::npos) << text;
  EXPECT_NE(text.find("the program has ended at cycle"), std::string::npos) << text;
}

TEST(DebuggerPim, AFaultAndADeadlock) {
  const std::string fault = session("li r1, 0x90000\nload-local r2, r1, 0\n", "continue\n");
  EXPECT_NE(fault.find("the program has failed at cycle"), std::string::npos) << fault;
  EXPECT_NE(fault.find("\ncore 0, instruction 1 (load-local r2, r1): address_outside_buffer: rs1 (r1): 0x00090000 is no address"),
            std::string::npos)
      << fault;
  const std::string deadlock = session(".core 0-1\n.set r1 = 1 - CORE\nwait r1, r2\nsend r2, r1, r2, r3, r4\n", "continue\n");
  EXPECT_NE(deadlock.find("  core 1, instruction 1 (send r2, r1, r2, r3, r4): waits for core 0 to receive the message with id 0\n"),
            std::string::npos)
      << deadlock;
}

TEST(DebuggerPim, WhatIsNotUnderstood) {
  const std::string all = session(
      "nop\n", "stop\nbreak\nbreak 7\nbreak 3:0\ncore\ncore 7\nmemory\nmemory inpt\nmemory input 0x3ffff 2\nmemory dram0 5000\nhelp\n");
  EXPECT_NE(all.find("'stop' is not a command; did you mean \"step\"?; help lists them\n"), std::string::npos) << all;
  EXPECT_NE(all.find("break: the number of an instruction is missing\n"), std::string::npos) << all;
  EXPECT_NE(all.find("'7' is not an instruction of core 0, which has 1\n"), std::string::npos) << all;
  EXPECT_NE(all.find("'3' is not a core of the program, which has 1\n"), std::string::npos) << all;
  EXPECT_NE(all.find("core: the number of a core is missing\n"), std::string::npos) << all;
  EXPECT_NE(all.find("there is no core 7; the program has 1\n"), std::string::npos) << all;
  EXPECT_NE(all.find("memory: the name of a memory is missing\n"), std::string::npos) << all;
  EXPECT_NE(all.find("there is no memory 'inpt'; did you mean \"input\"?\n"), std::string::npos) << all;
  EXPECT_NE(all.find("input has 262144 bytes\n"), std::string::npos) << all;
  EXPECT_NE(all.find("dram0 has 4096 bytes\n"), std::string::npos) << all;
  EXPECT_NE(all.find("step [N]"), std::string::npos) << all;
}

}  // namespace
}  // namespace cox::tools::pim::debugger_test
