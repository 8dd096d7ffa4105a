// SPDX-License-Identifier: MIT
// Memory that the instructions of an engine may touch.
#pragma once

#include <cstdint>

namespace cox::isa {

struct Window {
  std::uint64_t base = 0, bytes = 0;
  bool read = false, write = false;
};

}  // namespace cox::isa
