// SPDX-License-Identifier: MIT
#include "firmware/verify/token_balance.h"

#include <algorithm>
#include <bit>

#include "isa/tile/table.h"

namespace cox::firmware::verify {

using isa::tile::kClasses;
using isa::tile::MachineCode;
using isa::tile::next_of;
using isa::tile::previous_of;

namespace {

struct PairName {
  char text[8];
};

/// All 81 of them, built from the class names so that errors can point at static storage.
consteval std::array<PairName, std::size_t{kClasses} * kClasses> make_pair_names() {
  std::array<PairName, std::size_t{kClasses} * kClasses> names{};
  for (unsigned from = 0; from < kClasses; ++from) {
    for (unsigned to = 0; to < kClasses; ++to) {
      const char *a = isa::tile::kClassNames[from];
      const char *b = isa::tile::kClassNames[to];
      names[std::size_t{from} * kClasses + to] = PairName{{a[0], a[1], '-', '>', b[0], b[1], '\0', '\0'}};
    }
  }
  return names;
}

constexpr std::array<PairName, std::size_t{kClasses} *kClasses> kPairNames = make_pair_names();

unsigned take_lowest(std::uint32_t &mask) {
  const auto lowest = static_cast<unsigned>(std::countr_zero(mask));
  mask &= mask - 1;
  return lowest;
}

using Ended = decltype(InstructionOrder::ended);

void join(Ended &ended, const Ended &other) {
  for (unsigned i = 0; i < kClasses; ++i) ended[i] = std::max(ended[i], other[i]);
}

/// For each pair the givers of its tokens, one after the other.
class GiverCursors {
 public:
  GiverCursors(std::span<const MachineCode> instructions, const Streams &streams) : instructions_(instructions), streams_(streams) {}

  /// The position in class `from` of who put the token that `to` takes next. It must have been put.
  std::size_t next(unsigned from, unsigned to) {
    std::uint16_t &cursor = cursors_[from][to];
    while ((next_of(instructions_[streams_.classes[from][cursor]]) >> to & 1) == 0) ++cursor;
    return cursor++;
  }

 private:
  std::span<const MachineCode> instructions_;
  const Streams &streams_;
  std::uint16_t cursors_[kClasses][kClasses]{};
};

unsigned class_of(const MachineCode &code) { return static_cast<unsigned>(isa::tile::find_instruction(isa::tile::opcode_of(code))->queue); }

}  // namespace

const char *pair_name(unsigned from, unsigned to) { return kPairNames[from * kClasses + to].text; }

Status check_balance(std::span<const MachineCode> instructions) {
  struct Pair {
    std::int32_t put = 0, taken = 0, last_put = -1, last_taken = -1;
  };
  Pair pairs[kClasses][kClasses]{};
  for (std::size_t i = 0; i < instructions.size(); ++i) {
    const MachineCode &code = instructions[i];
    const unsigned own = class_of(code);
    for (std::uint32_t mask = previous_of(code); mask != 0;) {
      Pair &pair = pairs[take_lowest(mask)][own];
      ++pair.taken;
      pair.last_taken = static_cast<std::int32_t>(i);
    }
    for (std::uint32_t mask = next_of(code); mask != 0;) {
      Pair &pair = pairs[own][take_lowest(mask)];
      ++pair.put;
      pair.last_put = static_cast<std::int32_t>(i);
    }
  }
  for (unsigned from = 0; from < kClasses; ++from) {
    for (unsigned to = 0; to < kClasses; ++to) {
      const Pair &pair = pairs[from][to];
      if (pair.put != pair.taken) {
        return {ErrorCode::tokens_unbalanced, pair_name(from, to), pair.put > pair.taken ? pair.last_put : pair.last_taken, pair.put,
                pair.taken};
      }
    }
  }
  return {};
}

Status check_progress(std::span<const MachineCode> instructions, const Streams &streams, std::span<InstructionOrder> orders,
                      Deadlock *waiting) {
  std::uint16_t tokens[kClasses][kClasses]{};  // [from][to]
  std::size_t position[kClasses]{};
  GiverCursors givers(instructions, streams);
  const auto missing = [&](unsigned own) {
    std::uint32_t absent = 0;
    for (std::uint32_t mask = previous_of(instructions[streams.classes[own][position[own]]]); mask != 0;) {
      const unsigned from = take_lowest(mask);
      if (tokens[from][own] == 0) absent |= 1U << from;
    }
    return absent;
  };

  std::uint32_t to_try = (1U << kClasses) - 1;  // classes whose head may have become ready
  while (to_try != 0) {
    const unsigned own = take_lowest(to_try);
    while (position[own] < streams.classes[own].size() && missing(own) == 0) {
      const std::uint16_t index = streams.classes[own][position[own]];
      const MachineCode &code = instructions[index];
      InstructionOrder &order = orders[index];
      order.ended = position[own] == 0 ? Ended{} : orders[streams.classes[own][position[own] - 1]].ended;
      order.ended[own] = static_cast<std::uint16_t>(position[own]);
      for (std::uint32_t mask = previous_of(code); mask != 0;) {
        const unsigned from = take_lowest(mask);
        --tokens[from][own];
        const std::size_t giver = givers.next(from, own);
        join(order.ended, orders[streams.classes[from][giver]].ended);
        order.ended[from] = std::max(order.ended[from], static_cast<std::uint16_t>(giver + 1));
      }
      for (std::uint32_t mask = next_of(code); mask != 0;) {
        const unsigned to = take_lowest(mask);
        ++tokens[own][to];
        to_try |= 1U << to;
      }
      ++position[own];
    }
    to_try &= ~(1U << own);
  }

  Deadlock found;
  found.instruction.fill(-1);
  int stuck = 0;
  int first = -1;
  for (unsigned own = 0; own < kClasses; ++own) {
    if (position[own] == streams.classes[own].size()) continue;
    found.instruction[own] = std::int32_t{streams.classes[own][position[own]]};
    found.waits_for[own] = static_cast<std::uint16_t>(missing(own));
    ++stuck;
    if (first < 0 || found.instruction[own] < found.instruction[static_cast<unsigned>(first)]) first = static_cast<int>(own);
  }
  if (waiting != nullptr) *waiting = found;
  if (stuck == 0) return {};
  const auto own = static_cast<unsigned>(first);
  const auto from = static_cast<unsigned>(std::countr_zero(found.waits_for[own]));
  return {ErrorCode::deadlock, pair_name(from, own), found.instruction[own], from, stuck};
}

}  // namespace cox::firmware::verify
