// SPDX-License-Identifier: MIT
// Each instruction of random programs changes registers and bytes, or faults, as the slow interpreter says: with resolve() and both paths
// of the model's arithmetic.
#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <string>

#include "tests/sim/pim/reference/candidate.h"
#include "tests/sim/pim/reference/random_program.h"

namespace cox::model::pim::oracle {
namespace instructions_test {
namespace {

unsigned programs() {
  const char *const text = std::getenv("COX_PIM_PROGRAMS");
  return text == nullptr ? 0 : static_cast<unsigned>(std::strtoul(text, nullptr, 10));
}

std::string difference(const Core &a, const Core &b) {
  for (unsigned i = 0; i < 32; ++i) {
    if (a.general[i] != b.general[i]) return "r" + std::to_string(i);
    if (a.special[i] != b.special[i]) return "special register " + std::to_string(i);
  }
  for (std::size_t i = 0; i < a.memories.size(); ++i) {
    if (a.memories[i] != b.memories[i]) return "memory " + std::to_string(i);
  }
  if (a.array != b.array) return "the array";
  for (std::size_t i = 0; i < a.outputs.size(); ++i) {
    if (a.outputs[i] != b.outputs[i]) return "output register " + std::to_string(i);
  }
  return a.counter == b.counter ? "" : "the counter";
}

std::string text(const std::optional<Fault> &fault) {
  return fault ? std::to_string(fault->instruction) + ": " + error_name(fault->code) : "no fault";
}

/// Runs one core of a program with all three, instruction by instruction. `opcodes` counts those that did not fault.
void compare(const RandomProgram &program, std::array<unsigned, 256> &opcodes, std::array<unsigned, 256> &faults) {
  Interpreter oracle(program.configuration, {program.codes[0]});
  oracle.cores = {program.cores[0]};
  oracle.dram = program.dram;
  Candidate reference(program.configuration, program.codes[0], program.cores[0], program.dram, Path::reference);
  Candidate fast(program.configuration, program.codes[0], program.cores[0], program.dram, Path::fast);
  for (unsigned step = 0; step < 3000; ++step) {
    const std::uint32_t at = oracle.cores[0].counter;
    if (!oracle.step(0)) break;
    const std::uint32_t word = program.codes[0][at];
    ++(oracle.faults()[0] ? faults[static_cast<unsigned>(oracle.faults()[0]->code)] : opcodes[static_cast<unsigned>(decode(word).opcode)]);
    for (Candidate *const candidate : {&reference, &fast}) {
      candidate->step();
      const char *const path = candidate == &fast ? "fast" : "reference";
      ASSERT_EQ(text(candidate->fault()), text(oracle.faults()[0])) << path << ", instruction " << at << " " << std::hex << word;
      ASSERT_EQ(difference(candidate->core(), oracle.cores[0]), "") << path << ", instruction " << at << " " << std::hex << word;
      ASSERT_TRUE(candidate->dram() == oracle.dram) << path << ", instruction " << at << " " << std::hex << word;
    }
  }
}

void campaign(unsigned count, const Shape &shape) {
  std::array<unsigned, 256> opcodes{}, faults{};
  for (unsigned seed = 0; seed < count; ++seed) {
    SCOPED_TRACE("program " + std::to_string(seed));
    ASSERT_NO_FATAL_FAILURE(compare(random_program(seed, shape), opcodes, faults));
  }
  // The programs are worth their time: no instruction is rare, and so is no fault.
  for (unsigned opcode = 0; opcode <= static_cast<unsigned>(Opcode::jmp); ++opcode) {
    if (opcode == static_cast<unsigned>(Opcode::send) || opcode == static_cast<unsigned>(Opcode::receive)) continue;
    EXPECT_GE(opcodes[opcode], count / 60) << opcode;
  }
  if (shape.wrong == 0) return;
  for (const ErrorCode code : {ErrorCode::field_out_of_range, ErrorCode::address_outside_buffer, ErrorCode::address_outside_window,
                               ErrorCode::unsupported, ErrorCode::batch_without_compute, ErrorCode::branch_outside_program}) {
    EXPECT_GE(faults[static_cast<unsigned>(code)], count / 500) << error_name(code);
  }
}

TEST(PimInstructions, OfLegalProgramsEqualTheOracle) { campaign(programs() != 0 ? programs() : 250, {.most_cores = 1, .actions = 30}); }

TEST(PimInstructions, OfWrongProgramsEqualTheOracle) {
  campaign(programs() != 0 ? programs() : 1200, {.most_cores = 1, .actions = 12, .wrong = 60});
}

TEST(PimInstructions, OnTheDefaultArrayEqualTheOracle) {
  campaign(programs() != 0 ? programs() / 20 : 10, {.most_cores = 1, .actions = 20, .default_sizes = true});
}

}  // namespace
}  // namespace instructions_test
}  // namespace cox::model::pim::oracle
