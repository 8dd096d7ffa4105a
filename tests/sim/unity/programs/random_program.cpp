// SPDX-License-Identifier: MIT
#include "tests/sim/unity/programs/random_program.h"

#include <algorithm>
#include <map>
#include <stdexcept>

#include "tests/sim/unity/programs/random_items.h"

namespace cox::test::unity_programs {

namespace {

bool conflict(const std::vector<Range> &a, const std::vector<Range> &b) {
  return std::any_of(a.begin(), a.end(), [&](const Range &earlier) {
    return std::any_of(b.begin(), b.end(), [&](const Range &later) { return later.conflicts(earlier); });
  });
}

/// Appends steps in the global order. Keys and BLK make each one wait for the steps that it conflicts with.
class Builder {
 public:
  Builder(Random &random, Program &program, const Shape &shape)
      : random_(random), program_(program), shape_(shape), items_(random, program) {}

  void build() {
    const unsigned count = 1 + static_cast<unsigned>(random_.below(shape_.most_steps));
    for (unsigned i = 0; i < count; ++i) append(random_step());
    for (Step &step : program_.steps) spare_sync(step);
    program_.write();
  }

 private:
  Step random_step() {
    Step step{.unit = static_cast<unsigned>(random_.below(program_.units))};
    const unsigned kind = static_cast<unsigned>(random_.below(100));
    if (kind < 2) {
      step.items = items_.chain(random_.chance(50) ? isa::unity::kMostDepth : 2);
    } else if (kind < 5) {
      step.items = {ItemMaker::exit()};
      step.ends_program = true;
      add_dead(step);
    } else if (kind < 10) {
      // Whether the instructions behind the branch run depends on data.
      step.items = items_.branch(2, true);
      for (std::size_t i = random_.below(3); i-- > 0;) step.items.push_back(items_.plain());
      items_.order(step.items);
      step.ends_program = true;
    } else if (kind < 25) {
      step.items = items_.branch(shape_.most_depth, false);
      items_.order(step.items);
    } else {
      step.items = {items_.plain()};
    }
    step.new_program = random_.chance(5);
    return step;
  }

  void add_dead(Step &step) {
    for (std::size_t i = random_.below(3); i-- > 0;) step.dead.push_back(items_.plain());
  }

  [[nodiscard]] std::size_t last_of(unsigned unit) const {
    for (std::size_t i = program_.steps.size(); i-- > 0;) {
      if (program_.steps[i].unit == unit) return i;
    }
    return program_.steps.size();
  }

  void push(Step step) {
    const std::size_t last = last_of(step.unit);
    if (last != program_.steps.size() && program_.steps[last].ends_program) step.new_program = true;
    program_.steps.push_back(std::move(step));
  }

  /// The step of the unit that can give a key after step `number` has ended: itself, or a new one.
  std::size_t giver(std::size_t number) {
    std::vector<Step> &steps = program_.steps;
    if (steps[number].can_deposit()) return number;
    if (!steps[number].ends_with_fence()) steps[number].items.back().sync.blocks = true;
    Step relay{.unit = steps[number].unit, .items = {items_.relay()}};
    push(std::move(relay));
    return steps.size() - 1;
  }

  void append(Step step) {
    std::vector<Step> &steps = program_.steps;
    const std::vector<Range> touched = step.touched();
    const auto before = [&] {
      push(step);
      const std::bitset<kMostSteps> ended = order_of(program_).back();
      steps.pop_back();
      return ended;
    };
    std::bitset<kMostSteps> ended = before();
    std::map<unsigned, std::size_t> givers;
    for (std::size_t i = steps.size(); i-- > 0;) {
      if (ended[i] || !conflict(steps[i].touched(), touched)) continue;
      // The unit's last instruction in conflict gives the key; those before it end before it begins.
      const bool by_key = steps[i].unit != step.unit || (random_.chance(40) && steps[i].can_deposit());
      if (!by_key || givers.count(steps[i].unit) != 0) {
        steps[i].items.back().sync.blocks = true;
      } else {
        givers[steps[i].unit] = i;
      }
      ended = before();
      for (const auto &[unit, number] : givers) ended[number] = true;
    }
    if (!givers.empty()) take_keys(step, givers);
    push(std::move(step));
  }

  void take_keys(Step &step, const std::map<unsigned, std::size_t> &givers) {
    std::vector<std::size_t> numbers;
    for (const auto &[unit, number] : givers) numbers.push_back(giver(number));
    const Key key = key_for(step, numbers);
    for (const std::size_t number : numbers) {
      Sync &sync = program_.steps[number].items.back().sync;
      sync.deposits = true;
      sync.deposit = key;
    }
    Sync &sync = step.items.front().sync;
    sync.fetches = true;
    sync.fetch = key;
    sync.keys = static_cast<std::uint8_t>(numbers.size());
    takers_.emplace_back(key, program_.steps.size());
    const bool fresh = std::none_of(takers_.begin(), takers_.end() - 1, [&](const auto &taker) { return taker.first == key; });
    const unsigned room = isa::unity::kMostKeys - sync.keys;
    if (!fresh || room == 0 || !random_.chance(15)) return;
    const std::uint32_t more = random_.size(room);
    program_.keys.push_back({key.table, key.entry, static_cast<std::uint16_t>(more)});
    sync.keys = static_cast<std::uint8_t>(sync.keys + more);
  }

  /// A new entry, or one all of whose takers begin before the givers begin, and before `step` asks for its keys: else these could take one
  /// another's.
  Key key_for(const Step &step, const std::vector<std::size_t> &givers) {
    if (takers_.empty() || random_.chance(40)) return items_.new_key();
    push(step);
    const Order order = order_of(program_);
    const std::size_t own = program_.steps.size() - 1;
    const Key key = random_.one_of(takers_).first;
    const bool free = std::all_of(takers_.begin(), takers_.end(), [&](const auto &other) {
      const std::size_t taker = other.second;
      if (!(other.first == key)) return true;
      return begins_before(program_, order, taker, own) && std::all_of(givers.begin(), givers.end(), [&](std::size_t giver) {
               return giver != taker && begins_before(program_, order, taker, giver);
             });
    });
    program_.steps.pop_back();
    return free ? key : items_.new_key();
  }

  /// BLK and keys that nothing needs.
  void spare_sync(Step &step) {
    if (random_.chance(6) && !step.items.back().is_exit()) step.items.back().sync.blocks = true;
    if (!random_.chance(6) || !step.can_deposit()) return;
    step.items.back().sync.deposits = true;
    step.items.back().sync.deposit = items_.new_key();
  }

  Random &random_;
  Program &program_;
  const Shape &shape_;
  ItemMaker items_;
  std::vector<std::pair<Key, std::size_t>> takers_;  ///< numbers of steps
};

Program attempt(std::uint64_t seed, const Shape &shape) {
  Random random(seed);
  Program program(random);
  program.units = 1 + static_cast<unsigned>(random.below(shape.most_units));
  program.key_tables = 1 + static_cast<unsigned>(random.below(15));
  program.relative = shape.relative_only || random.chance(50);
  program.own_page = random.chance(50);
  if (random.chance(30)) program.time_limit = 100000;
  Builder(random, program, shape).build();
  return program;
}

}  // namespace

Program random_program(std::uint64_t seed, const Shape &shape) {
  constexpr std::uint64_t kNext = 0x9E3779B97F4A7C15;
  constexpr unsigned kTries = 50;
  for (unsigned turn = 0; turn < kTries; ++turn) {
    try {
      return attempt(seed + turn * kNext, shape);
    } catch (const std::length_error &) {
      continue;  // container, constants or words are full
    }
  }
  throw std::length_error("no program fits");
}

}  // namespace cox::test::unity_programs
