// SPDX-License-Identifier: MIT
#include "firmware/verify/pause.h"

namespace cox::firmware::verify {

/// This is a function of its own, so that toolchain/stack-use finds the call through the pointer by the function's name.
[[gnu::noinline]] bool Pause::take() {
  left_ = kPauseInterval;
  if (function_ != nullptr && !function_(context_)) given_up_ = true;
  return !given_up_;
}

}  // namespace cox::firmware::verify
