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

/// Returns true if `stream`, the rest of a program, begins with ELMUL in the printed form, or with ELADD in the printed form and another
/// instruction behind it. The other instruction is needed because a printed ELADD and the first word of a CONVACT have the same bits [5:0].
/// In the later words of a CONVACT, these bits are 0. So the function looks at the next word that is not a CONFBADDR: if these bits are an
/// opcode there, an instruction begins, and the first word was an ELADD.
[[nodiscard]] bool is_published_form(std::span<const std::byte> stream);

}  // namespace cox::isa::mx
