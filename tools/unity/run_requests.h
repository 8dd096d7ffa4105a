// SPDX-License-Identifier: MIT
// Adds to an xDSA program what `cox run` is asked for: bytes of windows and tensors to load and to read back.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "tools/image/stream_image.h"
#include "tools/registry/program_format.h"

namespace cox::tools::unity {

struct RequestedTensors {
  std::vector<std::pair<std::string, std::string>> inputs, outputs;  ///< tensor and file
};

/// Adds a tensor to `image` for each --memory NAME@OFFSET=FILE and --dump NAME@OFFSET+BYTES=FILE. NAME is window0 to window3 or a tensor's
/// name. Throws FileError for a request that is not understood, and for --set.
[[nodiscard]] RequestedTensors add_requests(StreamImage &image, const ProgramFormat::RunRequest &request);

}  // namespace cox::tools::unity
