// SPDX-License-Identifier: MIT
#include "tools/run/tile/waits.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

namespace cox::tools::run {

Waits::Waits(const Timeline &timeline)
    : before_(timeline.instructions.size(), kNone), giver_(timeline.instructions.size(), kNone), waits_(timeline.instructions.size()) {
  std::array<std::size_t, isa::tile::kMostLanes> last{};
  last.fill(kNone);
  latency_ = std::numeric_limits<std::uint64_t>::max();
  for (std::size_t i = 0; i < timeline.instructions.size(); ++i) {
    const TimedInstruction &instruction = timeline.instructions[i];
    before_[i] = last.at(instruction.lane());
    last.at(instruction.lane()) = i;
    latency_ = std::min(latency_, instruction.start - std::min(instruction.start, instruction.doorbell));
  }
  for (const Token &token : tokens_of(timeline)) {
    std::size_t &giver = giver_[token.to];
    if (giver == kNone || timeline.instructions[token.from].end > timeline.instructions[giver].end) giver = token.from;
  }
  for (std::size_t i = 0; i < timeline.instructions.size(); ++i) waits_[i] = find(timeline, i);
}

std::vector<Wait> Waits::find(const Timeline &timeline, std::size_t index) const {
  std::vector<Wait> waits;
  const TimedInstruction &instruction = timeline.instructions[index];
  const std::size_t before = before_[index], giver = giver_[index];
  const std::uint64_t free = before == kNone ? 0 : timeline.instructions[before].end;
  std::uint64_t at = std::min(free, instruction.start);
  const auto until = [&](WaitFor reason, std::uint64_t time, std::size_t whom = kNone) {
    const std::uint64_t to = std::min(time, instruction.start);
    if (to > at) waits.push_back({reason, {at, to}, whom});
    at = std::max(at, to);
  };
  const std::uint64_t allowed = instruction.doorbell + latency_;
  const std::uint64_t ready = giver == kNone ? allowed : std::max(allowed, timeline.instructions[giver].end);
  if (ready < at) waits.push_back({WaitFor::queue, {ready, at}, before});
  if (giver != kNone) until(WaitFor::token, timeline.instructions[giver].end, giver);
  until(WaitFor::dispatch, instruction.doorbell);
  until(WaitFor::doorbell, allowed);
  until(WaitFor::device, instruction.start);
  if (instruction.stalled > 0) {
    waits.push_back({WaitFor::bandwidth, {instruction.end - std::min(instruction.stalled, instruction.cycles()), instruction.end}, kNone});
  }
  return waits;
}

std::string describe(const Wait &wait, const Timeline &timeline, bool several_cores) {
  const auto instruction = [&] {
    const TimedInstruction &other = timeline.instructions[wait.whom];
    return fmt::format("{}: {} (instruction {})", lane_name(other.lane(), several_cores), other.name, other.index);
  };
  switch (wait.reason) {
    case WaitFor::token: return "a token of " + instruction();
    case WaitFor::dispatch: return "dispatch by the control core";
    case WaitFor::doorbell: return "its doorbell";
    case WaitFor::queue: return "its turn in its queue, after " + instruction();
    case WaitFor::bandwidth: return "bandwidth of DRAM";
    case WaitFor::device: return "the device (clock, room for its completion, or L2 and WL0 that were cleared for it)";
  }
  return "";
}

const char *name_of(WaitFor reason) {
  switch (reason) {
    case WaitFor::token: return "token";
    case WaitFor::dispatch: return "dispatch";
    case WaitFor::doorbell: return "doorbell";
    case WaitFor::queue: return "queue";
    case WaitFor::bandwidth: return "bandwidth";
    case WaitFor::device: return "device";
  }
  return "";
}

}  // namespace cox::tools::run
