// SPDX-License-Identifier: MIT
// What the tokens of a task determine: one of the orders in which the task can run, and the happens-before relation that all these orders
// share.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sim/model/tile/hazard/token_clocks.h"
#include "sim/model/tile/hazard/touch.h"

namespace cox::model::hazard {

/// An ordered pair of lanes for which the numbers of tokens put and taken differ.
struct Imbalance {
  Lane from = 0;
  Lane to = 0;
  std::int64_t put = 0;
  std::int64_t taken = 0;
};

/// The first waiting instruction of a lane, if it can never start.
struct Stuck {
  std::int32_t instruction = -1;
  LaneSet waits_for = 0;  ///< lanes that will never put the missing tokens
};

struct Schedule {
  std::vector<Imbalance> imbalances;
  std::vector<Stuck> stuck;
  std::vector<std::int32_t> order;       ///< indices of the steps that can run, in one possible order
  std::vector<std::uint32_t> positions;  ///< position of each step within its lane
  std::vector<Clock> clocks;             ///< for each step: all that has certainly ended when the step starts

  [[nodiscard]] bool complete() const { return imbalances.empty() && stuck.empty(); }
  /// Returns true if `a` has certainly ended when `b` starts. Both must be steps that can run.
  [[nodiscard]] bool happens_before(std::span<const Step> steps, std::int32_t a, std::int32_t b) const;
};

/// Returns the imbalances, sorted by the number of the giving lane, then of the taking lane.
[[nodiscard]] std::vector<Imbalance> find_imbalances(std::span<const Step> steps);

[[nodiscard]] Schedule make_schedule(std::span<const Step> steps);

}  // namespace cox::model::hazard
