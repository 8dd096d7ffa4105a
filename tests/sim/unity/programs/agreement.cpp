// SPDX-License-Identifier: MIT
#include "tests/sim/unity/programs/agreement.h"

#include <gtest/gtest.h>

#include "tests/sim/unity/programs/rig.h"

namespace cox::test::unity_programs {

using model::unity::Path;

namespace {

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

}  // namespace

void expect_agreement(const Program &program, Interpreter &interpreter, std::uint64_t seed) {
  const Status status = interpreter.run();
  ASSERT_TRUE(status) << text_of(status);
  expect_equal(interpreter, program, Path::fast, 0);
  expect_equal(interpreter, program, Path::fast, 2 * seed + 1);
  expect_equal(interpreter, program, Path::reference, 2 * seed + 2);
}

}  // namespace cox::test::unity_programs
