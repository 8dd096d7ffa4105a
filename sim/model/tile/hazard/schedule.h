// SPDX-License-Identifier: MIT
// A task's tokens, apart from its bytes: one of the orders in which it can run, and what it is that every such order has in common.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sim/model/tile/hazard/token_clocks.h"
#include "sim/model/tile/hazard/touch.h"

namespace cox::model::hazard {

/// An ordered pair of lanes whose tokens do not come out even.
struct Imbalance {
  Lane from = 0;
  Lane to = 0;
  std::int64_t put = 0;
  std::int64_t taken = 0;
};

/// An instruction at the head of its lane that can never start.
struct Stuck {
  std::int32_t instruction = -1;
  LaneSet waits_for = 0;  ///< there will be no token from these
};

struct Schedule {
  std::vector<Imbalance> imbalances;
  std::vector<Stuck> stuck;
  std::vector<std::int32_t> order;       ///< indices of the steps that can run
  std::vector<std::uint32_t> positions;  ///< of each step, among those of its lane
  std::vector<Clock> clocks;             ///< of each step: what has certainly ended when it starts

  [[nodiscard]] bool complete() const { return imbalances.empty() && stuck.empty(); }
  /// Has `a` certainly ended when `b` starts? Both of them steps that can run.
  [[nodiscard]] bool happens_before(std::span<const Step> steps, std::int32_t a, std::int32_t b) const;
};

/// By number of the giving lane, then of the taking one.
[[nodiscard]] std::vector<Imbalance> find_imbalances(std::span<const Step> steps);

[[nodiscard]] Schedule make_schedule(std::span<const Step> steps);

}  // namespace cox::model::hazard
