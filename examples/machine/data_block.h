// SPDX-License-Identifier: MIT
// What the data blocks of all applications have in common (README.md): their first members, and the type of memory ranges. Little-endian.
#pragma once

#include <cstdint>

namespace cox::machine {

/// A range of memory by its bus address, which is aligned to 64 bytes.
struct Region {
  std::uint64_t address = 0;
  std::uint64_t bytes = 0;
};

enum class State : std::uint32_t {
  packed = 0,   ///< the host has written the block
  running = 1,  ///< the application has started
  done = 2,
  failed = 3,  ///< the block's error_text gives the reason
};

/// The first member of a data block.
struct BlockHead {
  std::uint32_t magic = 0;
  std::uint32_t version = 0;
  std::uint32_t bytes = 0;  ///< size of the whole block
  State state = State::packed;
};

}  // namespace cox::machine
