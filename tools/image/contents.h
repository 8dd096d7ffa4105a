// SPDX-License-Identifier: MIT
// What task images of all engines hold besides the program.
#pragma once

#include <cstdint>
#include <vector>

namespace cox::tools {

struct Window {
  std::uint8_t index = 0;  ///< number of the base address register (BAS), 0 to 3
  std::uint64_t size = 0;  ///< bytes
  bool writable = false;

  bool operator==(const Window &) const = default;
};

/// Bytes that a window holds before the task starts.
struct Constant {
  std::uint8_t window = 0;
  std::uint64_t offset = 0;
  std::vector<std::uint8_t> data;

  bool operator==(const Constant &) const = default;
};

enum class Direction : std::uint8_t { input = 0, output = 1 };

}  // namespace cox::tools
