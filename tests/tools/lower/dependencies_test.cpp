// SPDX-License-Identifier: MIT
// Tests that the tokens of a program are enough and that none is superfluous. The test derives happens-before only from the tokens.
#include "tools/lower/program/dependencies.h"

#include <gmock/gmock.h>

#include <deque>
#include <map>
#include <random>

namespace cox::lower {
namespace {

using isa::tile::Class;
using isa::tile::kClasses;

Instruction instruction(Class queue, std::vector<Touch> touches, unsigned core = 0) {
  Instruction result;
  result.core = static_cast<std::uint8_t>(core);
  result.name = isa::tile::kClassNames[static_cast<unsigned>(queue)];
  result.queue = queue;
  result.touches = std::move(touches);
  return result;
}

Touch reads(std::int64_t begin, std::int64_t end) { return {Resource::l2, false, begin, end}; }
Touch writes(std::int64_t begin, std::int64_t end) { return {Resource::l2, true, begin, end}; }

constexpr std::uint32_t bit(Class queue) { return 1U << static_cast<unsigned>(queue); }

TEST(Dependencies, ReadAfterWrite) {
  Program program = {instruction(Class::LD, {writes(0, 8)}), instruction(Class::VP, {reads(4, 5)})};
  order(program);
  EXPECT_EQ(program[0].next, bit(Class::VP));
  EXPECT_EQ(program[1].previous, bit(Class::LD));
  EXPECT_EQ(program[0].previous, 0U);
  EXPECT_EQ(program[1].next, 0U);
}

TEST(Dependencies, WriteAfterReadAndWriteAfterWrite) {
  Program program = {instruction(Class::PE, {reads(0, 8)}), instruction(Class::VP, {writes(7, 9)}),
                     instruction(Class::LD, {writes(8, 10)})};
  order(program);
  EXPECT_EQ(program[1].previous, bit(Class::PE));
  EXPECT_EQ(program[2].previous, bit(Class::VP));
}

TEST(Dependencies, NoneWithoutConflict) {
  Program program = {instruction(Class::PE, {reads(0, 8)}), instruction(Class::VP, {reads(0, 8)}), instruction(Class::LD, {writes(8, 10)})};
  order(program);
  for (const Instruction &each : program) EXPECT_EQ(each.previous | each.next, 0U);
}

TEST(Dependencies, WhatATokenBringsAlongNeedsNone) {
  // ST touches what LD and VP wrote. It needs only VP's token, because VP already comes after LD.
  Program program = {instruction(Class::LD, {writes(0, 8)}), instruction(Class::VP, {reads(0, 8), writes(8, 16)}),
                     instruction(Class::ST, {reads(0, 16)})};
  order(program);
  EXPECT_EQ(program[2].previous, bit(Class::VP));
  EXPECT_EQ(program[0].next, bit(Class::VP));
}

TEST(Dependencies, TheClassBeforeBringsItsTokensAlong) {
  Program program = {instruction(Class::LD, {writes(0, 8)}), instruction(Class::VP, {reads(0, 8)}), instruction(Class::VP, {reads(0, 8)})};
  order(program);
  EXPECT_EQ(program[2].previous, 0U);
}

/// Returns the lanes with which an instruction exchanges tokens. `classes` is a mask of classes of its own core. `cores` is a mask of other
/// cores. An SI exchanges tokens with the SO of these cores, an SO with their SI.
std::vector<unsigned> lanes_of(const Instruction &instruction, std::uint32_t classes, std::uint32_t cores) {
  std::vector<unsigned> lanes;
  for (unsigned c = 0; c < kClasses; ++c) {
    if ((classes >> c & 1U) != 0) lanes.push_back(instruction.core * kClasses + c);
  }
  const Class other = instruction.queue == Class::SI ? Class::SO : Class::SI;
  for (unsigned core = 0; core < isa::tile::kMostCores; ++core) {
    if ((cores >> core & 1U) != 0) lanes.push_back(core * kClasses + static_cast<unsigned>(other));
  }
  return lanes;
}

/// Returns the order that the tokens make: before[i][j] is true if instruction i has surely ended when j starts. The k-th token that a lane
/// gives to another lane is the k-th token that the other lane takes from it.
std::vector<std::vector<bool>> happens_before(const Program &program) {
  const std::size_t size = program.size();
  std::vector<std::vector<bool>> before(size, std::vector<bool>(size));
  std::map<std::pair<unsigned, unsigned>, std::deque<std::size_t>> tokens;
  std::map<unsigned, std::size_t> last;
  for (std::size_t j = 0; j < size; ++j) {
    const unsigned own = program[j].lane();
    const auto add = [&](std::size_t i) {
      before[i][j] = true;
      for (std::size_t k = 0; k < size; ++k) {
        if (before[k][i]) before[k][j] = true;
      }
    };
    if (last.contains(own)) add(last[own]);
    for (const unsigned lane : lanes_of(program[j], program[j].previous, program[j].previous_cores)) {
      auto &queue = tokens[{lane, own}];
      if (queue.empty()) {
        ADD_FAILURE() << "no token for instruction " << j;
        continue;
      }
      add(queue.front());
      queue.pop_front();
    }
    last[own] = j;
    for (const unsigned lane : lanes_of(program[j], program[j].next, program[j].next_cores)) tokens[{own, lane}].push_back(j);
  }
  for (const auto &[pair, queue] : tokens) EXPECT_TRUE(queue.empty()) << "tokens left between " << pair.first << " and " << pair.second;
  return before;
}

bool conflict(const Instruction &a, const Instruction &b) {
  for (const Touch &touch : a.touches) {
    for (const Touch &other : b.touches) {
      const bool same = touch.resource == other.resource && touch.core == other.core;
      if (same && (touch.write || other.write) && touch.begin < other.end && other.begin < touch.end) return true;
    }
  }
  return false;
}

std::size_t unordered_conflicts(const Program &program) {
  const std::vector<std::vector<bool>> before = happens_before(program);
  std::size_t count = 0;
  for (std::size_t i = 0; i < program.size(); ++i) {
    for (std::size_t j = i + 1; j < program.size(); ++j) count += conflict(program[i], program[j]) && !before[i][j] ? 1 : 0;
  }
  return count;
}

/// Returns the index of the instruction that gives the token that instruction `j` takes from class `from`.
std::size_t push_of(const Program &program, std::size_t j, unsigned from) {
  const auto own = static_cast<unsigned>(program[j].queue);
  std::size_t pops = 0;
  for (std::size_t k = 0; k < j; ++k) pops += static_cast<unsigned>(program[k].queue) == own ? program[k].previous >> from & 1U : 0;
  for (std::size_t k = 0; k < program.size(); ++k) {
    if (static_cast<unsigned>(program[k].queue) != from || (program[k].next >> own & 1U) == 0) continue;
    if (pops-- == 0) return k;
  }
  ADD_FAILURE();
  return 0;
}

TEST(Dependencies, RandomProgramsAreOrderedAndNoTokenIsIdle) {
  std::mt19937 random(7);
  const auto below = [&random](int limit) { return static_cast<int>(random() % static_cast<unsigned>(limit)); };
  for (int round = 0; round < 60; ++round) {
    Program program;
    for (int i = 0; i < 40; ++i) {
      std::vector<Touch> touches;
      for (int t = below(3) + 1; t > 0; --t) {
        const int begin = below(24);
        touches.push_back({Resource::l2, below(3) == 0, begin, begin + 1 + below(4)});
      }
      program.push_back(instruction(static_cast<Class>(below(6) + 1), touches));
    }
    order(program);
    ASSERT_EQ(unordered_conflicts(program), 0U) << "round " << round;
    for (std::size_t j = 0; j < program.size(); ++j) {
      for (unsigned c = 0; c < kClasses; ++c) {
        if ((program[j].previous >> c & 1U) == 0) continue;
        Program without = program;
        without[j].previous &= ~(1U << c);
        without[push_of(program, j, c)].next &= ~(1U << static_cast<unsigned>(program[j].queue));
        ASSERT_GT(unordered_conflicts(without), 0U)
            << "round " << round << ": the token from class " << c << " to instruction " << j << " is idle";
      }
    }
  }
}

TEST(Dependencies, BetweenCoresTokensGoFromSoToSiAndBack) {
  // Core 0 loads bytes and announces them (link 7); core 1 copies and uses the bytes. Core 0 loads again only after it has heard that core
  // 1 has copied.
  const Touch announced{Resource::link, true, 7, 8, 0}, heard{Resource::link, false, 7, 8, 0};
  Program program = {instruction(Class::LD, {writes(0, 8)}),
                     instruction(Class::SO, {reads(0, 8), announced}),
                     instruction(Class::SI, {reads(0, 8), heard, {Resource::l2, true, 0, 8, 1}}, 1),
                     instruction(Class::LW, {{Resource::l2, false, 0, 8, 1}}, 1),
                     instruction(Class::SO, {reads(0, 8), announced}),
                     instruction(Class::LD, {writes(0, 8)})};
  order(program);
  EXPECT_EQ(program[1].previous, bit(Class::LD));
  EXPECT_EQ(program[1].next_cores, 1U << 1);
  EXPECT_EQ(program[1].next, 0U);
  EXPECT_EQ(program[2].previous_cores, 1U << 0);
  EXPECT_EQ(program[2].next, bit(Class::LW));
  EXPECT_EQ(program[2].next_cores, 1U << 0);
  EXPECT_EQ(program[4].previous_cores, 1U << 1);
  EXPECT_EQ(program[4].next, bit(Class::LD));
  EXPECT_EQ(program[5].previous, bit(Class::SO));
  EXPECT_EQ(unordered_conflicts(program), 0U);
}

TEST(Dependencies, AConflictOfTwoCoresThatNothingAnnouncesIsAnError) {
  Program program = {instruction(Class::LD, {writes(0, 8)}), instruction(Class::SI, {reads(0, 8)}, 1)};
  EXPECT_THROW(order(program), std::logic_error);
}

}  // namespace
}  // namespace cox::lower
