// SPDX-License-Identifier: MIT
// One instruction set, made from its table: find, encode, decode, check, and the names in a fault.
//
// A set is a table and a `Traits` that describes it. `InstructionSet<Traits>` does the rest; no set has code of its own for this:
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
//   Traits traits_of(Opcode);                              // for isa/named_field.h; has no body
//   }
//   extern template class cox::isa::InstructionSet<cox::isa::toy::Traits>;
//
// One .cpp of the set includes isa/instruction_set_code.h and holds `template class InstructionSet<toy::Traits>;`.
//
//  - Opcode: an enumerator for each row. They count up by 1 in the order of the table, or each equals its row's first_word().
//  - opcode_fields(): the bits that tell an instruction from all others. They lie in the first word; their number and place may differ
//    from row to row. first_word() has their values, and zeros.
//  - header(): fields that a row has beside its own, such as flags or tokens: their bits are legal with any value.
//  - bytes(), optional: the length of an instruction in a program, a multiple of 4. Without it every instruction has sizeof(MachineCode).
//  - fetch(program, position) and byte_of(position), optional: for programs whose instructions do not lie one behind another.
//  - check_front(rest), optional: an error with which fetch() refuses what looks like an instruction and is none.
//  - integer, optional: the type that get() of isa/named_field.h gives for whole numbers; std::uint32_t without it.
//
// Code that serves every set (assembler, printer, pages, fuzzers) takes the set as a template parameter, goes through Set::instructions(),
// reads and writes fields with isa::read_integer() and Set::set(), and asks Set::fetch() for the next instruction of a program.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "base/result.h"
#include "isa/field.h"
#include "isa/instruction_lookup.h"
#include "isa/machine_code.h"

namespace cox::isa {

/// "No field": a fault that concerns a whole instruction, a name that the instruction does not have.
inline constexpr unsigned kNoField = 255;

/// The place of a fault in words. A fault's position and field travel as numbers (24 bits and 8), which only its set can read.
struct Location {
  std::int32_t instruction = -1;  ///< its number in the program, counted from 0 in the order of memory; -1: the position names none
  std::uint32_t byte = 0;         ///< its first byte in the program
  const char *name = "";          ///< its name, or empty if no instruction can be decoded there
  const char *field = "";         ///< the field's name, "instruction" if the fault concerns all of it, empty if it has no name
};

/// An instruction as it stands in a program.
template <typename Traits>
struct Fetched {
  const typename Traits::Instruction *instruction = nullptr;
  typename Traits::MachineCode code{};
  std::uint32_t next = 0;  ///< the position behind it
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

  /// The row with that name, or nullptr.
  [[nodiscard]] static constexpr const Instruction *find(std::string_view name) {
    for (const Instruction &row : Traits::kInstructions) {
      if (name == row.name) return &row;
    }
    return nullptr;
  }
  /// The row whose opcode bits the first word has, or nullptr.
  [[nodiscard]] static constexpr const Instruction *find(std::uint32_t first_word) { return detail::row_of<Traits>(first_word); }
  [[nodiscard]] static constexpr const Instruction *find(const MachineCode &code) { return find(code[0]); }
  /// The row of an enumerator. Every enumerator has one; other values of the type have none.
  [[nodiscard]] static constexpr const Instruction &row(Opcode opcode) { return detail::row_of_enumerator<Traits>(opcode); }

  /// Fields that the row has beside those in `row.fields`.
  [[nodiscard]] static constexpr std::span<const Field> header(const Instruction &row) { return Traits::header(row); }
  /// The field with that name, header included, or nullptr.
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

  /// The bits that check() lets the instruction have: opcode, header and fields. All others are reserved.
  [[nodiscard]] static const MachineCode &legal_bits(const Instruction &row);

  /// Writes a field. A floating-point one takes its bits. field_out_of_range (`what` the field's name, `index` the element, `value`,
  /// `limit`) leaves the code as it was.
  [[nodiscard]] static Status set(MachineCode &code, const Field &field, unsigned element, std::int64_t value);
  /// The same for element 0, which costs the control core less.
  [[nodiscard]] static Status set(MachineCode &code, const Field &field, std::int64_t value);
  /// Writes a floating-point field; invalid_argument for a field of another kind.
  [[nodiscard]] static Status set_float(MachineCode &code, const Field &field, unsigned element, float value);

  /// Are these bits an instruction? unknown_instruction (`what` "opcode", `value` the opcode bits), reserved_bits (`what` the instruction's
  /// name, `index` and `value` the lowest such bit), field_out_of_range (as of set()). Alignment, and fields that contradict each other,
  /// are refused by the set's resolve().
  [[nodiscard]] static Status check(const MachineCode &code);

  /// The instruction at `position` of a program. unknown_instruction as check(); stream_truncated if the program ends before the
  /// instruction does (`what` its name, or "stream"; `value` the bytes left, `limit` the bytes needed). Reserved bits and ranges are for
  /// check().
  [[nodiscard]] static Result<Fetched> fetch(std::span<const std::byte> program, std::uint32_t position = 0);

  /// The lowest bit of the field called `name`, or kNoField: how the device says which field it refused.
  [[nodiscard]] static unsigned field_bit(const Instruction &row, std::string_view name);
  /// The name of the field whose lowest bit that is, or "instruction".
  [[nodiscard]] static const char *field_name(const Instruction &row, unsigned bit);

  /// What a fault's position and field stand for. The time is proportional to the position if instructions differ in length.
  [[nodiscard]] static Location locate(std::span<const std::byte> program, std::uint32_t position, unsigned field_bit = kNoField);

 private:
  static Status set_element(MachineCode &code, const Field &field, unsigned element, std::int64_t value);
  static Status check_element(const MachineCode &code, const Field &field, unsigned element);
};

}  // namespace cox::isa
