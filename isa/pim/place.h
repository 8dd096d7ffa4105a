// SPDX-License-Identifier: MIT
// Finds the memory of a core's unified address space in which bytes lie.
#pragma once

#include <cstdint>

#include "coxswain/base/status.h"
#include "coxswain/isa/pim/configuration.h"

namespace cox::isa::pim {

/// Memories of a core by number. 0 to kMostMemories - 1 are the local memories of Configuration::memories.
inline constexpr std::uint8_t kArraySpace = 64;
inline constexpr std::uint8_t kDramSpace = 65;  ///< of window 0; kDramSpace + w for window w
inline constexpr std::uint8_t kNowhere = 255;

/// A byte of a memory.
struct Place {
  std::uint8_t space = kNowhere;
  std::uint64_t offset = 0;  ///< from the memory's first byte; in DRAM from the window's

  [[nodiscard]] constexpr bool found() const { return space != kNowhere; }
  [[nodiscard]] constexpr bool is_local() const { return space < kMostMemories; }
  [[nodiscard]] constexpr bool is_array() const { return space == kArraySpace; }
  [[nodiscard]] constexpr bool is_dram() const { return space >= kDramSpace && space < kDramSpace + kWindows; }
  /// Only in DRAM.
  [[nodiscard]] constexpr unsigned window() const { return space - kDramSpace; }
};

/// Which memories an access may use.
enum class Reach : std::uint8_t {
  local,  ///< local memories: all instructions but those below
  dram,   ///< load-global and store-global
  all,    ///< local memories, the array and DRAM: trans
};

/// Returns where `bytes` bytes from `first` on lie, or kNowhere if no single memory in reach has all of them. Each part of DRAM is a
/// memory.
[[nodiscard]] Place place(const Configuration &configuration, Reach reach, std::uint32_t first, std::uint64_t bytes);

/// The error of bytes that place() does not find (isa/pim/operation.h, resolve()).
[[nodiscard]] Status outside(const Configuration &configuration, Reach reach, const char *field, std::uint32_t first);

/// Bytes of a vector of `count` elements.
[[nodiscard]] constexpr std::uint64_t vector_bytes(std::uint64_t count, std::uint32_t width) { return (count * width + 7) / 8; }

}  // namespace cox::isa::pim
