// SPDX-License-Identifier: MIT
// Task images as files (docs/task-image.md): written, and read back with every check that a host can make.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "tools/tile/task.h"

namespace cox::task {

/// The whole file: header and payload. The same task gives the same bytes.
[[nodiscard]] std::vector<std::uint8_t> build_image(const Task &task);

/// Does the file begin like an image?
[[nodiscard]] bool is_image(std::span<const std::uint8_t> bytes);

/// Throws tools::FileError with the code: image_truncated, image_magic, image_version, image_checksum, image_malformed. `file` is for
/// messages.
[[nodiscard]] Task parse_image(std::span<const std::uint8_t> bytes, const std::string &file);

/// An image, or a stream with the bindings beside it (`bindings` names them where it is not empty). Throws tools::FileError.
[[nodiscard]] Task load_task(const std::string &path, const std::string &bindings = {});

}  // namespace cox::task
