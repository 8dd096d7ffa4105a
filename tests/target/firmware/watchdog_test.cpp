// SPDX-License-Identifier: MIT
// The watchdog under QEMU (docs/faults.md, The watchdog). The test makes the control core of the real image sleep for ever. The watchdog
// resets it after 20 s of virtual time, and the next boot reports the reset and serves the remaining jobs.
#include <gmock/gmock.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <filesystem>
#include <thread>

#include "coxswain/firmware/boot/boot_record.h"
#include "coxswain/firmware/job/job_queue.h"
#include "coxswain/hal/board.h"
#include "tests/target/firmware/debugger.h"
#include "tests/target/firmware/job_list.h"
#include "tests/target/firmware/tested_board.h"
#include "tests/tools/run/small_task.h"
#include "tools/command/failure.h"
#include "tools/file/file.h"
#include "tools/run/boards/board.h"
#include "tools/run/boards/temporary_folder.h"

namespace cox::tests {
namespace {

using firmware::boot_record::Phase;
using firmware::job::State;
using testing::HasSubstr;
using tools::run::kTensor;

constexpr std::uint64_t kLimit = 20'000'000;  ///< timeout of the firmware's watchdog, in microseconds

class WatchdogTest : public testing::Test {
 protected:
  void SetUp() override {
    try {
      files_ = tools::run::find_qemu_files(tested_board());
    } catch (const tools::Failure &failure) {
      GTEST_SKIP() << failure.what();
    }
  }

  struct Copy {
    std::size_t job;
    std::uint64_t window;
    std::vector<std::uint8_t> input;
  };
  Copy add_copy(std::uint32_t slot) {
    Copy copy{.job = 0, .window = 0, .input = tools::run::counting(kTensor, ++copies_ * 13)};
    std::vector<std::uint8_t> window = copy.input;
    window.resize(2 * kTensor);
    copy.window = jobs_.place(window);
    copy.job = jobs_.run(slot, {{copy.window, 2 * kTensor}});
    return copy;
  }
  std::size_t add_load(std::uint32_t slot) { return jobs_.load(task::build_image(tools::run::copy_task()), slot); }
  std::size_t add_reading() {
    firmware::job::Request job{};
    job.kind = firmware::job::Kind::read_faults;
    job.windows[0] = {jobs_.place(std::vector<std::uint8_t>(sizeof(firmware::job::FaultReading))), sizeof(firmware::job::FaultReading)};
    return jobs_.add(job);
  }

  enum class Loop : std::uint8_t {
    hears,  ///< handlers still run
    deaf,   ///< interrupts are masked, and the tick is stopped
  };
  /// Boots the machine. When the core reaches `function` for the first time after the job has begun, the test makes the core sleep for
  /// ever.
  void hang(std::string_view function, std::size_t job, Loop loop, const std::string &plan = "") {
    const tools::run::TemporaryFolder folder;
    const std::string listens = folder.file("debugger");
    std::string script = "#!/bin/sh\nexec \"" + files_.qemu + "\" \"$@\"";
    for (const std::string &word : debugged(listens)) script += " \"" + word + "\"";
    tools::write_file(folder.file("qemu"), std::string_view(script + "\n"));
    std::filesystem::permissions(folder.file("qemu"), std::filesystem::perms::owner_all);
    tools::write_file(folder.file("plan"), std::string_view(plan));
    tools::run::QemuFiles files = files_;
    files.qemu = folder.file("qemu");
    const Symbol where = find_function(files_.firmware, function);
    const Symbol exit = find_function(files_.firmware, "_ZN3cox5board4exit");
    tools::run::BoardSettings settings;
    settings.map = &tested_board();
    settings.host_seconds = 60;
    settings.model_options = R"({"faults": ")" + folder.file("plan") + R"("})";
    board_ = tools::run::make_qemu_board(settings, files);
    std::string problem;
    std::thread core([&] {
      try {
        Debugger debugger(listens);
        // Calls of `function` before the firmware has begun the job do not count.
        while (state(job) != State::running) debugger.run_to(where.address);
        debugger.set_program_counter(exit.address + sleeping_loop(debugger.read(exit.address, exit.bytes), loop));
        debugger.detach();
      } catch (const std::runtime_error &error) {
        problem = error.what();
      }
    });
    try {
      jobs_.execute(*board_);
    } catch (const tools::Failure &failure) {
      ADD_FAILURE() << failure.what();
    }
    core.join();
    ASSERT_EQ(problem, "");
  }

  void expect(std::size_t job, ErrorCode error, const std::string &what) {
    const JobResult outcome = jobs_.outcome(job);
    EXPECT_EQ(outcome.state, State::done) << job;
    EXPECT_EQ(outcome.error, error) << job << ": " << error_name(outcome.error);
    EXPECT_EQ(outcome.what, what) << job;
  }
  void expect_copied(const Copy &copy) {
    expect(copy.job, ErrorCode::ok, "");
    EXPECT_EQ(jobs_.bytes(copy.window + kTensor, kTensor), copy.input);
  }
  firmware::job::FaultReading reading(std::size_t job) {
    firmware::job::FaultReading reading;
    const std::vector<std::uint8_t> bytes = jobs_.bytes(jobs_.request(job).windows[0].address, sizeof(reading));
    std::memcpy(&reading, bytes.data(), sizeof(reading));
    return reading;
  }

  tools::run::QemuFiles files_;
  std::unique_ptr<tools::run::Board> board_;
  JobList jobs_{16};
  unsigned copies_ = 0;

 private:
  /// Returns the state of a job in memory, which the firmware in another process writes.
  [[nodiscard]] State state(std::size_t job) const {
    std::byte *const base = board_->dram().data() + sizeof(firmware::job::Header) + job * sizeof(firmware::job::Descriptor);
    return std::atomic_ref(reinterpret_cast<firmware::job::Descriptor *>(base)->outcome.state).load();
  }
  /// The code of board::exit() ends with `cpsid i`, then a call that stops the tick, then `wfi`, and then a branch back to the `wfi`.
  static std::uint32_t sleeping_loop(const std::vector<std::uint8_t> &code, Loop loop) {
    constexpr std::array<std::uint8_t, 2> kMask = {0x72, 0xB6};
    constexpr std::array<std::uint8_t, 4> kSleep = {0x30, 0xBF, 0xFD, 0xE7};
    const auto mask = std::search(code.begin(), code.end(), kMask.begin(), kMask.end());
    const auto sleep = std::search(mask, code.end(), kSleep.begin(), kSleep.end());
    if (sleep - mask != kMask.size() + 4) throw std::runtime_error("board::exit() does not end as it did");
    return static_cast<std::uint32_t>((loop == Loop::deaf ? mask : sleep) - code.begin());
  }
};

TEST_F(WatchdogTest, ACoreThatHangsBesideARunIsResetAndTheJobsGoOn) {
  const std::size_t load = add_load(0);
  const Copy before = add_copy(0);
  const Copy runs = add_copy(0);
  const Copy waits = add_copy(0);
  const std::size_t read = add_reading();
  add_load(0);
  const Copy after = add_copy(0);
  // The LD instruction of the second run never ends. When the core is about to sleep, the test makes it hang.
  hang("_ZN3cox8firmware8schedule9Scheduler5sleepEv", runs.job, Loop::hears, "stuck queue=LD core=0 instruction=4");

  expect(load, ErrorCode::ok, "");
  expect_copied(before);
  expect(runs.job, ErrorCode::cancelled, "watchdog");
  expect(waits.job, ErrorCode::not_ready, "task_slot");
  expect(read, ErrorCode::ok, "");
  expect_copied(after);
  EXPECT_THAT(board_->console(), HasSubstr("coxswain: boot 2, after a reset by the watchdog\r\nlast boot: sleep, since "));
  EXPECT_THAT(board_->console(), HasSubstr(" us, job 2, context 0; LD of core 0 had 1 instructions in flight from 3\r\n"));

  const firmware::job::FaultReading last = reading(read);
  EXPECT_EQ(last.boots, 2U);
  EXPECT_EQ(last.reset_cause, static_cast<std::uint32_t>(board::ResetCause::watchdog));
  EXPECT_EQ(last.last_boot.phase, static_cast<std::uint32_t>(Phase::sleep));
  EXPECT_EQ(last.last_boot.job, runs.job);
  EXPECT_EQ(last.last_boot.context, 0U);
  EXPECT_EQ(last.last_boot.queue, static_cast<std::uint32_t>(isa::tile::Class::LD));
  EXPECT_EQ(last.last_boot.index, 3U);
  EXPECT_LT(last.last_boot.microseconds, kLimit);
}

TEST_F(WatchdogTest, ACoreThatHangsInALoadIsResetAndTheJobsGoOn) {
  add_load(0);
  const Copy before = add_copy(0);
  const std::size_t load = add_load(1);
  const Copy without = add_copy(1);
  const std::size_t again = add_load(1);
  const Copy after = add_copy(1);
  const std::size_t read = add_reading();
  hang("_ZN3cox8firmware4load4Load4step", load, Loop::deaf);

  expect_copied(before);
  expect(load, ErrorCode::cancelled, "watchdog");
  expect(without.job, ErrorCode::not_ready, "task_slot");
  expect(again, ErrorCode::ok, "");
  expect_copied(after);
  EXPECT_THAT(board_->console(), HasSubstr("coxswain: boot 2, after a reset by the watchdog\r\nlast boot: loading, since "));
  const firmware::job::FaultReading last = reading(read);
  EXPECT_EQ(last.boots, 2U);
  EXPECT_EQ(last.last_boot.phase, static_cast<std::uint32_t>(Phase::load));
  EXPECT_EQ(last.last_boot.job, load);
}

}  // namespace
}  // namespace cox::tests
