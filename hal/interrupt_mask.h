// SPDX-License-Identifier: MIT
// A critical section during the lifetime of an object (hal/cox_os.h).
#pragma once

#include <cstdint>

#include "coxswain/hal/board.h"

namespace cox::hal {

class InterruptMask {
 public:
  InterruptMask() : before_(board::mask_interrupts()) {}
  ~InterruptMask() { board::restore_interrupts(before_); }
  InterruptMask(const InterruptMask &) = delete;
  InterruptMask &operator=(const InterruptMask &) = delete;

 private:
  std::uint32_t before_;
};

}  // namespace cox::hal
