// SPDX-License-Identifier: MIT
// Places of faults in a PIM program, as 24 bits of position and 8 bits of field (device/engine_descriptor.h). Device, firmware and tools
// use it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "coxswain/isa/instruction_set.h"
#include "coxswain/isa/pim/program.h"

namespace cox::isa::pim {

// A field's number is one of these, or the lowest bit of a field of the instruction at the position (Position), or kNoField.
inline constexpr unsigned kLoadField = 32;     ///< the position is the number of a copy, which the device makes before the program
inline constexpr unsigned kStoreField = 33;    ///< the position is the number of a copy, which the device makes after the program
inline constexpr unsigned kProgramField = 34;  ///< the header, the settings or the form of the program; the position is 0
inline constexpr unsigned kSpecialField = 64;  ///< plus the number of the special register that is wrong
inline constexpr unsigned kBatchField = 128;   ///< plus the lowest bit of a field of the pim-batch before a pim-compute

/// Number of the field that an error of resolve() or check() names by `what`. `code` is the instruction, or nullptr if no instruction was
/// read.
[[nodiscard]] unsigned field_number(std::string_view what, const MachineCode *code);

/// Converts the place of a fault. The result's `instruction` is the packed Position, or the number of the copy, or -1 for kProgramField;
/// `byte` is the instruction's or copy's first byte in the program; `field` is "load" and "store" for copies, "program" for kProgramField,
/// and a special register's name; "batch_" and the field's name for a pim-batch.
[[nodiscard]] Location locate(std::span<const std::byte> program, std::uint32_t position, unsigned field);

}  // namespace cox::isa::pim
