// SPDX-License-Identifier: MIT
#include "firmware/verify/pause.h"

namespace cox::firmware::verify {

/// Calls the pause's function. toolchain/stack-use lists take() by name as a function that calls through a pointer, so take() is not
/// inlined.
[[gnu::noinline]] bool Pause::take() {
  left_ = kPauseInterval;
  if (function_ != nullptr && !function_(context_)) given_up_ = true;
  return !given_up_;
}

}  // namespace cox::firmware::verify
