// SPDX-License-Identifier: MIT
// Runs good and bad jobs through the whole firmware in one boot, on the real image under QEMU and natively.
#include <gmock/gmock.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <functional>
#include <sstream>

#include "coxswain/firmware/plan/plan.h"
#include "coxswain/isa/machine_code.h"
#include "coxswain/isa/tile/table.h"
#include "tests/firmware/task_builder.h"
#include "tests/target/firmware/jobs_on_board.h"
#include "tests/target/firmware/tested_board.h"
#include "tests/tools/run/small_task.h"
#include "tools/tile/image.h"

namespace cox::tests {
namespace {

using firmware::job::Outcome;
using firmware::job::Request;
using firmware::job::State;
using firmware::job::Window;
using isa::tile::Class;
using task::Task;
using tools::run::copy_task;
using tools::run::counting;
using tools::run::kTensor;

// Indices of the copy task's instructions.
enum { kStart, kCut, kLoadConfiguration, kLoad, kStoreConfiguration, kStore, kEnd };

void set_field(Task &task, std::size_t instruction, const char *name, const std::vector<std::uint32_t> &values) {
  isa::tile::MachineCode &code = task.instructions.at(instruction).code;
  const isa::Field &field = *isa::tile::find_field(*isa::tile::find_instruction(isa::tile::opcode_of(code)), name);
  for (unsigned i = 0; i < values.size(); ++i) isa::insert_bits(code, field.bit_of(i), field.width, values[i]);
}

void set_opcode(Task &task, std::size_t instruction, std::uint32_t opcode) {
  isa::insert_bits(task.instructions.at(instruction).code, isa::tile::kOpcodeBit, isa::tile::kOpcodeWidth, opcode);
}

void set_previous(Task &task, std::size_t instruction, std::uint32_t classes) {
  isa::insert_bits(task.instructions.at(instruction).code, isa::tile::kPreviousBit, isa::tile::kClasses, classes);
}

void set_next(Task &task, std::size_t instruction, std::uint32_t classes) {
  isa::insert_bits(task.instructions.at(instruction).code, isa::tile::kNextBit, isa::tile::kClasses, classes);
}

struct BadImage {
  const char *name;
  ErrorCode error;
  std::int32_t index;
  std::vector<std::uint8_t> image;
};

std::vector<std::uint8_t> image_with(const std::function<void(Task &)> &change) {
  Task task = copy_task();
  change(task);
  return task::build_image(task);
}

std::vector<std::uint8_t> bytes_with(const std::function<void(std::vector<std::uint8_t> &)> &change) {
  std::vector<std::uint8_t> image = task::build_image(copy_task());
  change(image);
  return image;
}

std::vector<BadImage> bad_images() {
  using Bytes = std::vector<std::uint8_t>;
  return {
      {"nothing but a part of the header", ErrorCode::image_truncated, -1, bytes_with([](Bytes &image) { image.resize(10); })},
      {"truncated", ErrorCode::image_truncated, -1, bytes_with([](Bytes &image) { image.resize(image.size() - 40); })},
      {"wrong magic", ErrorCode::image_magic, -1, bytes_with([](Bytes &image) { image[0] ^= 1; })},
      {"wrong version", ErrorCode::image_version, -1, bytes_with([](Bytes &image) { image[4] = 9; })},
      {"corrupted", ErrorCode::image_checksum, -1, bytes_with([](Bytes &image) { image[image.size() / 2] ^= 0x10; })},
      {"too much L2", ErrorCode::image_geometry, -1, image_with([](Task &task) { task.geometry.l2_bytes = 16U << 20; })},
      {"too many cores", ErrorCode::image_geometry, -1, image_with([](Task &task) { task.geometry.tile_cores = 2; })},
      {"unknown instruction", ErrorCode::unknown_instruction, kLoad, image_with([](Task &task) { set_opcode(task, kLoad, 0xee); })},
      {"field out of range", ErrorCode::field_out_of_range, kLoadConfiguration,
       image_with([](Task &task) { set_field(task, kLoadConfiguration, "DF", {15}); })},
      {"reserved bits", ErrorCode::reserved_bits, kEnd, image_with([](Task &task) { task.instructions[kEnd].code[7] = 1; })},
      {"outside its window", ErrorCode::address_outside_window, kLoad,
       image_with([](Task &task) { set_field(task, kLoad, "STaddr", {136}); })},
      {"outside its cut", ErrorCode::address_outside_cut, kLoad,
       image_with([](Task &task) { set_field(task, kLoad, "DTaddr", {9'000'000}); })},
      {"unbalanced tokens", ErrorCode::tokens_unbalanced, kLoad, image_with([](Task &task) { set_previous(task, kStore, 0); })},
      {"a deadlock", ErrorCode::deadlock, kLoad, image_with([](Task &task) {
         set_previous(task, kLoad, bit(Class::CT) | bit(Class::ST));
         set_next(task, kStore, bit(Class::CT) | bit(Class::LD));
       })},
      {"no start", ErrorCode::no_task_start, 0, image_with([](Task &task) { task.instructions.erase(task.instructions.begin()); })},
      {"no end", ErrorCode::no_task_end, -1, image_with([](Task &task) {
         set_next(task, kStore, 0);
         task.instructions.pop_back();
       })},
  };
}

// Returns a task of 201 consecutive loads of 1 MiB. They take more than 12 ms of device time, which is longer than the firmware's tick.
Task long_task() {
  Task task = copy_task();
  task.windows[0].size = 1U << 20;
  for (const char *tile : {"STile", "DTile"}) set_field(task, kLoadConfiguration, tile, {64, 128, 128});
  set_field(task, kLoad, "Tile", {1, 64, 128, 128});
  task.instructions.insert(task.instructions.begin() + kLoad, 200, task.instructions[kLoad]);
  // The first load takes a token of ct_bc, and the last load gives a token to the store. The other loads have no tokens.
  for (std::size_t i = kLoad; i < kLoad + 200; ++i) {
    set_next(task, i, 0);
    set_previous(task, i + 1, 0);
  }
  return task;
}

// Returns a task of 60,000 alternating loads and stores of 128 bytes. Each of them waits for a token of the one before. The next
// instruction ends before the firmware has served the completion of this one, so the firmware always finds another completion. The whole
// task takes longer than the time between two checks of the clock (docs/scheduler.md, The loop).
Task busy_task() {
  Task task = copy_task();
  const auto load = task.instructions[kLoad];
  const auto store = task.instructions[kStore];
  const auto end = task.instructions[kEnd];
  task.instructions.erase(task.instructions.begin() + kStore, task.instructions.end());
  for (unsigned i = 0; i < 30000; ++i) {
    if (i != 0) {
      set_next(task, task.instructions.size() - 1, bit(Class::LD));
      task.instructions.push_back(load);
      set_previous(task, task.instructions.size() - 1, bit(Class::ST));
    }
    task.instructions.push_back(store);
  }
  task.instructions.push_back(end);
  return task;
}

// Returns a task that copies `rounds` tensors one after the other. The scheduler dispatches a load and the configurations behind it
// together, as a group of at most kMaximumGroup instructions. Each load has kMaximumGroup configurations behind it, so the last of them is
// in a group of its own. Only this one has the shape that the next load needs.
Task configured_task(unsigned rounds) {
  constexpr std::uint32_t kShapes[2][3] = {{8, 4, 4}, {8, 2, 8}};
  Task task = copy_task();
  const task::Task once = task;
  task.windows[0].size = 2 * rounds * kTensor;
  task.tensors.clear();
  task.instructions.resize(kLoad);
  task.instructions.push_back(once.instructions[kStoreConfiguration]);
  const auto configure = [&](unsigned shape) {
    task.instructions.push_back(once.instructions[kLoadConfiguration]);
    for (const char *tile : {"STile", "DTile"}) {
      set_field(task, task.instructions.size() - 1, tile, {kShapes[shape][0], kShapes[shape][1], kShapes[shape][2]});
    }
  };
  for (unsigned i = 0; i < rounds; ++i) {
    const bool first = i == 0;
    const bool last = i + 1 == rounds;
    task.instructions.push_back(once.instructions[kLoad]);
    const std::size_t load = task.instructions.size() - 1;
    set_field(task, load, "STaddr", {static_cast<std::uint32_t>(i * kTensor)});
    set_field(task, load, "Tile", {1, kShapes[i % 2][0], kShapes[i % 2][1], kShapes[i % 2][2]});
    set_previous(task, load, bit(first ? Class::CT : Class::ST));
    for (unsigned j = 0; j + 1 < firmware::plan::kMaximumGroup; ++j) configure(i % 2);
    configure((i + 1) % 2);
    task.instructions.push_back(once.instructions[kStore]);
    const std::size_t store = task.instructions.size() - 1;
    set_field(task, store, "DTaddr", {static_cast<std::uint32_t>((rounds + i) * kTensor)});
    set_next(task, store, bit(last ? Class::CT : Class::LD));
  }
  task.instructions.push_back(once.instructions[kEnd]);
  return task;
}

class JobsTest : public JobsOnBoard {
 protected:
  // A run of the task in slot 0. It has input values of its own, and must succeed.
  struct Copy {
    std::size_t job;
    std::uint64_t window;
    std::vector<std::uint8_t> input;
  };
  Copy add_copy(JobList &jobs) {
    Copy copy{.job = 0, .window = 0, .input = counting(kTensor, ++copies_ * 13)};
    std::vector<std::uint8_t> window = copy.input;
    window.resize(2 * kTensor);
    copy.window = jobs.place(window);
    copy.job = jobs.run(0, {{copy.window, 2 * kTensor}});
    return copy;
  }
  static void expect_done(const JobList &jobs, std::size_t job) {
    const JobResult outcome = jobs.outcome(job);
    EXPECT_EQ(outcome.state, State::done);
    EXPECT_EQ(outcome.error, ErrorCode::ok) << error_name(outcome.error) << ": " << outcome.what;
  }
  static void expect_copied(const JobList &jobs, const Copy &copy) {
    expect_done(jobs, copy.job);
    EXPECT_EQ(jobs.bytes(copy.window + kTensor, kTensor), copy.input);
  }
  static std::uint64_t cycles(const JobList &jobs, std::size_t job) {
    const Outcome run = jobs.outcome(job).job;
    return run.end_cycle - run.start_cycle;
  }
  static void expect_error(const JobList &jobs, std::size_t job, ErrorCode error) {
    const JobResult outcome = jobs.outcome(job);
    EXPECT_EQ(outcome.state, State::done);
    EXPECT_EQ(outcome.error, error) << error_name(outcome.error) << ": " << outcome.what;
    EXPECT_NE(outcome.what, "");
  }

  unsigned copies_ = 0;
};

TEST_P(JobsTest, ATaskRunsAndSaysWhatItCost) {
  JobList jobs(4);
  const std::size_t load = jobs.load(task::build_image(copy_task()), 0);
  const Copy first = add_copy(jobs);
  const Copy second = add_copy(jobs);
  execute(jobs);
  expect_done(jobs, load);
  expect_copied(jobs, first);
  expect_copied(jobs, second);

  const Outcome job = jobs.outcome(first.job).job;
  EXPECT_EQ(job.accelerator_instructions, 7U);
  EXPECT_EQ(job.counted, 1U);
  EXPECT_GT(job.end_cycle, job.start_cycle);
  EXPECT_GE(jobs.outcome(second.job).job.start_cycle, job.end_cycle);
  EXPECT_EQ(job.queues[static_cast<std::size_t>(Class::LD)].instructions, 2U);
  EXPECT_EQ(job.queues[static_cast<std::size_t>(Class::LD)].bytes, kTensor);
  EXPECT_EQ(job.queues[static_cast<std::size_t>(Class::PE)].instructions, 0U);
  // The native board and mps3-an547 have nothing that counts instructions.
  if (GetParam() == BoardKind::native || std::string(tested_board().name) == "mps3-an547") {
    EXPECT_EQ(job.control_instructions, UINT64_MAX);
  } else {
    EXPECT_GT(job.control_instructions, 7U);
    EXPECT_LT(job.control_instructions, 100'000U);
  }
}

// Constants that the DMA engine writes. A fault of the engine ends one job, and the next run of the same task is right.
TEST_P(JobsTest, TheDmaEngineWritesConstants) {
  constexpr std::size_t kWindow = 300'000;
  const std::string plan_path = testing::TempDir() + "cox_dma_plan_" + std::to_string(getpid());
  std::ofstream(plan_path) << "bus_error queue=dma0 access=2\nstuck queue=dma0 instruction=3\n";
  Task task = copy_task();
  task.windows.push_back({.index = 1, .size = kWindow, .writable = false});
  task.constants = {{.window = 1, .offset = 8, .data = counting(100'001, 1)},
                    {.window = 1, .offset = 150'008, .data = counting(99'000, 2)}};
  JobList jobs(8);
  std::ignore = jobs.load(task::build_image(task), 0);
  struct Run {
    std::size_t job;
    std::uint64_t constants;
  };
  std::vector<Run> runs;
  for (unsigned i = 0; i < 4; ++i) {
    const std::uint64_t window = jobs.place(std::vector<std::uint8_t>(2 * kTensor));
    const std::uint64_t constants = jobs.place(std::vector<std::uint8_t>(kWindow, 0xEE));
    runs.push_back({jobs.run(0, {{window, 2 * kTensor}, {constants, kWindow}}, i == 1 ? 30'000 : 0), constants});
  }
  execute(jobs, R"({"faults": ")" + plan_path + R"("})");
  std::remove(plan_path.c_str());
  // The first list has two descriptors, and the plan refuses the second. Then a descriptor of the second list stands still.
  for (unsigned i = 0; i < 2; ++i) {
    const JobResult bad = jobs.outcome(runs[i].job);
    EXPECT_EQ(bad.state, State::done);
    EXPECT_EQ(bad.what, "constants");
    EXPECT_EQ(bad.error, i == 0 ? ErrorCode::device_fault : ErrorCode::time_limit) << error_name(bad.error);
  }
  std::vector<std::uint8_t> expected(kWindow, 0xEE);
  for (const task::Constant &constant : task.constants) std::ranges::copy(constant.data, expected.begin() + constant.offset);
  for (unsigned i = 2; i < 4; ++i) {
    expect_done(jobs, runs[i].job);
    EXPECT_EQ(jobs.bytes(runs[i].constants, kWindow), expected);
  }
}

TEST_P(JobsTest, ABadImageIsRefusedAndTheNextJobRuns) {
  const std::vector<BadImage> images = bad_images();
  JobList jobs(static_cast<std::uint32_t>(1 + 2 * images.size()));
  const std::size_t load = jobs.load(task::build_image(copy_task()), 0);
  std::vector<std::pair<std::size_t, Copy>> pairs;
  for (const BadImage &bad : images) {
    const std::size_t refused = jobs.load(bad.image, 1);
    pairs.emplace_back(refused, add_copy(jobs));
  }
  execute(jobs);
  expect_done(jobs, load);
  for (std::size_t i = 0; i < images.size(); ++i) {
    SCOPED_TRACE(images[i].name);
    expect_error(jobs, pairs[i].first, images[i].error);
    EXPECT_EQ(jobs.outcome(pairs[i].first).index, images[i].index);
    expect_copied(jobs, pairs[i].second);
  }
}

TEST_P(JobsTest, ABadRunIsRefusedAndTheNextJobRuns) {
  JobList jobs(32);
  std::ignore = jobs.load(task::build_image(copy_task()), 0);
  const std::uint64_t window = jobs.place(std::vector<std::uint8_t>(2 * kTensor));
  struct Bad {
    const char *name;
    std::size_t job;
    ErrorCode error;
    Copy next;
  };
  std::vector<Bad> all;
  const auto add = [&](const char *name, ErrorCode error, std::size_t job) { all.push_back({name, job, error, add_copy(jobs)}); };
  add("an empty slot", ErrorCode::not_ready, jobs.run(3, {{window, 2 * kTensor}}));
  add("no such slot", ErrorCode::invalid_argument, jobs.run(firmware::job::kTaskSlots, {{window, 2 * kTensor}}));
  add("no window", ErrorCode::window_missing, jobs.run(0, {}));
  add("a small window", ErrorCode::window_too_small, jobs.run(0, {{window, kTensor}}));
  add("a window outside DRAM", ErrorCode::window_outside_dram, jobs.run(0, {{0x20000000, 2 * kTensor}}));
  add("a window past the end of DRAM", ErrorCode::window_outside_dram,
      jobs.run(0, {{tools::run::native_board_map().dram_base + tools::run::kDramDefaultBytes - kTensor, 2 * kTensor}}));
  Request nonsense{};
  nonsense.kind = static_cast<firmware::job::Kind>(77);
  add("an unknown kind", ErrorCode::invalid_argument, jobs.add(nonsense));
  execute(jobs);
  for (const Bad &bad : all) {
    SCOPED_TRACE(bad.name);
    expect_error(jobs, bad.job, bad.error);
    expect_copied(jobs, bad.next);
  }
}

TEST_P(JobsTest, ATaskThatOutlastsItsTimeLimitIsStoppedAndTheNextJobRuns) {
  JobList jobs(8);
  std::ignore = jobs.load(task::build_image(copy_task()), 0);
  const std::size_t load = jobs.load(task::build_image(long_task()), 1);
  const std::uint64_t window = jobs.place(std::vector<std::uint8_t>(1U << 20));
  const std::size_t late = jobs.run(1, {{window, 1U << 20}}, 1000);
  const Copy next = add_copy(jobs);
  const std::size_t in_time = jobs.run(1, {{window, 1U << 20}});
  execute(jobs);
  expect_done(jobs, load);
  expect_error(jobs, late, ErrorCode::time_limit);
  expect_copied(jobs, next);
  expect_done(jobs, in_time);  // the same task with a sufficient time limit
  EXPECT_GT(cycles(jobs, in_time), 10'000'000U);
  const std::uint64_t tick = GetParam() == BoardKind::qemu ? 10'000'000 : 1'000'000;
  EXPECT_GE(cycles(jobs, late), 1'000'000U);
  EXPECT_LE(cycles(jobs, late), 1'000'000U + tick + 100'000U) << "an instruction takes less than 100 us";
}

TEST_P(JobsTest, ATimeLimitHoldsWhereCompletionsComeWithoutAPause) {
  JobList jobs(8);
  const std::size_t load = jobs.load(task::build_image(busy_task()), 0);
  const std::uint64_t window = jobs.place(std::vector<std::uint8_t>(2 * kTensor));
  const std::size_t whole = jobs.run(0, {{window, 2 * kTensor}});
  const std::size_t late = jobs.run(0, {{window, 2 * kTensor}}, 100);
  execute(jobs);
  expect_done(jobs, load);
  expect_done(jobs, whole);
  expect_error(jobs, late, ErrorCode::time_limit);
  EXPECT_LT(cycles(jobs, late), cycles(jobs, whole));
}

// The firmware copies a load instruction into the ring together with the configurations behind it. The copy must not pass the end of the
// ring. In 300 rounds, each of the 256 slots of the ring holds a load at some time.
TEST_P(JobsTest, ConfigurationsBehindALoadStayInTheirRing) {
  constexpr unsigned kRounds = 300;
  JobList jobs(8);
  const std::size_t load = jobs.load(task::build_image(configured_task(kRounds)), 0);
  std::vector<std::uint8_t> input(kRounds * kTensor);
  for (std::size_t i = 0; i < input.size(); ++i) input[i] = static_cast<std::uint8_t>(7 * i + i / kTensor);
  std::vector<std::uint8_t> window = input;
  window.resize(2 * input.size());
  const std::uint64_t address = jobs.place(window);
  const std::size_t run = jobs.run(0, {{address, window.size()}});
  execute(jobs);
  expect_done(jobs, load);
  expect_done(jobs, run);
  EXPECT_EQ(jobs.outcome(run).job.accelerator_instructions, 5 + kRounds * (2 + firmware::plan::kMaximumGroup));
  EXPECT_EQ(jobs.bytes(address + input.size(), input.size()), input);
}

TEST_P(JobsTest, UnloadForgetsTheTask) {
  JobList jobs(8);
  std::ignore = jobs.load(task::build_image(copy_task()), 0);
  const std::size_t unload = jobs.unload(0);
  const std::uint64_t window = jobs.place(std::vector<std::uint8_t>(2 * kTensor));
  const std::size_t refused = jobs.run(0, {{window, 2 * kTensor}});
  const std::size_t again = jobs.load(task::build_image(copy_task()), 0);
  const Copy copy = add_copy(jobs);
  execute(jobs);
  expect_done(jobs, unload);
  expect_error(jobs, refused, ErrorCode::not_ready);
  expect_done(jobs, again);
  expect_copied(jobs, copy);
}

TEST_P(JobsTest, TwoBootsGiveTheSameCounts) {
  std::array<std::vector<Outcome>, 2> boots;
  for (std::vector<Outcome> &boot : boots) {
    JobList jobs(16);
    std::ignore = jobs.load(task::build_image(copy_task()), 0);
    std::vector<Copy> copies;
    copies_ = 0;
    for (int i = 0; i < 8; ++i) copies.push_back(add_copy(jobs));
    board_.reset();
    execute(jobs);
    for (const Copy &copy : copies) {
      expect_copied(jobs, copy);
      boot.push_back(jobs.outcome(copy.job).job);
    }
  }
  for (std::size_t i = 0; i < boots[0].size(); ++i) {
    EXPECT_EQ(boots[0][i].start_cycle, boots[1][i].start_cycle);
    EXPECT_EQ(boots[0][i].end_cycle, boots[1][i].end_cycle);
    EXPECT_EQ(boots[0][i].control_instructions, boots[1][i].control_instructions);
  }
}

TEST_P(JobsTest, FourOwnersRunOnFourCores) {
  constexpr unsigned kOwners = 4;
  constexpr std::size_t kWindow = 1U << 20;
  JobList jobs(32);
  struct Run {
    std::size_t job;
    std::uint64_t window;
    std::vector<std::uint8_t> input;
  };
  std::vector<Run> runs;
  const std::vector<std::uint8_t> image = task::build_image(long_task());
  for (std::uint8_t owner = 0; owner < kOwners; ++owner) jobs.load(image, owner, owner);
  const auto add = [&](std::uint8_t owner, std::uint8_t core_mask) {
    std::vector<std::uint8_t> window = counting(kTensor, static_cast<unsigned>(runs.size()) * 7 + 1);
    Run run{.job = 0, .window = 0, .input = window};
    window.resize(kWindow);
    run.window = jobs.place(window);
    Request job{};
    job.kind = firmware::job::Kind::run;
    job.task_slot = owner;
    job.owner = owner;
    job.core_mask = core_mask;
    job.retries = 1;
    job.windows[0] = {run.window, kWindow};
    run.job = jobs.add(job);
    runs.push_back(run);
  };
  for (std::uint8_t owner = 0; owner < kOwners; ++owner) add(owner, 0);  // each job takes all of a core's L2
  for (std::uint8_t owner = 0; owner < kOwners; ++owner) add(owner, static_cast<std::uint8_t>(1U << (3 - owner)));
  Request foreign{};
  foreign.kind = firmware::job::Kind::run;
  foreign.task_slot = 2;
  foreign.owner = 3;
  foreign.windows[0] = {runs[0].window, kWindow};
  const std::size_t refused = jobs.add(foreign);
  execute(jobs, R"({"geometry": {"tile_cores": 4}})");

  std::uint32_t cores = 0;
  std::uint64_t last_start = 0, first_end = UINT64_MAX;
  for (const Run &run : runs) {
    expect_done(jobs, run.job);
    EXPECT_EQ(jobs.bytes(run.window + kTensor, kTensor), run.input);
    EXPECT_EQ(jobs.outcome(run.job).job.cores, 1U);
    if (&run - runs.data() >= kOwners) continue;
    const Outcome job = jobs.outcome(run.job).job;
    cores |= 1U << job.first_core;
    last_start = std::max(last_start, job.start_cycle);
    first_end = std::min(first_end, job.end_cycle);
  }
  EXPECT_EQ(cores, 0xFU);
  EXPECT_LT(last_start, first_end);
  for (unsigned owner = 0; owner < kOwners; ++owner) EXPECT_EQ(jobs.outcome(runs[kOwners + owner].job).job.first_core, 3 - owner);
  expect_error(jobs, refused, ErrorCode::not_owner);
}

INSTANTIATE_TEST_SUITE_P(Qemu, JobsTest, testing::Values(BoardKind::qemu));
INSTANTIATE_TEST_SUITE_P(Native, JobsTest, testing::Values(BoardKind::native));

}  // namespace
}  // namespace cox::tests
