// SPDX-License-Identifier: MIT
// Several owners on one device: scheduling by weight, isolation, cancelling, and the report after a watchdog reset.
#include "coxswain/firmware/boot/boot_record.h"
#include "coxswain/firmware/job/dispatch_order.h"
#include "coxswain/hal/bus.h"
#include "coxswain/hal/fault_log.h"
#include "tests/firmware/job_ring.h"
#include "tests/firmware/scheduled_tasks.h"

namespace cox::tests {
namespace {

using firmware::job::FaultReading;
using testing::HasSubstr;

// Returns a task that repeats the copy fifty times in sequence.
TaskText long_task(std::int64_t first, std::int64_t last) {
  TaskText text = copy_task(first, last);
  isa::tile::MachineCode load = text.code[kLoad];
  isa::tile::MachineCode store = text.code[kStore];
  isa::insert_bits(load, isa::tile::kPreviousBit, isa::tile::kClasses, bit(isa::tile::Class::ST));
  isa::insert_bits(text.code[kStore], isa::tile::kNextBit, isa::tile::kClasses, bit(isa::tile::Class::LD));
  for (unsigned i = 0; i < 49; ++i) {
    const bool is_last = i == 0;
    text.code.insert(text.code.begin() + kStore + 1, {load, is_last ? store : text.code[kStore]});
  }
  return text;
}

class JobOwnersTest : public JobRing {
 protected:
  /// Returns the owners of `runs` in the order in which the runs started, one letter each: owner 0 is 'A'.
  std::string order(const std::vector<std::size_t> &runs) {
    std::vector<std::pair<std::uint64_t, char>> starts;
    for (const std::size_t run : runs) {
      const Outcome job = outcome(run);
      EXPECT_EQ(job.error, 0U) << run;
      starts.emplace_back(job.start_cycle, static_cast<char>('A' + request(run).owner));
    }
    std::ranges::stable_sort(starts, {}, [](const auto &start) { return start.first; });
    std::string owners;
    for (const auto &start : starts) owners += start.second;
    return owners;
  }
};

TEST_F(JobOwnersTest, ALowerPriorityNumberGoesFirst) {
  for (std::uint8_t owner = 0; owner < 4; ++owner) add(load_job(copy_task(), owner, owner));
  std::vector<std::size_t> runs;
  const std::uint8_t priorities[] = {7, 1, 0, 1};
  for (std::uint8_t owner = 0; owner < 4; ++owner) runs.push_back(add(run_job(owner, owner, priorities[owner])));
  EXPECT_EQ(serve(), 0);
  EXPECT_EQ(order(runs), "CBDA");
}

// Each task takes the whole L2, so only one runs at a time. A run charges cycles * 100 / weight to its owner's account (kLargestWeight is
// 100). So a run of 500 cycles adds 50,000 to an account of weight 1 and 16,666 to an account of weight 3. The scheduler knows the cost of
// a task after its first run.
TEST_F(JobOwnersTest, DeviceTimeIsSharedByWeight) {
  add(load_job(copy_task(), 0, 0));
  add(load_job(copy_task(), 1, 1));
  const std::size_t share = add(simple_job(Kind::share, 0, 3));
  std::vector<std::size_t> runs;
  for (unsigned i = 0; i < 12; ++i) {
    runs.push_back(add(run_job(1, 1)));
    runs.push_back(add(run_job(0, 0)));
  }
  EXPECT_EQ(serve(), 0);
  expect(share, ErrorCode::ok);
  // Each owner has 12 runs. While both have runs left, A (weight 3) gets three runs for each run of B (weight 1). The first time A gets
  // four runs: after three, its account is 3 * 16,666 = 49,998, still less than the 50,000 of B.
  EXPECT_EQ(order(runs), "BAAAABAAABAAABAABBBBBBBB");
}

TEST_F(JobOwnersTest, AnOwnerThatComesBackHasSavedNothing) {
  using firmware::job::Owners;
  Owners owners;
  owners.arrive(0);
  owners.charge(0, 900);
  owners.settle(0, 900, 1000);
  EXPECT_EQ(owners.virtual_time(0), 100'000U);
  owners.arrive(1);
  EXPECT_EQ(owners.virtual_time(1), 100'000U);
  EXPECT_EQ(owners.account(0).device_cycles, 1000U);
  owners.leave(0);
  owners.leave(1);
  owners.arrive(1);  // no other owner is active: all accounts start again
  EXPECT_EQ(owners.virtual_time(1), 0U);
}

// An owner must keep its debt while it has no jobs. Otherwise it could drop the debt by waiting until its last job is done.
TEST(Owners, AnOwnerThatComesBackKeepsItsDebt) {
  firmware::job::Owners owners;
  owners.arrive(0);
  owners.arrive(1);
  owners.charge(1, 1000);
  owners.leave(1);
  owners.arrive(1);
  EXPECT_EQ(owners.virtual_time(0), 0U);
  EXPECT_EQ(owners.virtual_time(1), 1000U * firmware::job::kLargestWeight);
}

// A smaller weight makes each charge larger. If the weight becomes smaller during a run, settle() may take back more than charge() has
// added. Then the account stops at 0.
TEST(Owners, AWeightThatChangesDuringARunNeverMakesAnAccountNegative) {
  firmware::job::Owners owners;
  owners.set_weight(0, firmware::job::kLargestWeight);
  owners.arrive(0);
  owners.charge(0, 1000);
  EXPECT_EQ(owners.virtual_time(0), 1000U);
  owners.set_weight(0, 1);
  owners.settle(0, 1000, 10);
  EXPECT_EQ(owners.virtual_time(0), 0U);
  EXPECT_EQ(owners.account(0).device_cycles, 10U);
}

TEST_F(JobOwnersTest, RunsSideBySideEndInAnyOrderAndRetireInOrder) {
  add(load_job(long_task(0, 99), 0, 0));
  add(load_job(copy_task(100, 199), 1, 1));
  const std::size_t slow = add(run_job(0, 0));
  const std::size_t quick = add(run_job(1, 1));
  const std::size_t last = add(run_job(1, 1));
  bool seen = false;
  device.on_feed = [&] {
    if (seen || outcome(quick).state != State::done) return;
    seen = true;
    EXPECT_EQ(outcome(slow).state, State::running);
    EXPECT_EQ(header().completed, slow);
  };
  EXPECT_EQ(serve(), 0);
  EXPECT_TRUE(seen);
  for (const std::size_t job : {slow, quick, last}) expect(job, ErrorCode::ok);
  EXPECT_LT(outcome(last).end_cycle, outcome(slow).end_cycle);
  EXPECT_GE(outcome(last).start_cycle, outcome(quick).end_cycle);  // both use one task slot, so they run one after the other
  EXPECT_EQ(header().completed, jobs_);
}

TEST_F(JobOwnersTest, NobodyTouchesWhatIsAnothers) {
  add(load_job(copy_task(0, 99), 0, 0));
  add(load_job(copy_task(100, 199), 1, 1));
  add(load_job(copy_task(200, 299), 2, 0));
  const std::size_t unload = add([&] {
    Request job = run_job(0, 1);
    job.kind = Kind::unload;
    return job;
  }());
  const std::size_t load = add(load_job(copy_task(), 0, 1));
  const std::size_t run = add(run_job(0, 1));
  const Request own = run_job(0, 0);
  const std::size_t uses = add(own);
  const std::size_t cancel = add(simple_job(Kind::cancel, 1, static_cast<std::uint32_t>(uses)));
  Request job = run_job(1, 1);
  job.windows[0] = own.windows[0];
  const std::size_t window = add(job);
  job = load_job(copy_task(), 5, 1);
  job.workspace_address = own.windows[0].address;
  const std::size_t workspace = add(job);
  job = load_job(copy_task(), 5, 1);
  job.image_address = own.windows[0].address - own.windows[0].address % 16;
  const std::size_t image = add(job);
  job = run_job(2, 0);
  job.windows[0] = own.windows[0];
  const std::size_t same_owner = add(job);
  EXPECT_EQ(serve(), 0);
  expect(unload, ErrorCode::not_owner, "task_slot");
  expect(load, ErrorCode::not_owner, "task_slot");
  expect(run, ErrorCode::not_owner, "task_slot");
  expect(uses, ErrorCode::ok);
  expect(cancel, ErrorCode::not_owner, "argument");
  expect(window, ErrorCode::window_overlap, "windows");
  expect(workspace, ErrorCode::window_overlap, "workspace_address");
  expect(image, ErrorCode::window_overlap, "image_address");
  expect(same_owner, ErrorCode::ok);
  EXPECT_GE(outcome(same_owner).start_cycle, outcome(uses).end_cycle);
}

// A run that copies constants into a window counts as a writer of that window, even if its task does not write there.
TEST_F(JobOwnersTest, AWindowWithConstantsIsWritten) {
  const auto task = [](unsigned place, bool constants) {
    TaskText text = copy_task(100 * place, 100 * place + 99);
    text.windows.push_back({1, 64, false});
    if (constants) text.constants = {{1, 8, {9, 9, 9}}};
    return text;
  };
  add(load_job(task(0, false), 0, 0));
  add(load_job(task(1, false), 1, 1));
  add(load_job(task(2, true), 2, 2));
  add(load_job(task(3, true), 3, 3));
  add(load_job(task(4, true), 4, 0));
  const Window read{address(reserve(64)), 64}, own{address(reserve(16384)), 64};
  const auto run = [&](std::uint8_t slot, std::uint8_t owner, const Window &window) {
    Request job = run_job(slot, owner);
    job.windows[1] = window;
    return add(job);
  };
  const std::size_t reads = run(0, 0, read);
  const std::size_t reads_too = run(1, 1, read);
  const std::size_t would_write = run(2, 2, read);
  const std::size_t writes = run(3, 3, own);
  const std::size_t would_read = run(1, 1, own);
  Request job = load_job(copy_task(), 5, 4);
  std::memcpy(seen(own.address), seen(job.image_address), job.image_bytes);
  job.image_address = own.address;
  const std::size_t image = add(job);
  const std::size_t waits = run(4, 0, read);
  unsigned together = 0;
  device.on_feed = [&] {
    if (outcome(waits).state == State::running) {
      EXPECT_EQ(outcome(reads_too).state, State::done);
    }
    if (outcome(reads).state == State::running && outcome(reads_too).state == State::running) ++together;
    if (outcome(waits).state == State::submitted) {
      EXPECT_EQ(seen(read.address)[8], std::byte{0});
    }
  };
  EXPECT_EQ(serve(), 0);
  EXPECT_GT(together, 0U);
  for (const std::size_t good : {reads, reads_too, writes}) expect(good, ErrorCode::ok);
  for (const std::size_t bad : {would_write, would_read}) {
    expect(bad, ErrorCode::window_overlap, "windows");
    EXPECT_EQ(outcome(bad).error_index, 1);
  }
  expect(image, ErrorCode::window_overlap, "image_address");
  expect(waits, ErrorCode::window_overlap, "windows");  // another owner reads this window
}

// A later run reads bytes that an earlier run of the same owner writes. So the later run waits for the earlier one, even if the two use
// different windows.
TEST_F(JobOwnersTest, ARunWaitsForTheOneThatWritesWhatItReads) {
  add(load_job(copy_task(0, 99), 0, 0));
  TaskText text = copy_task(100, 199);
  text.windows.push_back({1, 64, false});
  add(load_job(text, 1, 0));
  Request job = run_job(0, 0);
  const Window written = job.windows[0];
  const std::size_t writes = add(job);
  job = run_job(1, 0);
  job.windows[1] = written;
  const std::size_t reads = add(job);
  EXPECT_EQ(serve(), 0);
  for (const std::size_t good : {writes, reads}) expect(good, ErrorCode::ok);
  EXPECT_GE(outcome(reads).start_cycle, outcome(writes).end_cycle);
}

// The second of two runs of one owner waits, because it writes constants into a window that the first run reads.
TEST_F(JobOwnersTest, ConstantsOfTheSameOwnerWait) {
  TaskText text = copy_task(0, 99);
  text.windows.push_back({1, 64, false});
  add(load_job(text, 0, 0));
  text = copy_task(100, 199);
  text.windows.push_back({1, 64, false});
  text.constants = {{1, 8, {9, 9, 9}}};
  add(load_job(text, 1, 0));
  Request job = run_job(0, 0);
  job.windows[1] = {address(reserve(64)), 64};
  const std::size_t reads = add(job);
  const std::byte *constant = seen(job.windows[1].address) + 8;
  job.task_slot = 1;
  job.windows[0] = {address(reserve(256)), 256};
  const std::size_t writes = add(job);
  device.on_feed = [&] {
    if (outcome(reads).state == State::running) {
      EXPECT_EQ(*constant, std::byte{0});
    }
  };
  EXPECT_EQ(serve(), 0);
  for (const std::size_t good : {reads, writes}) expect(good, ErrorCode::ok);
  EXPECT_GE(outcome(writes).start_cycle, outcome(reads).end_cycle);
  EXPECT_EQ(*constant, std::byte{9});
}

// While a run waits for room, another owner's job writes to the bytes where the run's constants belong.
TEST_F(JobOwnersTest, ConstantsAreWrittenWhenTheRunBegins) {
  for (const Kind by : {Kind::load, Kind::read_faults, Kind::run}) {
    SCOPED_TRACE(static_cast<unsigned>(by));
    jobs_ = 0;
    top_ = sizeof(Header) + kCapacity * sizeof(Descriptor);
    std::ranges::fill(device.dram(), std::byte{0});
    TaskText text = copy_task(50, 149);
    text.constants = {{0, 8, std::vector<std::uint8_t>(200, 5)}};
    add(load_job(long_task(0, 99), 0, 0));
    add(load_job(text, 1, 1));
    text = copy_task(200, 299);
    text.constants = {{0, 8, std::vector<std::uint8_t>(200, 6)}};
    add(load_job(text, 2, 2));
    const std::size_t runs = add(run_job(0, 0));
    Request job = run_job(1, 1);
    Request other = by == Kind::load ? load_job(copy_task(), 3, 2) : run_job(2, 2);
    other.kind = by;
    if (by == Kind::load) {
      job.windows[0].address = other.workspace_address + 64;
    } else {
      other.windows[0] = job.windows[0];
    }
    const std::byte *constant = seen(job.windows[0].address) + 8;
    const std::size_t waits = add(job);
    const std::size_t writes = add(other);
    if (by == Kind::load) {
      other.kind = Kind::unload;
      add(other);
    }
    bool written = false;
    device.on_feed = [&] {
      if (outcome(waits).state == State::submitted) {
        // The constant, 200 bytes with the value 5, must not be there yet. The test looks for only 16 of these bytes in a row. Shorter runs
        // of such bytes may be data that another job left there.
        EXPECT_EQ(std::search_n(constant, constant + 200, 16, std::byte{5}), constant + 200);
        written = written || (outcome(runs).state == State::running && outcome(writes).state != State::submitted);
      } else if (outcome(waits).state == State::running) {
        EXPECT_EQ(std::count(constant, constant + 200, std::byte{5}), 200);
      }
    };
    EXPECT_EQ(serve(), 0);
    EXPECT_TRUE(written);
    for (const std::size_t good : {runs, waits, writes}) expect(good, ErrorCode::ok);
  }
}

// While a load waits for its memory, its state must not be `running`. Otherwise the next boot after a watchdog reset would report that the
// load had started.
TEST_F(JobOwnersTest, ALoadThatWaitsForItsMemoryDoesNotRun) {
  add(load_job(copy_task(0, 99), 0, 0));
  Request load = load_job(copy_task(), 1, 0);
  Request job = run_job(0, 0);
  job.windows[0].address = load.workspace_address;
  const std::size_t runs = add(job);
  const std::size_t waits = add(load);
  unsigned looks = 0;
  device.on_feed = [&] {
    if (outcome(runs).state != State::running) return;
    ++looks;
    EXPECT_EQ(outcome(waits).state, State::submitted);
  };
  EXPECT_EQ(serve(), 0);
  EXPECT_GT(looks, 1U);
  for (const std::size_t good : {runs, waits}) expect(good, ErrorCode::ok);
}

TEST_F(JobOwnersTest, CancelEndsAJobThatWaitsOrRuns) {
  add(load_job(copy_task(), 0, 3));
  const std::size_t runs = add(run_job(0, 3));
  const std::size_t waits = add(run_job(0, 3));
  const std::size_t after = add(run_job(0, 3));
  std::size_t cancels[4] = {};
  device.duration = [&](unsigned, const isa::tile::MachineCode &code) -> std::uint64_t {
    const bool is_load = isa::tile::opcode_of(code) == isa::tile::Opcode::lda_mov;
    return is_load && cancels[0] == 0 ? 3'000'000 : 100;
  };
  device.on_feed = [&] {
    if (cancels[0] != 0 || outcome(runs).state != State::running) return;
    unsigned i = 0;
    for (const std::size_t target : {waits, runs, waits, std::size_t{0}}) {
      cancels[i++] = jobs_;
      submit(simple_job(Kind::cancel, 3, static_cast<std::uint32_t>(target)));
    }
  };
  EXPECT_EQ(serve(), 0);
  expect(runs, ErrorCode::cancelled, "task");
  expect(waits, ErrorCode::cancelled, "job");
  expect(after, ErrorCode::ok);
  expect(cancels[0], ErrorCode::ok);
  expect(cancels[1], ErrorCode::ok);
  expect(cancels[2], ErrorCode::not_ready, "argument");  // the job was cancelled before
  expect(cancels[3], ErrorCode::not_ready, "argument");  // the job was done before
  EXPECT_EQ(header().completed, jobs_);
}

TEST_F(JobOwnersTest, ARingOfOneDescriptorIsServed) {
  capacity = 1;
  std::deque<Request> jobs = {load_job(copy_task(), 0), run_job(0), run_job(1), run_job(0)};
  std::vector<std::uint32_t> errors;
  add(jobs.front());
  device.on_feed = [&] {
    if (errors.size() == jobs.size() || header().completed != jobs_) return;
    errors.push_back(outcome(0).error);
    if (errors.size() < jobs.size()) submit(jobs[errors.size()]);
  };
  EXPECT_EQ(serve(), 0);
  EXPECT_THAT(errors, testing::ElementsAre(0, 0, static_cast<std::uint32_t>(ErrorCode::not_ready), 0));
}

TEST_F(JobOwnersTest, AJobThatFindsNoRoomIsNotPassedForEver) {
  using firmware::job::JobRecord;
  using firmware::job::LookAhead;
  using firmware::job::Stage;
  const firmware::job::Owners owners;
  LookAhead jobs;
  const auto run = static_cast<std::uint8_t>(Kind::run);
  jobs[5] = {.stage = Stage::running, .kind = run, .owner = 2, .task_slot = 2};
  jobs[6] = {.stage = Stage::waiting, .kind = run, .owner = 0, .task_slot = 0, .passed = 15, .blocked = true};
  jobs[7] = {.stage = Stage::waiting, .kind = run, .owner = 1, .task_slot = 1};
  EXPECT_EQ(firmware::job::next_job(jobs, 5, 8, owners), 7U);
  jobs[6].passed = 16;
  EXPECT_EQ(firmware::job::next_job(jobs, 5, 8, owners), std::nullopt);
  jobs[6].blocked = false;
  EXPECT_EQ(firmware::job::next_job(jobs, 5, 8, owners), 6U);
}

class TwoCoreJobs : public JobRing {
 protected:
  TwoCoreJobs() : JobRing(2) {}
};

// The account is charged with the device time of each core of the run.
TEST_F(TwoCoreJobs, ARunOnTwoCoresCountsTwice) {
  add(load_job(two_core_task(), 0, 5));
  const std::size_t run = add(run_job(0, 5));
  // The firmware reads 64 characters each time it looks at the console. The 256 spaces delay the command until the run has ended.
  device.typed = std::string(256, ' ') + "\rowners\r";
  EXPECT_EQ(serve(), 0);
  expect(run, ErrorCode::ok);
  const std::uint64_t cycles = outcome(run).end_cycle - outcome(run).start_cycle;
  ASSERT_GT(cycles, 0U);
  EXPECT_THAT(device.console, HasSubstr("device cycles " + std::to_string(2 * cycles) + " "));
}

// A job counts as overtaken only while it waits for room. While it waits for its owner's earlier jobs, other jobs may start before it
// without being counted.
TEST_F(TwoCoreJobs, AJobThatWaitsForThoseBeforeItIsNotPassed) {
  add(load_job(copy_task(), 0, 0));
  add(load_job(copy_task(), 1, 1));
  add(load_job(copy_task(), 2, 1));
  add(load_job(copy_task(), 3, 3));
  const auto run = [&](std::uint32_t slot, std::uint8_t owner, std::uint8_t core_mask, std::uint8_t priority = 0) {
    Request job = run_job(slot, owner, priority);
    job.core_mask = core_mask;
    return add(job);
  };
  // Core 0 is slow and has room for only one of these jobs.
  const std::size_t first = run(0, 0, 1);
  const std::size_t blocked = run(1, 1, 1);
  const std::size_t late = run(2, 1, 1);
  for (unsigned i = 0; i < firmware::job::kMostPasses; ++i) run(3, 3, 2);
  const std::size_t passes = run(3, 3, 2, 7);
  device.duration = [](unsigned queue, const auto &) { return queue < isa::tile::kClasses ? 10'000 : 100; };
  EXPECT_EQ(serve(), 0);
  for (const std::size_t good : {first, blocked, late, passes}) expect(good, ErrorCode::ok);
  EXPECT_GE(outcome(blocked).start_cycle, outcome(first).end_cycle);
  EXPECT_GE(outcome(late).start_cycle, outcome(blocked).end_cycle);
  EXPECT_GE(outcome(passes).start_cycle, outcome(blocked).start_cycle) << "the job without room was passed the largest number of times";
  EXPECT_LT(outcome(passes).start_cycle, outcome(blocked).end_cycle);
}

// Each case has two jobs of one owner and says whether the second may start. The first job is waiting or running.
TEST_F(JobOwnersTest, JobsOfOneOwnerWaitForThoseBefore) {
  using firmware::job::LookAhead;
  using firmware::job::Stage;
  struct Case {
    Kind first, second;
    bool first_runs;
    std::uint8_t slot, priority;  // slot and priority of the second job; the first job has slot 0 and priority 1
    bool goes;
  };
  const Case cases[] = {
      {Kind::run, Kind::run, false, 1, 1, false},        {Kind::run, Kind::run, false, 1, 0, true},
      {Kind::run, Kind::run, true, 1, 1, true},          {Kind::run, Kind::run, true, 0, 1, false},
      {Kind::run, Kind::load, true, 1, 1, true},         {Kind::run, Kind::load, true, 0, 1, false},
      {Kind::run, Kind::load, false, 1, 0, false},       {Kind::load, Kind::run, false, 1, 0, false},
      {Kind::run, Kind::read_faults, true, 0, 0, false}, {Kind::run, Kind::share, true, 0, 0, true},
      {Kind::run, Kind::unload, true, 0, 0, false},
  };
  for (const Case &each : cases) {
    SCOPED_TRACE(&each - cases);
    LookAhead jobs;
    jobs[0] = {.stage = each.first_runs ? Stage::running : Stage::waiting, .kind = static_cast<std::uint8_t>(each.first), .priority = 1};
    jobs[1] = {.stage = Stage::waiting, .kind = static_cast<std::uint8_t>(each.second), .priority = each.priority, .task_slot = each.slot};
    // The first job is marked as blocked, so next_job() can choose only the second.
    jobs[0].blocked = true;
    EXPECT_EQ(firmware::job::next_job(jobs, 0, 2, {}).has_value(), each.goes);
  }
}

TEST_F(JobOwnersTest, AfterTheWatchdogTheNextBootSaysWhatTheLastOneDid) {
  namespace boot_record = firmware::boot_record;
  add(load_job(copy_task(), 0));
  EXPECT_EQ(serve(), 0);
  EXPECT_EQ(device.watchdog_us, 20'000'000U);
  EXPECT_GT(device.feeds, 1U);
  EXPECT_THAT(device.console, testing::Not(HasSubstr("last boot")));

  // State of a boot that was cut off in a load of job 2 while a run of job 1 was on the device.
  boot_record::enter_job(1, boot_record::Phase::job);
  boot_record::enter_run(1, 14, true);
  boot_record::enter_job(2, boot_record::Phase::load);
  hal::fault_log::append({.cycle = 77,
                          .detail = 0x60001234,
                          .queue = 1,
                          .context = 14,
                          .fault = hal::FaultCode::bus_error,
                          .owner = 4,
                          .error = ErrorCode::device_fault,
                          .action = hal::FaultAction::failed});
  device.cause = board::ResetCause::watchdog;
  add(load_job(copy_task(), 1));
  Request running = run_job(0);
  add(running);
  add(load_job(copy_task(), 0));
  add(run_job(0));
  Request reading = simple_job(Kind::read_faults, 0, 0);
  reading.windows[0] = {address(reserve(256)), 256};
  add(reading);
  leave_state(1, State::done, 123);
  leave_state(2, State::running);
  Header old{};
  old.magic = firmware::job::kMagic;
  old.version = firmware::job::kVersion;
  old.capacity = capacity;
  old.flags = firmware::job::kExitWhenDone;
  old.submitted = static_cast<std::uint32_t>(jobs_);
  old.completed = 1;
  old.firmware_state = 1;
  std::memcpy(dram(), &old, sizeof(old));
  EXPECT_EQ(firmware::firmware_main(), 0);
  EXPECT_THAT(device.console, HasSubstr("coxswain: boot 2, after a reset by the watchdog\r\nlast boot: loading, since "));
  EXPECT_THAT(device.console, HasSubstr(" us, job 2, context 14\r\n"));
  EXPECT_EQ(outcome(1).error, 123U);  // job 1 was done before and is not done again
  expect(2, ErrorCode::cancelled, "watchdog");
  for (const std::size_t job : {3U, 4U, 5U}) expect(job, ErrorCode::ok);
  EXPECT_EQ(header().completed, jobs_);

  FaultReading read;
  std::memcpy(&read, hal::core_pointer<void>(reading.windows[0].address), sizeof(read));
  EXPECT_EQ(read.faults, 1U);
  EXPECT_EQ(read.boots, 2U);
  EXPECT_EQ(read.reset_cause, 1U);
  EXPECT_EQ(read.last_boot.phase, 4U);
  EXPECT_EQ(read.last_boot.job, 2U);
  EXPECT_EQ(read.last_boot.context, 14U);
  firmware::job::FaultEntry entry;
  std::memcpy(&entry, hal::core_pointer<std::byte>(reading.windows[0].address) + sizeof(read), sizeof(entry));
  EXPECT_EQ(entry.cycle, 77U);
  EXPECT_EQ(entry.detail, 0x60001234U);
  EXPECT_EQ(entry.owner, 4U);

  device.cause = board::ResetCause::power_on;
  EXPECT_EQ(serve(), 0);
  EXPECT_EQ(boot_record::boots(), 1U);
}

}  // namespace
}  // namespace cox::tests
