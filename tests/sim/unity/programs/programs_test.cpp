// SPDX-License-Identifier: MIT
// Random programs: the machine with both paths and with random durations leaves the bytes and the keys of the interpreter.
#include <gtest/gtest.h>

#include "tests/sim/unity/programs/interpreter.h"
#include "tests/sim/unity/programs/random_program.h"
#include "tests/sim/unity/programs/rig.h"

namespace cox::test::unity_programs {
namespace {

using model::unity::Path;

void expect_equal(const Interpreter &interpreter, const Program &program, Path path, std::uint64_t seed) {
  SCOPED_TRACE(std::string(path == Path::fast ? "fast path" : "reference") + ", durations " + std::to_string(seed));
  const Result<Ran> result = run_on_machine(program, path, seed);
  ASSERT_TRUE(result) << text_of(result.status());
  const Ran &ran = result.value();
  ASSERT_TRUE(ran.outcome.status) << text_of(ran.outcome.status) << " at " << ran.outcome.position;
  ASSERT_EQ(ran.instructions, interpreter.instructions());
  for (unsigned i = 0; i < kAreas.size(); ++i) {
    const std::vector<std::byte> &expected = interpreter.memory().area(i), &actual = ran.memory.area(i);
    for (std::size_t byte = 0; byte < expected.size(); ++byte) {
      ASSERT_EQ(expected[byte], actual[byte]) << "area " << i << ", byte " << byte;
    }
  }
  for (unsigned table = 0; table < isa::unity::kKeyTables; ++table) {
    for (unsigned entry = 0; entry < isa::unity::kKeyEntries; ++entry) {
      ASSERT_EQ(ran.keys[table][entry], interpreter.key(table, entry)) << "key " << table << ':' << entry;
    }
  }
}

TEST(UnityPrograms, MachineAndInterpreterAgree) {
  const unsigned count = programs(1000);
  std::uint64_t instructions = 0;
  for (unsigned seed = 0; seed < count && !HasFailure(); ++seed) {
    SCOPED_TRACE("program " + std::to_string(seed));
    const Program program = random_program(seed);
    Interpreter interpreter(program);
    const Status status = interpreter.run();
    ASSERT_TRUE(status) << text_of(status);
    instructions += interpreter.instructions();
    expect_equal(interpreter, program, Path::fast, 0);
    expect_equal(interpreter, program, Path::fast, 2 * std::uint64_t{seed} + 1);
    expect_equal(interpreter, program, Path::reference, 2 * std::uint64_t{seed} + 2);
    if (HasFailure()) ADD_FAILURE() << text_of(program);
  }
  EXPECT_GT(instructions, std::uint64_t{count} * 5);
}

}  // namespace
}  // namespace cox::test::unity_programs
