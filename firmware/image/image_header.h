// SPDX-License-Identifier: MIT
// The first 16 bytes of a task image (docs/task-image.md).
#pragma once

#include <cstdint>

namespace cox::firmware::image {

inline constexpr std::uint32_t kMagic = 0x31545843;  ///< "CXT1" in memory
inline constexpr std::uint32_t kVersion = 1;         ///< of a task of tile instructions
inline constexpr std::uint32_t kProgramVersion = 2;  ///< of a program of an engine that runs streams

/// Little-endian. The payload, a FlatBuffer (task.fbs), follows the header.
struct ImageHeader {
  std::uint32_t magic;
  std::uint32_t version;
  std::uint32_t payload_bytes;
  std::uint32_t payload_crc32;  ///< CRC-32 (IEEE 802.3, the CRC of zlib) of the payload
};
static_assert(sizeof(ImageHeader) == 16);

}  // namespace cox::firmware::image
