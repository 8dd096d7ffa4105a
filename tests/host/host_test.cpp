// SPDX-License-Identifier: MIT
// Tests of the host library with the real firmware, natively and under QEMU.
#include "host/coxswain_host.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstring>
#include <deque>
#include <fstream>
#include <random>
#include <thread>
#include <vector>

#include "boards/qemu-npu-soc/board.h"
#include "firmware/job/job_queue.h"
#include "tests/host/example.h"
#include "tests/host/machines.h"
#include "tests/tools/run/small_task.h"
#include "tools/tile/image.h"

namespace cox::tests {
namespace {

using tools::run::copy_task;
using tools::run::kTensor;

constexpr std::uint32_t kLong = 30'000'000;  ///< a limit that only a broken program reaches
constexpr std::uint32_t kSlots = firmware::job::kTaskSlots;

struct Kind {
  const char *name;
  std::unique_ptr<Machine> (*machine)(const MachineSettings &);
};

class HostTest : public testing::TestWithParam<Kind> {
 protected:
  void start(const MachineSettings &settings = {}, const cox_host_options &options = {}) {
    machine = GetParam().machine(settings);
    if (machine == nullptr) GTEST_SKIP() << "no QEMU, or no image";
    open(options);
  }
  void open(const cox_host_options &options = {}) {
    const cox_status status = machine->open(options, &host);
    ASSERT_EQ(status.error, COX_OK) << cox_error_name(status.error) << " " << status.what;
  }
  void TearDown() override {
    cox_host_close(host);
    if (machine != nullptr) machine->stop();
  }
  void load(std::uint32_t slot) {
    const cox_status status = cox_host_load(host, slot, image.data(), image.size(), kLong);
    ASSERT_EQ(status.error, COX_OK) << cox_error_name(status.error) << " " << status.what;
  }
  std::uint64_t allocate(std::uint64_t bytes) {
    std::uint64_t address = 0;
    EXPECT_EQ(cox_host_allocate(host, bytes, &address).error, COX_OK);
    return address;
  }
  std::uint8_t *at(std::uint64_t address, std::uint64_t bytes) {
    return static_cast<std::uint8_t *>(cox_host_memory(host, address, bytes));
  }
  static cox_host_job run_job(std::uint32_t slot, std::uint64_t window) {
    cox_host_job job{};
    job.kind = COX_HOST_RUN;
    job.task_slot = slot;
    job.windows[0] = {window, 2 * kTensor};
    return job;
  }
  static cox_host_job share_job(std::uint32_t weight = 1) {
    cox_host_job job{};
    job.kind = COX_HOST_SHARE;
    job.argument = weight;
    return job;
  }
  void expect_copied(std::uint64_t window) {
    const std::uint8_t *bytes = at(window, 2 * kTensor);
    EXPECT_EQ(std::memcmp(bytes, bytes + kTensor, kTensor), 0);
  }

  std::unique_ptr<Machine> machine;
  cox_host *host = nullptr;
  std::vector<std::uint8_t> image = task::build_image(copy_task());
};

/// A file with a plan of faults for the accelerator (docs/faults.md).
class FaultPlan {
 public:
  /// Bus errors, one in about a hundred loads.
  FaultPlan()
      : FaultPlan([] {
          std::string lines;
          for (unsigned access = 40; access < 800; access += 90)
            lines += "bus_error queue=LD core=0 access=" + std::to_string(access) + "\n";
          return lines;
        }()) {}
  explicit FaultPlan(const std::string &lines) { std::ofstream(path()) << lines; }
  [[nodiscard]] static std::string path() {
    std::string name = testing::UnitTest::GetInstance()->current_test_info()->name();
    std::ranges::replace(name, '/', '_');
    return testing::TempDir() + "host_" + name + "_" + std::to_string(getpid());
  }
};

void expect(const cox_status &status, std::uint32_t error, const char *what) {
  EXPECT_EQ(status.error, error) << cox_error_name(status.error) << " " << status.what;
  EXPECT_STREQ(status.what, what);
}

TEST_P(HostTest, LoadsRunsAndReads) {
  start();
  if (IsSkipped()) return;
  load(0);
  const std::uint64_t window = allocate(2 * kTensor);
  std::memcpy(at(window, kTensor), tools::run::counting(kTensor, 3).data(), kTensor);
  std::memset(at(window + kTensor, kTensor), 0xEE, kTensor);
  const cox_host_window windows[] = {{window, 2 * kTensor}};
  expect(cox_host_run(host, 0, windows, 1, kLong), COX_OK, "");
  expect_copied(window);
  cox_host_outcome outcome{};
  const cox_host_job job = run_job(0, window);
  expect(cox_host_do(host, &job, kLong, &outcome), COX_OK, "");
  EXPECT_LT(outcome.start_cycle, outcome.end_cycle);
  EXPECT_EQ(outcome.cores, 1);
  expect(cox_host_unload(host, 0, kLong), COX_OK, "");
  expect(cox_host_run(host, 0, windows, 1, kLong), COX_ERROR_NOT_READY, "task_slot");
  expect(cox_host_free(host, window), COX_OK, "");
  cox_host_close(host);
  host = nullptr;
  machine->stop();
  EXPECT_EQ(machine->waits_for_ticks(), 0U) << "a job has waited for a tick";
}

TEST_P(HostTest, TheExampleOfThePageRuns) {
  start();
  if (IsSkipped()) return;
  std::vector<std::uint8_t> data = tools::run::counting(kTensor, 9);
  data.resize(2 * kTensor);
  expect(run_task(host, image.data(), image.size(), data.data(), data.size()), COX_OK, "");
  EXPECT_EQ(std::memcmp(data.data(), data.data() + kTensor, kTensor), 0);
}

TEST_P(HostTest, AJobIsAnsweredOnce) {
  start();
  if (IsSkipped()) return;
  std::uint64_t ticket = 0;
  cox_host_outcome outcome{};
  const cox_host_job job = share_job();
  expect(cox_host_wait(host, 0, 0, &outcome), COX_ERROR_INVALID_ARGUMENT, "ticket");
  expect(cox_host_submit(host, &job, kLong, &ticket), COX_OK, "");
  expect(cox_host_wait(host, ticket, kLong, &outcome), COX_OK, "");
  expect(cox_host_wait(host, ticket, kLong, &outcome), COX_ERROR_INVALID_ARGUMENT, "ticket");
  expect(cox_host_cancel(host, ticket, kLong), COX_ERROR_NOT_READY, "job");
  expect(cox_host_cancel(host, 1000, kLong), COX_ERROR_INVALID_ARGUMENT, "ticket");
  // The library forgets the outcomes of jobs without a ticket, and they leave no job unanswered.
  for (int i = 0; i < 200; ++i) expect(cox_host_submit(host, &job, kLong, nullptr), COX_OK, "");
  expect(cox_host_do(host, &job, kLong, &outcome), COX_OK, "");
}

TEST_P(HostTest, ErrorsOfJobsAreStatuses) {
  start();
  if (IsSkipped()) return;
  cox_host_outcome outcome{};
  const cox_host_job job = share_job(101);
  const cox_status status = cox_host_do(host, &job, kLong, &outcome);
  expect(status, COX_ERROR_INVALID_ARGUMENT, "argument");
  EXPECT_EQ(status.value, 101);
  EXPECT_EQ(status.limit, 100);
  EXPECT_EQ(outcome.error, static_cast<std::uint32_t>(COX_ERROR_INVALID_ARGUMENT));
  image[20] ^= 1;
  EXPECT_NE(cox_host_load(host, 0, image.data(), image.size(), kLong).error, static_cast<std::uint32_t>(COX_OK));
  image[20] ^= 1;
  load(0);  // the slot is still empty
  expect(cox_host_load(host, 0, image.data(), image.size(), kLong), COX_ERROR_NO_ROOM, "task_slot");
  cox_host_job cancel{};
  cancel.kind = COX_HOST_CANCEL;
  expect(cox_host_submit(host, &cancel, kLong, nullptr), COX_ERROR_INVALID_ARGUMENT, "kind");
}

TEST_P(HostTest, ARingWithoutAJobChangesNothing) {
  start();
  if (IsSkipped()) return;
  const cox_host_job job = share_job();
  for (int i = 0; i < 5; ++i) {
    machine->ring();
    expect(cox_host_do(host, &job, kLong, nullptr), COX_OK, "");
  }
  cox_host_close(host);
  host = nullptr;
  machine->stop();
  EXPECT_EQ(machine->waits_for_ticks(), 0U);
}

TEST_P(HostTest, AnImpossibleLinkIsRefused) {
  start();
  if (IsSkipped()) return;
  cox_host_close(host);
  host = nullptr;
  expect(machine->open({.capacity = 4, .reserved = 4, .open_limit_us = 0}, &host), COX_ERROR_INVALID_ARGUMENT, "reserved");
  expect(machine->open({.capacity = UINT32_MAX, .reserved = 0, .open_limit_us = 0}, &host), COX_ERROR_INVALID_ARGUMENT, "capacity");
  expect(machine->open({}, nullptr), COX_ERROR_INVALID_ARGUMENT, "host");
  expect(cox_host_open(nullptr, nullptr, &host), COX_ERROR_INVALID_ARGUMENT, "transport");
  EXPECT_EQ(host, nullptr);
  open();
}

TEST_P(HostTest, MemoryIsHandedOutInBlocks) {
  start();
  if (IsSkipped()) return;
  const std::uint64_t first = allocate(1), second = allocate(65), third = allocate(64);
  EXPECT_EQ(first % 64, 0U);
  EXPECT_EQ(second, first + 64);
  EXPECT_EQ(third, second + 128);
  expect(cox_host_free(host, second), COX_OK, "");
  expect(cox_host_free(host, second), COX_ERROR_INVALID_ARGUMENT, "address");
  EXPECT_EQ(allocate(128), second);
  for (const std::uint64_t address : {second, first, third}) expect(cox_host_free(host, address), COX_OK, "");
  EXPECT_EQ(allocate(1 << 20), first) << "free pieces that touch are one piece";
  std::uint64_t address = 0;
  expect(cox_host_allocate(host, UINT64_MAX, &address), COX_ERROR_NO_ROOM, "DRAM");
  EXPECT_EQ(cox_host_memory(host, first, UINT64_MAX), nullptr);
  EXPECT_EQ(cox_host_memory(host, 0, 1), nullptr);
}

/// A thousand jobs of eight threads. Each has an owner and a task slot of its own, and up to four jobs in the ring.
class Submitter {
 public:
  struct Counts {
    unsigned submitted = 0, right = 0, cancelled = 0, faults = 0, refused = 0;
  };

  Submitter(cox_host *host, unsigned number, const std::vector<std::uint8_t> &image)
      : host_(host), number_(number), image_(image), random_(number) {
    for (std::uint64_t &window : windows_) EXPECT_EQ(cox_host_allocate(host, 2 * kTensor, &window).error, COX_OK);
  }

  Counts run(unsigned jobs) {
    load();
    for (unsigned i = 0; i < jobs; ++i) {
      if (pending_.size() == windows_.size()) finish();
      submit(i);
    }
    while (!pending_.empty()) finish();
    return counts_;
  }

 private:
  struct Pending {
    std::uint64_t ticket = 0, window = 0;
    std::uint32_t error = COX_OK;  ///< the error that the job must end with
    bool copies = false, cancelled = false;
  };
  /// A kind of job that the test submits, with its share of the jobs.
  struct Choice {
    unsigned weight;
    Pending (Submitter::*make)(cox_host_job &job);
  };

  void load() {
    cox_host_job job{};
    std::uint64_t address = 0;
    ASSERT_EQ(cox_host_allocate(host_, image_.size() + 48, &address).error, COX_OK);
    job.kind = COX_HOST_LOAD;
    job.image_address = address + 48;
    job.image_bytes = image_.size();
    std::memcpy(cox_host_memory(host_, job.image_address, job.image_bytes), image_.data(), image_.size());
    job.workspace_bytes = 64 << 10;
    ASSERT_EQ(cox_host_allocate(host_, job.workspace_bytes, &job.workspace_address).error, COX_OK);
    job.task_slot = number_;
    job.owner = static_cast<std::uint8_t>(number_);
    cox_host_outcome outcome{};
    const cox_status status = cox_host_do(host_, &job, kLong, &outcome);
    ASSERT_EQ(status.error, COX_OK) << cox_error_name(status.error) << " " << status.what;
  }

  Pending copy(cox_host_job &job) {
    job.kind = COX_HOST_RUN;
    job.task_slot = number_;
    job.windows[0] = {free_window(), 2 * kTensor};
    auto *bytes = static_cast<std::uint8_t *>(cox_host_memory(host_, job.windows[0].address, 2 * kTensor));
    for (unsigned i = 0; i < kTensor; ++i) bytes[i] = static_cast<std::uint8_t>(random_());
    std::memset(bytes + kTensor, 0, kTensor);
    return {.window = job.windows[0].address, .copies = true};
  }
  Pending too_small_a_window(cox_host_job &job) {
    Pending pending = copy(job);
    job.windows[0].size = 8;
    return {.window = pending.window, .error = COX_ERROR_WINDOW_TOO_SMALL};
  }
  Pending slot_of_another(cox_host_job &job) {
    Pending pending = copy(job);
    job.task_slot = kSlots;
    return {.window = pending.window, .error = COX_ERROR_INVALID_ARGUMENT};
  }
  Pending share(cox_host_job &job) {
    job.kind = COX_HOST_SHARE;
    job.argument = 1 + static_cast<std::uint32_t>(random_()) % 100;
    return {};
  }
  // Jobs of other engines join here.
  static constexpr Choice kChoices[] = {
      {20, &Submitter::copy}, {2, &Submitter::too_small_a_window}, {2, &Submitter::slot_of_another}, {2, &Submitter::share}};

  std::uint64_t free_window() {
    for (const std::uint64_t window : windows_) {
      bool used = false;
      for (const Pending &pending : pending_) used = used || pending.window == window;
      if (!used) return window;
    }
    ADD_FAILURE() << "no free window";
    return windows_[0];
  }

  void submit(unsigned i) {
    cox_host_job job{};
    job.owner = static_cast<std::uint8_t>(number_);
    job.priority = static_cast<std::uint8_t>(random_() % 3);
    unsigned sum = 0;
    for (const Choice &choice : kChoices) sum += choice.weight;
    unsigned chosen = static_cast<unsigned>(random_()) % sum;
    const Choice *choice = kChoices;
    while (chosen >= choice->weight) chosen -= (choice++)->weight;
    Pending pending = (this->*choice->make)(job);
    const cox_status status = cox_host_submit(host_, &job, kLong, &pending.ticket);
    ASSERT_EQ(status.error, COX_OK) << i << " " << status.what;
    ++counts_.submitted;
    pending_.push_back(pending);
    if (random_() % 8 != 0) return;
    // The oldest or the newest job: one that may run, and one that waits.
    Pending &victim = random_() % 2 == 0 ? pending_.front() : pending_.back();
    const cox_status cancel = cox_host_cancel(host_, victim.ticket, kLong);
    ASSERT_TRUE(cancel.error == COX_OK || cancel.error == COX_ERROR_NOT_READY) << cox_error_name(cancel.error) << " " << cancel.what;
    victim.cancelled = victim.cancelled || cancel.error == COX_OK;
  }

  void finish() {
    const Pending pending = pending_.front();
    pending_.pop_front();
    cox_host_outcome outcome{};
    const cox_status status = cox_host_wait(host_, pending.ticket, kLong, &outcome);
    ASSERT_EQ(status.error, COX_OK) << cox_error_name(status.error) << " " << status.what;
    EXPECT_EQ(cox_host_wait(host_, pending.ticket, 0, &outcome).error, static_cast<std::uint32_t>(COX_ERROR_INVALID_ARGUMENT));
    if (outcome.error == COX_ERROR_CANCELLED) {
      EXPECT_TRUE(pending.cancelled) << outcome.what;
      ++counts_.cancelled;
    } else if (outcome.error == COX_ERROR_DEVICE_FAULT) {
      EXPECT_TRUE(pending.copies);
      ++counts_.faults;
    } else {
      EXPECT_EQ(outcome.error, pending.error) << cox_error_name(outcome.error) << " " << outcome.what;
      ++(pending.error == COX_OK ? counts_.right : counts_.refused);
      const auto *bytes = static_cast<const std::uint8_t *>(cox_host_memory(host_, pending.window, 2 * kTensor));
      if (pending.copies) {
        EXPECT_EQ(std::memcmp(bytes, bytes + kTensor, kTensor), 0);
      }
    }
  }

  cox_host *host_;
  unsigned number_;
  const std::vector<std::uint8_t> &image_;
  std::mt19937 random_;
  std::array<std::uint64_t, 4> windows_{};
  std::deque<Pending> pending_;
  Counts counts_;
};

Submitter::Counts thousand_jobs(cox_host *host, const std::vector<std::uint8_t> &image) {
  constexpr unsigned kThreads = 8, kJobs = 1000;
  std::vector<Submitter::Counts> counts(kThreads);
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < kThreads; ++i) {
    threads.emplace_back([&, i] { counts[i] = Submitter(host, i, image).run(kJobs / kThreads); });
  }
  for (std::thread &thread : threads) thread.join();
  Submitter::Counts all;
  for (const Submitter::Counts &each : counts) {
    all.submitted += each.submitted;
    all.right += each.right;
    all.cancelled += each.cancelled;
    all.faults += each.faults;
    all.refused += each.refused;
  }
  EXPECT_EQ(all.submitted, kJobs);
  EXPECT_EQ(all.right + all.cancelled + all.faults + all.refused, kJobs) << "each job is answered once";
  EXPECT_GE(all.right, kJobs / 2);
  EXPECT_GE(all.cancelled, 1U);
  EXPECT_GE(all.refused, 1U);
  return all;
}

TEST_P(HostTest, AThousandJobsOfEightThreads) {
  start({.idle_tick_us = 5000});  // natively, a run that was stopped settles at a tick, because time passes only in sleep
  if (IsSkipped()) return;
  EXPECT_EQ(thousand_jobs(host, image).faults, 0U);
  cox_host_close(host);
  host = nullptr;
  machine->stop();
  // A tick may come when a thread has submitted a job and not rung yet.
  EXPECT_LE(machine->waits_for_ticks(), 3U) << "jobs have waited for ticks";
}

TEST_P(HostTest, AThousandJobsWithFaultsOfTheAccelerator) {
  const FaultPlan plan;
  start({.model_options = R"({"faults": ")" + plan.path() + R"("})", .idle_tick_us = 2000});
  if (IsSkipped()) return;
  EXPECT_GE(thousand_jobs(host, image).faults, 5U);
}

TEST_P(HostTest, AFullRingBlocksOrRefuses) {
  start({}, {.capacity = 4, .reserved = 1, .open_limit_us = 0});
  if (IsSkipped()) return;
  load(0);
  const std::uint64_t window = allocate(2 * kTensor);
  const cox_host_job job = run_job(0, window);
  std::atomic<unsigned> done = 0;
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < 8; ++i) {
    threads.emplace_back([&] {
      for (unsigned j = 0; j < 25; ++j) {
        cox_host_outcome outcome{};
        if (cox_host_do(host, &job, kLong, &outcome).error == COX_OK) ++done;
      }
    });
  }
  for (std::thread &thread : threads) thread.join();
  EXPECT_EQ(done, 200U);
  cox_host_close(host);
  host = nullptr;
  machine->stop();
  EXPECT_EQ(machine->waits_for_ticks(), 0U) << "a job has waited for a tick";
}

TEST_P(HostTest, JobsThatHangLeaveRoomForTheirCancels) {
  const FaultPlan plan("stuck queue=LD core=0 instruction=1\n");
  start({.model_options = R"({"faults": ")" + plan.path() + R"("})", .idle_tick_us = 2000},
        {.capacity = 4, .reserved = 1, .open_limit_us = 0});
  if (IsSkipped()) return;
  load(0);
  std::array<std::uint64_t, 3> tickets{};
  const std::uint64_t window = allocate(2 * kTensor);
  const cox_host_job job = run_job(0, window);
  for (std::uint64_t &ticket : tickets) expect(cox_host_submit(host, &job, kLong, &ticket), COX_OK, "");
  std::uint64_t none = 0;
  expect(cox_host_submit(host, &job, 1000, &none), COX_ERROR_NO_ROOM, "ring");
  cox_host_outcome outcome{};
  expect(cox_host_wait(host, tickets[0], 1000, &outcome), COX_ERROR_TIMEOUT, "job");
  expect(cox_host_do(host, &job, 1000, nullptr), COX_ERROR_NO_ROOM, "ring");
  expect(cox_host_cancel(host, tickets[0], kLong), COX_OK, "");
  expect(cox_host_wait(host, tickets[0], kLong, &outcome), COX_OK, "");
  EXPECT_EQ(outcome.error, static_cast<std::uint32_t>(COX_ERROR_CANCELLED));
  for (const std::uint64_t ticket : {tickets[1], tickets[2]}) {
    expect(cox_host_wait(host, ticket, kLong, &outcome), COX_OK, "");
    EXPECT_EQ(outcome.error, static_cast<std::uint32_t>(COX_OK));
  }
}

TEST_P(HostTest, AJobsOwnTimeLimitEndsIt) {
  const FaultPlan plan("stuck queue=LD core=0 instruction=1\n");
  start({.model_options = R"({"faults": ")" + plan.path() + R"("})", .idle_tick_us = 2000});
  if (IsSkipped()) return;
  load(0);
  cox_host_job job = run_job(0, allocate(2 * kTensor));
  job.time_limit_us = 5000;
  cox_host_outcome outcome{};
  expect(cox_host_do(host, &job, kLong, &outcome), COX_ERROR_TIME_LIMIT, "LD");
  expect(cox_host_do(host, &job, kLong, &outcome), COX_OK, "");
}

TEST_P(HostTest, ANewHostTakesOverFromOneThatDied) {
  const FaultPlan plan("stuck queue=LD core=0 instruction=3\n");
  start({.model_options = R"({"faults": ")" + plan.path() + R"("})", .idle_tick_us = 2000});
  if (IsSkipped()) return;
  for (int lives = 0; lives < 4; ++lives) {
    SCOPED_TRACE(lives);
    load(0);
    const std::uint64_t window = allocate(2 * kTensor);
    std::memcpy(at(window, kTensor), tools::run::counting(kTensor, 5).data(), kTensor);
    const cox_host_window windows[] = {{window, 2 * kTensor}};
    expect(cox_host_run(host, 0, windows, 1, kLong), COX_OK, "");
    expect_copied(window);
    // One run hangs (the first time), others wait. Then the host dies, with half a request in the ring, or in the middle of a takeover.
    const cox_host_job job = run_job(0, window);
    cox_host_outcome outcome{};
    std::uint64_t ticket = 0;
    expect(cox_host_submit(host, &job, kLong, &ticket), COX_OK, "");
    if (lives == 0) expect(cox_host_wait(host, ticket, 20'000, &outcome), COX_ERROR_TIMEOUT, "job");
    for (int i = 0; i < 5; ++i) expect(cox_host_submit(host, &job, kLong, nullptr), COX_OK, "");
    auto &header = *reinterpret_cast<firmware::job::Header *>(at(BOARD_DRAM_BASE, sizeof(firmware::job::Header)));
    auto &next = *reinterpret_cast<firmware::job::Descriptor *>(
        at(BOARD_DRAM_BASE + sizeof(header) + header.submitted % header.capacity * sizeof(firmware::job::Descriptor),
           sizeof(firmware::job::Descriptor)));
    next.request.kind = firmware::job::Kind::run;
    next.request.state = firmware::job::State::submitted;
    if (lives == 2) std::atomic_ref(header.magic).store(firmware::job::kWithdrawn);
    if (lives == 3) std::atomic_ref(header.session).store(77);
    cox_host_close(host);
    host = nullptr;
    open();
  }
  // The tasks of the hosts before are gone.
  const cox_host_window windows[] = {{allocate(2 * kTensor), 2 * kTensor}};
  expect(cox_host_run(host, 0, windows, 1, kLong), COX_ERROR_NOT_READY, "task_slot");
}

TEST_P(HostTest, JobsOfALinkThatIsLostAreAnswered) {
  const FaultPlan plan("stuck queue=LD core=0 instruction=1\n");
  start({.model_options = R"({"faults": ")" + plan.path() + R"("})", .idle_tick_us = 2000});
  if (IsSkipped()) return;
  load(0);
  const cox_host_job job = run_job(0, allocate(2 * kTensor));
  std::uint64_t ticket = 0;
  expect(cox_host_submit(host, &job, kLong, &ticket), COX_OK, "");
  // A count that cannot be: the firmware stops.
  auto &header = *reinterpret_cast<firmware::job::Header *>(at(BOARD_DRAM_BASE, sizeof(firmware::job::Header)));
  std::atomic_ref(header.submitted).store(1000);
  machine->ring();
  cox_host_outcome outcome{};
  const cox_status status = cox_host_wait(host, ticket, kLong, &outcome);
  // The run was cancelled before the firmware left, or its outcome was not read any more.
  EXPECT_TRUE(status.error == COX_ERROR_NOT_READY || outcome.error == COX_ERROR_CANCELLED);
  expect(cox_host_wait(host, ticket, kLong, &outcome), COX_ERROR_INVALID_ARGUMENT, "ticket");
  expect(cox_host_submit(host, &job, kLong, &ticket), COX_ERROR_NOT_READY, "link");
}

INSTANTIATE_TEST_SUITE_P(Qemu, HostTest, testing::Values(Kind{"qemu", qemu_machine}), [](const auto &each) { return each.param.name; });
INSTANTIATE_TEST_SUITE_P(Native, HostTest, testing::Values(Kind{"native", native_machine}),
                         [](const auto &each) { return each.param.name; });

}  // namespace
}  // namespace cox::tests
