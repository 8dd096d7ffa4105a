// SPDX-License-Identifier: MIT
#include "tools/lower/dependencies.h"

#include <algorithm>
#include <array>

namespace cox::lower {
namespace {

using isa::tile::kClasses;

/// For each class the last instruction that has surely ended, as an index in the program; -1 is none. In a class each instruction ends
/// before the next starts, so one index says it all.
using Clock = std::array<std::int64_t, kClasses>;

constexpr Clock kNothing = {-1, -1, -1, -1, -1, -1, -1, -1, -1};

void merge(Clock &clock, const Clock &other) {
  for (unsigned c = 0; c < kClasses; ++c) clock[c] = std::max(clock[c], other[c]);
}

unsigned class_of(const Instruction &instruction) { return static_cast<unsigned>(instruction.queue); }

bool conflict(const Instruction &a, const Instruction &b) {
  for (const Touch &touch : a.touches) {
    for (const Touch &other : b.touches) {
      if (touch.conflicts(other)) return true;
    }
  }
  return false;
}

class Ordering {
 public:
  explicit Ordering(Program &program) : program_(program), ended_(program.size(), kNothing) { last_.fill(-1); }

  void run() {
    for (std::size_t i = 0; i < program_.size(); ++i) {
      if (!program_[i].configuration) place(i);
    }
  }

 private:
  void place(std::size_t i) {
    Instruction &instruction = program_[i];
    const unsigned own = class_of(instruction);
    Clock known = last_[own] < 0 ? kNothing : ended_[static_cast<std::size_t>(last_[own])];

    const Clock wanted = wanted_by(i);
    for (unsigned c = 0; c < kClasses; ++c) {
      if (c == own || wanted[c] <= known[c] || implied(wanted, known, c)) continue;
      instruction.previous |= 1U << c;
      program_[static_cast<std::size_t>(wanted[c])].next |= 1U << own;
    }
    for (unsigned c = 0; c < kClasses; ++c) {
      if ((instruction.previous >> c & 1U) != 0) merge(known, ended_[static_cast<std::size_t>(wanted[c])]);
    }
    known[own] = static_cast<std::int64_t>(i);
    ended_[i] = known;
    last_[own] = static_cast<std::int64_t>(i);
  }

  /// For each class the last instruction before `i` that conflicts with it.
  [[nodiscard]] Clock wanted_by(std::size_t i) const {
    Clock wanted = kNothing;
    for (std::size_t j = 0; j < i; ++j) {
      if (!program_[j].configuration && conflict(program_[i], program_[j])) wanted[class_of(program_[j])] = static_cast<std::int64_t>(j);
    }
    return wanted;
  }

  /// Whether another wanted instruction ends after the one of class `c`. It is never mutual, so dropping all that are implied is safe.
  [[nodiscard]] bool implied(const Clock &wanted, const Clock &known, unsigned c) const {
    for (unsigned other = 0; other < kClasses; ++other) {
      if (other != c && wanted[other] > known[other] && ended_[static_cast<std::size_t>(wanted[other])][c] >= wanted[c]) return true;
    }
    return false;
  }

  Program &program_;
  std::vector<Clock> ended_;
  std::array<std::int64_t, kClasses> last_{};
};

}  // namespace

void order(Program &program) { Ordering(program).run(); }

}  // namespace cox::lower
