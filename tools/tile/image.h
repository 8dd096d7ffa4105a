// SPDX-License-Identifier: MIT
// Writes task images (docs/task-image.md), and reads them with every check that a host can make.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "tools/tile/task.h"

namespace cox::task {

/// Returns the whole file: header and payload. The same task gives the same bytes.
[[nodiscard]] std::vector<std::uint8_t> build_image(const Task &task);

/// Returns true if the file begins like an image.
[[nodiscard]] bool is_image(std::span<const std::uint8_t> bytes);

/// Throws tools::FileError with one of the codes image_truncated, image_magic, image_version, image_checksum, image_malformed. `file` is
/// for messages.
[[nodiscard]] Task parse_image(std::span<const std::uint8_t> bytes, const std::string &file);

/// Reads an image, or a stream with its bindings. The bindings are in the file `bindings`. If `bindings` is empty, they are in the bindings
/// file beside the stream, if there is one (tools::bindings_beside()). Throws tools::FileError.
[[nodiscard]] Task load_task(const std::string &path, const std::string &bindings = {});

}  // namespace cox::task
