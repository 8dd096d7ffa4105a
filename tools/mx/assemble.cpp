// SPDX-License-Identifier: MIT
#include "tools/mx/assemble.h"

#include "tools/mx/text.h"

namespace cox::tools::mx {

std::vector<std::uint8_t> assemble(std::string_view text, const std::string &file, std::size_t most_bytes) {
  return Text::assemble(text, file, most_bytes);
}

}  // namespace cox::tools::mx
