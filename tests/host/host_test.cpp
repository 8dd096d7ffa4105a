// SPDX-License-Identifier: MIT
// Tests of the host library with the real firmware, natively and under QEMU.
#include "coxswain/host/coxswain_host.h"

#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <csignal>
#include <cstring>
#include <thread>
#include <vector>

#include "boards/native/native_board.h"
#include "coxswain/firmware/job/job_queue.h"
#include "tests/host/example.h"
#include "tests/host/host_fixture.h"

namespace cox::tests {
namespace host_test {

/// A run reaches the instruction that hangs in this time, also on a busy computer. Microseconds.
constexpr std::uint32_t kUntilItHangs = 200'000;

std::uint64_t dram_base() { return board::NativeBoard::default_dram_address(); }

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
  stop();
  EXPECT_EQ(machine->waits_for_ticks(), 0U) << "a job has waited for a tick";
}

TEST_P(HostTest, ARunOfSeveralInferences) {
  start();
  if (IsSkipped()) return;
  load(0);
  constexpr std::uint32_t kCount = 5;
  constexpr std::uint64_t kStride = 2 * kTensor + 64;
  const std::uint64_t window = allocate(kCount * kStride);
  for (unsigned i = 0; i < kCount; ++i) {
    std::memcpy(at(window + i * kStride, kTensor), tools::run::counting(kTensor, static_cast<std::uint8_t>(i)).data(), kTensor);
    std::memset(at(window + i * kStride + kTensor, kTensor), 0xEE, kTensor);
  }
  cox_host_job job = run_job(0, window);
  job.inferences = kCount;
  job.strides[0] = kStride;
  cox_host_outcome outcome{};
  expect(cox_host_do(host, &job, kLong, &outcome), COX_OK, "");
  EXPECT_EQ(outcome.inferences, kCount);
  for (unsigned i = 0; i < kCount; ++i) expect_copied(window + i * kStride);
  job.strides[0] = kStride + 4;
  expect(cox_host_do(host, &job, kLong, &outcome), COX_ERROR_MISALIGNED_ADDRESS, "windows");
  EXPECT_EQ(outcome.inferences, 0U);
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

/// One job after another: each of them finds the core asleep.
TEST_P(HostTest, TheRingWakesTheCore) {
  const TemporaryFile log;
  start({.mailbox_log = log.path()});
  if (IsSkipped()) return;
  load(0);
  const cox_host_job job = run_job(0, allocate(2 * kTensor)), share = share_job();
  constexpr unsigned kJobs = 100;
  for (unsigned i = 0; i < kJobs; ++i) {
    // Without a limit, so that a lost ring of the host is not made good by a look at its end.
    expect(cox_host_do(host, &share, COX_HOST_FOREVER, nullptr), COX_OK, "");
    expect(cox_host_do(host, &job, COX_HOST_FOREVER, nullptr), COX_OK, "");
  }
  stop();
  EXPECT_LE(machine->waits_for_ticks(), GetParam().is_process ? kJobs / 2 : 0) << "jobs have waited for ticks";
}

TEST_P(HostTest, ARingWithoutAJobChangesNothing) {
  boot({});
  if (IsSkipped()) return;
  for (int i = 0; i < 5; ++i) machine->ring();  // there is no job ring
  open();
  const cox_host_job job = share_job();
  expect(cox_host_do(host, &job, kLong, nullptr), COX_OK, "");
  close();
  for (int i = 0; i < 5; ++i) machine->ring();  // the job ring is that of a host that has left
  open();
  for (int i = 0; i < 5; ++i) {
    if (!GetParam().is_process) machine->ring();
    expect(cox_host_do(host, &job, kLong, nullptr), COX_OK, "");
  }
  stop();
  EXPECT_EQ(machine->waits_for_ticks(), 0U);
}

TEST_P(HostTest, AnImpossibleLinkIsRefused) {
  start();
  if (IsSkipped()) return;
  close();
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
  stop();
  EXPECT_EQ(machine->waits_for_ticks(), 0U) << "a job has waited for a tick";
}

/// A run hangs, so the ring stays full. Each submitter gets a place or a refusal, and each job that got a place is answered.
TEST_P(HostTest, AFullRingRefusesManySubmitters) {
  const FaultPlan plan("stuck queue=LD core=0 instruction=1\n");
  start({.model_options = plan.options(), .idle_tick_us = 2000}, {.capacity = 8, .reserved = 1, .open_limit_us = 0});
  if (IsSkipped()) return;
  load(0);
  const std::uint64_t window = allocate(2 * kTensor);
  const cox_host_job job = run_job(0, window);
  std::uint64_t hung = 0;
  expect(cox_host_submit(host, &job, kLong, &hung), COX_OK, "");
  cox_host_outcome outcome{};
  expect(cox_host_wait(host, hung, kUntilItHangs, &outcome), COX_ERROR_TIMEOUT, "job");
  std::atomic<unsigned> submitted = 0, refused = 0, done = 0;
  const auto submit = [&] {
    std::vector<std::uint64_t> tickets;
    for (std::uint32_t limit_us = 0; limit_us < 2000; limit_us += 400) {
      std::uint64_t ticket = 0;
      const cox_status status = cox_host_submit(host, &job, limit_us, &ticket);
      if (status.error == COX_OK) {
        tickets.push_back(ticket);
        ++submitted;
      } else {
        expect(status, COX_ERROR_NO_ROOM, "ring");
        ++refused;
      }
    }
    for (const std::uint64_t ticket : tickets) {
      cox_host_outcome own{};
      expect(cox_host_wait(host, ticket, kLong, &own), COX_OK, "");
      if (own.error == COX_OK) ++done;
    }
  };
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < 8; ++i) threads.emplace_back(submit);
  while (submitted + refused < 40) std::this_thread::yield();
  EXPECT_EQ(submitted, 6U) << "one of seven places has the job that hangs";
  expect(cox_host_cancel(host, hung, kLong), COX_OK, "");
  for (std::thread &thread : threads) thread.join();
  EXPECT_EQ(done, 6U);
}

TEST_P(HostTest, JobsThatHangLeaveRoomForTheirCancels) {
  const FaultPlan plan("stuck queue=LD core=0 instruction=1\n");
  start({.model_options = plan.options(), .idle_tick_us = 2000}, {.capacity = 4, .reserved = 1, .open_limit_us = 0});
  if (IsSkipped()) return;
  load(0);
  std::array<std::uint64_t, 3> tickets{};
  const std::uint64_t window = allocate(2 * kTensor);
  const cox_host_job job = run_job(0, window);
  for (std::uint64_t &ticket : tickets) expect(cox_host_submit(host, &job, kLong, &ticket), COX_OK, "");
  std::uint64_t none = 0;
  expect(cox_host_submit(host, &job, 1000, &none), COX_ERROR_NO_ROOM, "ring");
  cox_host_outcome outcome{};
  expect(cox_host_wait(host, tickets[0], kUntilItHangs, &outcome), COX_ERROR_TIMEOUT, "job");
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
  start({.model_options = plan.options(), .idle_tick_us = 2000});
  if (IsSkipped()) return;
  load(0);
  cox_host_job job = run_job(0, allocate(2 * kTensor));
  job.time_limit_us = 5000;
  cox_host_outcome outcome{};
  expect(cox_host_do(host, &job, kLong, &outcome), COX_ERROR_TIME_LIMIT, "LD");
  expect(cox_host_do(host, &job, kLong, &outcome), COX_OK, "");
}

TEST_P(HostTest, ATicketOfAnotherLinkIsRefused) {
  start();
  if (IsSkipped()) return;
  const cox_host_job job = share_job();
  std::uint64_t before = 0, ticket = 0;
  expect(cox_host_submit(host, &job, kLong, &before), COX_OK, "");
  close();
  open();
  cox_host_outcome outcome{};
  for (int i = 0; i < 2; ++i) {  // before and after this link has submitted as many jobs
    expect(cox_host_wait(host, before, 0, &outcome), COX_ERROR_INVALID_ARGUMENT, "ticket");
    expect(cox_host_cancel(host, before, kLong), COX_ERROR_INVALID_ARGUMENT, "ticket");
    expect(cox_host_submit(host, &job, kLong, &ticket), COX_OK, "");
    expect(cox_host_wait(host, ticket, kLong, &outcome), COX_OK, "");
  }
}

TEST_P(HostTest, ANewHostTakesOverFromOneThatDied) {
  const FaultPlan plan("stuck queue=LD core=0 instruction=3\n");
  start({.model_options = plan.options(), .idle_tick_us = 2000});
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
    auto &header = *reinterpret_cast<firmware::job::Header *>(at(dram_base(), sizeof(firmware::job::Header)));
    auto &next = *reinterpret_cast<firmware::job::Descriptor *>(
        at(dram_base() + sizeof(header) + header.submitted % header.capacity * sizeof(firmware::job::Descriptor),
           sizeof(firmware::job::Descriptor)));
    next.request.kind = firmware::job::Kind::run;
    next.request.state = firmware::job::State::submitted;
    if (lives == 2) std::atomic_ref(header.magic).store(firmware::job::kWithdrawn);
    if (lives == 3) std::atomic_ref(header.session).store(77);
    close();
    open();
  }
  // The tasks of the hosts before are gone.
  const cox_host_window windows[] = {{allocate(2 * kTensor), 2 * kTensor}};
  expect(cox_host_run(host, 0, windows, 1, kLong), COX_ERROR_NOT_READY, "task_slot");
}

/// A host dies between two writes of a submission.
TEST_P(HostTest, ANewHostTakesOverFromHalfASubmission) {
  enum : int { kRequest, kNoRing, kTornRequest, kLives };
  start({.idle_tick_us = 2000});
  if (IsSkipped()) return;
  load(0);
  for (int life = 0; life < kLives; ++life) {
    SCOPED_TRACE(life);
    const std::uint64_t window = allocate(2 * kTensor);
    std::memcpy(at(window, kTensor), tools::run::counting(kTensor, 5).data(), kTensor);
    auto &header = *reinterpret_cast<firmware::job::Header *>(at(dram_base(), sizeof(firmware::job::Header)));
    auto &next = *reinterpret_cast<firmware::job::Descriptor *>(
        at(dram_base() + sizeof(header) + header.submitted % header.capacity * sizeof(firmware::job::Descriptor),
           sizeof(firmware::job::Descriptor)));
    next.request = {};
    next.request.kind = firmware::job::Kind::run;
    if (life != kTornRequest) next.request.windows[0] = {window, 2 * kTensor};
    next.request.state = firmware::job::State::submitted;
    // From here on the job counts. The firmware finds it at a tick, if the host dies before it rings.
    if (life != kRequest) std::atomic_ref(header.submitted).store(header.submitted + 1, std::memory_order_release);
    close();
    open();
    load(0);
    const cox_host_window windows[] = {{window, 2 * kTensor}};
    expect(cox_host_run(host, 0, windows, 1, kLong), COX_OK, "");
    expect_copied(window);
  }
}

/// A process that submits from four threads, until it is killed.
[[noreturn]] void submit_until_killed(Machine &machine, const std::vector<std::uint8_t> &image, int ready) {
  cox_host *host = nullptr;
  std::uint64_t window = 0;
  if (machine.open({}, &host).error != COX_OK || cox_host_load(host, 0, image.data(), image.size(), kLong).error != COX_OK ||
      cox_host_allocate(host, 2 * tools::run::kTensor, &window).error != COX_OK || write(ready, "", 1) != 1) {
    _exit(1);
  }
  const auto submit = [&] {
    cox_host_job job{};
    job.kind = COX_HOST_RUN;
    job.windows[0] = {window, 2 * tools::run::kTensor};
    while (cox_host_submit(host, &job, kLong, nullptr).error == COX_OK) {
    }
  };
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i) threads.emplace_back(submit);
  submit();
  _exit(1);
}

/// Tests of a firmware that survives the process of its host.
class HostProcessTest : public HostTest {};

TEST_P(HostProcessTest, ANewHostTakesOverFromOneThatIsKilled) {
  boot({});
  if (IsSkipped()) return;
  for (unsigned life = 0; life < 10; ++life) {
    SCOPED_TRACE(life);
    std::array<int, 2> ready{};
    ASSERT_EQ(pipe(ready.data()), 0);
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) submit_until_killed(*machine, image, ready[1]);
    ::close(ready[1]);
    char byte = 0;
    EXPECT_EQ(read(ready[0], &byte, 1), 1) << "the other host has failed";
    ::close(ready[0]);
    usleep(1000 + 700 * life);
    int status = 0;
    kill(child, SIGKILL);
    waitpid(child, &status, 0);
    EXPECT_TRUE(WIFSIGNALED(status)) << "the other host has failed";
    open();
    load(0);
    const std::uint64_t window = allocate(2 * kTensor);
    std::memcpy(at(window, kTensor), tools::run::counting(kTensor, life).data(), kTensor);
    const cox_host_window windows[] = {{window, 2 * kTensor}};
    expect(cox_host_run(host, 0, windows, 1, kLong), COX_OK, "");
    expect_copied(window);
    close();
  }
}

TEST_P(HostTest, JobsOfALinkThatIsLostAreAnswered) {
  const FaultPlan plan("stuck queue=LD core=0 instruction=1\n");
  start({.model_options = plan.options(), .idle_tick_us = 2000});
  if (IsSkipped()) return;
  load(0);
  const cox_host_job job = run_job(0, allocate(2 * kTensor));
  std::uint64_t ticket = 0;
  expect(cox_host_submit(host, &job, kLong, &ticket), COX_OK, "");
  // A count that cannot be: the firmware stops.
  auto &header = *reinterpret_cast<firmware::job::Header *>(at(dram_base(), sizeof(firmware::job::Header)));
  std::atomic_ref(header.submitted).store(1000);
  machine->ring();
  cox_host_outcome outcome{};
  const cox_status status = cox_host_wait(host, ticket, kLong, &outcome);
  // The run was cancelled before the firmware left, or its outcome was not read any more.
  EXPECT_TRUE(status.error == COX_ERROR_NOT_READY || outcome.error == COX_ERROR_CANCELLED);
  expect(cox_host_wait(host, ticket, kLong, &outcome), COX_ERROR_INVALID_ARGUMENT, "ticket");
  expect(cox_host_submit(host, &job, kLong, &ticket), COX_ERROR_NOT_READY, "link");
}

INSTANTIATE_TEST_SUITE_P(Qemu, HostProcessTest, testing::Values(kQemu), kind_name);
INSTANTIATE_TEST_SUITE_P(Qemu, HostTest, testing::Values(kQemu), kind_name);
INSTANTIATE_TEST_SUITE_P(Native, HostTest, testing::Values(kNative), kind_name);

}  // namespace host_test
}  // namespace cox::tests
