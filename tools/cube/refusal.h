// SPDX-License-Identifier: MIT
// The reason why the matrix unit would refuse an instruction, as text.
#pragma once

#include <cstddef>
#include <string>

#include "coxswain/base/status.h"
#include "coxswain/isa/cube/table.h"

namespace cox::tools::cube {

/// Returns for example `instruction 3 (MAD): misaligned_address: Left: 288, the limit is 512`. `instruction`: nullptr if the opcode is
/// unknown.
[[nodiscard]] std::string refusal_text(std::size_t number, const isa::cube::Instruction *instruction, const Status &status);

}  // namespace cox::tools::cube
