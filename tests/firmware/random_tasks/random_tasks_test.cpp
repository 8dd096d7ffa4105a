// SPDX-License-Identifier: MIT
// Random tasks (docs/testing.md). Valid tasks run on the native board and must give exactly the bytes that an interpreter in program order
// computes. Broken tasks must be refused with the error that names the broken part. COX_RANDOM_TASKS gives the number of each kind,
// COX_RANDOM_SEED the seed.
#include <gmock/gmock.h>

#include <cstdlib>
#include <iostream>

#include "tests/firmware/random_tasks/mutations.h"
#include "tests/firmware/random_tasks/task_check.h"

namespace cox::tests {
namespace {

std::uint64_t setting(const char *name, std::uint64_t otherwise) {
  const char *text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 0);
}
std::uint64_t count() { return setting("COX_RANDOM_TASKS", 300); }
std::uint64_t seed() { return setting("COX_RANDOM_SEED", 20261121); }

constexpr unsigned kValidCores = isa::tile::kMostCores;

TEST(RandomTasks, ValidOnesGiveTheBytesOfProgramOrder) {
  std::map<std::string, unsigned> functions;
  std::array<unsigned, 5> of_cores{};
  std::size_t instructions = 0;
  for (std::uint64_t i = 0; i < count(); ++i) {
    SCOPED_TRACE("seed " + std::to_string(seed() + i));
    Random random(seed() + i);
    const RandomTask task = make_random_task(random, kValidCores, functions);
    ++of_cores[task.text.tile_cores];
    instructions += task.text.code.size();
    ASSERT_EQ(problem_of(task), "");
  }
  std::cout << count() << " tasks, " << instructions << " instructions, " << functions.size() << " kinds of them\n";
  for (unsigned cores = 1; cores <= kValidCores; ++cores) EXPECT_GT(of_cores[cores], count() / 20) << cores << " cores";
  // Checks that each kind of instruction occurs.
  for (const char *name : {"ct_bc", "vp_self 16", "vp_self 18 two", "vp_self 18 scalar", "vp_self 19 two", "vp_self 19 scalar",
                           "vp_self 20", "vp_self 21", "vp_self 22", "vp_self 23", "vp_self 32", "vp_self 40", "vp_self 41",
                           "vp_self 41 two", "vp_pool 17", "vp_pool 56", "vp_pool 48", "vp_pool 49", "again"}) {
    EXPECT_GT(functions[name], 0U) << name;
  }
  for (const char *name : {"lda_mov", "ldw_mov", "lw_mov", "pe_conv", "dt_cal", "sta_mov", "si_mov", "so_mov"}) {
    const auto kinds = std::count_if(functions.begin(), functions.end(), [&](const auto &each) { return each.first.starts_with(name); });
    EXPECT_GE(kinds, 6) << name;
  }
}

TEST(RandomTasks, BrokenOnesAreRefusedWithWhatWasBroken) {
  std::map<std::string, unsigned> functions;
  std::uint64_t done = 0;
  std::uint64_t last = 0;
  for (std::uint64_t i = 0; done < count(); ++i) {
    const std::size_t which = done % kMutations.size();
    SCOPED_TRACE("seed " + std::to_string(seed() + i) + ", " + kMutations[which].name);
    Random random(seed() + i);
    RandomTask task = make_random_task(random, isa::tile::kMostCores, functions);
    const std::optional<Refusal> refusal = kMutations[which].apply(task, random);
    if (!refusal) {
      ASSERT_LT(i - last, 500U) << "no task can be broken in this way";
      continue;
    }
    ++done;
    last = i;
    const Status status = Loaded(task.text).result.status();
    ASSERT_EQ(status.code(), refusal->error) << text_of(status);
    ASSERT_TRUE(refusal->what.empty() || status.what() == refusal->what) << text_of(status) << ", not " << refusal->what;
    ASSERT_TRUE(refusal->index == -2 || status.index() == refusal->index) << text_of(status) << ", not " << refusal->index;
  }
}

}  // namespace
}  // namespace cox::tests
