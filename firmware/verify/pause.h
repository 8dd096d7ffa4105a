// SPDX-License-Identifier: MIT
// Pauses in long work (docs/jobs.md, Long work). Loading a large task can keep the control core busy for seconds. In the pauses, the core
// handles the jobs of other owners.
#pragma once

#include <cstdint>

#include "base/status.h"

namespace cox::firmware::verify {

/// Approximate number of instructions of the control core between two pauses.
inline constexpr std::int32_t kPauseInterval = 100'000;

class Pause {
 public:
  /// A function that does other work. It returns false if the long work is not wanted any more.
  using Function = bool (*)(void *context);

  /// Makes an object that never pauses.
  Pause() = default;
  Pause(Function function, void *context) : function_(function), context_(context) {}

  /// Call after a piece of work of about `cost` instructions of the control core. If it returns false, the work is not wanted any more,
  /// and the caller should stop soon. Further calls until then do no harm.
  bool after(std::int32_t cost) {
    left_ -= cost;
    return left_ > 0 || take();
  }
  /// Returns true if the work was cancelled in a pause. The work should then return cancelled().
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
