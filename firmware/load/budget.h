// SPDX-License-Identifier: MIT
// The length of a step of a load (docs/jobs.md, Long work). Loading a large task keeps the control core busy for milliseconds. Between two
// steps, the core handles the jobs of other owners.
#pragma once

#include <cstdint>

namespace cox::firmware::load {

/// Approximate number of instructions of the control core in a step.
inline constexpr std::int32_t kStepInstructions = 100'000;

/// What is left of a step.
class Budget {
 public:
  explicit Budget(std::int32_t instructions = kStepInstructions) : left_(instructions) {}
  /// Call after a piece of work of about `cost` instructions of the control core. Returns false if the step must end.
  bool spend(std::int32_t cost) {
    left_ -= cost;
    return left_ > 0;
  }
  [[nodiscard]] bool is_left() const { return left_ > 0; }

 private:
  std::int32_t left_;
};

}  // namespace cox::firmware::load
