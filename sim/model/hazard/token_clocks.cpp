// SPDX-License-Identifier: MIT
#include "sim/model/hazard/token_clocks.h"

namespace cox::model::hazard {

using isa::tile::Class;
using isa::tile::kClasses;

std::uint32_t TokenClocks::missing(Class queue, std::uint32_t previous) const {
  std::uint32_t classes = 0;
  for (std::size_t from = 0; from < kClasses; ++from) {
    if ((previous >> from & 1U) != 0 && tokens_[from][number(queue)].empty()) classes |= 1U << from;
  }
  return classes;
}

const Clock &TokenClocks::start(Class queue, std::uint32_t previous) {
  Clock &clock = now_[number(queue)];
  for (std::size_t from = 0; from < kClasses; ++from) {
    std::deque<Clock> &tokens = tokens_[from][number(queue)];
    if ((previous >> from & 1U) == 0 || tokens.empty()) continue;
    clock.join(tokens.front());
    tokens.pop_front();
  }
  return clock;
}

void TokenClocks::end(Class queue, std::uint32_t next) {
  Clock &clock = now_[number(queue)];
  ++clock.ended[number(queue)];
  for (std::size_t to = 0; to < kClasses; ++to) {
    if ((next >> to & 1U) != 0) tokens_[number(queue)][to].push_back(clock);
  }
}

std::size_t TokenClocks::left(Class from, Class to) const { return tokens_[number(from)][number(to)].size(); }

}  // namespace cox::model::hazard
