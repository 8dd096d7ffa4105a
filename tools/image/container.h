// SPDX-License-Identifier: MIT
// The file of a task image: its header and its FlatBuffer (docs/task-image.md).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "coxswain/base/status.h"
#include "coxswain/firmware/image/task_generated.h"

namespace cox::tools {

/// Ending of the names of task images.
inline constexpr const char *kImageEnding = ".cxt";

/// Returns true if the file begins like an image.
[[nodiscard]] bool is_image(std::span<const std::uint8_t> bytes);
/// Returns true if the file begins like an image of a program of an engine that runs streams.
[[nodiscard]] bool is_program_image(std::span<const std::uint8_t> bytes);

/// Returns the image that has this payload.
[[nodiscard]] std::vector<std::uint8_t> seal_image(std::span<const std::uint8_t> payload, std::uint32_t version);

/// An image whose header, checksum and FlatBuffer are right.
class OpenImage {
 public:
  /// Throws FileError with one of the codes image_truncated, image_magic, image_version (not `version`), image_checksum, image_malformed.
  /// `file` is for messages.
  OpenImage(std::span<const std::uint8_t> bytes, std::uint32_t version, const std::string &file);

  [[nodiscard]] const firmware::image::Task &root() const { return *firmware::image::GetTask(aligned_.data()); }

 private:
  std::vector<std::uint8_t> aligned_;
};

[[noreturn]] void fail_image(const std::string &file, ErrorCode code, const std::string &why);

}  // namespace cox::tools
