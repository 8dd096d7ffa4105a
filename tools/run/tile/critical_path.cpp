// SPDX-License-Identifier: MIT
#include "tools/run/tile/critical_path.h"

#include <algorithm>

namespace cox::tools::run {
namespace {

using isa::tile::Class;

Spent spent_on(const TimedInstruction &instruction) {
  if (instruction.is_configuration()) return Spent::configuration;
  switch (instruction.queue) {
    case Class::PE: return Spent::matrix;
    case Class::VP: return Spent::vector;
    case Class::LD:
    case Class::LW:
    case Class::ST: return Spent::dram;
    case Class::DT: return Spent::transform;
    case Class::SI:
    case Class::SO: return Spent::exchange;
    case Class::CT: return Spent::configuration;
  }
  return Spent::configuration;
}

// Walks from the end of the run to its start, so it finds the last stretch first.
class Walk {
 public:
  Walk(const Timeline &timeline, const Waits &waits) : all_(timeline.instructions), waits_(waits) {}

  std::vector<Stretch> path() {
    const auto last = std::ranges::max_element(all_, {}, &TimedInstruction::end);
    if (last == all_.end()) return {};
    std::size_t index = static_cast<std::size_t>(last - all_.begin());
    at_ = last->end;
    while (index != Waits::kNone) index = what_held(index);
    std::ranges::reverse(path_);
    return std::move(path_);
  }

 private:
  void back_to(std::uint64_t time, Spent on, std::size_t index, bool runs = false) {
    if (time >= at_) return;
    path_.push_back({on, {time, at_}, index, runs});
    at_ = time;
  }

  // Adds instruction `index` and the waits before it to the path. Returns the instruction for which it waited, or kNone if the path
  // has reached cycle 0.
  std::size_t what_held(std::size_t index) {
    const TimedInstruction &instruction = all_[index];
    back_to(instruction.end - std::min(instruction.stalled, instruction.cycles()), Spent::bandwidth, index, true);
    back_to(instruction.start, spent_on(instruction), index, true);
    const std::size_t before = waits_.before(index);
    const std::uint64_t allowed = instruction.doorbell + waits_.doorbell_latency();
    if (before != Waits::kNone && all_[before].end == instruction.start && allowed <= instruction.start) return before;
    back_to(std::min(allowed, instruction.start), Spent::device, index);
    back_to(instruction.doorbell, Spent::doorbell, index);
    return what_rang(index);
  }

  // Walks back in the lane from the doorbell of instruction `index` to the nearest one that the control core rang only after a token came.
  // Returns the instruction that gave this token, or kNone if there is none.
  std::size_t what_rang(std::size_t index) {
    const std::size_t waiting = index;
    for (;;) {
      const std::size_t giver = waits_.giver(index), before = waits_.before(index);
      const bool by_token = giver != Waits::kNone && (before == Waits::kNone || all_[giver].end >= all_[before].doorbell);
      if (by_token) {
        back_to(all_[giver].end, Spent::dispatch, waiting);
        return giver;
      }
      if (before == Waits::kNone) {
        back_to(0, Spent::dispatch, waiting);
        return Waits::kNone;
      }
      back_to(all_[before].doorbell, Spent::dispatch, waiting);
      index = before;
    }
  }

  const std::vector<TimedInstruction> &all_;
  const Waits &waits_;
  std::uint64_t at_ = 0;  // the path is known from this cycle to the end
  std::vector<Stretch> path_;
};

}  // namespace

std::vector<Stretch> critical_path(const Timeline &timeline, const Waits &waits) { return Walk(timeline, waits).path(); }

std::array<std::uint64_t, kSpent> spent_cycles(const std::vector<Stretch> &path) {
  std::array<std::uint64_t, kSpent> cycles{};
  for (const Stretch &stretch : path) cycles.at(static_cast<std::size_t>(stretch.on)) += stretch.when.to - stretch.when.from;
  return cycles;
}

const char *name_of(Spent on) {
  switch (on) {
    case Spent::matrix: return "matrix engine";
    case Spent::vector: return "vector engine";
    case Spent::dram: return "loads and stores";
    case Spent::bandwidth: return "sharing of DRAM's bandwidth";
    case Spent::transform: return "data transform";
    case Spent::exchange: return "between cores";
    case Spent::configuration: return "control and configuration";
    case Spent::dispatch: return "dispatch (interrupt, control core)";
    case Spent::doorbell: return "doorbell to start";
    case Spent::device: return "device waiting";
  }
  return "";
}

}  // namespace cox::tools::run
