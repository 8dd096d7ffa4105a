// SPDX-License-Identifier: MIT
// Adds to a PIM program what `cox run` is asked for: initial registers, initial bytes of memories, and what to read back.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "coxswain/isa/pim/configuration.h"
#include "tools/image/stream_image.h"
#include "tools/registry/program_format.h"

namespace cox::tools::pim {

/// Windows of a program without bindings: windows 0 to 2, writable, with this many bytes each. Window 3 is for requests.
inline constexpr std::uint64_t kBareWindowBytes = std::uint64_t{4} << 20;

struct RequestedTensors {
  std::vector<std::pair<std::string, std::string>> inputs, outputs;  ///< tensor and file
};

/// Changes the program of `image` and adds tensors, and a window if bytes move through it. `file` is for messages. Throws FileError for a
/// request that is not understood or that the device or the image has no room for.
[[nodiscard]] RequestedTensors add_requests(StreamImage &image, const ProgramFormat::RunRequest &request,
                                            const isa::pim::Configuration &configuration, const std::string &file);

/// Names of output tensors with the registers of a core.
[[nodiscard]] std::string registers_tensor(unsigned core);
[[nodiscard]] bool is_registers_tensor(const std::string &name);
/// Returns lines with the registers of a core that are not 0, and its program counter. `bytes`: what the program stored.
[[nodiscard]] std::string registers_text(const std::string &title, std::span<const std::uint8_t> bytes);

}  // namespace cox::tools::pim
