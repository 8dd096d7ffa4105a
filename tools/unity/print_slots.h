// SPDX-License-Identifier: MIT
// The slots of a submission as the lines of a block `.slots`.
#pragma once

#include <cstdint>
#include <string>

#include "coxswain/isa/unity/program.h"
#include "coxswain/isa/unity/storage.h"

namespace cox::tools::unity {

struct PrintedSlots {
  std::string text;         ///< lines between .slots and .end; empty if a block cannot say what the bytes are
  unsigned queue = 0;       ///< that follows from the block
  std::uint64_t bytes = 0;  ///< of slots and streams
};
/// `address`: of the first slot in a relative container, a multiple of 32.
[[nodiscard]] PrintedSlots print_slots(const isa::unity::Container &container, isa::unity::Domain domain, unsigned slots,
                                       std::uint64_t address);

}  // namespace cox::tools::unity
