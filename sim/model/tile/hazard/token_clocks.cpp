// SPDX-License-Identifier: MIT
#include "sim/model/tile/hazard/token_clocks.h"

namespace cox::model::hazard {

Clock TokenClocks::Tokens::take() {
  const Clock clock = clocks[taken++];
  if (taken == clocks.size()) {
    clocks.clear();
    taken = 0;
  }
  return clock;
}

LaneSet TokenClocks::missing(Lane lane, LaneSet previous) const {
  LaneSet lanes = 0;
  for_each_lane(previous, [&](Lane from) {
    if (left(from, lane) == 0) lanes |= LaneSet{1} << from;
  });
  return lanes;
}

const Clock &TokenClocks::start(Lane lane, LaneSet previous) {
  Clock &clock = now_[lane];
  for_each_lane(previous, [&](Lane from) {
    if (left(from, lane) != 0) clock.join(tokens(from, lane).take());
  });
  return clock;
}

void TokenClocks::end(Lane lane, LaneSet next) {
  Clock &clock = now_[lane];
  ++clock.ended[lane];
  for_each_lane(next, [&](Lane to) { tokens(lane, to).clocks.push_back(clock); });
}

}  // namespace cox::model::hazard
