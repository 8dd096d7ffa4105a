// SPDX-License-Identifier: MIT
// Interrupts masked for as long as an object lives.
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
