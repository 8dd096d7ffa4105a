// SPDX-License-Identifier: MIT
#include "coxswain/firmware/plan/plan.h"

#include <bit>
#include <cstddef>
#include <memory>

#if defined(__ARM_FEATURE_MVE)
#include <arm_mve.h>
#endif

#include "coxswain/isa/tile/lane.h"

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
  std::span<std::byte> take_scratch(std::size_t instructions, unsigned cores) {
    carver.align(verify::kScratchAlignment);
    return carver.take<std::byte>(verify::scratch_bytes(instructions, cores));
  }

  Carver carver;
  std::span<LanePlan> lanes;
  std::span<std::uint32_t> order;
};
static_assert(kLaneBytes % alignof(LanePlan) == 0);

// Arguments of Budget::spend(): estimated control-core instructions.
constexpr std::int32_t kLayOutCost = 60;   // to lay out an instruction
constexpr std::int32_t kWakeCost = 60;     // to look at an instruction that asks for a completion, and at those behind it that do not
constexpr std::int32_t kSearchCost = 400;  // to skip kSearchPiece groups in the search for the taker of a token

constexpr unsigned kSearchPiece = 64;  // groups in a piece of the search for a taker

/// Counts few ports faster than std::popcount(), for which the control core has no instruction.
unsigned count_of(std::uint32_t ports) {
  unsigned count = 0;
  for (; ports != 0; ports &= ports - 1) ++count;
  return count;
}

}  // namespace

std::span<std::uint32_t> plan_order(std::span<std::byte> workspace, std::size_t instructions, unsigned cores) {
  return Head(workspace, instructions, cores).order;
}

std::span<std::byte> plan_scratch(std::span<std::byte> workspace, std::size_t instructions, unsigned cores) {
  return Head(workspace, instructions, cores).take_scratch(instructions, cores);
}

void PlanBuilder::begin(std::span<const MachineCode> instructions, const verify::Streams &streams, std::span<std::byte> workspace) {
  Head head(workspace, instructions.size(), streams.cores);
  head.take_scratch(instructions.size(), streams.cores);
  Carver &carver = head.carver;
  carver.align(kLaneBytes);
  carver.take<std::byte>(2 * (streams.lanes() + 1) * kLaneBytes);
  instructions_ = instructions;
  streams_ = &streams;
  lanes_ = head.lanes;
  plan_ = {};
  plan_.lanes = head.lanes;
  plan_.groups = carver.take<Group>(instructions.size() + streams.lanes() + 1);
  plan_.code = carver.take<MachineCode>(instructions.size());
  wakes_ = carver.take<Wake>(instructions.size() * detail::most_wakes(streams.cores) + streams.lanes());
  next_group_ = next_wake_ = 0;
  lane_ = 0;
  position_ = 0;
  silent_ = 0;
  ports_ = 0;
  phase_ = Phase::lanes;
}

void PlanBuilder::step(load::Budget &budget) {
  if (phase_ == Phase::lanes && lay_out(budget)) phase_ = Phase::wakes;
  if (phase_ != Phase::wakes || !find_wakes(budget)) return;
  list_start();
  phase_ = Phase::done;
}

/// Copies the instructions lane by lane, sets their completion flags, counts the sinks (Plan::sinks), and divides each lane into groups.
/// Returns true when all lanes are laid out.
bool PlanBuilder::lay_out(load::Budget &budget) {
  for (; lane_ < streams_->lanes(); end_lane()) {
    const std::span<const std::uint32_t> order = streams_->lane(lane_);
    const std::span<MachineCode> code = plan_.code.subspan(streams_->first[lane_], order.size());
    if (position_ == 0) lanes_[lane_] = {code, order.data(), static_cast<std::uint32_t>(next_group_), {}};
    Group *group = plan_.groups.data() + next_group_;  // the next one
    std::size_t at = position_;
    for (; at < order.size() && budget.is_left(); ++at) {
      budget.spend(kLayOutCost);
      MachineCode &own = code[at];
      own = instructions_[order[at]];
      const bool gives = isa::tile::given_ports(own) != 0;
      if (gives || ++silent_ == kCompletionInterval || at + 1 == order.size()) {
        isa::insert_bits(own, isa::tile::kCompletionBit, 1, 1);
        silent_ = 0;
        if (!gives) ++plan_.sinks;
      }
      if (at != 0 && isa::tile::is_configuration(own) && group[-1].size < kMaximumGroup) {
        ++group[-1].size;
        continue;
      }
      const std::uint32_t taken = isa::tile::taken_ports(own);
      *group++ = {taken, 1, static_cast<std::uint16_t>(1 + count_of(taken))};
    }
    next_group_ = static_cast<std::size_t>(group - plan_.groups.data());
    position_ = at;
    if (at < order.size()) return false;
  }
  plan_.groups[next_group_] = {};
  plan_.groups = plan_.groups.first(next_group_ + 1);
  lane_ = 0;
  return true;
}

/// Puts a group that is never ready behind the groups of the lane, and goes on to the next lane.
void PlanBuilder::end_lane() {
  plan_.groups[next_group_++] = {0, 0, kNeverReady};
  ++lane_;
  position_ = 0;
  silent_ = 0;
}

/// Finds the groups that take the tokens which the lanes give. Returns true when all are found.
bool PlanBuilder::find_wakes(load::Budget &budget) {
  const Wake end(plan_.groups.size() - 1, streams_->lanes());
  for (; lane_ < streams_->lanes(); ++lane_) {
    const std::span<const MachineCode> code = lanes_[lane_].code;
    const unsigned core = isa::tile::core_of_lane(lane_), own = isa::tile::class_of_lane(lane_);
    if (position_ == 0 && ports_ == 0) {
      lanes_[lane_].wakes = wakes_.subspan(next_wake_, 0);
      takers_ = {};
    }
    for (; position_ < code.size(); ++position_) {
      if (ports_ == 0) {
        if (!isa::tile::completion_of(code[position_])) continue;  // it gives no token
        if (!budget.is_left()) return false;
        budget.spend(kWakeCost);
        ports_ = isa::tile::given_ports(code[position_]);
        if (ports_ == 0) wakes_[next_wake_++] = end;
      }
      for (; ports_ != 0; ports_ &= ports_ - 1) {
        if (!find_taker(core, own, static_cast<unsigned>(std::countr_zero(ports_)), budget)) return false;
      }
      wakes_[next_wake_ - 1].mark_last();
    }
    LanePlan &lane = lanes_[lane_];
    lane.wakes = {lane.wakes.data(), static_cast<std::size_t>(wakes_.data() + next_wake_ - lane.wakes.data())};
    position_ = 0;
  }
  return true;
}

/// Lists the tokens that the start of a run gives.
void PlanBuilder::list_start() {
  const std::size_t first = next_wake_;
  for (unsigned lane = 0; lane < streams_->lanes(); ++lane) {
    if (!lanes_[lane].code.empty()) wakes_[next_wake_++] = Wake(lanes_[lane].first_group, lane);
  }
  wakes_[next_wake_ - 1].mark_last();
  plan_.start = wakes_.subspan(first, next_wake_ - first);
}

/// Finds the group that takes the next token which the lane, class `own` of `core`, gives at `port`. The port leads to one taking lane,
/// which takes the tokens in the order in which they are given. So the search starts behind the taker of the port's previous token. Returns
/// false if the budget is used before the taker is found; the next call goes on.
bool PlanBuilder::find_taker(unsigned core, unsigned own, unsigned port, load::Budget &budget) {
  const bool inside = port < kClasses;
  const unsigned to = inside ? isa::tile::lane_of(core, port) : isa::tile::lane_at(lane_, port);
  const Group *const first = &plan_.groups[lanes_[to].first_group];
  const std::uint32_t back = 1U << (inside ? own : isa::tile::port_back(lane_, port));
  for (;;) {
    // lay_out() has written the ports from which a group takes tokens to Group::missing.
    const Group *group = first + takers_[port];
    const Group *const stop = group + kSearchPiece;
    while ((group->missing & back) == 0 && ++group != stop) {
    }
    takers_[port] = static_cast<std::uint32_t>(group - first);
    if (group != stop) {
      ++takers_[port];
      wakes_[next_wake_++] = Wake(static_cast<std::size_t>(group - plan_.groups.data()), to);
      return true;
    }
    if (!budget.spend(kSearchCost)) return false;
  }
}

void Plan::rewind(std::uint8_t context) const {
  // Each turn of the loops handles several instructions or groups, which takes the control core less time than a turn for each.
  // The context is one byte of each instruction's first word.
  static_assert(isa::tile::kContextBit == 8 && isa::tile::kContextWidth == 8 && std::endian::native == std::endian::little);
  auto *contexts = reinterpret_cast<std::uint8_t *>(code.data()) + 1;
  constexpr std::size_t kStep = sizeof(MachineCode);
  std::size_t left = isa::tile::context_of(code.front()) == context ? 0 : code.size();
  for (; left >= 8; left -= 8, contexts += 8 * kStep) {
#pragma GCC unroll 8
    for (std::size_t i = 0; i < 8; ++i) contexts[i * kStep] = context;
  }
  for (; left != 0; --left, contexts += kStep) contexts[0] = context;

  // Each run dispatches the first group. So if the group still waits, no run has begun since the plan was built or rewound.
  if (groups.front().missing == groups.front().initial) return;
  Group *group = groups.data();
  for (left = groups.size(); left >= 4; left -= 4, group += 4) {
#if defined(__ARM_FEATURE_MVE)
    // Two vectors get the first and the second words of four groups. `initial` is the high half of the second word.
    static_assert(offsetof(Group, missing) == 0 && offsetof(Group, initial) == 6 && sizeof(Group) == 8);
    uint32x4x2_t words = vld2q_u32(reinterpret_cast<const std::uint32_t *>(group));
    words.val[0] = vshrq_n_u32(words.val[1], 16);
    vst2q_u32(reinterpret_cast<std::uint32_t *>(group), words);
#else
    for (unsigned i = 0; i < 4; ++i) group[i].missing = group[i].initial;
#endif
  }
  for (; left != 0; --left, ++group) group->missing = group->initial;
  groups.back().missing = sinks;
}

}  // namespace cox::firmware::plan
