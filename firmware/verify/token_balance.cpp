// SPDX-License-Identifier: MIT
#include "firmware/verify/token_balance.h"

#include <algorithm>
#include <bit>

#include "base/bits.h"
#include "firmware/verify/verifier.h"
#include "isa/tile/lane.h"

namespace cox::firmware::verify {

using isa::tile::given_ports;
using isa::tile::lane_at;
using isa::tile::port_back;
using isa::tile::taken_ports;

namespace {

struct PairName {
  char text[12];
};

// Arguments of Budget::spend(): estimated control-core instructions for each kind of work on one instruction of the task.
constexpr std::int32_t kPassCost = 30;    // executing an instruction without tokens and regions
constexpr std::int32_t kStartCost = 60;   // executing another instruction
constexpr std::int32_t kClockCost = 150;  // computing Scratch::ended() for the lanes of one core
constexpr std::int32_t kSearchCost = 15;  // skipping an instruction in a search for the giver of a token

constexpr std::size_t kInside = std::size_t{kClasses} * kClasses;
constexpr std::size_t kBetween = std::size_t{2} * kMostCores * kMostCores;

/// The names of all ordered pairs of lanes: first the pairs inside a core, then pairs SI->SO of two cores, then pairs SO->SI of two cores.
/// They are in static storage because errors point at them.
consteval std::array<PairName, kInside + kBetween> make_pair_names() {
  std::array<PairName, kInside + kBetween> names{};
  for (unsigned from = 0; from < kClasses; ++from) {
    for (unsigned to = 0; to < kClasses; ++to) {
      const char *a = isa::tile::kClassNames[from];
      const char *b = isa::tile::kClassNames[to];
      names[std::size_t{from} * kClasses + to] = PairName{{a[0], a[1], '-', '>', b[0], b[1]}};
    }
  }
  for (unsigned i = 0; i < kBetween; ++i) {
    const char first = i < kBetween / 2 ? 'I' : 'O';
    const char second = first == 'I' ? 'O' : 'I';
    const auto from = static_cast<char>('0' + i / kMostCores % kMostCores);
    const auto to = static_cast<char>('0' + i % kMostCores);
    names[kInside + i] = PairName{{'S', first, from, '-', '>', 'S', second, to}};
  }
  return names;
}

constexpr std::array<PairName, kInside + kBetween> kPairNames = make_pair_names();

/// Returns those of the ports `taken` of `lane` at which there is no token.
std::uint32_t missing_ports(std::uint32_t taken, unsigned lane, const Scratch &scratch) {
  std::uint32_t absent = 0;
  while (taken != 0) {
    const unsigned port = take_lowest(taken);
    const TokenPair &pair = scratch.pair(lane, port);
    if (pair.put == pair.taken) absent |= 1U << port;
  }
  return absent;
}

/// Sets `to` to the later of the two clocks in each lane.
void merge_clocks(std::uint32_t *to, const std::uint32_t *from, unsigned cores) {
  for (; cores != 0; --cores, to += kClasses, from += kClasses) {
    for (unsigned i = 0; i < kClasses; ++i) to[i] = std::max(to[i], from[i]);
  }
}

/// Finds the givers of the next tokens at the ports `taken`, and leaves them in TokenPair::giver. They must exist. Returns false if the
/// budget is used before all are found; the next call goes on.
bool find_givers(std::span<const MachineCode> instructions, const Scratch &scratch, unsigned lane, std::uint32_t taken,
                 load::Budget &budget) {
  while (taken != 0) {
    const unsigned port = take_lowest(taken);
    const unsigned back = port_back(lane, port);
    std::uint32_t &giver = scratch.pair(lane, port).giver;
    if (giver == 0) giver = scratch.first_giver(lane_at(lane, port));
    while ((given_ports(instructions[giver - 1]) >> back & 1) == 0) {
      giver = scratch.next_giver(giver - 1);
      if (!budget.spend(kSearchCost)) return false;
    }
  }
  return true;
}

/// Computes the vector clock of the instruction at `position` of `lane`, and takes its tokens. The clock follows from the clocks of the
/// previous instruction of the lane and of the givers, which find_givers() has found.
void start(const Streams &streams, const Scratch &scratch, unsigned lane, std::uint32_t position, std::uint32_t taken) {
  const std::uint32_t index = streams.lane(lane)[position];
  std::uint32_t *ended = scratch.ended(index);
  std::uint32_t &clocked = scratch.clocked(lane);
  if (clocked == 0) {
    std::fill_n(ended, streams.lanes(), 0U);
  } else {
    const std::uint32_t *before = scratch.ended(clocked - 1);
    for (unsigned core = 0; core < streams.cores; ++core) std::copy_n(before + core * kClasses, kClasses, ended + core * kClasses);
  }
  clocked = index + 1;
  ended[lane] = position;
  while (taken != 0) {
    const unsigned port = take_lowest(taken);
    TokenPair &pair = scratch.pair(lane, port);
    ++pair.taken;
    const unsigned from = lane_at(lane, port);
    const std::uint32_t giver = pair.giver - 1;
    const std::uint32_t *before = scratch.ended(giver);
    merge_clocks(ended, before, streams.cores);
    ended[from] = std::max(ended[from], before[from] + 1);
    pair.giver = scratch.next_giver(giver);
  }
}

/// Puts the tokens of an instruction of `lane` that has ended. Returns the lanes that received one.
std::uint64_t end(unsigned lane, std::uint32_t given, const Scratch &scratch) {
  std::uint64_t woken = 0;
  while (given != 0) {
    const unsigned port = take_lowest(given);
    const unsigned to = lane_at(lane, port);
    ++scratch.pair(to, port_back(lane, port)).put;
    woken |= std::uint64_t{1} << to;
  }
  return woken;
}

}  // namespace

void TokenSimulation::step(std::span<const MachineCode> instructions, const Streams &streams, const Scratch &scratch,
                           load::Budget &budget) {
  const auto cost = static_cast<std::int32_t>(kStartCost + kClockCost * streams.cores);
  while (to_try_ != 0) {
    const auto lane = static_cast<unsigned>(std::countr_zero(to_try_));
    const std::span<const std::uint32_t> order = streams.lane(lane);
    std::uint32_t &position = scratch.position(lane);
    while (position < order.size()) {
      if (!budget.is_left()) return;
      const std::uint32_t index = order[position];
      const MachineCode &code = instructions[index];
      const std::uint32_t taken = taken_ports(code);
      const std::uint32_t given = given_ports(code);
      if ((taken | given | scratch.regions(index)) == 0) {
        budget.spend(kPassCost);
      } else {
        if (missing_ports(taken, lane, scratch) != 0) break;
        if (!find_givers(instructions, scratch, lane, taken, budget)) return;
        start(streams, scratch, lane, position, taken);
        to_try_ |= end(lane, given, scratch);
        budget.spend(cost);
      }
      ++position;
    }
    // The lane has ended, or its head waits. If the instructions of the lane gave it tokens itself, the head has seen them.
    to_try_ &= ~(std::uint64_t{1} << lane);
  }
}

const char *pair_name(unsigned from, unsigned to) {
  if (core_of_lane(from) == core_of_lane(to)) return kPairNames[class_of_lane(from) * kClasses + class_of_lane(to)].text;
  const std::size_t so = class_of_lane(from) == static_cast<unsigned>(Class::SO) ? 1 : 0;
  return kPairNames[kInside + (so * kMostCores + core_of_lane(from)) * kMostCores + core_of_lane(to)].text;
}

void count_tokens(const MachineCode &code, std::size_t index, unsigned lane, const Scratch &scratch) {
  for (std::uint32_t ports = taken_ports(code); ports != 0;) {
    TokenPair &pair = scratch.pair(lane, take_lowest(ports));
    ++pair.taken;
    pair.last_taken = static_cast<std::int32_t>(index);
  }
  std::uint32_t ports = given_ports(code);
  if (ports == 0) return;
  std::uint32_t &last = scratch.last_giver(lane);
  (last == 0 ? scratch.first_giver(lane) : scratch.next_giver(last - 1)) = static_cast<std::uint32_t>(index) + 1;
  last = static_cast<std::uint32_t>(index) + 1;
  scratch.next_giver(index) = 0;
  while (ports != 0) {
    const unsigned port = take_lowest(ports);
    TokenPair &pair = scratch.pair(lane_at(lane, port), port_back(lane, port));
    ++pair.put;
    pair.giver = static_cast<std::uint32_t>(index) + 1;
  }
}

Status check_balance(unsigned cores, const Scratch &scratch) {
  for (unsigned to = 0; to < cores * kClasses; ++to) {
    for (unsigned port = 0; port < kPorts; ++port) {
      TokenPair &pair = scratch.pair(to, port);
      if (pair.put != pair.taken) {
        return {ErrorCode::tokens_unbalanced, pair_name(lane_at(to, port), to),
                pair.put > pair.taken ? static_cast<std::int32_t>(pair.giver) - 1 : pair.last_taken, pair.put, pair.taken};
      }
      pair.put = pair.taken = 0;  // the simulation counts from 0
      pair.giver = 0;
    }
  }
  return {};
}

Status check_progress(std::span<const MachineCode> instructions, const Streams &streams, const Scratch &scratch, Deadlock *waiting) {
  if (waiting != nullptr) {
    *waiting = {};
    waiting->instruction.fill(-1);
  }
  int stuck = 0;
  std::int32_t first = -1;
  for (unsigned lane = 0; lane < streams.lanes(); ++lane) {
    if (scratch.position(lane) == streams.lane(lane).size()) continue;
    const auto head = static_cast<std::int32_t>(streams.lane(lane)[scratch.position(lane)]);
    if (stuck++ == 0 || head < first) first = head;
    if (waiting == nullptr) continue;
    waiting->instruction[lane] = head;
    for (std::uint32_t ports = missing_ports(taken_ports(instructions[static_cast<std::size_t>(head)]), lane, scratch); ports != 0;) {
      waiting->waits_for[lane] |= std::uint64_t{1} << lane_at(lane, take_lowest(ports));
    }
  }
  if (stuck == 0) return {};
  const MachineCode &code = instructions[static_cast<std::size_t>(first)];
  const unsigned own = lane_of(code);
  const unsigned from = lane_at(own, static_cast<unsigned>(std::countr_zero(missing_ports(taken_ports(code), own, scratch))));
  return {ErrorCode::deadlock, pair_name(from, own), first, from, stuck};
}

}  // namespace cox::firmware::verify
