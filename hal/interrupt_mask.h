// SPDX-License-Identifier: MIT
// Masks interrupts during the lifetime of an object.
#pragma once

#include "hal/board.h"

namespace cox::hal {

class InterruptMask {
 public:
  InterruptMask() : masked_(board::mask_interrupts()) {}
  ~InterruptMask() { board::restore_interrupts(masked_); }
  InterruptMask(const InterruptMask &) = delete;
  InterruptMask &operator=(const InterruptMask &) = delete;

 private:
  bool masked_;
};

}  // namespace cox::hal
