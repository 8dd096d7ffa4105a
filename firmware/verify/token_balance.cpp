// SPDX-License-Identifier: MIT
#include "coxswain/firmware/verify/token_balance.h"

#include <bit>

#include "coxswain/base/bits.h"
#include "coxswain/isa/tile/lane.h"

namespace cox::firmware::verify {

using isa::tile::given_ports;
using isa::tile::lane_at;
using isa::tile::port_back;
using isa::tile::taken_ports;

namespace {

struct PairName {
  char text[12];
};

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

}  // namespace

const char *pair_name(unsigned from, unsigned to) {
  if (core_of_lane(from) == core_of_lane(to)) return kPairNames[class_of_lane(from) * kClasses + class_of_lane(to)].text;
  const std::size_t so = class_of_lane(from) == static_cast<unsigned>(Class::SO) ? 1 : 0;
  return kPairNames[kInside + (so * kMostCores + core_of_lane(from)) * kMostCores + core_of_lane(to)].text;
}

void count_tokens(const MachineCode &code, std::size_t index, unsigned lane, const Scratch &scratch) {
  const unsigned own = class_of_lane(lane);
  CoreScratch &core = scratch.core(core_of_lane(lane));
  for (std::uint32_t ports = taken_ports(code); ports != 0;) {
    TokenPair &pair = core.pairs[own][take_lowest(ports)];
    ++pair.taken;
    pair.last_taken = static_cast<std::int32_t>(index);
  }
  for (std::uint32_t ports = given_ports(code); ports != 0;) {
    const unsigned port = take_lowest(ports);
    TokenPair &pair = port < kClasses ? core.pairs[port][own] : scratch.pair(lane_at(lane, port), port_back(lane, port));
    ++pair.put;
    pair.last_put = static_cast<std::int32_t>(index);
  }
}

Status check_balance(unsigned cores, const Scratch &scratch) {
  for (unsigned to = 0; to < cores * kClasses; ++to) {
    for (unsigned port = 0; port < kPorts; ++port) {
      TokenPair &pair = scratch.pair(to, port);
      if (pair.put != pair.taken) {
        return {ErrorCode::tokens_unbalanced, pair_name(lane_at(to, port), to), pair.put > pair.taken ? pair.last_put : pair.last_taken,
                pair.put, pair.taken};
      }
      pair.put = pair.taken = 0;
    }
  }
  return {};
}

Status describe_deadlock(std::span<const MachineCode> instructions, const Streams &streams, const Scratch &scratch, Deadlock *waiting) {
  if (waiting != nullptr) {
    *waiting = {};
    waiting->instruction.fill(-1);
  }
  int stuck = 0;
  std::int32_t first = -1;
  for (unsigned lane = 0; lane < streams.lanes(); ++lane) {
    const std::uint32_t position = scratch.cursor(lane).position;
    if (position == streams.lane(lane).size()) continue;
    const auto head = static_cast<std::int32_t>(streams.lane(lane)[position]);
    if (stuck++ == 0 || head < first) first = head;
    if (waiting == nullptr) continue;
    waiting->instruction[lane] = head;
    for (std::uint32_t ports = missing_ports(taken_ports(instructions[static_cast<std::size_t>(head)]), lane, scratch); ports != 0;) {
      waiting->waits_for[lane] |= std::uint64_t{1} << lane_at(lane, take_lowest(ports));
    }
  }
  const MachineCode &code = instructions[static_cast<std::size_t>(first)];
  const unsigned own = lane_of(code);
  const unsigned from = lane_at(own, static_cast<unsigned>(std::countr_zero(missing_ports(taken_ports(code), own, scratch))));
  return {ErrorCode::deadlock, pair_name(from, own), first, from, stuck};
}

}  // namespace cox::firmware::verify
