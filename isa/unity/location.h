// SPDX-License-Identifier: MIT
// Places of faults in a container, as 24 bits of position (isa/unity/program.h) and 8 bits of field (device/engine_descriptor.h). Device,
// firmware and tools use it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "coxswain/isa/instruction_set.h"
#include "coxswain/isa/unity/program.h"

namespace cox::isa::unity {

// A field's number is one of these, or the lowest bit of a field of the payload, or kNoField.
inline constexpr unsigned kContainerField = 120;  ///< header, tables or form of the container; the position is 0
inline constexpr unsigned kDomainField = 121;     ///< the domain id of the instruction at the position
inline constexpr unsigned kKeyField = 122;        ///< initial keys of the container; the position is 0
inline constexpr unsigned kTableField = 128;      ///< plus the number of a field of the operand table, counted from bit 0 up

/// Number of the field that an error of resolve(), check(), fetch() or choose() names by `what`. `code` is the payload, or nullptr if none
/// was read.
[[nodiscard]] unsigned field_number(std::string_view what, const MachineCode *code);
/// The field's name; "instruction" for kNoField, "" for a number that means nothing.
[[nodiscard]] const char *field_name(const MachineCode &code, unsigned field);

/// The instruction whose payload lies at a byte of a container.
struct InstructionPlace {
  bool found = false;
  bool in_sub_program = false;
  std::uint32_t program = 0;      ///< number of the program or sub-program in its table
  std::uint32_t instruction = 0;  ///< number in the program
};
/// Reads header and tables only; works on containers that open() refuses, as far as they can be read.
[[nodiscard]] InstructionPlace find_instruction(std::span<const std::byte> container, std::uint32_t byte);

/// Converts the place of a fault. The result's `instruction` is the number in its program (find_instruction() has the program), or -1;
/// `byte` is the payload's first byte; `field` is a field of the payload or of the operand table, "domain" or "container".
[[nodiscard]] Location locate(std::span<const std::byte> container, std::uint32_t position, unsigned field);

}  // namespace cox::isa::unity
