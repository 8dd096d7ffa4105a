// SPDX-License-Identifier: MIT
// ELADD and ELMUL as the published description prints them: 8 bytes, with CONVACT's opcode and without an output. In this instruction set
// they have 16 bytes and an opcode of their own (docs/isa/mx.md). fetch() refuses a stream in the printed form and calls it by the name
// below.
#pragma once

#include <cstddef>
#include <span>

namespace cox::isa::mx {

/// `what` of the status with which fetch() refuses the printed form. Its code is unknown_instruction.
inline constexpr const char *kPublishedForm = "8-byte ELADD or ELMUL";

/// Returns true if `stream`, the rest of a program, begins with a printed ELMUL, or with a printed ELADD before other instructions. A
/// printed ELADD has the same bits [5:0] as a CONVACT of 24 bytes, so the words after it decide. The first of them that is not a CONFBADDR
/// must have an opcode in bits in which a CONVACT has zeros.
[[nodiscard]] bool is_published_form(std::span<const std::byte> stream);

}  // namespace cox::isa::mx
