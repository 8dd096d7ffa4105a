// SPDX-License-Identifier: MIT
// Building MX instructions field by field, and reading them from a stream, with the table's checks.
#pragma once

#include <cstddef>
#include <span>

#include "base/result.h"
#include "isa/mx/table.h"

namespace cox::isa::mx {

/// The instruction with all fields zero.
[[nodiscard]] MachineCode begin(Opcode opcode);

/// Sets a field. field_out_of_range (`what` the field's name, `value`, `limit`) leaves the code as it was. A bfloat16 field takes its 16
/// bits.
[[nodiscard]] Status set(MachineCode &code, const Field &field, std::int64_t value);

/// unknown_instruction (`what` "opcode", `value` bits [5:0]), reserved_bits (`what` the instruction's name, `index` the lowest such bit),
/// field_out_of_range (`what` the field, `value`, `limit`). A CONVACT or POOL whose fields contradict each other passes:
/// isa/mx/operation.h.
[[nodiscard]] Status check(const MachineCode &code);

/// The instruction at the front of `stream`, which is the rest of it. unknown_instruction as above; stream_truncated where the stream ends
/// inside of the instruction (`value` the bytes that are left, `limit` the instruction's length). Reserved bits and ranges are for check().
struct Fetched {
  const Instruction *instruction = nullptr;
  MachineCode code{};
};
[[nodiscard]] Result<Fetched> fetch(std::span<const std::byte> stream);

/// The lowest bit of the field called `name` in that instruction, or kNoField: how the device says which field it refused.
inline constexpr unsigned kNoField = 255;
[[nodiscard]] unsigned field_bit(const Instruction &instruction, std::string_view name);
/// The name of the field whose lowest bit that is, or "instruction".
[[nodiscard]] const char *field_name(const Instruction &instruction, unsigned bit);

}  // namespace cox::isa::mx
