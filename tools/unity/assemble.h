// SPDX-License-Identifier: MIT
// Assembles xDSA programs (docs/unity-assembly.md): a container, and the names of the bytes outside of it that it works on.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tools/image/stream_image.h"

namespace cox::tools::unity {

struct Assembled {
  std::vector<std::uint8_t> container;
  StreamBindings bindings;  ///< windows, and tensors with a direction
};

/// `file` is for messages; files that the text names are searched from its folder on. Throws FileError.
[[nodiscard]] Assembled assemble(std::string_view text, const std::string &file);
/// assemble() for the printer, whose text may lack bytes: the result may be a container that cannot be opened.
[[nodiscard]] Assembled assemble_part(std::string_view text, const std::string &file);

/// True if the first line that is no comment begins with an instruction or with a directive that only xDSA has.
[[nodiscard]] bool begins_like_program(std::string_view text);

/// Windows that no line describes: windows 0 to 2, writable, at multiples of 16 MiB, each with this many bytes.
inline constexpr std::uint64_t kBareWindowBytes = std::uint64_t{4} << 20;
inline constexpr unsigned kBareWindows = 3;
[[nodiscard]] StreamBindings bare_bindings();

}  // namespace cox::tools::unity
