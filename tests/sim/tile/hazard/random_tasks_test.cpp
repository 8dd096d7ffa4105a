// SPDX-License-Identifier: MIT
// Compares the detector with a second method, which looks at every pair of instructions that share bytes and checks whether tokens order
// the two.
#include <gtest/gtest.h>

#include "sim/model/tile/hazard/unwritten.h"
#include "tests/sim/tile/hazard/overlap.h"
#include "tests/sim/tile/hazard/random_program.h"

namespace cox::model::hazard {
namespace {

using test::Program;
using test::random_program;

TEST(RandomTasks, BothWaysAgree) {
  std::mt19937 random(20260101);
  int with_hazards = 0;
  int without = 0;
  for (int i = 0; i < 2000; ++i) {
    const Program program = random_program(random);
    const Schedule schedule = make_schedule(program.steps);
    std::vector<bool> runs(program.steps.size(), false);
    for (const std::int32_t index : schedule.order) runs[static_cast<std::size_t>(index)] = true;
    std::vector<std::pair<std::int32_t, std::int32_t>> unordered;
    for (const auto &[a, b] : conflicting_pairs(program.steps)) {
      if (!runs[static_cast<std::size_t>(a)] || !runs[static_cast<std::size_t>(b)]) continue;
      if (!schedule.happens_before(program.steps, a, b) && !schedule.happens_before(program.steps, b, a)) unordered.emplace_back(a, b);
    }
    const std::vector<Hazard> hazards = analyse(program.steps).hazards;
    EXPECT_EQ(hazards.empty(), unordered.empty()) << "task " << i;
    for (const Hazard &hazard : hazards) {
      EXPECT_TRUE(std::find(unordered.begin(), unordered.end(), std::pair(hazard.earlier, hazard.later)) != unordered.end())
          << "task " << i << ": " << hazard.earlier << " and " << hazard.later;
      EXPECT_GT(hazard.bytes, 0);
    }
    ++(hazards.empty() ? without : with_hazards);
  }
  EXPECT_GT(with_hazards, 100);
  EXPECT_GT(without, 100);
}

// Compares find_unwritten_reads() with a second method. It goes through the instructions in one of the orders in which the task can run,
// and marks each byte that an instruction writes. A byte that is read before it is marked counts as an unwritten read, once.
TEST(RandomTasks, UnwrittenReadsAgreeToo) {
  std::mt19937 random(20260102);
  unsigned found = 0;
  for (int i = 0; i < 1000; ++i) {
    const Program program = random_program(random);
    std::vector<bool> known(8192);
    std::vector<std::array<std::int64_t, 4>> expected, actual;
    for (const std::int32_t index : make_schedule(program.steps).order) {
      std::int64_t first = 0, last = 0, bytes = 0;
      for (const bool write : {false, true}) {
        for (const Touch &touch : program.steps[static_cast<std::size_t>(index)].touches) {
          if (touch.place != Place::l2 || touch.write != write) continue;
          for_each_run(touch, [&](std::int64_t at, std::int64_t run) {
            for (std::int64_t byte = at; byte < at + run; ++byte) {
              if (known[static_cast<std::size_t>(byte)]) continue;
              known[static_cast<std::size_t>(byte)] = true;
              if (write) continue;
              first = bytes == 0 ? byte : std::min(first, byte);
              last = std::max(last, byte);
              ++bytes;
            }
          });
        }
      }
      if (bytes != 0) expected.push_back({index, first, last, bytes});
    }
    std::sort(expected.begin(), expected.end());
    for (const UnwrittenRead &read : find_unwritten_reads(program.steps))
      actual.push_back({read.instruction, read.first, read.last, read.bytes});
    EXPECT_EQ(actual, expected) << "task " << i;
    found += static_cast<unsigned>(actual.size());
  }
  EXPECT_GT(found, 1000U);
}

}  // namespace
}  // namespace cox::model::hazard
