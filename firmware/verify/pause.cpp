// SPDX-License-Identifier: MIT
#include "firmware/verify/pause.h"

namespace cox::firmware::verify {

/// By its name, toolchain/stack-use knows who calls through the pointer.
[[gnu::noinline]] bool Pause::take() {
  left_ = kPauseInterval;
  if (function_ != nullptr && !function_(context_)) given_up_ = true;
  return !given_up_;
}

}  // namespace cox::firmware::verify
