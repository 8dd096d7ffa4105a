// SPDX-License-Identifier: MIT
#include "tools/mx/disassemble.h"

#include "tools/mx/text.h"

namespace cox::tools::mx {

std::string disassemble(std::span<const std::uint8_t> stream, const std::string &file) { return Text::print(stream, file); }

}  // namespace cox::tools::mx
