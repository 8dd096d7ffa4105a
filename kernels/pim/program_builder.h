// SPDX-License-Identifier: MIT
// A program of the PIM engine under construction (docs/kernels/pim.md, Programs). Kernels append code for each core; an Engine runs the
// program. The bytes are a valid program (isa/pim/program.h) after init() and after each kernel.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/result.h"
#include "isa/pim/configuration.h"
#include "isa/pim/program.h"
#include "isa/pim/table.h"
#include "kernels/engine/stream_buffer.h"
#include "kernels/pim/register_contents.h"

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
class ProgramBuilder : public StreamBuffer {
 public:
  /// Begins a program for `cores` cores in `memory`, aligned to 8 bytes; `configuration` is the device's and outlives the builder.
  /// `windows` are the windows of the context that will run it: window w is part w of the configuration's DRAM. Errors: those of
  /// StreamBuffer::init(); invalid_argument ("cores") unless there are 1 to 64; no_room ("stream") if the memory is too short for a program
  /// without instructions.
  Status init(std::span<std::byte> memory, std::span<const isa::Window> windows, const isa::pim::Configuration &configuration,
              unsigned cores = 1);
  /// Begins the program again, without settings, copies and code.
  void clear();

  [[nodiscard]] unsigned cores() const { return cores_; }
  [[nodiscard]] const isa::pim::Configuration &configuration() const { return *configuration_; }
  /// Returns the number of instructions of all cores.
  [[nodiscard]] std::uint32_t instructions() const { return words_; }

  /// Gives a register its value at the start of `core`: `place` is 0 to 31 for a general register, 32 plus its number for a special one.
  /// Errors: not_ready ("setting") after the first copy or instruction; invalid_argument ("core", "setting"); no_room ("stream").
  Status set(unsigned core, unsigned place, std::uint32_t value);
  /// Adds a copy that the device makes before or after the program. Errors: not_ready ("copy") after the first instruction;
  /// invalid_argument ("core"); no_room ("stream").
  Status add(const isa::pim::Copy &copy);
  /// Device cycles after which the device stops the program; 0: no limit of its own.
  void set_time_limit(std::uint64_t cycles);

  /// Returns the device address of a bus address: its place in the part of DRAM that belongs to its window. Error: address_outside_window
  /// ("address") if no window holds all bytes.
  [[nodiscard]] Result<std::uint32_t> address_of(std::uint64_t bus_address, std::uint64_t bytes = 1) const;
  /// Checks that bytes lie in DRAM inside of a window that permits the access, or in one local memory. Errors: address_outside_window,
  /// address_outside_buffer, with `what` as their name.
  [[nodiscard]] Status check_bytes(std::uint32_t address, std::uint64_t bytes, bool write, const char *what) const;
  /// Returns true if the address lies in DRAM.
  [[nodiscard]] bool is_dram(std::uint32_t address) const;

  // For kernels.

  /// Everything up to end_kernel() is kept or, after an error, taken back. Error: not_ready before init().
  Status begin_kernel();
  Status end_kernel();
  /// The instructions that follow are for `core`.
  void begin_core(unsigned core);
  /// Stops the kernel with an error, unless it has one.
  void fail(const Status &status);
  [[nodiscard]] bool has_failed() const { return !error_.ok(); }
  [[nodiscard]] const Status &error() const { return error_; }

  /// Takes a register and writes `initial` to it. Error: no_room ("registers").
  [[nodiscard]] Register variable(Value initial);
  void release(Register variable);
  void add(Register variable, std::uint32_t value);
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
  void send(bool waits, Value source, std::uint32_t core, Value destination, std::uint32_t id, Value bytes);
  void receive(bool waits, std::uint32_t core, Value source, Value destination, std::uint32_t id, Value bytes);
  void wait(std::uint32_t core, std::uint32_t id);
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
  static constexpr std::uint32_t kNoTail = ~std::uint32_t{0};
  static constexpr unsigned kNoCore = isa::pim::kMostCores;

  Loop begin_loop(std::uint32_t count);
  bool end_loop(Loop &loop);

  void emit(const isa::pim::MachineCode &code);
  [[nodiscard]] std::uint32_t word(std::uint32_t number) const;
  void write_word(std::uint32_t number, std::uint32_t word);
  void take_back(std::uint32_t words);
  void point_tail(unsigned core, std::uint32_t target);
  /// Writes the number of instructions of each core, and lets the last jump of each go to the end.
  void seal();
  void write_header();
  std::byte *insert(std::size_t bytes);

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

  const isa::pim::Configuration *configuration_ = nullptr;
  unsigned cores_ = 0;
  std::uint32_t settings_ = 0, copies_ = 0;
  std::uint64_t time_limit_ = 0;
  std::uint32_t words_ = 0;                                           ///< instructions written
  std::array<std::uint32_t, isa::pim::kMostCores> first_{}, tail_{};  ///< first and last instruction of each core
  unsigned core_ = kNoCore;                                           ///< the core whose code is last
  RegisterContents contents_;
  Status error_;
  struct Kept {
    std::uint32_t words = 0;
    std::array<std::uint32_t, isa::pim::kMostCores> first{}, tail{};
  } kept_;
};

/// The programs of kernels::Engine.
using Stream = ProgramBuilder;

}  // namespace cox::kernels::pim
