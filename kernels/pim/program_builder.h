// SPDX-License-Identifier: MIT
// A program of the PIM engine under construction (docs/kernels/pim.md, Programs). Kernels append code for each core; an Engine runs the
// program.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "coxswain/base/result.h"
#include "coxswain/isa/pim/configuration.h"
#include "coxswain/isa/pim/table.h"
#include "coxswain/kernels/pim/program_code.h"
#include "coxswain/kernels/pim/register_contents.h"

namespace cox::kernels::pim {

using kernels::kWindows;

/// A general register that a kernel owns from variable() to release().
struct Register {
  std::uint8_t number = 0;
};

/// An operand: a constant, a register, or a register plus a constant.
struct Value {
  constexpr Value(std::uint32_t constant) : offset(constant) {}                       // NOLINT(google-explicit-constructor)
  constexpr Value(Register variable) : is_variable(true), number(variable.number) {}  // NOLINT(google-explicit-constructor)
  constexpr Value(Register variable, std::uint32_t plus) : is_variable(true), number(variable.number), offset(plus) {}

  [[nodiscard]] constexpr Value plus(std::uint32_t bytes) const {
    Value value = *this;
    value.offset += bytes;
    return value;
  }

  bool is_variable = false;
  std::uint8_t number = 0;
  std::uint32_t offset = 0;  ///< the constant, or what is added to the register
};

/// A pim-compute with its pim-batch.
struct ComputeCall {
  bool value_sparse = false, bit_sparse = false;
  bool group = true;
  bool group_input_table = false;  ///< Special::group_input is the address of a table
  Value input = 0;                 ///< address
  Value inputs = 0;                ///< number of inputs
  Value row = 0;                   ///< the first row
  std::uint32_t rows = 1;          ///< computes; 1: no pim-batch
  bool input_table = false, mask_table = false, meta_table = false;
  Value input_step = 0, mask_step = 0, meta_step = 0;
};

/// Members that emit instructions do not return errors. The builder keeps the first error and ignores the calls that follow, until
/// end_kernel() returns it.
class ProgramBuilder : public ProgramCode {
 public:
  using ProgramCode::add;
  using ProgramCode::set;

  /// The instructions that follow are for `core`.
  void begin_core(unsigned core);
  /// The instructions that follow are for `count` cores from `first` on, which share them. Returns a register that holds the core's number.
  /// Nothing can follow in these cores: begin_core() then fails with unsupported ("core").
  [[nodiscard]] Register begin_cores(unsigned first, unsigned count);

  /// Takes a register and writes `initial` to it. Error: no_room ("registers").
  [[nodiscard]] Register variable(Value initial);
  void release(Register variable);
  void add(Register variable, std::uint32_t value);
  void multiply(Register variable, std::uint32_t factor);
  /// variable = variable mod divisor.
  void remainder(Register variable, std::uint32_t divisor);
  void assign(Register variable, Value value);
  /// variable = constant - variable.
  void subtract_from(std::uint32_t constant, Register variable);

  void set(isa::pim::Special name, Value value);
  void compute(const ComputeCall &call);
  void output(Value destination);
  /// pim-output with outsum over `results` columns, whose mask is at `mask`.
  void output_sums(Value destination, Value results, Value mask);
  /// pim-output with outsum_move: stores `sums` sums of neighbours.
  void output_pairs(Value destination, Value sums);
  void transfer(Value source, Value results, Value mask, Value destination);
  void simd(isa::pim::SimdOpcode opcode, std::span<const Value> inputs, Value length, Value output);
  void copy(Value source, Value bytes, Value destination);
  void store_word(Value address, std::uint32_t word);
  void send(bool waits, Value source, Value core, Value destination, Value id, Value bytes);
  void receive(bool waits, Value core, Value source, Value destination, Value id, Value bytes);
  void wait(Value core, Value id);
  void barrier(std::uint32_t id, std::uint32_t cores);
  /// The barrier of cores `first` to `first` + `cores` - 1 at the end of a kernel. Other sets of cores have other ids.
  void end_barrier(std::uint32_t first, std::uint32_t cores) {
    if (cores > 1) barrier(first * isa::pim::kMostCores + cores - 1, cores);
  }

  /// Repeats what `body` emits `count` times. `body` is called several times, until registers have the same contents at its start and at
  /// its end, so it must have no other effect than emitting. It releases the variables that it takes.
  template <typename Body>
  void repeat(std::uint32_t count, Body body) {
    if (count == 0) return;
    if (count == 1) return body();
    Loop loop = begin_loop(count);
    do {
      body();
    } while (!end_loop(loop));
  }

 private:
  struct Loop {
    Register counter;
    std::uint32_t zero = 0, first = 0;
    RegisterContents contents;
  };
  Loop begin_loop(std::uint32_t count);
  bool end_loop(Loop &loop);

  /// Returns a register that holds the value: one that does already, or one that is loaded.
  unsigned load(const Value &value);
  /// Writes a value to a register.
  void load_into(unsigned number, const Value &value);
  void load_constant(unsigned number, std::uint32_t value);
  /// Returns the first of two neighbours that hold the values.
  unsigned load_pair(const Value &first, const Value &second);
  [[nodiscard]] unsigned take_register();
  [[nodiscard]] bool holds(unsigned number, const Value &value) const {
    return !value.is_variable && contents_.holds(number, value.offset);
  }

  RegisterContents contents_;
};

/// The programs of kernels::Engine.
using Stream = ProgramBuilder;

}  // namespace cox::kernels::pim
