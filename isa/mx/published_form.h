// SPDX-License-Identifier: MIT
// The published form of ELADD and ELMUL: 8 bytes, with CONVACT's opcode and without an output. In this instruction set ELADD and ELMUL
// have 16 bytes and an opcode of their own (docs/isa/mx.md). fetch() refuses a stream that has them in the published form.
#pragma once

#include <cstddef>
#include <span>

namespace cox::isa::mx {

/// `what` of the status with which fetch() refuses the published form. Its code is unknown_instruction.
inline constexpr const char *kPublishedForm = "8-byte ELADD or ELMUL";

/// Returns true if `stream`, the rest of a program, begins with an ELMUL or ELADD in the published form.
///
/// A published ELADD can look like the first word of a CONVACT. The function tells them apart by the words that follow. If these words do
/// not decide, the function returns false.
[[nodiscard]] bool is_published_form(std::span<const std::byte> stream);

}  // namespace cox::isa::mx
