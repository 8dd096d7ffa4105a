// SPDX-License-Identifier: MIT
// Building the matrix unit's instructions field by field, and checking their bits against the table.
#pragma once

#include <string_view>

#include "base/result.h"
#include "isa/cube/table.h"

namespace cox::isa::cube {

/// The instruction with all fields zero.
[[nodiscard]] MachineCode begin(Opcode opcode);

/// Sets a field. field_out_of_range (`what` the field's name, `value`, `limit`) leaves the code as it was. A floating-point field takes its
/// 32 bits.
[[nodiscard]] Status set(MachineCode &code, const Field &field, std::int64_t value);

/// unknown_instruction (`what` "opcode", `value` bits [7:0]), reserved_bits (`what` the instruction's name, `index` the lowest such bit;
/// flags of a BARRIER are such), field_out_of_range (`what` the field, `value`, `limit`). Alignment, and fields that contradict each other:
/// isa/cube/operation.h.
[[nodiscard]] Status check(const MachineCode &code);

/// The lowest bit of the field called `name` in that instruction, or kNoField: how the device says which field it refused.
inline constexpr unsigned kNoField = 255;
[[nodiscard]] unsigned field_bit(const Instruction &instruction, std::string_view name);
/// The name of the field whose lowest bit that is, or "instruction".
[[nodiscard]] const char *field_name(const Instruction &instruction, unsigned bit);

// Of instructions that check() takes.

/// The pipe that runs it. BARRIER, which no pipe runs and which has no flags, gives MTE2.
[[nodiscard]] Pipe pipe_of(const MachineCode &code);
/// Its masks with those of SET_FLAG and WAIT_FLAG joined in (mask_bit()).
struct Flags {
  std::uint32_t wait = 0, set = 0;
};
[[nodiscard]] Flags flags_of(const MachineCode &code);

}  // namespace cox::isa::cube
