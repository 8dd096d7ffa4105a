// SPDX-License-Identifier: MIT
// Pauses in long work: a load can take seconds of the control core, which others want meanwhile (docs/jobs.md, Long work).
#pragma once

#include <cstdint>

#include "base/status.h"

namespace cox::firmware::verify {

/// About so many instructions of the control core lie between two pauses.
inline constexpr std::int32_t kPauseInterval = 100'000;

class Pause {
 public:
  /// Lets others do their work. False: this work is not wanted any more.
  using Function = bool (*)(void *context);

  /// No pauses.
  Pause() = default;
  Pause(Function function, void *context) : function_(function), context_(context) {}

  /// After a piece of work of about `cost` instructions of the control core. False: give up, or go on, with pauses as before, to the next
  /// place where that is easy.
  bool after(std::int32_t cost) {
    left_ -= cost;
    return left_ > 0 || take();
  }
  /// What work that was given up comes to.
  [[nodiscard]] bool given_up() const { return given_up_; }
  [[nodiscard]] static Status cancelled() { return {ErrorCode::cancelled, "load"}; }

 private:
  bool take();

  Function function_ = nullptr;
  void *context_ = nullptr;
  std::int32_t left_ = kPauseInterval;
  bool given_up_ = false;
};

}  // namespace cox::firmware::verify
