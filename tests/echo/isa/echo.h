// SPDX-License-Identifier: MIT
// The instruction set of the echo engine, which lives only in the tests: it
// shows what an engine needs, and nothing else (docs/design.md, The echo
// engine). Programs are streams of 16-byte instructions.
#pragma once

#include <cstdint>
#include <span>

#include "coxswain/isa/instruction_set.h"
#include "coxswain/isa/named_field.h"
#include "coxswain/isa/operand_memory.h"
#include "coxswain/isa/window.h"

namespace cox::isa::echo {

using MachineCode = Words32<4>;
inline constexpr std::uint32_t kInstructionBytes = sizeof(MachineCode);
inline constexpr std::uint32_t kMostBytes = (1U << 24) - 1;  ///< largest number of bytes of a COPY or FILL

enum class Opcode : std::uint8_t { COPY = 1, FAIL = 2, HANG = 3, FILL = 4 };

struct Instruction {
  const char *name;
  Opcode opcode;
  std::span<const Field> fields;
  Meaning meaning;
};

// clang-format off
inline constexpr Field kOpcodeFields[] = {
    {"opcode", 0, 8, 1, Kind::integer, 0, 255, {}, "the instruction"},
};
inline constexpr Field kCopyFields[] = {
    {"Bytes", 8, 24, 1, Kind::integer, 1, kMostBytes, {}, "bytes to copy"},
    {"Source", 32, 32, 1, Kind::integer, 0, 0xFFFFFFFF, {}, "bus address of the first byte"},
    {"Destination", 64, 32, 1, Kind::integer, 0, 0xFFFFFFFF, {}, "bus address of the first byte, outside the source"},
};
inline constexpr Field kFillFields[] = {
    {"Bytes", 8, 24, 1, Kind::integer, 1, kMostBytes, {}, "bytes to write"},
    {"Value", 32, 8, 1, Kind::integer, 0, 255, {}, "value of each byte"},
    {"Destination", 64, 32, 1, Kind::integer, 0, 0xFFFFFFFF, {}, "bus address of the first byte"},
};
inline constexpr Instruction kInstructions[] = {
    {"COPY", Opcode::COPY, kCopyFields, "copies bytes of DRAM"},
    {"FAIL", Opcode::FAIL, {}, "is refused as unsupported: the program ends with a fault"},
    {"HANG", Opcode::HANG, {}, "never ends: only a reset of the engine helps"},
    {"FILL", Opcode::FILL, kFillFields, "writes one value to bytes of DRAM"},
};
// clang-format on

struct Traits {
  using Opcode = echo::Opcode;
  using Instruction = echo::Instruction;
  using MachineCode = echo::MachineCode;
  static constexpr const auto &kInstructions = echo::kInstructions;
  static constexpr bool kFiniteFloats = false;
  static constexpr std::span<const Field> opcode_fields(const Instruction & /*row*/) { return kOpcodeFields; }
  static constexpr std::uint32_t first_word(const Instruction &row) { return static_cast<std::uint32_t>(row.opcode); }
  static constexpr std::span<const Field> header(const Instruction & /*row*/) { return {}; }
};
using Set = InstructionSet<Traits>;
Traits traits_of(Opcode);

/// The values of an instruction's fields. Only COPY and FILL have `bytes` and `destination`. Only COPY has `source`, and only FILL has
/// `value`.
struct Operation {
  Opcode opcode = Opcode::COPY;
  std::uint32_t bytes = 0;
  std::uint64_t source = 0, destination = 0;
  std::uint8_t value = 0;
};

/// Empty, because no instruction sets anything that another one uses.
struct State {};

/// Resolves a checked instruction. Errors: unsupported if it is FAIL; tensor_overlap ("Destination") if source and destination overlap.
[[nodiscard]] Result<Operation> resolve(const MachineCode &code, const State &state = {}, const OperandMemory &memory = kNoMemory);

/// Bytes of DRAM that an operation reads or writes.
struct Access {
  const char *field;
  bool write;
  std::uint64_t first, bytes;
};
struct Footprint {
  Access accesses[2];
  unsigned count = 0;
};
[[nodiscard]] Footprint footprint(const Operation &operation);

/// Checks that each range that the operation touches lies inside of one window that permits the access. Error: address_outside_window, with
/// the name of the field.
[[nodiscard]] Status check_windows(const Footprint &footprint, std::span<const Window> windows);

}  // namespace cox::isa::echo

extern template class cox::isa::InstructionSet<cox::isa::echo::Traits>;
