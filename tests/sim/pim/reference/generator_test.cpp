// SPDX-License-Identifier: MIT
// Properties of the random programs, by the slow interpreter.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "tests/sim/pim/reference/interpreter.h"
#include "tests/sim/pim/reference/random_program.h"

namespace cox::model::pim::oracle {
namespace generator_test {
namespace {

constexpr std::uint64_t kMostInstructions = 200000;

Interpreter prepared(const RandomProgram &program) {
  Interpreter interpreter(program.configuration, program.codes);
  interpreter.cores = program.cores;
  interpreter.dram = program.dram;
  return interpreter;
}

TEST(PimRandomPrograms, MostRunToTheirEnd) {
  unsigned ended = 0;
  constexpr unsigned kPrograms = 150;
  for (std::uint64_t seed = 0; seed < kPrograms; ++seed) {
    Interpreter interpreter = prepared(random_program(seed, {}));
    ASSERT_TRUE(interpreter.run(kMostInstructions)) << seed;
    ended += std::ranges::all_of(interpreter.faults(), [](const auto &fault) { return !fault; }) ? 1 : 0;
  }
  EXPECT_GE(ended, kPrograms * 3 / 4);
}

TEST(PimRandomPrograms, DoNotDependOnTheOrderOfCores) {
  for (const unsigned wrong : {0U, 100U}) {
    for (std::uint64_t seed = 0; seed < 150; ++seed) {
      const RandomProgram program = random_program(seed, {.wrong = wrong});
      Interpreter first = prepared(program), second = prepared(program);
      ASSERT_EQ(first.run(kMostInstructions), second.run(kMostInstructions, 1)) << seed;
      ASSERT_EQ(first.faults(), second.faults()) << seed;
      ASSERT_TRUE(first.cores == second.cores && first.dram == second.dram) << seed;
    }
  }
}

TEST(PimRandomPrograms, OfSeveralCoresHaveAllTheirFaults) {
  std::map<ErrorCode, unsigned> faults;
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    Interpreter interpreter = prepared(random_program(seed, {.actions = 6, .wrong = 40}));
    ASSERT_TRUE(interpreter.run(kMostInstructions)) << seed;
    for (const auto &fault : interpreter.faults()) {
      if (fault) ++faults[fault->code];
    }
  }
  for (const ErrorCode code : {ErrorCode::deadlock, ErrorCode::own_core, ErrorCode::message_mismatch, ErrorCode::barrier_mismatch}) {
    EXPECT_GE(faults[code], 2U) << error_name(code);
  }
}

}  // namespace
}  // namespace generator_test
}  // namespace cox::model::pim::oracle
