// SPDX-License-Identifier: MIT
// Programs with one thing broken are refused with its name, and nothing that the fault should have prevented has happened.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/sim/unity/programs/broken.h"
#include "tests/sim/unity/programs/random_program.h"
#include "tests/sim/unity/programs/rig.h"

namespace cox::test::unity_programs {
namespace {

using model::unity::Path;

/// True if a step begins after the fault, or, in a deadlock, after an instruction that waits.
bool is_prevented(const Broken &broken, const Ran &ran, std::size_t step) {
  const Expected &expected = broken.expected;
  if (expected.code != ErrorCode::deadlock) return broken.order[step][broken.step] || (step == broken.step && !expected.step_has_effect);
  const std::vector<Step> &steps = broken.program.steps;
  return std::any_of(ran.outcome.waiting.begin(), ran.outcome.waiting.end(), [&](const model::unity::Waiting &waiting) {
    for (std::size_t i = 0; i < steps.size(); ++i) {
      if (steps[i].items.front().position == waiting.position) return i == step || begins_before(broken.program, broken.order, i, step);
    }
    return false;
  });
}

/// Bytes may change only if an instruction that the fault does not prevent writes them.
void expect_contained(const Broken &broken, const Ran &ran) {
  std::vector<Range> writes;
  for (std::size_t i = 0; i < broken.program.steps.size(); ++i) {
    if (is_prevented(broken, ran, i)) continue;
    for (const Range &range : broken.program.steps[i].touched()) {
      if (range.write) writes.push_back(range);
    }
  }
  for (unsigned area = 0; area < kAreas.size(); ++area) {
    const std::vector<std::byte> &before = broken.program.pool.memory.area(area), &after = ran.memory.area(area);
    for (std::size_t byte = 0; byte < before.size(); ++byte) {
      if (before[byte] == after[byte]) continue;
      const Range changed{"", false, kAreas[area].start + byte, 1};
      ASSERT_TRUE(std::any_of(writes.begin(), writes.end(), [&](const Range &range) { return range.conflicts(changed); }))
          << "area " << area << ", byte " << byte << " has changed";
    }
  }
}

void expect_refused(const Broken &broken, Path path, std::uint64_t seed) {
  const Expected &expected = broken.expected;
  const Result<Ran> result = run_on_machine(broken.program, path, seed, expected.units);
  ASSERT_EQ(!result.status().ok(), expected.at_open) << text_of(result.status());
  const Status status = result ? result.value().outcome.status : result.status();
  ASSERT_EQ(std::string(error_name(status.code())) + " " + status.what(), std::string(error_name(expected.code)) + " " + expected.what)
      << text_of(status);
  if (!result) return;
  const Item &item = broken.program.steps[broken.step].items.front();
  if (expected.at_step) {
    ASSERT_EQ(result.value().outcome.position, item.position);
  }
  expect_contained(broken, result.value());
}

/// Each waiting unit of a deadlock wants more keys than there are.
void expect_waiting(const Broken &broken) {
  const Ran ran = run_on_machine(broken.program, Path::fast, 0).value();
  ASSERT_FALSE(ran.outcome.waiting.empty());
  for (const model::unity::Waiting &waiting : ran.outcome.waiting) {
    EXPECT_GT(waiting.wanted, waiting.held);
    EXPECT_EQ(waiting.held, ran.keys[waiting.key.table][waiting.key.entry]);
    const bool found = std::any_of(broken.program.steps.begin(), broken.program.steps.end(), [&](const Step &step) {
      const Item &item = step.items.front();
      return item.position == waiting.position && item.sync.fetch == waiting.key && item.sync.keys == waiting.wanted;
    });
    EXPECT_TRUE(found) << waiting.position;
  }
}

TEST(UnityPrograms, BrokenOnesAreRefusedByName) {
  const unsigned count = std::max(programs(1000) / 30, 10U);
  for (const Breaker &breaker : breakers()) {
    unsigned applied = 0;
    for (unsigned seed = 0; seed < count && !HasFatalFailure(); ++seed) {
      const std::optional<Broken> broken = broken_program(seed, breaker, {.most_steps = 12});
      if (!broken) continue;
      SCOPED_TRACE(std::string(breaker.name) + ", program " + std::to_string(seed) + ", step " + std::to_string(broken->step));
      ++applied;
      expect_refused(*broken, Path::fast, 0);
      expect_refused(*broken, Path::reference, seed + 1);
      if (broken->expected.code == ErrorCode::deadlock) expect_waiting(*broken);
      if (HasFatalFailure()) break;
    }
    EXPECT_TRUE(applied > count / 4 || std::string_view(breaker.name) == "operation without arithmetic") << breaker.name;
  }
}

}  // namespace
}  // namespace cox::test::unity_programs
