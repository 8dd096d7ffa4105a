// SPDX-License-Identifier: MIT
// Random programs: the machine with both paths and with random durations leaves the bytes and the keys of the interpreter.
#include <gtest/gtest.h>

#include "tests/sim/unity/programs/agreement.h"
#include "tests/sim/unity/programs/random_program.h"
#include "tests/sim/unity/programs/rig.h"

namespace cox::test::unity_programs {
namespace {

TEST(UnityPrograms, MachineAndInterpreterAgree) {
  const unsigned count = programs(1000);
  std::uint64_t instructions = 0;
  for (unsigned seed = 0; seed < count && !HasFailure(); ++seed) {
    SCOPED_TRACE("program " + std::to_string(seed));
    const Program program = random_program(seed);
    Interpreter interpreter(program);
    expect_agreement(program, interpreter, seed);
    instructions += interpreter.instructions();
    if (HasFailure()) ADD_FAILURE() << text_of(program);
  }
  EXPECT_GT(instructions, std::uint64_t{count} * 5);
}

}  // namespace
}  // namespace cox::test::unity_programs
