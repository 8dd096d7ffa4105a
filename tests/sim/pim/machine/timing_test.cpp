// SPDX-License-Identifier: MIT
// Each rule of docs/pim.md, Timing, with cycles worked out by hand. In the comments, `[a, b)` are the cycles of an instruction.
#include <gtest/gtest.h>

#include "tests/sim/pim/machine/rig.h"

namespace cox::model::pim::testing::timing_test {

using namespace isa::pim::build;
using isa::pim::Special;

TEST(PimTiming, AProgramWithoutInstructionsTakesNoTime) { EXPECT_EQ(Rig().run(Source(2)), 0U); }

// The authors' core test 11: 58 scalar instructions take 59 cycles, whatever they are.
TEST(PimTiming, ScalarInstructionsTakeOneCycleEachAndOneToDecode) {
  Source source;
  Instructions &code = source.code[0];
  constant(code, 21, kInput);
  while (code.size() < 20) code.push_back(add(r(1), r(2), r(3)));
  while (code.size() < 40) code.push_back(code.size() % 2 == 0 ? store_local(r(1), r(21), 4) : load_local(r(2), r(21), 4));
  while (code.size() < 58) code.push_back(code.size() % 2 == 0 ? div(r(1), r(2), r(3)) : special_li(Special::group_size, 5));
  EXPECT_EQ(Rig().run(source), 59U);
}

// The authors' core test 12: four loops over beq, bne, bgt, blt, 68 instructions that run.
TEST(PimTiming, BranchesTakeOneCycle) {
  Source source;
  Instructions &code = source.code[0];
  const auto begin = [&] {
    code.push_back(general_li(r(0), 0));
    code.push_back(general_li(r(1), 5));
  };
  begin();
  code.push_back(beq(r(0), r(1), 3));
  code.push_back(addi(r(0), r(0), 1));
  code.push_back(jmp(-2));
  begin();
  code.push_back(jmp(2));
  code.push_back(addi(r(0), r(0), 1));
  code.push_back(bne(r(0), r(1), -1));
  begin();
  code.push_back(bgt(r(0), r(1), 3));
  code.push_back(addi(r(0), r(0), 1));
  code.push_back(jmp(-2));
  begin();
  code.push_back(jmp(2));
  code.push_back(addi(r(0), r(0), 1));
  code.push_back(blt(r(0), r(1), -1));
  code.push_back(general_li(r(0), 0));
  Rig rig;
  EXPECT_EQ(rig.run(source), 69U);
  EXPECT_EQ(rig.machine.counters(0).instructions, 68U);
}

}  // namespace cox::model::pim::testing::timing_test
