// SPDX-License-Identifier: MIT
// The reason why the MX engine would refuse an instruction, as text.
#pragma once

#include <string>

#include "coxswain/base/status.h"
#include "coxswain/isa/mx/table.h"

namespace cox::tools::mx {

/// Returns for example `field_out_of_range: GEMM: Length1: 1024, the limit is 1023`. `instruction`: nullptr if it is not known.
[[nodiscard]] std::string refusal_text(const isa::mx::Instruction *instruction, const Status &status);

}  // namespace cox::tools::mx
