// SPDX-License-Identifier: MIT
// The program of an engine that runs streams, as a task image holds it (docs/task-image.md, Programs of streams).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace cox::firmware::stream {
class ProgramKind;
}

namespace cox::firmware::image {

/// An address that the firmware writes before the program runs: the base of window `window`, plus `offset`.
struct Relocation {
  std::uint64_t offset = 0;
  std::uint32_t place = 0;  ///< meaning depends on the engine (stream::ProgramKind)
  std::uint8_t window = 0;
  std::uint8_t unused[3]{};
};
static_assert(sizeof(Relocation) == 16);

/// Largest number of relocations of a program. The firmware applies all of them in one turn of its main loop, in about 3 ms.
inline constexpr std::size_t kMostRelocations = std::size_t{1} << 16;

/// What a program submits to besides its own engine (docs/jobs.md, Programs that use several engines).
struct PeerNeeds {
  std::uint32_t engines = 0;  ///< bit n: the engine whose ring is ENGINE[n]
  std::uint8_t cores = 0;     ///< number of tile cores, from the first of the context on

  [[nodiscard]] bool any() const { return engines != 0 || cores != 0; }
};

struct StreamProgram {
  stream::ProgramKind *kind = nullptr;  ///< nullptr: the task has tile instructions instead
  std::span<const std::byte> code;      ///< the stream, in the image
  std::span<const Relocation> relocations;
  std::span<std::byte> workspace;  ///< stream_workspace_bytes()
  std::uint32_t instructions = 0;
  PeerNeeds peers{};
};

inline constexpr std::size_t kStreamWorkspaceAlignment = 64;

/// Returns the size of the workspace of a program, aligned to kStreamWorkspaceAlignment: room for a copy of the stream.
[[nodiscard]] constexpr std::size_t stream_workspace_bytes(std::size_t code_bytes) {
  return (code_bytes + kStreamWorkspaceAlignment - 1) & ~(kStreamWorkspaceAlignment - 1);
}

}  // namespace cox::firmware::image
