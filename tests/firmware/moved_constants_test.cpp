// SPDX-License-Identifier: MIT
// Runs whose constants the DMA engine writes, on the native board with the accelerator's model: through the job ring, and with a scheduler
// of the test's own.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "boards/native/native_board.h"
#include "coxswain/firmware/firmware.h"
#include "coxswain/firmware/image/loader.h"
#include "coxswain/firmware/job/job_queue.h"
#include "coxswain/firmware/schedule/scheduler.h"
#include "coxswain/firmware/schedule/task_submissions.h"
#include "coxswain/hal/bus.h"
#include "coxswain/hal/cache.h"
#include "coxswain/hal/dma.h"
#include "coxswain/hal/fault_log.h"
#include "tests/firmware/task_builder.h"

namespace cox::tests {
namespace {

using firmware::job::Descriptor;
using firmware::job::Header;
using firmware::job::Kind;
using firmware::job::Outcome;
using firmware::job::Request;
using firmware::job::State;
using firmware::schedule::RunState;

constexpr std::size_t kMib = std::size_t{1} << 20;
constexpr std::uint8_t kUnwritten = 0xEE;

/// copy_task() in L2 block `block`, with constants in window 1.
TaskText task_with(std::vector<ConstantText> constants, std::uint64_t window_bytes, std::int64_t block = 0) {
  TaskText text = copy_task(block, block);
  text.windows.push_back({1, window_bytes, false});
  text.constants = std::move(constants);
  return text;
}

std::vector<std::uint8_t> contents(std::size_t bytes, unsigned seed) {
  std::vector<std::uint8_t> data(bytes);
  for (std::size_t i = 0; i < bytes; ++i) data[i] = static_cast<std::uint8_t>(i * 7 + i / 251 + seed);
  return data;
}

class MovedConstants : public testing::Test {
 protected:
  static constexpr std::uint32_t kCapacity = 16;

  void power_on(const std::string &plan = "", bool has_dma = true) {
    const std::string path = testing::TempDir() + "cox_moved_constants_" + std::to_string(getpid());
    std::ofstream(path) << plan;
    board::NativeBoardSettings settings;
    settings.model_options = R"({"faults": ")" + path + R"("})";
    settings.dram_bytes = 64 * kMib;
    settings.has_dma = has_dma;
    settings.log = [](int, std::string_view) {};
    settings.console = [](std::string_view) {};
    std::string error;
    board_.reset();
    board_ = board::NativeBoard::create(std::move(settings), error);
    static_cast<void>(std::remove(path.c_str()));
    ASSERT_NE(board_, nullptr) << error;
    jobs_ = 0;
    top_ = sizeof(Header) + kCapacity * sizeof(Descriptor);
  }

  std::uint64_t reserve(std::size_t bytes) {
    top_ = (top_ + 63) & ~std::size_t{63};
    const std::size_t offset = top_;
    top_ += bytes;
    std::memset(board_->dram().data() + offset, kUnwritten, bytes);
    return hal::dram_range().address + offset;
  }
  std::byte *seen(std::uint64_t address) { return board_->dram().data() + (address - hal::dram_range().address); }
  std::uint64_t place_image(const TaskText &text, std::size_t &bytes) {
    Image image(text);
    bytes = image.bytes().size();
    const std::uint64_t address = reserve(bytes + 48) + 48;  // the payload behind the header of 16 bytes is aligned to 64
    std::memcpy(seen(address), image.bytes().data(), bytes);
    return address;
  }
  std::size_t add(Request job) {
    job.state = State::submitted;
    std::memcpy(board_->dram().data() + sizeof(Header) + jobs_ * sizeof(Descriptor), &job, sizeof(job));
    return jobs_++;
  }
  void load(const TaskText &text, std::uint32_t slot) {
    Request job{};
    job.kind = Kind::load;
    job.task_slot = slot;
    std::size_t bytes = 0;
    job.image_address = place_image(text, bytes);
    job.image_bytes = bytes;
    job.workspace_bytes = firmware::image::workspace_bytes(text.code.size(), text.tile_cores);
    job.workspace_address = reserve(job.workspace_bytes);
    add(job);
  }
  /// Adds a run; windows_[job] is its window 1. If `window` is 0, it is new memory.
  std::size_t run(std::uint32_t slot, std::size_t window_bytes, std::uint32_t time_limit_us = 0, std::uint64_t window = 0) {
    Request job{};
    job.kind = Kind::run;
    job.task_slot = slot;
    job.time_limit_us = time_limit_us;
    job.windows[0] = {reserve(256), 256};
    if (window_bytes != 0) job.windows[1] = {window == 0 ? reserve(window_bytes) : window, window_bytes};
    const std::size_t number = add(job);
    windows_[number] = job.windows[1].address;
    return number;
  }
  int serve() {
    Header header{};
    header.magic = firmware::job::kMagic;
    header.version = firmware::job::kVersion;
    header.capacity = kCapacity;
    header.flags = firmware::job::kExitWhenDone;
    header.submitted = static_cast<std::uint32_t>(jobs_);
    std::memcpy(board_->dram().data(), &header, sizeof(header));
    return firmware::firmware_main();
  }
  Outcome outcome(std::size_t job) {
    Outcome outcome;
    const std::size_t at = sizeof(Header) + job * sizeof(Descriptor) + offsetof(Descriptor, outcome);
    std::memcpy(&outcome, board_->dram().data() + at, sizeof(outcome));
    return outcome;
  }
  void expect(std::size_t job, ErrorCode error, const char *what = "") {
    const Outcome found = outcome(job);
    EXPECT_EQ(found.state, State::done) << job;
    EXPECT_EQ(static_cast<ErrorCode>(found.error), error) << job << ": " << error_name(static_cast<ErrorCode>(found.error));
    EXPECT_STREQ(found.error_what, what) << job;
  }
  bool has(std::size_t job, const ConstantText &constant) {
    return std::memcmp(seen(windows_[job]) + constant.offset, constant.data.data(), constant.data.size()) == 0;
  }

  std::unique_ptr<board::NativeBoard> board_;
  std::size_t jobs_ = 0;
  std::size_t top_ = 0;
  std::array<std::uint64_t, kCapacity> windows_{};
};

// Constants at any offset, of any size, in more than one list. A board without a DMA engine leaves the same bytes.
TEST_F(MovedConstants, AreTheSameBytesAsThoseThatTheCoreWrites) {
  constexpr std::size_t kWindow = kMib;
  std::vector<ConstantText> constants;
  std::uint64_t offset = 3;
  for (unsigned i = 0; i < 40; ++i) {
    const std::size_t bytes = i % 5 == 0 ? 17 + i : 5000 + 977 * i;
    constants.push_back({1, offset, contents(bytes, i)});
    offset += bytes + (i % 3 == 0 ? 0 : 8 * i + i % 7);
  }
  ASSERT_LT(offset, kWindow);
  std::vector<std::byte> windows[2];
  for (const bool has_dma : {true, false}) {
    power_on("", has_dma);
    load(task_with(constants, kWindow), 0);
    const std::size_t job = run(0, kWindow);
    EXPECT_EQ(serve(), 0);
    expect(job, ErrorCode::ok);
    for (const ConstantText &constant : constants) EXPECT_TRUE(has(job, constant)) << constant.offset;
    windows[has_dma ? 0 : 1].assign(seen(windows_[job]), seen(windows_[job]) + kWindow);
  }
  EXPECT_EQ(windows[0], windows[1]);
}

// A descriptor moves at most 16 MiB.
TEST_F(MovedConstants, AConstantMayBeLargerThanADescriptorMoves) {
  power_on();
  const ConstantText before{1, 0, contents(5000, 1)}, large{1, 8192, contents(17 * kMib + 5, 2)}, after{1, 18 * kMib, contents(5000, 3)};
  load(task_with({before, large, after}, 19 * kMib), 0);
  const std::size_t job = run(0, 19 * kMib);
  EXPECT_EQ(serve(), 0);
  expect(job, ErrorCode::ok);
  for (const ConstantText &constant : {before, large, after}) EXPECT_TRUE(has(job, constant)) << constant.offset;
}

// The order of constants that overlap matters, so the core writes them.
TEST_F(MovedConstants, ConstantsThatOverlapAreWrittenInTheirOrder) {
  power_on();
  const ConstantText below{1, 0, contents(40'000, 1)}, above{1, 1000, contents(20'000, 2)};
  load(task_with({below, above}, 100'000), 0);
  const std::size_t job = run(0, 100'000);
  EXPECT_EQ(serve(), 0);
  expect(job, ErrorCode::ok);
  EXPECT_TRUE(has(job, above));
  EXPECT_EQ(std::memcmp(seen(windows_[job]), below.data.data(), 1000), 0);
}

TEST_F(MovedConstants, OtherJobsRunMeanwhile) {
  power_on();
  const ConstantText constant{1, 64, contents(8 * kMib, 1)};
  load(task_with({constant}, 9 * kMib), 0);
  load(copy_task(1, 1), 1);
  const std::size_t slow = run(0, 9 * kMib);
  const std::size_t quick = run(1, 0);
  EXPECT_EQ(serve(), 0);
  expect(slow, ErrorCode::ok);
  expect(quick, ErrorCode::ok);
  EXPECT_TRUE(has(slow, constant));
  EXPECT_LT(outcome(quick).end_cycle, outcome(slow).start_cycle);
}

TEST_F(MovedConstants, AnErrorOfTheDmaEngineEndsOneJob) {
  power_on("bus_error queue=dma0 access=1\n");
  const ConstantText constant{1, 64, contents(kMib, 1)}, other{1, 64, contents(kMib, 2)};
  load(task_with({constant}, 2 * kMib, 0), 0);
  load(task_with({other}, 2 * kMib, 1), 1);
  const std::size_t bad = run(0, 2 * kMib);
  const std::size_t beside = run(1, 2 * kMib);
  const std::size_t after = run(0, 2 * kMib);
  EXPECT_EQ(serve(), 0);
  expect(bad, ErrorCode::device_fault, "constants");
  EXPECT_EQ(outcome(bad).error_value, static_cast<std::int64_t>(registers::dma::Error::bus_read));
  EXPECT_EQ(outcome(bad).start_cycle, outcome(bad).end_cycle);
  expect(beside, ErrorCode::ok);
  expect(after, ErrorCode::ok);
  EXPECT_TRUE(has(beside, other));
  EXPECT_TRUE(has(after, constant));
  ASSERT_EQ(hal::fault_log::size(), 1U);
  EXPECT_EQ(hal::fault_log::at(0).queue, registers::dma::kFirstQueueNumber);
}

TEST_F(MovedConstants, AStuckDmaEngineEndsAtTheJobsTimeLimit) {
  power_on("stuck queue=dma0 instruction=1\n");
  const ConstantText constant{1, 64, contents(kMib, 1)};
  load(task_with({constant}, 2 * kMib), 0);
  const std::size_t stuck = run(0, 2 * kMib, 3000);
  const std::size_t after = run(0, 2 * kMib);
  EXPECT_EQ(serve(), 0);
  expect(stuck, ErrorCode::time_limit, "constants");
  EXPECT_EQ(outcome(stuck).error_value, 3000);
  expect(after, ErrorCode::ok);
  EXPECT_TRUE(has(after, constant));
}

// The bus does not answer for a second. The job ends, and its outcome says that its window is not safe. No other run gets this window.
TEST_F(MovedConstants, AChannelThatHangsKeepsItsWindow) {
  power_on("stuck queue=dma0 instruction=1 cycles=1000000000\n");
  const ConstantText constant{1, 64, contents(kMib, 1)};
  load(task_with({constant}, 2 * kMib), 0);
  const std::size_t stuck = run(0, 2 * kMib, 3000);
  const std::size_t same = run(0, 2 * kMib, 0, windows_[stuck]);
  const std::size_t other = run(0, 2 * kMib);
  EXPECT_EQ(serve(), 0);
  expect(stuck, ErrorCode::device_fault, "DMA channel");
  EXPECT_EQ(outcome(stuck).error_limit, 0) << "the channel";
  expect(same, ErrorCode::window_overlap, "DMA channel");
  EXPECT_EQ(outcome(same).error_index, 1);
  expect(other, ErrorCode::ok);
  EXPECT_TRUE(has(other, constant));
  EXPECT_FALSE(has(stuck, constant));
  board_->advance(1'000'000'000);
  EXPECT_TRUE(has(stuck, constant)) << "the channel has written after the answer";
}

TEST_F(MovedConstants, LostStartsAndInterruptsCostTicks) {
  power_on("doorbell lost queue=dma0 count=1\ninterrupt lost line=2 count=1\n");
  const ConstantText constant{1, 64, contents(kMib, 1)};
  load(task_with({constant}, 2 * kMib), 0);
  const std::size_t first = run(0, 2 * kMib), second = run(0, 2 * kMib);
  EXPECT_EQ(serve(), 0);
  for (const std::size_t job : {first, second}) {
    expect(job, ErrorCode::ok);
    EXPECT_TRUE(has(job, constant));
  }
}

/// A scheduler that the test calls, with a task whose constants have 1 MiB.
class MovedForScheduler : public MovedConstants {
 protected:
  void bring_up(const std::string &plan = "") {
    power_on(plan);
    ASSERT_TRUE(accelerator_.open().ok());
    ASSERT_TRUE(scheduler_->initialise(accelerator_).ok());
    ASSERT_TRUE(dma_.open(accelerator_.reserve(hal::Dma::kQueueBytes).value()).ok());
    scheduler_->move_constants_with(dma_);
    const TaskText text = task_with({constant_}, 2 * kMib);
    std::size_t bytes = 0;
    auto *image = hal::core_pointer<std::byte>(place_image(text, bytes));
    hal::invalidate_cache(image, bytes);  // the test wrote it, not the core
    const std::size_t workspace = firmware::image::workspace_bytes(text.code.size(), text.tile_cores);
    auto *memory = hal::core_pointer<std::byte>(reserve(workspace));
    const auto loaded = firmware::image::load({image, bytes}, scheduler_->device_geometry(), {memory, workspace});
    ASSERT_TRUE(loaded.ok());
    task_ = loaded.value();
    run_[0] = {reserve(256), 256, true, true};
    run_[1] = {reserve(2 * kMib), 2 * kMib, true, false};
  }
  unsigned start() {
    const auto context = scheduler_->start(task_, run_, {.retries = 2, .place_constants = true});
    EXPECT_TRUE(context.ok());
    EXPECT_EQ(scheduler_->run(context.value()).state, RunState::preparing);
    return context.value();
  }
  bool is_written() { return std::memcmp(seen(run_[1].base) + 64, constant_.data.data(), kMib) == 0; }

  const ConstantText constant_{1, 64, contents(kMib, 1)};
  hal::Accelerator accelerator_;
  hal::Dma dma_;
  std::unique_ptr<firmware::schedule::Scheduler> scheduler_ = std::make_unique<firmware::schedule::Scheduler>();
  firmware::image::LoadedTask task_;
  std::array<hal::Window, hal::kWindows> run_{};
};

/// The cores of a run that will begin are not lent to a program of another engine meanwhile.
TEST_F(MovedForScheduler, ItsCoresAreNotLentMeanwhile) {
  bring_up();
  const unsigned context = start();
  const unsigned cores = scheduler_->geometry().cores;
  unsigned lent = 0;
  while (scheduler_->lend_cores(1).ok()) ++lent;
  EXPECT_EQ(lent, cores - 1);
  EXPECT_TRUE(scheduler_->wait(context).value().status.ok());
  EXPECT_TRUE(is_written());
  const Result<unsigned> core = scheduler_->lend_cores(1);
  ASSERT_TRUE(core.ok());
  for (unsigned number = 0; number < cores; ++number) scheduler_->take_back_cores(number, 1);
}

TEST_F(MovedForScheduler, NoTickIsWaitedFor) {
  bring_up();
  const unsigned context = start();
  EXPECT_EQ(scheduler_->start(task_, run_, {.place_constants = true}).status().code(), ErrorCode::no_room) << "the run has its place";
  const auto report = scheduler_->wait(context);
  ASSERT_TRUE(report.ok());
  EXPECT_TRUE(report.value().status.ok()) << report.value().status.what();
  EXPECT_TRUE(is_written());
  EXPECT_LT(board_->now(), board::NativeBoard::kTickCycles);
}

// The run begins again after a fault. The DMA engine writes its constants again, and the wait for its handle starts it then.
TEST_F(MovedForScheduler, ARunByHandleBeginsAgain) {
  bring_up("bus_error queue=LD core=0 access=1\n");
  firmware::schedule::TaskSubmissions submissions(*scheduler_);
  submissions.open(accelerator_);
  const Result<hal::Handle> handle = submissions.submit(task_, run_, {.retries = 1});
  ASSERT_TRUE(handle.ok()) << handle.status().what();
  EXPECT_FALSE(is_written()) << "the caller has not written them";
  firmware::schedule::RunReport report;
  EXPECT_TRUE(submissions.wait(handle.value(), 1'000'000, &report).ok());
  EXPECT_EQ(report.retried, 1);
  EXPECT_TRUE(is_written());
  EXPECT_TRUE(scheduler_->close().ok());
  submissions.close();
}

TEST_F(MovedForScheduler, CancelStopsTheDmaEngine) {
  bring_up();
  const unsigned context = start();
  board_->advance(1000);
  ASSERT_TRUE(scheduler_->cancel(context).ok());
  ASSERT_TRUE(scheduler_->has_ended(context));
  EXPECT_EQ(scheduler_->take(context).value().status.code(), ErrorCode::cancelled);
  board_->advance(2 * kMib);
  EXPECT_FALSE(is_written());
  const auto report = scheduler_->wait(start());
  EXPECT_TRUE(report.value().status.ok());
  EXPECT_TRUE(is_written());
  EXPECT_TRUE(scheduler_->close().ok());
}

// The bus does not answer the DMA engine for 5 ms. Until then it may write, so the run does not end before.
TEST_F(MovedForScheduler, ACancelledRunEndsWhenTheDmaEngineHasStopped) {
  bring_up("stuck queue=dma0 instruction=1 cycles=5000000\n");
  const unsigned context = start();
  ASSERT_TRUE(scheduler_->cancel(context).ok());
  EXPECT_FALSE(scheduler_->has_ended(context));
  EXPECT_TRUE(scheduler_->cancel(context).ok()) << "again";
  EXPECT_FALSE(is_written());
  const auto report = scheduler_->wait(context);
  ASSERT_TRUE(report.ok());
  EXPECT_EQ(report.value().status.code(), ErrorCode::cancelled);
  EXPECT_TRUE(is_written());
  EXPECT_GE(board_->now(), 5'000'000U);
  EXPECT_LT(board_->now(), 5'000'000U + board::NativeBoard::kTickCycles);
  EXPECT_TRUE(scheduler_->wait(start()).value().status.ok());
  EXPECT_TRUE(scheduler_->close().ok());
}

}  // namespace
}  // namespace cox::tests
