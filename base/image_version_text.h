// SPDX-License-Identifier: MIT
// The words in which an image's version is told: by the banner, by the console's command `version` and by `cox info`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "coxswain/base/image_version.h"

namespace cox::image_version {

struct Feature {
  std::uint32_t bit;
  std::string_view name;
};
inline constexpr Feature kFeatures[] = {
    {COX_IMAGE_FEATURE_TRACE, "trace"},   {COX_IMAGE_FEATURE_STREAM_JOBS, "stream jobs"}, {COX_IMAGE_FEATURE_MVE, "MVE"},
    {COX_IMAGE_FEATURE_SECURE, "secure"}, {COX_IMAGE_FEATURE_CACHES, "caches"},           {COX_IMAGE_FEATURE_SIGNED_JOBS, "signed jobs"},
};

/// Returns the text in a field of the record, which need not end with a 0 if the record is damaged.
template <std::size_t Size>
constexpr std::string_view text_of(const char (&field)[Size]) {
  std::size_t length = 0;
  while (length < Size && field[length] != '\0') ++length;
  return {field, length};
}

/// Writes, for example, `coxswain 0.1.0, revision 0b4a48a91234, board qemu-npu-soc`. `Out` takes numbers and texts with operator<<.
template <typename Out>
void write_version(Out &out, const cox_image_version &version) {
  out << text_of(version.name) << " " << version.major << "." << version.minor << "." << version.patch << ", revision "
      << text_of(version.revision) << ", board " << text_of(version.board);
}

/// Writes, for example, `build 7f3a…, stream jobs, MVE`. `note` is nullptr if the image has no build id.
template <typename Out>
void write_build(Out &out, const cox_image_version &version, const cox_build_id_note *note) {
  out << "build ";
  if (note == nullptr) {
    out << "without an id";
  } else {
    static constexpr char kDigits[] = "0123456789abcdef";
    for (const std::uint8_t byte : note->id) out << std::string_view(&kDigits[byte >> 4], 1) << std::string_view(&kDigits[byte & 15], 1);
  }
  for (const Feature &feature : kFeatures) {
    if ((version.features & feature.bit) != 0) out << ", " << feature.name;
  }
}

}  // namespace cox::image_version
