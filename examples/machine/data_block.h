// SPDX-License-Identifier: MIT
// What data blocks of applications have in common (README.md): how one begins, and what it says about memory. Little-endian.
#pragma once

#include <cstdint>

namespace cox::machine {

/// Memory, by its bus address: aligned to 64 bytes.
struct Region {
  std::uint64_t address = 0;
  std::uint64_t bytes = 0;
};

enum class State : std::uint32_t {
  packed = 0,   ///< as the host left it
  running = 1,  ///< the application was here
  done = 2,
  failed = 3,  ///< the block's error_text says why
};

/// The first member of a data block.
struct BlockHead {
  std::uint32_t magic = 0;
  std::uint32_t version = 0;
  std::uint32_t bytes = 0;  ///< of the whole block
  State state = State::packed;
};

}  // namespace cox::machine
