// SPDX-License-Identifier: MIT
// The detector against a second way to the same answer: every pair of instructions that shares bytes, and whether the tokens order it.
#include <gtest/gtest.h>

#include "tests/hazard/overlap.h"
#include "tests/hazard/random_program.h"

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

}  // namespace
}  // namespace cox::model::hazard
