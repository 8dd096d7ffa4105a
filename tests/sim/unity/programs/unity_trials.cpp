// SPDX-License-Identifier: MIT
// Random programs of the Unity units as trials of `cox campaign`. An input is only its seed: without one of its steps, a program might have
// steps that nothing orders.
#include <set>

#include "coxswain/isa/unity/table.h"
#include "tests/campaign/gtest_failures.h"
#include "tests/campaign/trials.h"
#include "tests/sim/unity/programs/agreement.h"
#include "tests/sim/unity/programs/random_program.h"

namespace cox::test::unity_programs {
namespace {

/// What the items of a program are, and on how many units it runs.
std::vector<campaign::Cell> coverage_of(const Program &program, const std::string &state) {
  std::set<std::string> rows;
  for (const Step &step : program.steps) {
    if (step.new_program) rows.insert("several programs of a unit");
    for (const Item &item : step.items) {
      if (item.is_exit()) rows.insert("EXIT");
      if (item.is_branch()) rows.insert(isa::unity::Set::row(item.made.op).name);
      if (!item.is_fence()) rows.insert("instructions");
      if (item.sync.fetches) rows.insert("keys");
      if (item.sync.blocks) rows.insert("BLK");
    }
  }
  std::vector<campaign::Cell> cells;
  const std::string units = std::to_string(program.units) + (program.units == 1 ? " unit" : " units");
  for (const std::string &row : rows) cells.push_back({row, units, state});
  return cells;
}

class UnityTrials final : public campaign::Trials {
 public:
  campaign::Input make(std::uint64_t seed) override { return {.header = {"seed " + std::to_string(seed)}, .lines = {}}; }
  campaign::Verdict run(const campaign::Input &input) override {
    const std::uint64_t seed = input.number("seed");
    const Program program = random_program(seed);
    Interpreter interpreter(program);
    const std::string what = campaign::first_failure([&] { expect_agreement(program, interpreter, seed); });
    return {.what = what, .coverage = coverage_of(program, what.empty() ? "right" : "wrong")};
  }
};

}  // namespace
}  // namespace cox::test::unity_programs

int main(int argc, char **argv) {
  cox::test::unity_programs::UnityTrials trials;
  return cox::campaign::run_trials(trials, argc, argv);
}
