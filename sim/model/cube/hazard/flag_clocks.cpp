// SPDX-License-Identifier: MIT
#include "sim/model/cube/hazard/flag_clocks.h"

#include <bit>

namespace cox::model::cube {

using isa::cube::kEvents;
using isa::cube::kMostFlags;
using isa::cube::kPipes;
using isa::cube::other_pipe;
using isa::cube::Pipe;

namespace {

constexpr std::size_t number(Pipe pipe) { return static_cast<std::size_t>(pipe); }

/// Calls `visit(other pipe, event, bit)` for each flag in `mask`, the flags that a slot of pipe `own` sets or waits for.
template <typename Visit>
void for_each_flag(Pipe own, std::uint32_t mask, const Visit &visit) {
  for (std::uint32_t rest = mask; rest != 0; rest &= rest - 1) {
    const auto bit = static_cast<unsigned>(std::countr_zero(rest));
    visit(other_pipe(own, bit), bit % kEvents, 1U << bit);
  }
}

}  // namespace

std::uint32_t FlagClocks::missing(Pipe own, std::uint32_t waits) const {
  std::uint32_t bits = 0;
  for_each_flag(own, waits, [&](Pipe from, unsigned event, std::uint32_t bit) {
    if (history(from, own, event).left() == 0) bits |= bit;
  });
  return bits;
}

std::uint32_t FlagClocks::overflowing(Pipe own, std::uint32_t sets) const {
  std::uint32_t bits = 0;
  for_each_flag(own, sets, [&](Pipe to, unsigned event, std::uint32_t bit) {
    if (history(own, to, event).left() >= kMostFlags) bits |= bit;
  });
  return bits;
}

const Clock &FlagClocks::start(Pipe own, std::uint32_t waits) {
  Clock &clock = now_[number(own)];
  for_each_flag(own, waits, [&](Pipe from, unsigned event, std::uint32_t) {
    Flag &taken = flag(from, own, event);
    clock.join(taken.given[taken.history.waits++ % kMostFlags].clock);
  });
  ++started_[number(own)];
  return clock;
}

void FlagClocks::end(Pipe own, std::uint32_t sets, std::int32_t instruction) {
  Clock &clock = now_[number(own)];
  clock.ended[number(own)] = started_[number(own)];
  for_each_flag(own, sets, [&](Pipe to, unsigned event, std::uint32_t) {
    Flag &given = flag(own, to, event);
    given.given[given.history.sets++ % kMostFlags] = {clock, instruction};
  });
}

void FlagClocks::barrier(std::uint32_t pipes) {
  Clock ended;
  for (std::size_t pipe = 0; pipe < kPipes; ++pipe) {
    if ((pipes >> pipe & 1U) != 0) ended.join(now_[pipe]);
  }
  for (Clock &clock : now_) clock.join(ended);
}

std::int32_t FlagClocks::setter(Pipe from, Pipe to, unsigned event, std::uint32_t place) const {
  const Flag &given = flag(from, to, event);
  return given.given[(given.history.waits + place) % kMostFlags].instruction;
}

}  // namespace cox::model::cube
