// SPDX-License-Identifier: MIT
// Random fault plans on batches of real inferences (docs/testing.md). Every inference ends in bounded time with the right bytes, or with an
// error that names the fault. After the plan, an inference is right within a bounded number of attempts, without another boot, unless the
// plan has stopped the clock of the only core or engine for ever.
//   fault_campaign [--only tile|mx|cube|dma|pim|unity|mixed] [--first SEED] [--plans N] [--plan FILE] [--show]
// It is also a program of `cox campaign` (docs/campaign.md, Programs).
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "tests/faults/fault_trials.h"
#include "tests/faults/trial.h"

namespace {

using namespace cox::faults;

/// Plans that once found an error. They always run.
struct Found {
  unsigned batch;
  const char *plan;
};
constexpr Found kFound[] = {
    // L2: a fault in a word that no instruction of the task overwrites completely.
    {0, "flip memory=l2 core=0 address=820 bits=2 at=26131"},
    // A fault in a slot: the device no longer knows the context of the instruction, and the instructions behind it lack their
    // configuration.
    {0, "stuck queue=ST core=0 instruction=4\nflip memory=queue address=538481281 bits=2 at=15961"},
    {2, "flip memory=queue address=538538309 bits=2 at=3089"},
    // A fault in a descriptor: the device no longer knows the address of the stream.
    {4, "flip memory=queue address=538443819 bits=2 at=413"},
    {4, "stuck queue=CUBE instruction=113\ncompletion lost queue=5 count=1\nflip memory=queue address=538443813 bits=2 at=635"},
    // A link of a list of copies: the core followed it, too.
    {5, "flip memory=queue address=538961955 bits=2 at=0"},
    // Keys: the next container takes those of one that failed.
    {7, "bus_error queue=UNITY access=12"},
};

struct Arguments {
  std::string only, plan;
  std::uint64_t first = 1;
  unsigned plans = 36;
  bool show = false;
};

void print(const Totals &totals, unsigned bad) {
  std::printf("%u plans, %u faults that struck, %u inferences: %u right, %u failed with a fault's name; %u plans went wrong\n",
              totals.plans, totals.injected, totals.inferences, totals.right, totals.failed, bad);
  for (const auto &[kind, errors] : totals.errors) {
    std::printf("  %s:", kind.c_str());
    for (const auto &[error, count] : errors) std::printf(" %s %u,", error.c_str(), count);
    std::printf("\n");
  }
}

std::string text_of(const std::string &file) {
  std::stringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

int run(const Arguments &arguments) {
  const std::vector<NamedBatch> batches = make_batches(arguments.only);
  const std::string file = "fault_campaign_" + std::to_string(getpid()) + ".plan";
  for (const NamedBatch &named : batches) {
    if (const std::string problem = run_without_plan(*named.batch, file); !problem.empty()) {
      std::printf("%s, without a plan: %s\n", named.name.c_str(), problem.c_str());
      return 1;
    }
    std::printf("%s: %llu cycles without faults\n", named.name.c_str(), static_cast<unsigned long long>(named.batch->targets().cycles));
  }
  Totals totals;
  unsigned bad = 0;
  const auto run_plan = [&](const std::string &name, Batch &batch, const Plan &plan) {
    alarm(120);  // ends the process if the firmware hangs and the device's time stands still
    if (arguments.show) std::printf("%s:\n%s", name.c_str(), plan.text.c_str());
    std::fflush(stdout);
    Trial trial(batch, plan, file);
    const std::string problem = trial.run(totals);
    bad += problem.empty() ? 0 : 1;
    if (!problem.empty() || arguments.show)
      std::printf("%s: %s\n%s%s", name.c_str(), problem.c_str(), plan.text.c_str(), trial.log().c_str());
  };
  if (!arguments.plan.empty()) {
    for (const NamedBatch &named : batches) run_plan(named.name, *named.batch, {.kinds = {}, .text = text_of(arguments.plan)});
  } else {
    for (const Found &found : kFound) {
      if (arguments.only.empty()) run_plan("found", *batches[found.batch].batch, {.kinds = {kFlipTwo, kFlipTwo}, .text = found.plan});
    }
    for (unsigned i = 0; i < arguments.plans; ++i) {
      const std::uint64_t seed = arguments.first + i;
      const NamedBatch &named = batches[seed % batches.size()];
      const Targets targets = named.batch->targets();
      run_plan("seed " + std::to_string(seed) + ", " + named.name, *named.batch, Planner(seed, targets).make(seed / batches.size()));
    }
  }
  std::remove(file.c_str());
  print(totals, bad);
  return bad == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char **argv) {
  if (cox::campaign::wants_trials(argc, argv)) {
    FaultTrials trials;
    return cox::campaign::run_trials(trials, argc, argv);
  }
  Arguments arguments;
  if (const char *plans = std::getenv("COX_FAULT_PLANS"); plans != nullptr)
    arguments.plans = static_cast<unsigned>(std::strtoul(plans, nullptr, 10));
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const auto value = [&] { return std::string(i + 1 < argc ? argv[++i] : ""); };
    if (word == "--only") {
      arguments.only = value();
    } else if (word == "--first") {
      arguments.first = std::strtoull(value().c_str(), nullptr, 10);
    } else if (word == "--plans") {
      arguments.plans = static_cast<unsigned>(std::strtoul(value().c_str(), nullptr, 10));
    } else if (word == "--plan") {
      arguments.plan = value();
    } else if (word == "--show") {
      arguments.show = true;
    } else {
      std::fprintf(stderr, "fault_campaign: what is %s?\n", word.c_str());
      return 2;
    }
  }
  return run(arguments);
}
