// SPDX-License-Identifier: MIT
// A task's tokens, apart from its bytes: one of the orders in which it can run, and what it is that every such order has in common.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sim/model/hazard/token_clocks.h"
#include "sim/model/hazard/touch.h"

namespace cox::model::hazard {

/// An ordered pair of classes whose tokens do not come out even.
struct Imbalance {
  isa::tile::Class from = isa::tile::Class::CT;
  isa::tile::Class to = isa::tile::Class::CT;
  std::int64_t put = 0;
  std::int64_t taken = 0;
};

/// An instruction at the head of its class that can never start.
struct Stuck {
  std::int32_t instruction = -1;
  std::uint32_t waits_for = 0;  ///< bit c: there will be no token from class c
};

struct Schedule {
  std::vector<Imbalance> imbalances;
  std::vector<Stuck> stuck;
  std::vector<std::int32_t> order;       ///< indices of the steps that can run
  std::vector<std::uint32_t> positions;  ///< of each step, among those of its class
  std::vector<Clock> clocks;             ///< of each step: what has certainly ended when it starts

  [[nodiscard]] bool complete() const { return imbalances.empty() && stuck.empty(); }
  /// Has `a` certainly ended when `b` starts? Both of them steps that can run.
  [[nodiscard]] bool happens_before(std::span<const Step> steps, std::int32_t a, std::int32_t b) const;
};

[[nodiscard]] Schedule make_schedule(std::span<const Step> steps);

}  // namespace cox::model::hazard
