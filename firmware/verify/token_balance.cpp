// SPDX-License-Identifier: MIT
#include "firmware/verify/token_balance.h"

#include <algorithm>
#include <bit>

#include "base/bits.h"
#include "isa/tile/table.h"

namespace cox::firmware::verify {

using isa::tile::given_ports;
using isa::tile::lane_at;
using isa::tile::port_back;
using isa::tile::taken_ports;

namespace {

struct PairName {
  char text[12];
};

// Arguments of Pause::after(): estimated control-core instructions for each kind of work on one instruction of the task.
constexpr std::int32_t kTokenCost = 200;  // counting or simulating the tokens of an instruction
constexpr std::int32_t kClockCost = 350;  // computing Scratch::ended() for the lanes of one core
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

/// Returns the ports of `lane` at which the instruction still waits for a token.
std::uint32_t missing_ports(const MachineCode &code, unsigned lane, const Scratch &scratch) {
  std::uint32_t absent = 0;
  for (std::uint32_t mask = taken_ports(code); mask != 0;) {
    const unsigned port = take_lowest(mask);
    const TokenPair &pair = scratch.pair(lane, port);
    if (pair.put == pair.taken) absent |= 1U << port;
  }
  return absent;
}

/// Simulates the execution of all lanes, as far as their tokens allow.
class Simulation {
 public:
  Simulation(std::span<const MachineCode> instructions, const Streams &streams, const Scratch &scratch, Pause &pause)
      : instructions_(instructions), streams_(streams), scratch_(scratch), pause_(pause) {}

  void run() {
    const auto cost = static_cast<std::int32_t>(kTokenCost + kClockCost * streams_.cores);
    std::uint64_t to_try = (std::uint64_t{1} << streams_.lanes()) - 1;  // lanes whose head may have become ready
    while (to_try != 0) {
      const auto lane = static_cast<unsigned>(std::countr_zero(to_try));
      to_try &= to_try - 1;
      const std::span<const std::uint32_t> order = streams_.lane(lane);
      std::uint32_t &position = scratch_.position(lane);
      while (position < order.size() && missing_ports(instructions_[order[position]], lane, scratch_) == 0) {
        start(lane, order, position);
        to_try |= end(lane, order[position]);
        ++position;
        if (!pause_.after(cost)) return;
      }
    }
  }

 private:
  /// Computes the vector clock of the instruction at `position` of `lane`. It follows from the clocks of the previous instruction of the
  /// lane and of the instructions that gave it tokens.
  void start(unsigned lane, std::span<const std::uint32_t> order, std::uint32_t position) {
    std::uint32_t *ended = scratch_.ended(order[position]);
    if (position == 0) {
      std::fill_n(ended, streams_.lanes(), 0U);
    } else {
      std::copy_n(scratch_.ended(order[position - 1]), streams_.lanes(), ended);
    }
    ended[lane] = position;
    for (std::uint32_t mask = taken_ports(instructions_[order[position]]); mask != 0;) {
      const unsigned port = take_lowest(mask);
      TokenPair &pair = scratch_.pair(lane, port);
      ++pair.taken;
      const unsigned from = lane_at(lane, port);
      const std::uint32_t giver = next_giver(pair, from, port_back(lane, port));
      const std::uint32_t *before = scratch_.ended(streams_.lane(from)[giver]);
      for (unsigned i = 0; i < streams_.lanes(); ++i) ended[i] = std::max(ended[i], before[i]);
      ended[from] = std::max(ended[from], giver + 1);
    }
  }

  /// Puts the tokens of an instruction that has ended. Returns the lanes that received one.
  [[nodiscard]] std::uint64_t end(unsigned lane, std::uint32_t index) {
    std::uint64_t woken = 0;
    for (std::uint32_t mask = given_ports(instructions_[index]); mask != 0;) {
      const unsigned port = take_lowest(mask);
      const unsigned to = lane_at(lane, port);
      ++scratch_.pair(to, port_back(lane, port)).put;
      woken |= std::uint64_t{1} << to;
    }
    return woken;
  }

  /// Returns the position in lane `from` of the first instruction at or after pair.giver that puts a token at `port`. It must exist.
  [[nodiscard]] std::uint32_t next_giver(TokenPair &pair, unsigned from, unsigned port) const {
    const std::span<const std::uint32_t> order = streams_.lane(from);
    for (; (given_ports(instructions_[order[pair.giver]]) >> port & 1) == 0; ++pair.giver) pause_.after(kSearchCost);
    return pair.giver++;
  }

  std::span<const MachineCode> instructions_;
  const Streams &streams_;
  const Scratch &scratch_;
  Pause &pause_;
};

}  // namespace

const char *pair_name(unsigned from, unsigned to) {
  if (core_of_lane(from) == core_of_lane(to)) return kPairNames[class_of_lane(from) * kClasses + class_of_lane(to)].text;
  const std::size_t so = class_of_lane(from) == static_cast<unsigned>(Class::SO) ? 1 : 0;
  return kPairNames[kInside + (so * kMostCores + core_of_lane(from)) * kMostCores + core_of_lane(to)].text;
}

Status check_balance(std::span<const MachineCode> instructions, unsigned cores, const Scratch &scratch, Pause &pause) {
  for (std::size_t i = 0; i < instructions.size(); ++i) {
    const MachineCode &code = instructions[i];
    const unsigned own = lane_of(code);
    for (std::uint32_t mask = taken_ports(code); mask != 0;) {
      TokenPair &pair = scratch.pair(own, take_lowest(mask));
      ++pair.taken;
      pair.last_taken = static_cast<std::int32_t>(i);
    }
    for (std::uint32_t mask = given_ports(code); mask != 0;) {
      const unsigned port = take_lowest(mask);
      TokenPair &pair = scratch.pair(lane_at(own, port), port_back(own, port));
      ++pair.put;
      pair.last_put = static_cast<std::int32_t>(i);
    }
    if (!pause.after(kTokenCost)) return Pause::cancelled();
  }
  for (unsigned to = 0; to < cores * kClasses; ++to) {
    for (unsigned port = 0; port < kPorts; ++port) {
      TokenPair &pair = scratch.pair(to, port);
      if (pair.put != pair.taken) {
        return {ErrorCode::tokens_unbalanced, pair_name(lane_at(to, port), to), pair.put > pair.taken ? pair.last_put : pair.last_taken,
                pair.put, pair.taken};
      }
      pair.put = pair.taken = 0;  // check_progress() counts from 0
    }
  }
  return {};
}

Status check_progress(std::span<const MachineCode> instructions, const Streams &streams, const Scratch &scratch, Deadlock *waiting,
                      Pause &pause) {
  Simulation(instructions, streams, scratch, pause).run();
  if (pause.given_up()) return Pause::cancelled();
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
    for (std::uint32_t mask = missing_ports(instructions[static_cast<std::size_t>(head)], lane, scratch); mask != 0;) {
      waiting->waits_for[lane] |= std::uint64_t{1} << lane_at(lane, take_lowest(mask));
    }
  }
  if (stuck == 0) return {};
  const MachineCode &code = instructions[static_cast<std::size_t>(first)];
  const unsigned own = lane_of(code);
  const unsigned from = lane_at(own, static_cast<unsigned>(std::countr_zero(missing_ports(code, own, scratch))));
  return {ErrorCode::deadlock, pair_name(from, own), first, from, stuck};
}

}  // namespace cox::firmware::verify
