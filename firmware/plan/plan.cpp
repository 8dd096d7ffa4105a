// SPDX-License-Identifier: MIT
#include "firmware/plan/plan.h"

#include <bit>
#include <memory>

#include "base/bits.h"
#include "isa/tile/lane.h"

namespace cox::firmware::plan {

using isa::tile::kClasses;
using isa::tile::MachineCode;

namespace {

constexpr std::uint16_t kNeverReady = 0xFF;  // initial Group::missing of the empty groups; large enough to never reach 0

/// Cuts arrays off the front of the workspace.
class Carver {
 public:
  explicit Carver(std::span<std::byte> workspace) {
    void *memory = workspace.data();
    std::size_t bytes = workspace.size();
    next_ = static_cast<std::byte *>(std::align(kLaneBytes, 0, memory, bytes));
  }
  void align(std::size_t alignment) { next_ += -reinterpret_cast<std::uintptr_t>(next_) & (alignment - 1); }
  template <typename T>
  std::span<T> take(std::size_t count) {
    T *first = reinterpret_cast<T *>(next_);
    next_ += count * sizeof(T);
    return {first, count};
  }

 private:
  std::byte *next_;
};

/// The arrays at the front of a workspace. Their addresses are known before the plan is built.
struct Head {
  Head(std::span<std::byte> workspace, std::size_t instructions, unsigned cores)
      : carver(workspace), lanes(carver.take<LanePlan>(cores * kClasses)), order(carver.take<std::uint32_t>(instructions)) {}

  Carver carver;
  std::span<LanePlan> lanes;
  std::span<std::uint32_t> order;
};
static_assert(kLaneBytes % alignof(LanePlan) == 0);

/// lay_out(), group() and build_plan() each visit every instruction of the task. Approximate cost of a visit, in instructions of the
/// control core.
constexpr std::int32_t kWalkCost = 60;
/// Approximate cost of the search for the taker of a token: instructions of the control core for each group that it skips.
constexpr std::int32_t kSearchCost = 15;

/// Copies a lane's instructions to `code`, in the lane's order, and sets their completion flags. Returns the number of sinks (Plan::sinks).
std::uint32_t lay_out(std::span<const MachineCode> instructions, std::span<const std::uint32_t> order, std::span<MachineCode> code,
                      verify::Pause &pause) {
  std::uint32_t sinks = 0;
  unsigned silent = 0;  // instructions since the last one that asks for a completion
  for (std::size_t i = 0; i < order.size(); ++i) {
    pause.after(kWalkCost);
    code[i] = instructions[order[i]];
    const bool gives = isa::tile::given_ports(code[i]) != 0;
    if (!gives && ++silent < kCompletionInterval && i + 1 < order.size()) continue;
    isa::insert_bits(code[i], isa::tile::kCompletionBit, 1, 1);
    silent = 0;
    if (!gives) ++sinks;
  }
  return sinks;
}

/// Divides a lane into groups. Writes them to `groups` from index `next` on, and behind them a group that is never ready. Returns the index
/// of the next lane's first group.
std::size_t group(std::span<const MachineCode> code, std::span<Group> groups, std::size_t next, verify::Pause &pause) {
  bool open = false;  // whether the next configuration may join the last group
  for (const MachineCode &each : code) {
    pause.after(kWalkCost);
    const bool joins = open && isa::tile::is_configuration(each) && groups[next - 1].size < kMaximumGroup;
    if (!joins) {
      groups[next++] = {0, 0, static_cast<std::uint16_t>(1 + std::popcount(isa::tile::taken_ports(each)))};
      open = true;
    }
    ++groups[next - 1].size;
  }
  groups[next] = {0, 0, kNeverReady};
  return next + 1;
}

/// Finds the groups that take the tokens which one lane gives. Each port of the giving lane leads to one taking lane. That lane takes the
/// tokens of the port in the order in which they are given. So the search for a taker starts behind the taker of the port's previous token.
class Takers {
 public:
  Takers(const Plan &plan, unsigned from, verify::Pause &pause) : plan_(plan), from_(from), pause_(pause) {}

  [[nodiscard]] Wake next(unsigned port) {
    Taker &taker = takers_[port];
    const unsigned to = isa::tile::lane_at(from_, port);
    const LanePlan &taking = plan_.lanes[to];
    const unsigned back = isa::tile::port_back(from_, port);
    for (; (isa::tile::taken_ports(taking.code[taker.position]) >> back & 1) == 0; step(taker, taking)) pause_.after(kSearchCost);
    const Wake wake(taking.first_group + taker.group, to);
    step(taker, taking);
    return wake;
  }

 private:
  struct Taker {
    std::uint32_t group = 0;     // index of a group in the lane
    std::uint32_t position = 0;  // number of the lane's instructions before the group
  };
  void step(Taker &taker, const LanePlan &taking) const { taker.position += plan_.groups[taking.first_group + taker.group++].size; }

  const Plan &plan_;
  unsigned from_;
  verify::Pause &pause_;
  std::array<Taker, isa::tile::kPorts> takers_{};
};

}  // namespace

std::span<std::uint32_t> plan_order(std::span<std::byte> workspace, std::size_t instructions, unsigned cores) {
  return Head(workspace, instructions, cores).order;
}

std::span<std::byte> plan_scratch(std::span<std::byte> workspace, std::size_t instructions, unsigned cores) {
  static_assert(verify::kScratchAlignment <= alignof(std::uint32_t));
  return Head(workspace, instructions, cores).carver.take<std::byte>(verify::scratch_bytes(instructions, cores));
}

Plan build_plan(std::span<const MachineCode> instructions, const verify::Streams &streams, std::span<std::byte> workspace,
                verify::Pause &pause) {
  Head head(workspace, instructions.size(), streams.cores);
  Carver &carver = head.carver;
  carver.align(kLaneBytes);
  carver.take<std::byte>((streams.lanes() + 1) * kLaneBytes);
  const std::span<Group> groups = carver.take<Group>(instructions.size() + streams.lanes() + 1);
  const std::span<MachineCode> code = carver.take<MachineCode>(instructions.size());
  const std::span<Wake> wakes = carver.take<Wake>(instructions.size() * detail::most_wakes(streams.cores));

  Plan plan;
  plan.lanes = head.lanes;
  plan.code = code;

  std::size_t next_group = 0;
  for (unsigned own = 0; own < streams.lanes(); ++own) {
    const std::span<const std::uint32_t> order = streams.lane(own);
    const std::span<MachineCode> own_code = code.subspan(streams.first[own], order.size());
    head.lanes[own] = {own_code, order.data(), static_cast<std::uint32_t>(next_group), {}};
    plan.sinks += lay_out(instructions, order, own_code, pause);
    next_group = group(own_code, groups, next_group, pause);
  }

  groups[next_group] = {};
  const Wake end(next_group, streams.lanes());
  plan.groups = groups.first(next_group + 1);

  std::size_t next_wake = 0;
  for (unsigned from = 0; from < streams.lanes(); ++from) {
    Takers takers(plan, from, pause);
    const std::size_t first_wake = next_wake;
    for (const MachineCode &giver : plan.lanes[from].code) {
      pause.after(kWalkCost);
      std::uint32_t ports = isa::tile::given_ports(giver);
      if (ports == 0 && !isa::tile::completion_of(giver)) continue;
      if (ports == 0) wakes[next_wake++] = end;
      while (ports != 0) wakes[next_wake++] = takers.next(take_lowest(ports));
      wakes[next_wake - 1].mark_last();
    }
    head.lanes[from].wakes = wakes.subspan(first_wake, next_wake - first_wake);
  }
  return plan;
}

void Plan::rewind(std::uint8_t context) const {
  // Each turn of the loops handles four instructions or four groups, which takes the control core less time than four turns with one each.
  // The context is one byte of each instruction's first word.
  static_assert(isa::tile::kContextBit == 8 && isa::tile::kContextWidth == 8 && std::endian::native == std::endian::little);
  auto *contexts = reinterpret_cast<std::uint8_t *>(code.data()) + 1;
  constexpr std::size_t kStep = sizeof(MachineCode);
  std::size_t left = isa::tile::context_of(code.front()) == context ? 0 : code.size();
  for (; left >= 4; left -= 4, contexts += 4 * kStep) {
    contexts[0] = contexts[kStep] = contexts[2 * kStep] = contexts[3 * kStep] = context;
  }
  for (; left != 0; --left, contexts += kStep) contexts[0] = context;

  Group *group = groups.data();
  for (left = groups.size(); left >= 4; left -= 4, group += 4) {
    group[0].missing = group[0].initial;
    group[1].missing = group[1].initial;
    group[2].missing = group[2].initial;
    group[3].missing = group[3].initial;
  }
  for (; left != 0; --left, ++group) group->missing = group->initial;
  groups.back().missing = sinks;
}

}  // namespace cox::firmware::plan
