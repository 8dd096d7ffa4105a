// SPDX-License-Identifier: MIT
#include "tools/mx/check_stream.h"

#include "tools/mx/text.h"

namespace cox::tools::mx {

Report check_stream(std::span<const std::uint8_t> stream) { return Text::check(stream); }

std::size_t count_instructions(std::span<const std::uint8_t> stream) { return Text::count(stream); }

}  // namespace cox::tools::mx
