// SPDX-License-Identifier: MIT
// Tests that no owner can keep the control core to itself (docs/jobs.md, Long work). The tests use the real image under QEMU,
// because the core's instructions take time there.
#include <gmock/gmock.h>

#include <memory>

#include "coxswain/isa/machine_code.h"
#include "coxswain/isa/tile/table.h"
#include "tests/target/firmware/job_list.h"
#include "tests/target/firmware/tested_board.h"
#include "tests/tools/run/small_task.h"
#include "tools/command/failure.h"
#include "tools/file/file.h"
#include "tools/run/boards/board.h"
#include "tools/run/boards/temporary_folder.h"
#include "tools/tile/image.h"

namespace cox::tests {
namespace {

using firmware::job::Kind;
using firmware::job::Outcome;
using firmware::job::Request;
using firmware::job::State;
using isa::tile::Class;
using task::Task;
using tools::run::BoardSettings;
using tools::run::copy_task;
using tools::run::counting;
using tools::run::kTensor;

constexpr std::uint64_t kCyclesAnInstruction = 2;  // device cycles per instruction of the control core, with -icount shift=1

constexpr std::uint8_t kBusy = 0, kNeighbour = 1;  // owners

// Returns a task of alternating loads and stores of 128 bytes. Each of them takes a token of the one before. An instruction that gives a
// token asks for a completion, so each of them asks for one.
Task chain(unsigned pairs) {
  enum { kLoad = 3, kStore = 5 };
  const auto set_tokens = [](task::Instruction &instruction, unsigned bit, Class other) {
    isa::insert_bits(instruction.code, bit, isa::tile::kClasses, 1U << static_cast<unsigned>(other));
  };
  Task task = copy_task();
  const auto load = task.instructions[kLoad];
  const auto store = task.instructions[kStore];
  const auto end = task.instructions.back();
  task.instructions.resize(kStore);
  for (unsigned i = 0; i < pairs; ++i) {
    if (i != 0) {
      set_tokens(task.instructions.back(), isa::tile::kNextBit, Class::LD);
      task.instructions.push_back(load);
      set_tokens(task.instructions.back(), isa::tile::kPreviousBit, Class::ST);
    }
    task.instructions.push_back(store);
  }
  task.instructions.push_back(end);
  return task;
}

// Returns a task of two chains on one core. The first one has loads and stores, the second one has SI and SO. Each instruction of a chain
// waits for a token of the instruction before it.
Task two_chains(unsigned rounds) {
  std::string text = R"(["ct_st", {}, {"Prev_Insts": [], "Next_Insts": []}]
["ct_bc", {}, {"BCS": 0, "BufCut": [0, 8191, 0, 0, 0, 0, 0, 0], "Prev_Insts": [], "Next_Insts": ["LD", "SI"]}]
["lda_cfg", {}, {"SME": 1, "RS": 0, "BAS": 0, "DF": "INT8", "STile": [8, 1, 1], "DTile": [8, 1, 1]}]
["sta_cfg", {}, {"SME": 1, "RS": 0, "BAS": 0, "DF": "INT8", "STile": [8, 1, 1], "DTile": [8, 1, 1]}]
)";
  for (unsigned i = 0; i < rounds; ++i) {
    const std::string before[] = {i == 0 ? "CT" : "ST", i == 0 ? "CT" : "SO"};
    const std::string after[] = {i + 1 == rounds ? "" : R"("LD")", i + 1 == rounds ? "" : R"("SI")"};
    text += R"(["lda_mov", {}, {"RS": 0, "DBSG": 0, "STaddr": 0, "DTaddr": 0, "Tile": [1, 8, 1, 1], "Prev_Insts": [")" + before[0] +
            R"("], "Next_Insts": ["ST"]}]
["sta_mov", {}, {"RS": 0, "SBSG": 0, "STaddr": 0, "DTaddr": 128, "Tile": [1, 8, 1, 1], "Prev_Insts": ["LD"], "Next_Insts": [)" +
            after[0] + R"(]}]
["si_sync", {}, {"Prev_Cores": 0, "Next_Cores": 0, "Prev_Insts": [")" +
            before[1] + R"("], "Next_Insts": ["SO"]}]
["so_sync", {}, {"Prev_Cores": 0, "Next_Cores": 0, "Prev_Insts": ["SI"], "Next_Insts": [)" +
            after[1] + "]}]\n";
  }
  text += R"(["ct_ed", {}, {"Prev_Insts": [], "Next_Insts": []}])"
          "\n";
  Task task = copy_task();
  task.instructions = task::read_stream(text, "chains.jsonl");
  return task;
}

class ControlCoreTest : public testing::Test {
 protected:
  void SetUp() override {
    try {
      files_ = tools::run::find_qemu_files(tested_board());
    } catch (const tools::Failure &failure) {
      GTEST_SKIP() << failure.what();
    }
  }

  void execute(std::string_view plan = "") {
    const tools::run::TemporaryFolder folder;
    tools::write_file(folder.file("plan"), plan);
    BoardSettings settings;
    settings.map = &tested_board();
    settings.host_seconds = 300;
    settings.model_options = R"({"geometry": {"tile_cores": 4}, "faults": ")" + folder.file("plan") + R"("})";
    board_ = tools::run::make_qemu_board(settings, files_);
    jobs_.execute(*board_);
  }

  // Adds a run with its own window, whose first half is the input.
  std::size_t run(std::uint32_t slot, std::uint8_t owner, std::uint8_t core_mask, std::uint32_t time_limit_us = 0) {
    std::vector<std::uint8_t> window = counting(kTensor, static_cast<unsigned>(++windows_) * 13);
    window.resize(2 * kTensor);
    Request job{};
    job.kind = Kind::run;
    job.task_slot = slot;
    job.owner = owner;
    job.core_mask = core_mask;
    job.time_limit_us = time_limit_us;
    job.windows[0] = {jobs_.place(window), 2 * kTensor};
    return jobs_.add(job);
  }

  [[nodiscard]] Outcome of(std::size_t job) const { return jobs_.outcome(job).job; }
  void expect_done(std::size_t job, ErrorCode error = ErrorCode::ok) const {
    const JobResult outcome = jobs_.outcome(job);
    EXPECT_EQ(outcome.state, State::done) << job;
    EXPECT_EQ(outcome.error, error) << job << ": " << error_name(outcome.error) << ": " << outcome.what;
  }
  void expect_copied(std::size_t job) const {
    expect_done(job);
    const std::uint64_t window = jobs_.request(job).windows[0].address;
    EXPECT_EQ(jobs_.bytes(window + kTensor, kTensor), jobs_.bytes(window, kTensor)) << job;
  }

  tools::run::QemuFiles files_;
  JobList jobs_{32};

  std::unique_ptr<tools::run::Board> board_;

 private:
  unsigned windows_ = 0;
};

// Three jobs keep the control core busy: the next completion is there before the core has served the previous one. Jobs of another owner,
// the neighbour, must start in time nevertheless.
TEST_F(ControlCoreTest, ANeighboursJobsGoOnWhereCompletionsComeWithoutAPause) {
  constexpr unsigned kChains = 3;
  const std::vector<std::uint8_t> image = task::build_image(chain(4000));
  for (std::uint32_t slot = 0; slot < kChains; ++slot) std::ignore = jobs_.load(image, slot, kBusy);
  std::ignore = jobs_.load(task::build_image(copy_task()), kChains, kNeighbour);
  std::vector<std::size_t> busy, copies;
  for (std::uint32_t slot = 0; slot < kChains; ++slot) busy.push_back(run(slot, kBusy, static_cast<std::uint8_t>(1U << slot)));
  for (int i = 0; i < 5; ++i) copies.push_back(run(kChains, kNeighbour, 1U << kChains));
  execute();

  std::uint64_t end = UINT64_MAX;  // the earliest end of the jobs in `busy`
  for (const std::size_t job : busy) {
    expect_copied(job);
    end = std::min(end, of(job).end_cycle);
  }
  // The control core takes at most kCompletion instructions to serve a completion. It takes kTurn for a turn of the main program, which
  // ends a job and begins another. Before such a turn, the core serves at most kInterrupts interrupts, and kRing completions of each chain.
  constexpr std::uint64_t kCompletion = 150, kTurn = 20'000, kRing = 256, kInterrupts = 256;
  constexpr std::uint64_t kMost = (kCompletion * (kInterrupts + kChains * kRing) + kTurn) * kCyclesAnInstruction;
  std::uint64_t before = of(busy.back()).start_cycle;
  for (const std::size_t job : copies) {
    expect_copied(job);
    EXPECT_LT(of(job).end_cycle, end) << job;
    EXPECT_LT(of(job).start_cycle, before + kMost) << job;
    before = of(job).end_cycle;
  }
}

// The scheduler checks time limits after each wake-up that finds no completion. In this test each wake-up finds one, and the time limit
// must hold nevertheless.
TEST_F(ControlCoreTest, ATimeLimitHoldsWhereEachWakeUpFindsACompletion) {
  constexpr std::uint32_t kLimit = 500;
  constexpr std::uint64_t kMicrosecond = 1000;
  std::ignore = jobs_.load(task::build_image(two_chains(12000)), 0, kBusy);
  const std::size_t whole = run(0, kBusy, 1);
  const std::size_t late = run(0, kBusy, 1, kLimit);
  execute();
  expect_done(whole);
  expect_done(late, ErrorCode::time_limit);
  // The scheduler also checks the limit when a ring of 256 instructions wraps, if 4 ms have passed since the last check.
  // kMost = 500 us (the limit) + 4,000 us (between two checks) + 500 us (until a ring wraps)
  constexpr std::uint64_t kMost = (kLimit + 4500) * kMicrosecond;
  EXPECT_GT(of(whole).end_cycle - of(whole).start_cycle, kMost);
  EXPECT_LT(of(late).end_cycle - of(late).start_cycle, kMost);
}

// The firmware handles a failure before the core sleeps. The next event would be the tick, 10 ms later.
TEST_F(ControlCoreTest, AFaultOnADeviceThatIsIdleIsOverBeforeTheTick) {
  std::ignore = jobs_.load(task::build_image(copy_task()), 0, kBusy);
  const std::size_t faulty = run(0, kBusy, 1);
  const std::size_t next = run(0, kBusy, 1);
  execute("bus_error queue=LD core=0 access=1\n");
  expect_done(faulty, ErrorCode::device_fault);
  expect_copied(next);
  EXPECT_LT(of(faulty).end_cycle - of(faulty).start_cycle, 1'000'000U);
}

// Loading a task of this length takes the control core more than 30 ms. Other owners' jobs must go on meanwhile.
TEST_F(ControlCoreTest, ANeighboursJobsGoOnWhileATaskIsLoaded) {
  constexpr std::uint64_t kMicrosecond = 1000, kLongLoad = 30'000 * kMicrosecond;
  const std::vector<std::uint8_t> image = task::build_image(chain(16000));
  std::ignore = jobs_.load(task::build_image(copy_task()), 1, kNeighbour);
  std::ignore = jobs_.load(image, 2, kNeighbour);
  const std::size_t load = jobs_.load(image, 0, kBusy);
  std::vector<std::size_t> copies;
  for (int i = 0; i < 5; ++i) copies.push_back(run(1, kNeighbour, 1));
  const std::size_t late = run(2, kNeighbour, 2, 500);
  const std::size_t after = run(0, kBusy, 4);
  execute();

  expect_done(load);
  expect_copied(after);
  const std::uint64_t end_of_load = of(after).start_cycle;
  const std::uint64_t begin = of(copies.front()).start_cycle;
  EXPECT_LT(begin + kLongLoad, end_of_load);
  // While the firmware loads the task, it starts jobs only between two steps, which take about 200 us. The test allows two such
  // intervals and a margin.
  std::uint64_t before = begin;
  for (const std::size_t job : copies) {
    expect_copied(job);
    EXPECT_LE(of(job).start_cycle, before + 500 * kMicrosecond) << job;
    before = of(job).end_cycle;
  }
  expect_done(late, ErrorCode::time_limit);
  // While the firmware loads the task, it stops the run `late` after the first step that ends after the limit, and ends it after the
  // second. Steps take at most 250 us while the control core has little else to do. Here they take up to four times as long, because the
  // core also serves the completions of `late`.
  EXPECT_LE(of(late).end_cycle, of(late).start_cycle + (500 + 2 * 4 * 250) * kMicrosecond);
  EXPECT_LT(of(late).end_cycle, end_of_load);
}

}  // namespace
}  // namespace cox::tests
