// SPDX-License-Identifier: MIT
// ELADD and ELMUL as the published description prints them: 8 bytes, with CONVACT's opcode and without an output. This instruction set has
// them as 16 bytes with an opcode of their own (docs/isa/mx.md), so a stream in the printed form is refused by this name.
#pragma once

#include <cstddef>
#include <span>

namespace cox::isa::mx {

/// `what` of the status with which fetch() refuses the printed form; the code is unknown_instruction.
inline constexpr const char *kPublishedForm = "8-byte ELADD or ELMUL";

/// True if the instruction at the front of `stream`, which is the rest of it, is a printed ELMUL, or a printed ELADD that other
/// instructions follow. A printed ELADD has all of CONVACT's bits [5:0]. It is told from a CONVACT by what follows: within 24 bytes, behind
/// any CONFBADDRs, stands an opcode where a CONVACT has zeros.
[[nodiscard]] bool is_published_form(std::span<const std::byte> stream);

}  // namespace cox::isa::mx
