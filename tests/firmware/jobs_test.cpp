// SPDX-License-Identifier: MIT
// Tests the job ring with the whole firmware and console, on a device without engines. Each wrong descriptor is refused, and the next job
// runs.
#include <gmock/gmock.h>

#include <string>
#include <utility>

#include "coxswain/firmware/coxswain.h"
#include "coxswain/hal/bus.h"
#include "coxswain/hal/cache.h"
#include "coxswain/hal/fault_log.h"
#include "tests/firmware/job_ring.h"

namespace cox::tests {
namespace {

using JobsTest = JobRing;

TEST_F(JobsTest, AJobThatCannotBeIsRefusedAndTheNextRuns) {
  struct Bad {
    std::size_t job;
    ErrorCode error;
    const char *what;
    std::size_t next;
  };
  std::vector<Bad> all;
  add(load_job(copy_task(), 0));
  const auto bad = [&](Request job, ErrorCode error, const char *what) {
    const std::size_t number = add(job);
    all.push_back({number, error, what, add(run_job(0))});
  };
  Request job = load_job(copy_task(), 1);
  const auto changed = [&](auto change) {
    Request copy = job;
    change(copy);
    return copy;
  };
  bad(changed([](Request &d) { d.image_address = 0x1000; }), ErrorCode::window_outside_dram, "image_address");
  bad(changed([](Request &d) { d.image_bytes = UINT64_MAX; }), ErrorCode::window_outside_dram, "image_address");
  bad(changed([](Request &d) { d.image_address += 8; }), ErrorCode::misaligned_address, "image_address");
  bad(changed([](Request &d) { d.image_bytes = 0; }), ErrorCode::invalid_argument, "image_address");
  bad(changed([](Request &d) { d.workspace_bytes = 16; }), ErrorCode::no_room, "workspace");
  bad(changed([](Request &d) { d.workspace_address = d.image_address; }), ErrorCode::window_overlap, "workspace_address");
  bad(changed([&](Request &d) { d.workspace_address = address(64); }), ErrorCode::window_overlap, "workspace_address");
  bad(changed([](Request &d) { d.task_slot = 8; }), ErrorCode::invalid_argument, "task_slot");
  bad(changed([](Request &d) { d.kind = static_cast<Kind>(9); }), ErrorCode::invalid_argument, "kind");
  job = run_job(0);
  bad(changed([](Request &d) { d.task_slot = 5; }), ErrorCode::not_ready, "task_slot");
  bad(changed([](Request &d) { d.windows[0].size = 0; }), ErrorCode::window_missing, "windows");
  bad(changed([](Request &d) { d.windows[0].size = 255; }), ErrorCode::window_too_small, "windows");
  bad(changed([](Request &d) { d.windows[0].address += 4; }), ErrorCode::misaligned_address, "windows");
  bad(changed([&](Request &d) { d.windows[0].address = address(0); }), ErrorCode::window_overlap, "windows");
  bad(changed([](Request &d) { d.owner = 16; }), ErrorCode::invalid_argument, "owner");
  bad(changed([](Request &d) { d.priority = 8; }), ErrorCode::invalid_argument, "priority");
  bad(changed([](Request &d) { d.core_mask = 0x10; }), ErrorCode::invalid_argument, "core_mask");
  bad(changed([](Request &d) { d.retries = 16; }), ErrorCode::invalid_argument, "retries");
  bad(changed([](Request &d) { d.flags = 4; }), ErrorCode::invalid_argument, "flags");
  bad(changed([](Request &d) { d.kind = Kind{}; }), ErrorCode::invalid_argument, "kind");
  bad(changed([](Request &d) { d.kind = Kind::share; }), ErrorCode::invalid_argument, "argument");
  bad(changed([](Request &d) { d.kind = Kind::share, d.argument = 101; }), ErrorCode::invalid_argument, "argument");
  bad(changed([](Request &d) { d.kind = Kind::cancel, d.argument = 1000; }), ErrorCode::not_ready, "argument");
  bad(changed([](Request &d) { d.kind = Kind::read_faults, d.windows[0].size = 47; }), ErrorCode::window_too_small, "windows");
  bad(changed([](Request &d) { d.kind = Kind::read_faults, d.windows[0].address += 4; }), ErrorCode::misaligned_address, "windows");
  bad(changed([&](Request &d) { d.kind = Kind::read_faults, d.windows[0].address = address(0); }), ErrorCode::window_overlap, "windows");
  bad(changed([](Request &d) { d.kind = Kind::read_trace, d.windows[0].address = 0x1000; }), ErrorCode::window_outside_dram, "windows");
  EXPECT_EQ(serve(), 0);
  expect(0, ErrorCode::ok);
  for (const Bad &each : all) {
    SCOPED_TRACE(each.job);
    expect(each.job, each.error, each.what);
    expect(each.next, ErrorCode::ok);
  }
  EXPECT_EQ(header().firmware_state, 2U);
  EXPECT_EQ(header().completed, jobs_);
  EXPECT_EQ(outcome(all[0].next).accelerator_instructions, 7U);
}

TEST_F(JobsTest, ARunReportsTheDevicesCountersIfTheSubmitterAsks) {
  add(load_job(copy_task(), 0));
  Request run = run_job(0);
  run.flags = firmware::job::kReadCounters;
  const std::size_t asks = add(run);
  const std::size_t other = add(run_job(0));
  EXPECT_EQ(serve(), 0);
  expect(asks, ErrorCode::ok);
  expect(other, ErrorCode::ok);
  EXPECT_EQ(outcome(asks).counted, 1U);
  EXPECT_EQ(outcome(asks).queues[static_cast<std::size_t>(isa::tile::Class::LD)].instructions, 2U);
  EXPECT_EQ(outcome(other).counted, 0U);
  EXPECT_EQ(outcome(other).queues[static_cast<std::size_t>(isa::tile::Class::LD)].instructions, 0U) << "not written";
}

// The submitter can change a descriptor after the firmware has taken it and before the firmware performs it, so the firmware checks it both
// times.
TEST_F(JobsTest, ADescriptorThatBecomesWrongWhileItWaitsIsRefused) {
  add(load_job(copy_task(), 0));
  const std::size_t runs = add(run_job(0));
  const std::size_t cores = add(run_job(0));
  const std::size_t retries = add(run_job(0));
  const std::size_t share = add(simple_job(Kind::share, 0, 1));
  const std::size_t last = add(run_job(0));
  const auto change = [&](std::size_t job, const auto &how) {
    Request changed = request(job);
    EXPECT_EQ(outcome(job).state, State::submitted);
    how(changed);
    std::memcpy(descriptor(job), &changed, sizeof(changed));
  };
  bool done = false;
  device.on_feed = [&] {
    if (done || outcome(runs).state != State::running) return;
    done = true;
    change(cores, [](Request &d) { d.core_mask = 0x10; });
    change(retries, [](Request &d) { d.retries = firmware::job::kMostRetries + 1; });
    change(share, [](Request &d) { d.argument = 0; });
  };
  EXPECT_EQ(serve(), 0);
  EXPECT_TRUE(done);
  expect(runs, ErrorCode::ok);
  expect(cores, ErrorCode::invalid_argument, "core_mask");
  expect(retries, ErrorCode::invalid_argument, "retries");
  expect(share, ErrorCode::invalid_argument, "argument");
  expect(last, ErrorCode::ok);
}

// The submitter looks at memory after each call of the cache's functions.
TEST_F(JobsTest, AnOutcomeIsInMemoryBeforeItsStateSaysSo) {
  add(load_job(copy_task(), 0));
  for (unsigned i = 0; i < 10; ++i) add(run_job(i % 2));  // slot 1 is empty
  std::vector<std::optional<Outcome>> first(jobs_);
  std::uint32_t completed = 0;
  device.on_maintenance = [&] {
    for (std::size_t job = 0; job < jobs_; ++job) {
      const Outcome found = outcome(job);
      if (found.state == State::done && !first[job]) first[job] = found;
    }
    EXPECT_GE(header().completed, completed) << "a count that went backwards";
    completed = header().completed;
    for (std::size_t job = 0; job < completed; ++job) EXPECT_TRUE(first[job].has_value()) << job;
  };
  EXPECT_EQ(serve(), 0);
  for (std::size_t job = 0; job < jobs_; ++job) {
    const Outcome last = outcome(job);
    ASSERT_TRUE(first[job].has_value()) << job;
    EXPECT_EQ(std::memcmp(&*first[job], &last, offsetof(Outcome, unused)), 0) << job;
  }
}

// The submitter raises its count after each call of the cache's functions. The firmware must not overwrite what the submitter has written.
TEST_F(JobsTest, TheCountOfSubmittedJobsStays) {
  add(load_job(copy_task(), 0));
  const auto look = [&] {
    const Header expected = submitters_header();
    if (std::memcmp(dram(), &expected, firmware::job::kBlock) == 0) return;
    ADD_FAILURE() << header().submitted << " instead of " << jobs_;
    std::memcpy(dram(), &expected, firmware::job::kBlock);  // so that the firmware ends
  };
  device.on_maintenance = [&] {
    look();
    if (jobs_ < kCapacity) submit(run_job(0));
  };
  device.on_feed = look;
  EXPECT_EQ(serve(), 0);
  EXPECT_EQ(header().submitted, kCapacity);
  EXPECT_EQ(header().completed, kCapacity);
  for (std::size_t job = 0; job < jobs_; ++job) expect(job, ErrorCode::ok);
}

TEST_F(JobsTest, ConstantsAreWrittenBeforeTheRun) {
  TaskText text = copy_task();
  text.constants = {{0, 8, {1, 2, 3}}};
  add(load_job(text, 0));
  const Request run = run_job(0);
  add(run);
  EXPECT_EQ(serve(), 0);
  const auto *window = reinterpret_cast<const std::uint8_t *>(seen(run.windows[0].address));
  EXPECT_THAT(std::vector<std::uint8_t>(window + 7, window + 12), testing::ElementsAre(0, 1, 2, 3, 0));
}

// An image that lies in the workspace of a loaded task would change when that task runs.
TEST_F(JobsTest, AnImageInTheWorkspaceOfALoadedTaskIsRefused) {
  const Request loaded = load_job(copy_task(), 0);
  add(loaded);
  Request job = load_job(copy_task(), 1);
  job.image_address = (loaded.workspace_address + 15) / 16 * 16;
  const std::size_t refused = add(job);
  EXPECT_EQ(serve(), 0);
  expect(refused, ErrorCode::window_overlap, "image_address");
}

// A run reserves only the bytes of a window that its task needs. The rest of the window may be another task's memory.
TEST_F(JobsTest, OnlyTheBytesThatTheTaskNeedsOfAWindowAreReserved) {
  const std::size_t window = reserve(256);
  const Request load = load_job(copy_task(), 0);  // its image overlaps the end of the run's window
  ASSERT_LT(load.image_address, address(window) + 512);
  add(load);
  Request job = run_job(0);
  job.windows[0] = {address(window), 512};
  const std::size_t runs = add(job);
  EXPECT_EQ(serve(), 0);
  expect(runs, ErrorCode::ok);
}

// The firmware keeps the records of 64 jobs. A further job would overwrite the record of the oldest job, which is not done yet.
TEST_F(JobsTest, NoJobIsTakenThatIsTooFarBehindTheOldest) {
  capacity = 2 * kCapacity;
  top_ = sizeof(Header) + capacity * sizeof(Descriptor);
  add(load_job(copy_task(), 0));
  const std::size_t oldest = add(run_job(0));
  while (jobs_ < oldest + firmware::job::kLookAhead + 5) add(simple_job(Kind::share, 1, 1));
  unsigned looks = 0;
  device.duration = [](unsigned, const auto &) { return 20'000'000; };  // cycles: two ticks
  device.on_feed = [&] {
    if (outcome(oldest).state != State::running) return;
    ++looks;
    EXPECT_EQ(outcome(oldest + firmware::job::kLookAhead).state, State::submitted);
  };
  EXPECT_EQ(serve(), 0);
  EXPECT_GT(looks, 1U);
  for (std::size_t job = 0; job < jobs_; ++job) expect(job, ErrorCode::ok);
}

TEST_F(JobsTest, AReadingOfFaultsSaysHowManyItsWindowHasNoRoomFor) {
  using firmware::job::FaultEntry;
  using firmware::job::FaultReading;
  for (std::uint64_t cycle = 1; cycle <= 3; ++cycle) hal::fault_log::append({.cycle = cycle});
  Request job = simple_job(Kind::read_faults, 0, 0);
  const std::size_t at = reserve(sizeof(FaultReading) + 3 * sizeof(FaultEntry));
  job.windows[0] = {address(at), sizeof(FaultReading) + 2 * sizeof(FaultEntry)};
  const std::size_t reads = add(job);
  EXPECT_EQ(serve(), 0);
  expect(reads, ErrorCode::ok);
  FaultReading reading;
  std::memcpy(&reading, dram() + at, sizeof(reading));
  EXPECT_EQ(reading.faults, 2U);
  EXPECT_EQ(reading.before, 1U);
  FaultEntry entries[3];
  std::memcpy(entries, dram() + at + sizeof(reading), sizeof(entries));
  EXPECT_EQ(entries[0].cycle, 2U);
  EXPECT_EQ(entries[1].cycle, 3U);
  EXPECT_EQ(entries[2].cycle, 0U) << "behind the window";
}

// A constant may stay in the image only if it fills a read-only window. The submitter must provide memory for a window that the task
// writes.
TEST_F(JobsTest, AConstantThatFillsAWritableWindowDoesNotMakeItOptional) {
  TaskText text = copy_task();
  text.constants = {{0, 0, std::vector<std::uint8_t>(256, 7)}};
  const Request load = load_job(text, 0);
  add(load);
  const auto *first = reinterpret_cast<const std::uint8_t *>(seen(load.image_address));
  const std::vector<std::uint8_t> image(first, first + load.image_bytes);
  Request job = run_job(0);
  const std::size_t given = add(job);
  job.windows[0] = {};
  const std::size_t missing = add(job);
  EXPECT_EQ(serve(), 0);
  expect(given, ErrorCode::ok);
  expect(missing, ErrorCode::window_missing, "windows");
  EXPECT_EQ(std::memcmp(first, image.data(), image.size()), 0);
}

TEST_F(JobsTest, ARingThatCannotBeStopsTheFirmware) {
  capacity = 1U << 30;
  EXPECT_EQ(serve(), 1);
  EXPECT_EQ(header().firmware_state, 3U);
  EXPECT_EQ(header().firmware_error, static_cast<std::uint32_t>(ErrorCode::invalid_argument));
  capacity = kCapacity;
  version = 7;
  EXPECT_EQ(serve(), 1);
  EXPECT_EQ(header().firmware_error, static_cast<std::uint32_t>(ErrorCode::unsupported));
}

TEST_F(JobsTest, MoreJobsThanTheRingHoldsStopTheFirmware) {
  add(load_job(copy_task(), 0));
  for (const std::uint32_t wrong : {kCapacity, UINT32_MAX - 1}) {  // with the job above: kCapacity + 1 jobs, and -1
    miscount = wrong;
    EXPECT_EQ(serve(), 1);
    EXPECT_EQ(header().firmware_state, 3U);
    EXPECT_EQ(header().firmware_error, static_cast<std::uint32_t>(ErrorCode::invalid_argument));
    EXPECT_EQ(header().completed, 0U);
    EXPECT_EQ(outcome(0).state, State::submitted);
  }
}

TEST_F(JobsTest, AFullRingIsServed) {
  add(load_job(copy_task(), 0));
  while (jobs_ < kCapacity) add(run_job(0));
  EXPECT_EQ(serve(), 0);
  EXPECT_EQ(header().completed, kCapacity);
  expect(kCapacity - 1, ErrorCode::ok);
}

TEST_F(JobsTest, AnUnknownDeviceIsNamedOnTheConsole) {
  device.id = 1;
  EXPECT_EQ(serve(), 1);
  EXPECT_THAT(device.console, testing::HasSubstr("the device is refused: unknown_device: ID"));
}

TEST_F(JobsTest, TheConsoleAnswers) {
  add(load_job(copy_task(), 3));
  add(run_job(3));
  // The firmware reads 64 characters each time it looks at the console. It looks four times while it serves the jobs: at the load, the
  // start, the sleep and the end. So it reads the 256 spaces during the jobs and the commands after them.
  device.typed = std::string(256, ' ') + "\rhelp\rtaskz\b \b\b\bks\rtasks\rqueues\rtokens\rstats\rowners\rjobs\rfaults\r";
  device.awake_us = 0;
  EXPECT_EQ(serve(), 0);
  EXPECT_THAT(device.console, testing::HasSubstr("coxswain: tile cores 1, contexts 16, L2 8 MiB"));
  EXPECT_THAT(device.console, testing::HasSubstr("> help\r\nhelp    this list"));
  EXPECT_THAT(device.console, testing::HasSubstr("task slots"));
  EXPECT_THAT(device.console, testing::HasSubstr("unknown command: taks (help lists what there is)"));
  EXPECT_THAT(device.console,
              testing::HasSubstr("> tasks\r\nslot 3  copy" + std::string(20, ' ') + "owner 0, 7 instructions, 1 runs, 0 failures\r\n>"));
  EXPECT_THAT(device.console, testing::HasSubstr("> queues\r\nqueue  in flight  instructions  busy cycles  stalled cycles  bytes"));
  EXPECT_THAT(device.console, testing::HasSubstr("\nLD     0          2             0            0               0\r\n"));
  EXPECT_THAT(device.console, testing::HasSubstr("> tokens\r\nno task runs\r\n>"));
  EXPECT_THAT(device.console, testing::HasSubstr("> stats\r\njobs 2, runs 1, failures 0\r\n"
                                                 "accelerator instructions 7, core resets 0, bad completions 0\r\n"
                                                 "last run: ok\r\n  cycles 500, accelerator instructions 7\r\n"
                                                 "control core asleep "));
  EXPECT_THAT(device.console,
              testing::HasSubstr("> owners\r\nowner 0   weight 1, jobs 2 done, 0 wait or run, device cycles 500 (100.0 %)\r\n>"));
  EXPECT_THAT(device.console, testing::HasSubstr("> jobs\r\nsubmitted 2, taken 2, completed 2\r\n>"));
  EXPECT_THAT(device.console, testing::HasSubstr("> faults\r\nno fault since power-on\r\n>"));
}

/// The C interface with the tile engine open.
class COpen {
 public:
  COpen() {
    const cox_options options = COX_OPTIONS;
    EXPECT_EQ(cox_open(&options).error, COX_OK);
    EXPECT_EQ(cox_tile_open().error, COX_OK);
  }
  ~COpen() {
    EXPECT_EQ(cox_tile_close().error, COX_OK);
    EXPECT_EQ(cox_close().error, COX_OK);
  }
  COpen(const COpen &) = delete;
  COpen &operator=(const COpen &) = delete;
};

void expect_refused(const cox_status &status, cox_error error, const char *what) {
  EXPECT_EQ(status.error, error) << cox_error_name(status.error);
  EXPECT_STREQ(status.what, what);
}

TEST_F(JobsTest, TheCInterfaceRunsATask) {
  const COpen open;
  const Request job = load_job(copy_task(), 0);
  auto *image = hal::core_pointer<void>(job.image_address);
  hal::invalidate_cache(image, job.image_bytes);  // the test wrote it, not the core
  auto *workspace = hal::core_pointer<void>(job.workspace_address);
  std::size_t bytes = 0;
  ASSERT_EQ(cox_workspace_bytes(image, job.image_bytes, &bytes).error, 0U);
  EXPECT_EQ(bytes, job.workspace_bytes);
  cox_task task;
  ASSERT_EQ(cox_load(&task, image, job.image_bytes, workspace, bytes).error, 0U);
  EXPECT_EQ(cox_window_bytes(&task, 0), 256U);
  cox_tensor tensor;
  ASSERT_EQ(cox_find_tensor(&task, "y", &tensor).error, 0U);
  EXPECT_EQ(tensor.offset, 128U);
  EXPECT_STREQ(cox_error_name(cox_find_tensor(&task, "q", &tensor).error), "tensor_unknown");
  cox_window windows[COX_WINDOWS] = {};
  EXPECT_STREQ(cox_error_name(cox_run(&task, windows, 0, nullptr).error), "window_missing");
  windows[0] = {hal::core_pointer<void>(address(reserve(256))), 256};
  cox_report report;
  ASSERT_EQ(cox_run(&task, windows, 0, &report).error, 0U);
  EXPECT_EQ(report.accelerator_instructions, 7U);
  std::uint32_t run = 0;
  ASSERT_EQ(cox_start(&task, windows, nullptr, &run).error, 0U);
  expect_refused(cox_tile_close(), COX_ERROR_NOT_READY, "runs");
  ASSERT_EQ(cox_wait(run, &report).error, 0U);
}

TEST(CInterface, OpensInOrder) {
  FakeDevice device;
  expect_refused(cox_open(nullptr), COX_ERROR_INVALID_ARGUMENT, "options");
  expect_refused(cox_close(), COX_ERROR_NOT_READY, "cox_open");
  expect_refused(cox_tile_open(), COX_ERROR_NOT_READY, "cox_open");
  expect_refused(cox_tile_close(), COX_ERROR_NOT_READY, "cox_tile_open");
  expect_refused(cox_wait(0, nullptr), COX_ERROR_NOT_READY, "cox_tile_open");
  device.id = 0x12345678;
  const cox_options options = COX_OPTIONS;
  expect_refused(cox_open(&options), COX_ERROR_UNKNOWN_DEVICE, "ID");
  EXPECT_EQ(cox_dram_base(), hal::dram_range().address);
  EXPECT_EQ(cox_dram_bytes(), board::dram_size());
}

TEST(CInterface, AnOpenEngineKeepsTheAcceleratorOpen) {
  FakeDevice device;
  for (int i = 0; i < 2; ++i) {
    const COpen open;
    const cox_options options = COX_OPTIONS;
    expect_refused(cox_open(&options), COX_ERROR_NOT_OWNER, "cox_open");
    expect_refused(cox_tile_open(), COX_ERROR_NOT_OWNER, "tile engine");
    expect_refused(cox_close(), COX_ERROR_NOT_OWNER, "tile engine");
  }
}

TEST(CInterface, AnotherVersionIsRefusedByName) {
  FakeDevice device;
  const auto refused = [](std::uint32_t major, std::uint32_t minor, const char *what, std::uint32_t value, std::uint32_t limit) {
    const cox_options options = {major, minor, 0};
    const cox_status status = cox_open(&options);
    expect_refused(status, COX_ERROR_UNSUPPORTED, what);
    EXPECT_EQ(status.value, value);
    EXPECT_EQ(status.limit, limit);
  };
  refused(COX_INTERFACE_MAJOR + 1, 0, "COX_INTERFACE_MAJOR", COX_INTERFACE_MAJOR + 1, COX_INTERFACE_MAJOR);
  refused(COX_INTERFACE_MAJOR - 1, 0, "COX_INTERFACE_MAJOR", COX_INTERFACE_MAJOR - 1, COX_INTERFACE_MAJOR);
  refused(COX_INTERFACE_MAJOR, COX_INTERFACE_MINOR + 1, "COX_INTERFACE_MINOR", COX_INTERFACE_MINOR + 1, COX_INTERFACE_MINOR);
  EXPECT_TRUE(device.violations.empty());
}

TEST(CInterface, OnlyProgramsOfVersion11GiveAnInterruptPriority) {
  FakeDevice device;
  constexpr std::uint32_t kNone = 1;  // the device of this test has only priority 0
  const cox_options options = {COX_INTERFACE_MAJOR, 1, kNone};
  expect_refused(cox_open(&options), COX_ERROR_INVALID_ARGUMENT, "interrupt_priority");
  EXPECT_TRUE(device.violations.empty());
  // The structure of a program of version 1.0 ends before the priority.
  const cox_options before = {COX_INTERFACE_MAJOR, 0, kNone};
  EXPECT_EQ(cox_open(&before).error, COX_OK);
  EXPECT_EQ(cox_close().error, COX_OK);
}

TEST(CInterface, WhatIsNullIsRefusedByName) {
  FakeDevice device;
  const COpen open;
  std::uint64_t some[1] = {};
  cox_task task;
  cox_tensor tensor;
  std::size_t bytes = 0;
  std::uint32_t run = 0;
  const cox_window windows[COX_WINDOWS] = {};
  const std::pair<cox_status, std::string> refused[] = {
      {cox_workspace_bytes(nullptr, 1, &bytes), "image"},   {cox_workspace_bytes(some, 1, nullptr), "bytes"},
      {cox_load(nullptr, some, 1, some, 1), "task"},        {cox_load(&task, nullptr, 1, some, 1), "image"},
      {cox_load(&task, some, 1, nullptr, 1), "workspace"},  {cox_find_tensor(nullptr, "y", &tensor), "task"},
      {cox_find_tensor(&task, nullptr, &tensor), "name"},   {cox_find_tensor(&task, "y", nullptr), "tensor"},
      {cox_start(nullptr, windows, nullptr, &run), "task"}, {cox_start(&task, nullptr, nullptr, &run), "windows"},
      {cox_start(&task, windows, nullptr, nullptr), "run"},
  };
  for (const auto &[status, name] : refused) {
    EXPECT_STREQ(cox_error_name(status.error), "invalid_argument") << name;
    EXPECT_EQ(status.what, name);
  }
}

}  // namespace
}  // namespace cox::tests
