// SPDX-License-Identifier: MIT
// A thousand jobs of all engines from eight threads of a host, with random cancels, refusals and faults. Each job is answered once, and
// right. COX_HOST_JOBS asks for more jobs, COX_HOST_SEED for other ones.
#include <cstdlib>
#include <random>
#include <thread>
#include <vector>

#include "tests/host/host_fixture.h"
#include "tests/host/submitter.h"

namespace cox::tests {
namespace many_jobs_test {

unsigned variable(const char *name, unsigned otherwise) {
  const char *const text = std::getenv(name);
  return text == nullptr ? otherwise : static_cast<unsigned>(std::strtoul(text, nullptr, 10));
}

constexpr unsigned kThreads = 8;
const unsigned kJobs = variable("COX_HOST_JOBS", 1000) / kThreads * kThreads;
/// A smaller campaign need not have jobs of each kind.
const bool kHasAllKinds = kJobs >= 1000;
const unsigned kSeed = variable("COX_HOST_SEED", 1);

/// Lines of a plan in which faults of `event` happen again and again until the jobs are done. `step`: about how many events there are from
/// one fault to the next; `per_job`: about how many there are in a job, on average over all jobs.
std::string repeated(std::mt19937 &random, const std::string &event, const char *counter, double per_job, std::uint64_t step) {
  std::string lines;
  const auto last = static_cast<std::uint64_t>(per_job * kJobs);
  for (std::uint64_t count = step / 2 + random() % step; count < last; count += step / 2 + random() % step)
    lines += event + " " + counter + "=" + std::to_string(count) + "\n";
  return lines;
}

/// Faults of each engine.
std::string plan_for_all_engines() {
  std::mt19937 random(kSeed);
  std::string plan;
  const struct {
    const char *queue, *completions, *unit;
    double accesses, instructions, entries;  ///< in a job
  } engines[] = {{"LD core=0", "0", "core=0", 0.6, 0.32, 0.4},
                 {"MX", "4", "engine=MX", 7, 2.4, 0.18},
                 {"CUBE", "5", "engine=CUBE", 12, 12, 0.18},
                 {"PIM", "6", "engine=PIM", 44, 0.18, 0.18},
                 {"UNITY", "7", "engine=UNITY", 14, 0.18, 0.18}};
  for (const auto &engine : engines) {
    const std::string queue = std::string(" queue=") + engine.queue, entries = std::string(" queue=") + engine.completions;
    const auto every = [](double events) { return static_cast<std::uint64_t>(events * 100); };  // one fault in about 100 jobs
    plan += repeated(random, "bus_error" + queue, "access", engine.accesses, every(engine.accesses));
    plan += repeated(random, "stuck" + queue, "instruction", engine.instructions, 2 * every(engine.instructions));
    plan += repeated(random, "doorbell lost" + queue, "count", engine.entries, 2 * every(engine.entries));
    for (const char *const kind : {"corrupt", "lost", "doubled"})
      plan += repeated(random, std::string("completion ") + kind + entries, "count", engine.entries, 2 * every(engine.entries));
    plan += repeated(random, std::string("reset ") + engine.unit, "at", 20'000, 5'000'000);
  }
  return plan + repeated(random, "interrupt lost line=0", "count", 1, 200);
}

class ManyJobs : public HostTest {
 protected:
  AnswersByProgram submit_all(Submitter::Settings settings) {
    const EnginePrograms programs = engine_programs();
    std::vector<AnswersByProgram> answers(kThreads);
    std::vector<std::thread> threads;
    settings.jobs = kJobs / kThreads;
    for (unsigned i = 0; i < kThreads; ++i) {
      settings.number = i;
      settings.seed = kSeed * kThreads + i;
      threads.emplace_back([this, &programs, settings, &own = answers[i]] { own = Submitter(host, programs, settings).run(); });
    }
    for (std::thread &thread : threads) thread.join();
    AnswersByProgram all{};
    unsigned answered = 0, right = 0;
    for (std::size_t i = 0; i < kEnginePrograms; ++i) {
      for (const AnswersByProgram &each : answers) all[i] += each[i];
      answered += all[i].all();
      right += all[i].right;
      if (kHasAllKinds) {
        EXPECT_GE(all[i].refused, 1U) << programs[i].name;
      }
    }
    EXPECT_EQ(answered, kJobs) << "each job is answered once";
    EXPECT_GE(right, kJobs / 2);
    return all;
  }
};

TEST_P(ManyJobs, NoJobWaitsForATick) {
  start();
  if (IsSkipped()) return;
  const AnswersByProgram answers = submit_all({.cancel_tasks = false});
  for (std::size_t i = 1; kHasAllKinds && i < kEnginePrograms; ++i) EXPECT_GE(answers[i].cancelled, 1U) << i;
  stop();
  EXPECT_EQ(machine->waits_for_ticks(), 0U);
}

TEST_P(ManyJobs, RandomCancels) {
  start({.idle_tick_us = 5000, .runs_settle = true});
  if (IsSkipped()) return;
  for (const Answers &answers : submit_all({})) {
    EXPECT_EQ(answers.failed, 0U);
    if (!kHasAllKinds) continue;
    EXPECT_GE(answers.cancelled, 1U);
  }
  stop();
  // A tick may come when a thread has submitted a job and not rung yet.
  EXPECT_LE(machine->waits_for_ticks(), 1 + kJobs / 200) << "jobs have waited for ticks";
}

TEST_P(ManyJobs, RandomCancelsAndFaultsOfTheAccelerator) {
  const FaultPlan plan(plan_for_all_engines());
  start({.model_options = plan.options(), .idle_tick_us = 2000});
  if (IsSkipped()) return;
  for (const Answers &answers : submit_all({.time_limit_us = 20'000})) {
    if (!kHasAllKinds) continue;
    EXPECT_GE(answers.cancelled, 1U);
    EXPECT_GE(answers.failed, 1U);
    EXPECT_GE(answers.retried, 1U);
  }
}

INSTANTIATE_TEST_SUITE_P(Qemu, ManyJobs, testing::Values(kQemu), kind_name);
INSTANTIATE_TEST_SUITE_P(Native, ManyJobs, testing::Values(kNative), kind_name);

}  // namespace many_jobs_test
}  // namespace cox::tests
