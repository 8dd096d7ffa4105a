// SPDX-License-Identifier: MIT
// InstructionSet<Traits> finds, encodes, decodes and checks the instructions of a set, and locates faults in its programs. `Traits`
// names the set's table and describes the encoding:
//
//   namespace cox::isa::toy {
//   using MachineCode = Words32<2>;                        // words behind a shorter instruction are zero
//   enum class Opcode : std::uint8_t { ADD = 1, JUMP = 2 };
//   struct Instruction {                                   // a row: these four members, and what the set adds
//     const char *name;
//     Opcode opcode;
//     std::span<const Field> fields;
//     Meaning meaning;
//   };
//   inline constexpr Instruction kInstructions[] = {...};
//   struct Traits {
//     using Opcode = toy::Opcode;
//     using Instruction = toy::Instruction;
//     using MachineCode = toy::MachineCode;
//     static constexpr const auto &kInstructions = toy::kInstructions;
//     static constexpr bool kFiniteFloats = false;         // true: check() and set() refuse NaN and infinities
//     static constexpr std::span<const Field> opcode_fields(const Instruction &) { return kOpcodeFields; }
//     static constexpr std::uint32_t first_word(const Instruction &row) { return static_cast<std::uint32_t>(row.opcode); }
//     static constexpr std::span<const Field> header(const Instruction &) { return {}; }
//   };
//   using Set = InstructionSet<Traits>;
//   Traits traits_of(Opcode);                              // declared for isa/named_field.h; never called
//   }
//   extern template class cox::isa::InstructionSet<cox::isa::toy::Traits>;
//
// One .cpp of the set includes isa/instruction_set_code.h and holds `template class InstructionSet<toy::Traits>;`.
//
// - Opcode: one enumerator for each row. The values rise by 1 from row to row, or each value is its row's first_word().
// - opcode_fields(): the bits that identify an instruction. They lie in the first word, and may differ from row to row. first_word()
//   returns a word with the values of these bits and zeros elsewhere.
// - header(): fields that a row has besides its own, for example flags or tokens. Their bits are legal with any value.
// - bytes(), optional: the length of an instruction in a program, a multiple of 4. Without bytes(), each has sizeof(MachineCode).
// - fetch(program, position) and byte_of(position), optional: for programs whose instructions do not follow one another in memory. fetch()
//   reads the instruction at a position. byte_of() returns the offset of this instruction's first byte in the program.
// - check_front(rest), optional: returns an error if the rest of a program begins with an instruction in a form that the set does not have.
//   fetch() then returns this error.
// - is_ignored(row, code, field), optional: returns true if this instruction ignores the field, so that check() permits any value of it.
// - Integer, optional: the type that get() of isa/named_field.h returns for whole numbers; std::uint32_t by default.
//
// Code that serves every set (assembler, printer, pages, fuzzers) takes the set as a template parameter. It iterates over
// Set::instructions(), reads and writes fields with isa::read_integer() and Set::set(), and gets the next instruction of a program from
// Set::fetch().
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "coxswain/base/result.h"
#include "coxswain/isa/field.h"
#include "coxswain/isa/instruction_lookup.h"
#include "coxswain/isa/machine_code.h"

namespace cox::isa {

/// "No field": the fault concerns a whole instruction, or the instruction has no field of that name.
inline constexpr unsigned kNoField = 255;

/// Describes the position of a fault. The fault itself has the position (24 bits) and the field (8 bits) as numbers that only the
/// instruction set can interpret.
struct Location {
  std::int32_t instruction =
      -1;  ///< number of the instruction in the program, counted from 0 in the order of memory; -1: the position has no instruction
  std::uint32_t byte = 0;  ///< offset of the instruction's first byte in the program
  const char *name = "";   ///< the instruction's name; empty if no instruction can be decoded there
  const char *field = "";  ///< the field's name; "instruction" if the fault concerns the whole instruction; empty if the field has no name
};

/// An instruction that was read from a program.
template <typename Traits>
struct Fetched {
  const typename Traits::Instruction *instruction = nullptr;
  typename Traits::MachineCode code{};
  std::uint32_t next = 0;  ///< the position of the instruction after it
};

template <typename Traits_>
class InstructionSet {
 public:
  using Traits = Traits_;
  using Opcode = typename Traits::Opcode;
  using Instruction = typename Traits::Instruction;
  using MachineCode = typename Traits::MachineCode;

  using Fetched = isa::Fetched<Traits>;

  /// All rows of the table.
  [[nodiscard]] static constexpr std::span<const Instruction> instructions() { return Traits::kInstructions; }

  /// The row with this name, or nullptr.
  [[nodiscard]] static constexpr const Instruction *find(std::string_view name) {
    for (const Instruction &row : Traits::kInstructions) {
      if (name == row.name) return &row;
    }
    return nullptr;
  }
  /// The row whose opcode bits are those of `first_word`, or nullptr.
  [[nodiscard]] static constexpr const Instruction *find(std::uint32_t first_word) { return detail::row_of<Traits>(first_word); }
  [[nodiscard]] static constexpr const Instruction *find(const MachineCode &code) { return find(code[0]); }
  /// The row of an enumerator. Other values of the type have no row and must not be passed.
  [[nodiscard]] static constexpr const Instruction &row(Opcode opcode) { return detail::row_of_enumerator<Traits>(opcode); }

  /// The fields that the instruction has besides `row.fields`.
  [[nodiscard]] static constexpr std::span<const Field> header(const Instruction &row) { return Traits::header(row); }
  /// The field with this name, header included, or nullptr.
  [[nodiscard]] static constexpr const Field *find_field(const Instruction &row, std::string_view name) {
    for (const Field &field : Traits::header(row)) {
      if (name == field.name) return &field;
    }
    for (const Field &field : row.fields) {
      if (name == field.name) return &field;
    }
    return nullptr;
  }

  /// Bytes that the instruction takes in a program.
  [[nodiscard]] static constexpr std::size_t bytes(const Instruction &row) { return detail::bytes_of<Traits>(row); }

  /// The instruction with all fields zero.
  [[nodiscard]] static constexpr MachineCode begin(const Instruction &row) {
    MachineCode code{};
    code[0] = Traits::first_word(row);
    return code;
  }
  [[nodiscard]] static constexpr MachineCode begin(Opcode opcode) { return begin(row(opcode)); }

  /// The bits that check() permits: opcode, header and fields. All others are reserved.
  [[nodiscard]] static const MachineCode &legal_bits(const Instruction &row);

  /// Writes a field; for a floating-point field, `value` is its bits. Error: field_out_of_range, and the code is then unchanged. `what` is
  /// the field's name, `index` the element, `value` the given value and `limit` the bound that it breaks.
  [[nodiscard]] static Status set(MachineCode &code, const Field &field, unsigned element, std::int64_t value);
  /// Writes element 0 of a field. Costs the control core less than set() with an element's number.
  [[nodiscard]] static Status set(MachineCode &code, const Field &field, std::int64_t value);
  /// Writes a floating-point field. Error: invalid_argument for a field of another kind.
  [[nodiscard]] static Status set_float(MachineCode &code, const Field &field, unsigned element, float value);

  /// Checks whether these bits are an instruction. The set's resolve() checks alignment and fields that contradict each other. Errors:
  /// - unknown_instruction: `what` is "opcode", and `value` has the opcode bits.
  /// - reserved_bits: `what` is the instruction's name. `index` and `value` both are the number of the lowest reserved bit that is set.
  /// - field_out_of_range, as in set().
  [[nodiscard]] static Status check(const MachineCode &code);
  /// A quick form of check(): if it returns true, check() finds no error. It returns false for each instruction that check() refuses, and
  /// for those with a field whose range needs the complete check (isa/screen.h).
  [[nodiscard]] static bool is_legal(const MachineCode &code);

  /// Reads the instruction at `position` of a program. Unlike check(), fetch() does not check reserved bits and ranges. Errors:
  /// - unknown_instruction, as in check().
  /// - stream_truncated: the program ends inside of the instruction. `what` is the instruction's name, or "stream" if it is unknown;
  ///   `value` is the number of bytes left, and `limit` the number of bytes needed.
  [[nodiscard]] static Result<Fetched> fetch(std::span<const std::byte> program, std::uint32_t position = 0);

  /// The lowest bit of the field called `name`, or kNoField. The device reports a refused field by this number.
  [[nodiscard]] static unsigned field_bit(const Instruction &row, std::string_view name);
  /// Returns the name of the field whose lowest bit is `bit`, or "instruction" if there is no such field.
  [[nodiscard]] static const char *field_name(const Instruction &row, unsigned bit);

  /// Converts a fault's position and field to names. If instructions differ in length, the call takes time proportional to `position`.
  [[nodiscard]] static Location locate(std::span<const std::byte> program, std::uint32_t position, unsigned field_bit = kNoField);

 private:
  static Status set_element(MachineCode &code, const Field &field, unsigned element, std::int64_t value);
  static Status check_element(const MachineCode &code, const Field &field, unsigned element);
  static Status check_fields(const MachineCode &code);
};

}  // namespace cox::isa
