// SPDX-License-Identifier: MIT
// `cox check` finds nothing in valid programs, and names what is broken in the others.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/sim/unity/programs/broken.h"
#include "tests/sim/unity/programs/random_program.h"
#include "tests/sim/unity/programs/rig.h"
#include "tools/unity/check_program.h"

namespace cox::test::unity_programs {
namespace {

using tools::Finding;
using tools::Report;

/// The windows with what they hold; the container's own bytes are one of them.
tools::StreamBindings bindings_of(const Program &program) {
  tools::StreamBindings bindings;
  std::vector<Window> windows = {{program.container, kMostContainerBytes, false}};
  windows.insert(windows.end(), kWindows.begin(), kWindows.end());
  ProgramMemory memory = program.pool.memory;
  for (std::size_t i = 0; i < windows.size(); ++i) {
    const auto index = static_cast<std::uint8_t>(i);
    const Window &window = windows[i];
    bindings.image.windows.push_back({index, window.bytes, window.writable});
    bindings.starts.push_back(window.start);
    const auto *bytes = reinterpret_cast<const std::uint8_t *>(memory.at(window.start, window.bytes));
    bindings.image.constants.push_back({index, 0, {bytes, bytes + window.bytes}});
  }
  return bindings;
}

Report check_report(const Program &program) {
  const auto *bytes = reinterpret_cast<const std::uint8_t *>(program.bytes.data());
  model::Options device;
  device.parameters["unity_units"] = isa::unity::kMostUnits;
  return tools::unity::check_program({.container = {bytes, program.bytes.size()}, .bindings = bindings_of(program), .device = device});
}

std::string findings_text(const std::vector<Finding> &findings) {
  std::string text;
  for (const Finding &finding : findings) text += finding.kind + ": " + finding.message + "\n";
  return text;
}
bool has(const Report &report, std::string_view kind) {
  return std::any_of(report.errors.begin(), report.errors.end(), [&](const Finding &finding) { return finding.kind == kind; });
}

constexpr Shape kShape{.most_steps = 12, .relative_only = true};

TEST(UnityPrograms, CheckFindsNothingInValidOnes) {
  const unsigned count = std::max(programs(1000) / 5, 1U);
  for (unsigned seed = 0; seed < count && !HasFailure(); ++seed) {
    const Program program = random_program(seed, kShape);
    const Report report = check_report(program);
    EXPECT_EQ(findings_text(report.errors) + findings_text(report.warnings), "") << "program " << seed << '\n' << text_of(program);
  }
}

/// The check assumes that the context owns all tables of keys, that the device has eight units, and that units reach the other engines.
bool is_error_of_check(const Broken &broken) {
  const std::string &what = broken.expected.what;
  return what != "keyr_bar" && what != "keyw_bar" && what != "key" && what != "units" && (what != "domain" || broken.expected.at_open);
}

TEST(UnityPrograms, CheckNamesWhatIsBroken) {
  const unsigned count = std::max(programs(1000) / 200, 3U);
  for (const Breaker &breaker : breakers()) {
    for (unsigned seed = 0; seed < count && !HasFailure(); ++seed) {
      const std::optional<Broken> broken = broken_program(seed, breaker, kShape);
      if (!broken || !is_error_of_check(*broken)) continue;
      const Report report = check_report(broken->program);
      // A table of a 16-bit space may lie in bytes that only the program's user knows.
      const bool unknown = broken->expected.what == "table" && !report.warnings.empty() && report.warnings.front().kind == "unchecked";
      EXPECT_TRUE(unknown || has(report, error_name(broken->expected.code)))
          << breaker.name << ", program " << seed << ", step " << broken->step << ": " << findings_text(report.errors)
          << findings_text(report.warnings);
    }
  }
}

/// Steps that a key orders and nothing else: the number of the one that takes it.
std::optional<std::size_t> ordered_by_key(const Program &program) {
  const auto is_plain = [](const Step &step) {
    return step.items.size() == 1 && !step.items.front().is_fence() && !step.ends_program && !step.items.front().made.has_gaps() &&
           !step.items.front().made.has("PAD");
  };
  for (std::size_t later = 0; later < program.steps.size(); ++later) {
    const Step &step = program.steps[later];
    if (!is_plain(step) || !step.items.front().sync.fetches) continue;
    Program without = program;
    without.steps[later].items.front().sync.fetches = false;
    const Order order = order_of(without);
    for (std::size_t earlier = 0; earlier < later; ++earlier) {
      const Step &other = program.steps[earlier];
      if (!is_plain(other) || order[later][earlier]) continue;
      for (const Range &range : step.touched()) {
        const std::vector<Range> touched = other.touched();
        if (std::any_of(touched.begin(), touched.end(), [&](const Range &before) { return before.conflicts(range); })) return later;
      }
    }
  }
  return {};
}

TEST(UnityPrograms, CheckFindsAMissingKey) {
  const unsigned count = std::max(programs(1000) / 10, 5U);
  unsigned found = 0;
  for (unsigned seed = 0; seed < count && !HasFailure(); ++seed) {
    Program program = random_program(seed, kShape);
    const std::optional<std::size_t> step = ordered_by_key(program);
    if (!step) continue;
    ++found;
    Sync &sync = program.steps[*step].items.front().sync;
    sync.fetches = false;
    sync.fetch = {};
    sync.keys = 0;
    program.write();
    const Report report = check_report(program);
    EXPECT_TRUE(has(report, "hazard") || has(report, "deadlock"))
        << "program " << seed << ", step " << *step << ": " << findings_text(report.errors) << text_of(program);
  }
  EXPECT_GT(found, count / 4);
}

}  // namespace
}  // namespace cox::test::unity_programs
