// SPDX-License-Identifier: MIT
// ELADD and ELMUL as the published description prints them: 8 bytes, with CONVACT's opcode and without an output. In this instruction set
// they have 16 bytes and an opcode of their own (docs/isa/mx.md). A stream in the printed form is refused by this name.
#pragma once

#include <cstddef>
#include <span>

namespace cox::isa::mx {

/// `what` of the status with which fetch() refuses the printed form. Its code is unknown_instruction.
inline constexpr const char *kPublishedForm = "8-byte ELADD or ELMUL";

/// Returns true if `stream` begins with a printed ELMUL, or with a printed ELADD before other instructions. `stream` reaches to the end of
/// the program. A printed ELADD has all of CONVACT's bits [5:0], so the bytes after it decide: within 24 bytes, after any CONFBADDRs, there
/// is an opcode in a place where a CONVACT has zeros.
[[nodiscard]] bool is_published_form(std::span<const std::byte> stream);

}  // namespace cox::isa::mx
