// SPDX-License-Identifier: MIT
// The text form of MX streams. MX instructions share no fields other than the opcode.
#pragma once

#include "coxswain/isa/mx/table.h"
#include "tools/assembly/plain_stream.h"
#include "tools/mx/refusal.h"

namespace cox::tools::mx {

using Text = assembly::PlainStream<isa::mx::Set, refusal_text>;

}  // namespace cox::tools::mx
