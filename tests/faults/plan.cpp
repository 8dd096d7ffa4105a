// SPDX-License-Identifier: MIT
#include "tests/faults/plan.h"

#include <cstdlib>

namespace cox::faults {
namespace {

/// From this number of cycles on, a DMA channel that is stuck counts as stuck for good: it does not stop in time.
constexpr std::uint64_t kForGood = 100'000'000;

/// Returns a fault of a DMA channel for a fault of a core or an engine.
Kind without_unit(Kind kind) {
  switch (kind) {
    case kCompletion: return kBusError;
    case kReset: return kFlipTwo;
    case kClock: return kStuck;
    case kClockForGood: return kStuckForGood;
    default: return kind;
  }
}
std::string number(const char *key, std::uint64_t value) { return std::string(" ") + key + "=" + std::to_string(value); }

template <typename T>
const T &one(const std::vector<T> &of, std::uint64_t drawn) {
  return of[drawn % of.size()];
}

/// Returns the text of a parameter of a line, without its key; empty if the line does not have it.
std::string_view parameter(std::string_view line, const std::string &key) {
  const std::size_t at = line.find(" " + key + "=");
  if (at == std::string_view::npos) return {};
  const std::string_view rest = line.substr(at + key.size() + 2);
  return rest.substr(0, rest.find(' '));
}

}  // namespace

Kind kind_of(std::string_view line) {
  const std::string_view word = line.substr(0, line.find(' '));
  const std::string cycles(parameter(line, "cycles"));
  if (word == "bus_error") return kBusError;
  if (word == "stuck") return cycles.empty() || std::strtoull(cycles.c_str(), nullptr, 0) >= kForGood ? kStuckForGood : kStuck;
  if (word == "slow") return kSlow;
  if (word == "interrupt") return kInterrupt;
  if (word == "completion") return kCompletion;
  if (word == "flip") return parameter(line, "bits") == "1" ? kFlipOne : kFlipTwo;
  if (word == "doorbell") return kDoorbell;
  if (word == "reset") return kReset;
  if (word == "clock") return cycles == "forever" ? kClockForGood : kClock;
  return kKinds;
}

std::uint64_t delay_of(std::string_view line) {
  const Kind kind = kind_of(line);
  const std::string cycles(parameter(line, "cycles"));
  return kind == kStuck || kind == kSlow || kind == kClock ? std::strtoull(cycles.c_str(), nullptr, 0) : 0;
}

Plan Planner::make(std::uint64_t turn) {
  Plan plan;
  const std::uint64_t count = pick(2) == 0 ? 1 : 1 + pick(4);
  for (std::uint64_t i = 0; i < count; ++i) {
    // pick(kKinds - 1) leaves out kClockForGood, which is permanent. So the device works again after most plans.
    Kind kind = static_cast<Kind>(i == 0 ? turn % kKinds : pick(kKinds - 1));
    if (targets_.units.empty()) kind = without_unit(kind);
    plan.kinds.push_back(kind);
    const std::string fault = line(kind);
    plan.delay += delay_of(fault);
    plan.text += fault + "\n";
  }
  return plan;
}

std::string Planner::nth(const char *key, unsigned most) { return number(key, 1 + pick(std::max(1U, most))); }
std::string Planner::at() { return number("at", pick(targets_.cycles)); }

std::string Planner::line(Kind kind) {
  const Targets::Queue &queue = one(targets_.queues, random_());
  static const Targets::Unit kNone{.name = {}, .completion_queue = 0, .entries = 8};
  const Targets::Unit &unit = targets_.units.empty() ? kNone : one(targets_.units, random_());
  const std::uint64_t cycles = 1 + pick(pick(2) == 0 ? 10'000 : kLongestDelay);
  switch (kind) {
    case kBusError: return "bus_error queue=" + queue.name + nth("access", queue.accesses);
    case kStuck: return "stuck queue=" + queue.name + nth("instruction", queue.instructions) + number("cycles", cycles);
    case kStuckForGood:
      // The bus does not answer a DMA channel for so long that the channel does not stop in time.
      if (targets_.units.empty() && pick(2) == 0)
        return "stuck queue=" + queue.name + nth("instruction", queue.instructions) + number("cycles", 200'000'000);
      return "stuck queue=" + queue.name + nth("instruction", queue.instructions);
    case kSlow: return "slow" + number("factor", 2 + pick(63)) + at() + number("cycles", cycles);
    case kInterrupt: {
      constexpr const char *kWhat[] = {"lost", "doubled", "early"};  // only line 0 can be early
      const unsigned line = targets_.line;
      if (pick(3) == 0) return "interrupt spurious" + number("line", line == 0 ? pick(2) : line) + at();
      return std::string("interrupt ") + kWhat[pick(line == 0 ? 3 : 2)] + number("line", line) + nth("count", unit.entries);
    }
    case kCompletion: {
      constexpr const char *kWhat[] = {"corrupt", "swap", "lost", "doubled"};
      const std::uint64_t what = pick(4);
      return std::string("completion ") + kWhat[what] + number("queue", unit.completion_queue) + nth("count", unit.entries) +
             (what == 0 ? number("bit", pick(64)) : "");
    }
    case kFlipOne:
    case kFlipTwo: {
      const Targets::Range &range = one(targets_.memory, random_());
      return "flip memory=" + range.memory + number("address", range.address + pick(range.bytes)) +
             number("bits", kind == kFlipOne ? 1 : 2) + at();
    }
    case kDoorbell: return "doorbell lost queue=" + queue.name + nth("count", queue.doorbells);
    case kReset: return "reset " + unit.name + at();
    case kClock: return "clock " + unit.name + at() + number("cycles", cycles);
    case kClockForGood: return "clock " + unit.name + at() + " cycles=forever";
    case kKinds: break;
  }
  return {};
}

}  // namespace cox::faults
