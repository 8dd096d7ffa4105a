// SPDX-License-Identifier: MIT
// The detector against a second way to the same answer: every pair of instructions that shares bytes, and whether the tokens order it.
#include <gtest/gtest.h>

#include <random>

#include "sim/model/hazard/overlap.h"
#include "tests/hazard/program.h"

namespace cox::model::hazard {
namespace {

using test::Program;

/// Loads, transforms and stores over a few overlapping places, with random dependency bits.
Program random_program(std::mt19937 &random) {
  const auto draw = [&random](int below) { return static_cast<int>(random() % static_cast<unsigned>(below)); };
  std::vector<std::string> lines = {test::start(), test::cut(4, 3, {"", R"("LD", "DT", "ST")"}), test::load_configuration(6),
                                    test::transform_configuration(6, 16), test::store_configuration(6)};
  bool first[3] = {true, true, true};
  const char *const names[3] = {"LD", "DT", "ST"};
  for (int i = 0; i < 12; ++i) {
    const int which = draw(3);
    test::Classes classes;
    if (first[which]) classes.previous = R"("CT")";
    first[which] = false;
    const int other = (which + 1 + draw(2)) % 3;
    if (draw(2) == 0) classes.next = test::text('"', names[other], '"');
    if (draw(3) == 0) classes.previous += test::text(classes.previous.empty() ? "" : ", ", '"', names[other], '"');
    const int a = draw(24) * 8;
    const int b = 4096 - 96 + draw(12) * 8;  // some wrap
    if (which == 0) lines.push_back(test::load(a, draw(2) == 0 ? a : b, 1 + draw(6), classes));
    if (which == 1) lines.push_back(test::transform(a, draw(2) == 0 ? b : a + 96, 1 + draw(5), classes));
    if (which == 2) lines.push_back(test::store(draw(2) == 0 ? b : a, a, 1 + draw(6), classes));
  }
  lines.push_back(test::end());
  return Program(lines);
}

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
