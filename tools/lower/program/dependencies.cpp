// SPDX-License-Identifier: MIT
#include "tools/lower/program/dependencies.h"

#include <algorithm>
#include <array>
#include <map>
#include <stdexcept>
#include <utility>

#include "sim/model/hazard/shadow.h"

namespace cox::lower {
namespace {

using isa::tile::Class;
using isa::tile::kClasses;
using isa::tile::kMostLanes;
using Shadow = model::hazard::QueueShadow<unsigned, kMostLanes>;
using Clock = Shadow::Clock;

constexpr std::uint32_t kNone = 0;  // no position; positions count from 1

/// For each lane, the last instruction that must end before a given instruction starts, and its position in the lane. The position is kNone
/// if the lane has no such instruction.
struct Wanted {
  std::array<std::uint32_t, kMostLanes> position{};
  std::array<std::int32_t, kMostLanes> instruction{};
};

class Ordering {
 public:
  explicit Ordering(Program &program) : program_(program), ended_(program.size()) { last_.fill(-1); }

  void run() {
    for (std::size_t i = 0; i < program_.size(); ++i) {
      if (!program_[i].configuration) place(static_cast<std::int32_t>(i));
    }
  }

 private:
  Clock &ended(std::int32_t i) { return ended_[static_cast<std::size_t>(i)]; }
  Instruction &at(std::int32_t i) { return program_[static_cast<std::size_t>(i)]; }

  void place(std::int32_t i) {
    Instruction &instruction = at(i);
    const unsigned own = instruction.lane();
    Clock known = last_[own] < 0 ? Clock{} : ended(last_[own]);

    const Wanted wanted = wanted_by(i, known);
    for (unsigned lane = 0; lane < kMostLanes; ++lane) {
      if (lane == own || wanted.position[lane] <= known.ended[lane] || implied(wanted, known, lane)) continue;
      add_token(wanted.instruction[lane], i);
    }
    for (const std::int32_t earlier : instruction.waits_for) known.join(ended(earlier));
    known.ended[own] = ++positions_[own];
    ended(i) = known;
    last_[own] = i;
  }

  void add_token(std::int32_t earlier, std::int32_t later) {
    Instruction &from = at(earlier);
    Instruction &to = at(later);
    to.waits_for.push_back(earlier);
    if (from.core == to.core) {
      from.next |= 1U << static_cast<unsigned>(to.queue);
      to.previous |= 1U << static_cast<unsigned>(from.queue);
      return;
    }
    // Between cores, tokens go only from SO to SI and from SI to SO.
    const bool has_tokens = (from.queue == Class::SI && to.queue == Class::SO) || (from.queue == Class::SO && to.queue == Class::SI);
    if (!has_tokens) {
      throw std::logic_error("instructions " + std::to_string(earlier) + " and " + std::to_string(later) +
                             " conflict on two cores, and SI and SO do not order them");
    }
    from.next_cores |= 1U << to.core;
    to.previous_cores |= 1U << from.core;
  }

  /// Returns, for each lane, the last instruction before `i` that conflicts with `i`, unless `known` already orders the two.
  [[nodiscard]] Wanted wanted_by(std::int32_t i, const Clock &known) {
    Wanted wanted;
    const Instruction &instruction = at(i);
    const Shadow::Toucher toucher{i, instruction.lane(), positions_[instruction.lane()]};
    for (const Touch &touch : instruction.touches) {
      Shadow &shadow = shadows_[{touch.resource, touch.core}];
      shadow.touch(toucher, known, touch.write, touch.begin, touch.end - touch.begin, [&wanted](const Shadow::Conflict &conflict) {
        const unsigned lane = conflict.earlier.queue;
        if (conflict.earlier.position + 1 <= wanted.position[lane]) return;
        wanted.position[lane] = conflict.earlier.position + 1;
        wanted.instruction[lane] = conflict.earlier.instruction;
      });
    }
    return wanted;
  }

  /// Returns true if another wanted instruction can end only after the wanted instruction of `lane`. It is then enough to wait for the
  /// other one. Two instructions never imply each other, so all implied ones can be dropped.
  [[nodiscard]] bool implied(const Wanted &wanted, const Clock &known, unsigned lane) {
    for (unsigned other = 0; other < kMostLanes; ++other) {
      if (other == lane || wanted.position[other] == kNone || wanted.position[other] <= known.ended[other]) continue;
      if (ended(wanted.instruction[other]).ended[lane] >= wanted.position[lane]) return true;
    }
    return false;
  }

  Program &program_;
  std::vector<Clock> ended_;
  std::array<std::int32_t, kMostLanes> last_{};
  std::array<std::uint32_t, kMostLanes> positions_{};
  std::map<std::pair<Resource, std::uint8_t>, Shadow> shadows_;
};

}  // namespace

void order(Program &program) { Ordering(program).run(); }

}  // namespace cox::lower
