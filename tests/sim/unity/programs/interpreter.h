// SPDX-License-Identifier: MIT
// Runs a program in its global order, one instruction after another, by resolve() and the reference. It shares no code with the machine:
// it follows programs, branches and keys by itself.
#pragma once

#include <array>
#include <cstdint>

#include "coxswain/base/status.h"
#include "coxswain/isa/unity/operation.h"
#include "tests/sim/unity/programs/program.h"

namespace cox::test::unity_programs {

class Interpreter {
 public:
  /// The program has been written.
  explicit Interpreter(const Program &program);

  /// Runs all steps. Stops at the first error: one of resolve() or of an operation; deadlock ("order") if the order has a step before the
  /// keys that it takes.
  [[nodiscard]] Status run();

  [[nodiscard]] const ProgramMemory &memory() const { return memory_; }
  [[nodiscard]] std::uint16_t key(unsigned table, unsigned entry) const { return keys_[table][entry]; }
  /// Instructions that have ended, EXIT not counted.
  [[nodiscard]] std::uint64_t instructions() const { return instructions_; }

 private:
  [[nodiscard]] Status run_program(std::uint64_t start, std::uint32_t first, std::uint32_t end);
  [[nodiscard]] Status run_instruction(const isa::unity::MachineCode &code);
  [[nodiscard]] Status run_branch(const isa::unity::Branch &branch);
  [[nodiscard]] Status run_loop(const isa::unity::Branch &branch);
  [[nodiscard]] Status call(std::uint64_t program);
  [[nodiscard]] std::uint64_t load(std::uint64_t address, unsigned bits);
  [[nodiscard]] bool is_true(const isa::unity::Branch &branch, std::uint64_t address);

  const Program &program_;
  ProgramMemory memory_;
  std::array<std::array<std::uint16_t, isa::unity::kKeyEntries>, isa::unity::kKeyTables> keys_{};
  std::uint64_t instructions_ = 0;
  bool left_ = false;  ///< an EXIT has ended the unit's program
};

}  // namespace cox::test::unity_programs
