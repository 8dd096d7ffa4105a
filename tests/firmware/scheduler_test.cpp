// SPDX-License-Identifier: MIT
// The scheduler against a device that does what the test says: every order of ends, several tasks, faults, time limits, lost and corrupted
// completions, a core that hangs.
#include "firmware/schedule/scheduler.h"

#include <gmock/gmock.h>

#include <deque>
#include <memory>
#include <random>

#include "tests/firmware/fake_device.h"
#include "tests/firmware/task_builder.h"

namespace cox::tests {
namespace {

using firmware::image::LoadedTask;
using firmware::schedule::RunOptions;
using firmware::schedule::RunReport;
using firmware::schedule::Scheduler;
using hal::FaultCode;
using isa::tile::Class;
using isa::tile::kClasses;
using isa::tile::MachineCode;
using isa::tile::Opcode;

struct Task {
  explicit Task(const TaskText &text)
      : image(text), workspace(firmware::image::workspace_bytes(text.code.size(), text.tile_cores) / 8 + 1) {
    firmware::image::DeviceGeometry geometry = firmware::image::reference_geometry();
    geometry.tile_cores = FakeDevice::kMostCores;
    const auto result = firmware::image::load(image.bytes(), geometry, std::as_writable_bytes(std::span(workspace)));
    EXPECT_TRUE(result.ok()) << error_name(result.status().code()) << " " << result.status().what() << " " << result.status().index();
    if (result.ok()) loaded = result.value();
    for (unsigned i = 0; i < hal::kWindows; ++i) {
      const std::uint64_t size = loaded.windows()[i].size;
      memory[i].resize(size / 8 + 1);
      windows[i] = {reinterpret_cast<std::uintptr_t>(memory[i].data()), size, true, loaded.windows()[i].writable};
    }
  }
  Image image;
  std::vector<std::uint64_t> workspace;
  std::array<std::vector<std::uint64_t>, hal::kWindows> memory;
  LoadedTask loaded;
  std::array<hal::Window, hal::kWindows> windows{};
};

// What the device executed of a context is what the task says, class by class in order, and nothing began before its tokens were there.
void expect_in_order(const FakeDevice &device, unsigned context, const TaskText &text) {
  std::array<std::deque<MachineCode>, kClasses> wanted;
  for (const MachineCode &code : text.code)
    wanted[static_cast<unsigned>(isa::tile::find_instruction(isa::tile::opcode_of(code))->queue)].push_back(code);
  std::array<std::array<std::deque<std::uint64_t>, kClasses>, kClasses> tokens;
  std::vector<Executed> all;
  for (const Executed &each : device.executed) {
    if (each.context == context) all.push_back(each);
  }
  ASSERT_EQ(all.size(), text.code.size());
  for (const Executed &each : all) {
    ASSERT_FALSE(wanted[each.queue % kClasses].empty());
    MachineCode code = each.code;
    isa::insert_bits(code, isa::tile::kContextBit, 8, 0);
    isa::insert_bits(code, isa::tile::kCompletionBit, 1, 0);
    ASSERT_EQ(code, wanted[each.queue % kClasses].front());
    wanted[each.queue % kClasses].pop_front();
    for (unsigned to = 0; to < kClasses; ++to) {
      if ((isa::tile::next_of(code) >> to & 1) != 0) tokens[each.queue % kClasses][to].push_back(each.end);
    }
  }
  for (const Executed &each : all) {
    for (unsigned from = 0; from < kClasses; ++from) {
      if ((isa::tile::previous_of(each.code) >> from & 1) == 0) continue;
      ASSERT_FALSE(tokens[from][each.queue % kClasses].empty());
      EXPECT_GE(each.start, tokens[from][each.queue % kClasses].front());
      tokens[from][each.queue % kClasses].pop_front();
    }
  }
}

// A task of loads and stores (through L2 block `block`) with tokens at random that are balanced and cannot deadlock: each token's taker
// comes later in the program than its giver. The first of each class waits for the region, and later definitions say the same.
TaskText random_task(unsigned seed, std::int64_t block, unsigned length) {
  std::mt19937 random(seed);
  TaskText text = copy_task(block, block);
  const std::vector<MachineCode> copy = text.code;
  text.code = {copy[kStart], copy[kCut], copy[kLoadConfiguration], copy[kStoreConfiguration], copy[kLoad], copy[kStore]};
  isa::insert_bits(text.code[kCut], isa::tile::kNextBit, kClasses, bit(Class::LD) | bit(Class::ST));
  for (const std::size_t first : {text.code.size() - 2, text.code.size() - 1}) {
    isa::insert_bits(text.code[first], isa::tile::kPreviousBit, kClasses, bit(Class::CT));
    isa::insert_bits(text.code[first], isa::tile::kNextBit, kClasses, 0);
  }
  std::array<std::array<unsigned, kClasses>, kClasses> open{};
  std::vector<std::size_t> last(kClasses, 0);
  const unsigned classes[] = {static_cast<unsigned>(Class::CT), static_cast<unsigned>(Class::LD), static_cast<unsigned>(Class::ST)};
  for (unsigned i = 0; i < length; ++i) {
    const unsigned own = classes[random() % 3];
    MachineCode code = own == 0 ? copy[kCut] : own == 1 ? copy[kLoad] : copy[kStore];
    std::uint32_t previous = 0;
    std::uint32_t next = 0;
    for (const unsigned other : classes) {
      if (open[other][own] > 0 && random() % 2 == 0) {
        previous |= 1U << other;
        --open[other][own];
      }
    }
    for (const unsigned other : classes) {
      if (random() % 3 == 0) next |= 1U << other;
    }
    for (const unsigned other : classes) open[own][other] += next >> other & 1;
    isa::insert_bits(code, isa::tile::kPreviousBit, kClasses, previous);
    isa::insert_bits(code, isa::tile::kNextBit, kClasses, next);
    text.code.push_back(code);
    for (auto n = random() % 12; random() % 4 == 0 && n > 0; --n)
      text.code.push_back(own == 2 ? copy[kStoreConfiguration] : copy[kLoadConfiguration]);
  }
  // What was put and not taken is taken at the end.
  for (bool any = true; any;) {
    any = false;
    for (const unsigned own : classes) {
      std::uint32_t previous = 0;
      for (const unsigned other : classes) {
        if (open[other][own] == 0) continue;
        previous |= 1U << other;
        --open[other][own];
      }
      if (previous == 0) continue;
      any = true;
      MachineCode code = own == 0 ? copy[kCut] : own == 1 ? copy[kLoad] : copy[kStore];
      isa::insert_bits(code, isa::tile::kPreviousBit, kClasses, previous);
      isa::insert_bits(code, isa::tile::kNextBit, kClasses, 0);
      text.code.push_back(code);
    }
  }
  text.code.push_back(make(Opcode::ct_ed));
  return text;
}

// `rounds` loads and stores, each of which waits for the one before.
TaskText chain_task(unsigned rounds) {
  TaskText text = copy_task();
  const std::vector<MachineCode> copy = text.code;
  text.code = {copy[kStart], copy[kCut], copy[kLoadConfiguration], copy[kStoreConfiguration]};
  for (unsigned i = 0; i < rounds; ++i) {
    text.code.push_back(copy[kLoad]);
    if (i != 0) isa::insert_bits(text.code.back(), isa::tile::kPreviousBit, kClasses, bit(Class::ST));
    text.code.push_back(copy[kStore]);
    if (i + 1 != rounds) isa::insert_bits(text.code.back(), isa::tile::kNextBit, kClasses, bit(Class::LD));
  }
  text.code.push_back(copy[kEnd]);
  return text;
}

class SchedulerTest : public testing::Test {
 protected:
  void SetUp() override {
    const Status status = scheduler().initialise(device.queue_memory());
    ASSERT_TRUE(status.ok()) << status.what();
  }
  void TearDown() override { EXPECT_THAT(device.violations, testing::IsEmpty()); }
  Scheduler &scheduler() { return *scheduler_; }
  unsigned start(Task &task, std::uint32_t limit = 0) {
    const auto context = scheduler().start(task.loaded, task.windows, {.time_limit_us = limit});
    EXPECT_TRUE(context.ok()) << error_name(context.status().code()) << " " << context.status().what();
    return context.ok() ? context.value() : 0;
  }
  RunReport wait(unsigned context) {
    const auto report = scheduler().wait(context);
    EXPECT_TRUE(report.ok());
    return report.ok() ? report.value() : RunReport{};
  }
  void expect_runs(Task &task, const TaskText &text) {
    device.executed.clear();
    const unsigned context = start(task);
    EXPECT_EQ(wait(context).status.code(), ErrorCode::ok);
    expect_in_order(device, context, text);
  }

  FakeDevice device;
  std::unique_ptr<Scheduler> scheduler_ = std::make_unique<Scheduler>();
};

TEST_F(SchedulerTest, RunsATask) {
  const TaskText text = copy_task();
  Task task(text);
  const unsigned context = start(task);
  EXPECT_FALSE(scheduler().has_ended(context));
  const RunReport report = wait(context);
  EXPECT_EQ(report.status.code(), ErrorCode::ok);
  EXPECT_EQ(report.accelerator_instructions, 7U);
  EXPECT_EQ(report.queues[static_cast<unsigned>(Class::LD)].instructions, 2U);
  EXPECT_EQ(report.control_instructions, UINT64_MAX);
  EXPECT_EQ(report.end_cycle, device.now);
  expect_in_order(device, context, text);
  // Configurations do not wait for the tokens of the instruction behind them.
  EXPECT_EQ(device.executed[1].queue, static_cast<unsigned>(Class::LD));
  EXPECT_EQ(device.executed[1].start, 0U);
  EXPECT_EQ(device.executed[2].queue, static_cast<unsigned>(Class::ST));
  EXPECT_EQ(device.executed[2].start, 0U);
}

TEST_F(SchedulerTest, RandomTasksRunInOrderWhateverTheInstructionsTake) {
  for (unsigned seed = 0; seed < 150; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    device.duration = [&](unsigned, const auto &) { return random() % 4 == 0 ? 1 : random() % 300; };
    const TaskText text = random_task(seed, 0, 20 + seed * 3);
    Task task(text);
    expect_runs(task, text);
    if (HasFatalFailure()) return;
  }
}

TEST_F(SchedulerTest, ALongRunOfConfigurationsFitsAnyRing) {
  TaskText text = copy_task();
  text.code.insert(text.code.begin() + kLoadConfiguration, 2000, text.code[kLoadConfiguration]);
  Task task(text);
  expect_runs(task, text);
}

TEST_F(SchedulerTest, TasksRunSideBySide) {
  std::mt19937 random(7);
  device.duration = [&](unsigned, const auto &) { return random() % 200; };
  std::vector<TaskText> texts;
  std::deque<Task> tasks;
  std::vector<unsigned> contexts;
  for (unsigned i = 0; i < 8; ++i) {
    texts.push_back(random_task(100 + i, i, 300));
    tasks.emplace_back(texts.back());
  }
  for (Task &task : tasks) contexts.push_back(start(task));
  EXPECT_EQ(contexts, (std::vector<unsigned>{0, 1, 2, 3, 4, 5, 6, 7}));
  for (unsigned i = 8; i-- > 0;) EXPECT_EQ(wait(contexts[i]).status.code(), ErrorCode::ok);
  for (unsigned i = 0; i < 8; ++i) expect_in_order(device, contexts[i], texts[i]);
}

TEST_F(SchedulerTest, WhatTwoTasksBothWantIsRefused) {
  Task one(copy_task(0, 10)), same_blocks(copy_task(10, 20)), other(copy_task(11, 20));
  const unsigned context = start(one);
  const auto refused = scheduler().start(same_blocks.loaded, same_blocks.windows);
  EXPECT_EQ(refused.status().code(), ErrorCode::no_room);
  EXPECT_STREQ(refused.status().what(), "L2");
  const auto overlap = scheduler().start(other.loaded, one.windows);
  EXPECT_EQ(overlap.status().code(), ErrorCode::window_overlap);
  EXPECT_EQ(scheduler().start(one.loaded, one.windows).status().code(), ErrorCode::no_room);
  const unsigned second = start(other);
  EXPECT_TRUE(wait(second).status.ok());
  EXPECT_TRUE(wait(context).status.ok());
  EXPECT_TRUE(wait(start(same_blocks)).status.ok());
}

TEST_F(SchedulerTest, ContextsRunOut) {
  device.duration = [](unsigned, const auto &) { return FakeDevice::kNever; };
  std::deque<Task> tasks;
  for (unsigned i = 0; i < 9; ++i) tasks.emplace_back(copy_task(i, i));
  for (unsigned i = 0; i < 8; ++i) start(tasks[i], 1000);
  const auto refused = scheduler().start(tasks[8].loaded, tasks[8].windows);
  EXPECT_EQ(refused.status().code(), ErrorCode::no_room);
  EXPECT_STREQ(refused.status().what(), "contexts");
  for (unsigned i = 0; i < 8; ++i) EXPECT_FALSE(wait(i).status.ok());
}

TEST_F(SchedulerTest, BadWindowsAreRefusedBeforeAnythingIsTouched) {
  Task task(copy_task());
  std::array<hal::Window, hal::kWindows> none{};
  EXPECT_EQ(scheduler().start(task.loaded, none).status().code(), ErrorCode::window_missing);
  std::array<hal::Window, hal::kWindows> small = task.windows;
  small[0].bytes = 255;
  EXPECT_EQ(scheduler().start(task.loaded, small).status().code(), ErrorCode::window_too_small);
  EXPECT_EQ(scheduler().start(LoadedTask{}, task.windows).status().code(), ErrorCode::invalid_argument);
  EXPECT_TRUE(device.executed.empty());
  EXPECT_EQ(scheduler().wait(0).status().code(), ErrorCode::invalid_argument);
  EXPECT_EQ(scheduler().wait(99).status().code(), ErrorCode::invalid_argument);
}

TEST_F(SchedulerTest, AFaultFailsItsTaskAloneAndTheNextRunIsRight) {
  const TaskText text = copy_task(0, 0);
  const TaskText neighbour_text = random_task(3, 5, 200);
  Task task(text), neighbour(neighbour_text);
  device.outcome = [](unsigned, const MachineCode &code) {
    return isa::tile::context_of(code) == 0 && isa::tile::opcode_of(code) == Opcode::lda_mov ? FaultCode::bus_error : FaultCode::none;
  };
  const unsigned context = start(task);
  const unsigned other = start(neighbour);
  const RunReport report = wait(context);
  EXPECT_EQ(report.status.code(), ErrorCode::device_fault);
  EXPECT_STREQ(report.status.what(), "bus_error");
  EXPECT_EQ(report.status.index(), static_cast<std::int32_t>(kLoad));
  EXPECT_EQ(report.status.value(), static_cast<std::int64_t>(FaultCode::bus_error));
  EXPECT_EQ(report.status.limit(), 0xDEAD);
  EXPECT_TRUE(wait(other).status.ok());
  expect_in_order(device, other, neighbour_text);
  EXPECT_EQ(device.core_resets, 1U);  // that of initialise()

  device.outcome = [](unsigned, const auto &) { return FaultCode::none; };
  expect_runs(task, text);
}

TEST_F(SchedulerTest, AFaultOfAConfigurationIsPlaced) {
  const TaskText text = random_task(11, 0, 60);
  Task task(text);
  unsigned countdown = 9;
  device.outcome = [&](unsigned queue, const auto &) { return queue == 1 && countdown-- == 0 ? FaultCode::window : FaultCode::none; };
  const RunReport report = wait(start(task));
  EXPECT_EQ(report.status.code(), ErrorCode::device_fault);
  std::vector<std::int32_t> loads;
  for (std::size_t i = 0; i < text.code.size(); ++i) {
    if (isa::tile::find_instruction(isa::tile::opcode_of(text.code[i]))->queue == Class::LD) loads.push_back(static_cast<std::int32_t>(i));
  }
  EXPECT_EQ(report.status.index(), loads[9]);
  device.outcome = [](unsigned, const auto &) { return FaultCode::none; };
  expect_runs(task, text);
}

TEST_F(SchedulerTest, ATaskThatOutlastsItsLimitIsAbortedAndOthersRunOn) {
  const TaskText text = copy_task(0, 0);
  const TaskText neighbour_text = random_task(5, 5, 300);
  Task task(text), neighbour(neighbour_text);
  device.duration = [](unsigned, const MachineCode &code) -> std::uint64_t {
    return isa::tile::context_of(code) == 0 && isa::tile::opcode_of(code) == Opcode::lda_mov ? 15'000'000 : 100;
  };
  const unsigned context = start(task, 5000);
  const unsigned other = start(neighbour);
  const RunReport report = wait(context);
  EXPECT_EQ(report.status.code(), ErrorCode::time_limit);
  EXPECT_STREQ(report.status.what(), "LD");
  EXPECT_EQ(report.status.index(), static_cast<std::int32_t>(kLoad));
  EXPECT_EQ(report.status.value(), 5000);
  EXPECT_TRUE(wait(other).status.ok());
  EXPECT_EQ(scheduler().totals().core_resets, 0U);
  device.duration = [](unsigned, const auto &) { return 10; };
  expect_runs(task, text);
}

TEST_F(SchedulerTest, ALimitIsSeenHoweverOftenSomethingEnds) {
  constexpr std::uint64_t kCycles = 100'000;  // of each instruction
  const TaskText text = chain_task(2000);
  Task task(text);
  device.duration = [](unsigned, const auto &) { return kCycles; };
  const RunReport report = wait(start(task, 25'000));
  EXPECT_EQ(report.status.code(), ErrorCode::time_limit);
  EXPECT_GT(report.end_cycle, 25'000'000U);
  EXPECT_LE(report.end_cycle, 25'000'000U + FakeDevice::kTick + 2 * kCycles);
  expect_runs(task, text);
}

TEST_F(SchedulerTest, ALimitIsSeenWhereEachWakeUpFindsACompletion) {
  constexpr std::uint64_t kCycles = 1000;
  Task task(chain_task(4000));
  device.ticks = false;
  device.duration = [](unsigned, const auto &) { return kCycles; };
  const RunReport report = wait(start(task, 2000));
  EXPECT_EQ(report.status.code(), ErrorCode::time_limit);
  EXPECT_LE(report.end_cycle, 2'000'000U + (1U << firmware::schedule::kCompletionSizeLog2) * kCycles + 2 * kCycles);
}

TEST_F(SchedulerTest, AnEngineThatHangsIsResetWithItsCore) {
  const TaskText text = copy_task(0, 0);
  Task task(text), neighbour(copy_task(1, 1));
  device.duration = [](unsigned queue, const auto &) -> std::uint64_t { return queue == 1 ? FakeDevice::kNever : 100; };
  const unsigned context = start(task, 1000);
  const unsigned other = start(neighbour);
  EXPECT_EQ(wait(context).status.code(), ErrorCode::time_limit);
  const RunReport victim = wait(other);
  EXPECT_EQ(victim.status.code(), ErrorCode::cancelled);
  EXPECT_EQ(scheduler().totals().core_resets, 1U);
  device.duration = [](unsigned, const auto &) { return 10; };
  expect_runs(task, text);
}

TEST_F(SchedulerTest, ACoreThatDoesNotResetRunsNothingMore) {
  Task task(copy_task());
  device.duration = [](unsigned, const auto &) { return FakeDevice::kNever; };
  device.reset_works = false;
  EXPECT_EQ(wait(start(task, 1000)).status.code(), ErrorCode::time_limit);
  EXPECT_EQ(scheduler().start(task.loaded, task.windows).status().code(), ErrorCode::not_ready);
}

TEST_F(SchedulerTest, ALostCompletionEndsInTheTimeLimit) {
  const TaskText text = copy_task();
  Task task(text);
  bool lost = false;
  device.completion = [&](const hal::Completion &entry) { return lost || entry.queue() != 1 || !(lost = true); };
  const RunReport report = wait(start(task, 1000));
  EXPECT_EQ(report.status.code(), ErrorCode::time_limit);
  EXPECT_EQ(report.status.index(), -1);
  expect_runs(task, text);
}

TEST_F(SchedulerTest, ACorruptedCompletionResetsTheCore) {
  const TaskText text = copy_task();
  for (const std::uint32_t flip : {0x10U, 0xFFU}) {
    Task task(text);
    bool done = false;
    device.completion = [&](hal::Completion &entry) {
      if (!done) entry.outcome ^= flip;
      entry.identity = hal::Completion::identity_of(entry.tag(), entry.outcome);
      done = true;
      return true;
    };
    EXPECT_EQ(wait(start(task)).status.code(), ErrorCode::device_fault);
    expect_runs(task, text);
  }
  Task task(text);
  bool done = false;
  device.completion = [&](hal::Completion &entry) {
    if (!done) entry.identity = hal::Completion::identity_of(entry.tag() + 1000U, entry.outcome);
    done = true;
    return true;
  };
  EXPECT_EQ(wait(start(task)).status.code(), ErrorCode::device_fault);
  expect_runs(task, text);
  EXPECT_EQ(scheduler().totals().bad_completions, 3U);
}

TEST_F(SchedulerTest, AWrongContextInACompletionChangesNothing) {
  const TaskText text = random_task(21, 0, 100);
  Task task(text);
  device.completion = [](hal::Completion &entry) {
    entry.outcome |= 5U << 16;
    entry.identity = hal::Completion::identity_of(entry.tag(), entry.outcome);
    return true;
  };
  expect_runs(task, text);
}

TEST_F(SchedulerTest, PollLooksAtLimitsForProgramsWithALoopOfTheirOwn) {
  Task task(copy_task());
  device.duration = [](unsigned, const auto &) -> std::uint64_t { return 50'000'000; };
  const unsigned context = start(task, 1000);
  for (unsigned i = 0; i < 100 && !scheduler().has_ended(context); ++i) {
    const bool masked = board::mask_interrupts();
    board::wait_for_interrupt();
    board::restore_interrupts(masked);
    scheduler().poll();
  }
  ASSERT_TRUE(scheduler().has_ended(context));
  EXPECT_EQ(wait(context).status.code(), ErrorCode::time_limit);
}

// A task of two cores: each loads a tensor, core 0 fetches what core 1 has, and tokens between the cores are the only order. SI of core 0
// gets a token from SO of core 1 (a synchronisation), and gives one back at its end; Next_Insts of both are empty there.
TaskText two_core_task(std::int64_t block = 0) {
  TaskText text = copy_task(block, block);
  text.tile_cores = 2;
  const std::vector<MachineCode> copy = text.code;
  const auto on_core_1 = [](MachineCode code) {
    isa::insert_bits(code, isa::tile::kCoreBit, isa::tile::kCoreWidth, 1);
    return code;
  };
  const std::int64_t base = block * 1024;
  const Fields tiles = {{"DF", {1}}, {"STile", {8, 4, 4}}, {"DTile", {8, 4, 4}}};
  text.code = {copy[kStart], copy[kCut], copy[kLoadConfiguration], copy[kStoreConfiguration]};
  isa::insert_bits(text.code[kCut], isa::tile::kNextBit, kClasses, bit(Class::SI));
  text.code.push_back(on_core_1(copy[kCut]));
  text.code.push_back(on_core_1(copy[kLoadConfiguration]));
  MachineCode load = on_core_1(copy[kLoad]);
  isa::insert_bits(load, isa::tile::kNextBit, kClasses, bit(Class::SO));
  text.code.push_back(load);
  text.code.push_back(on_core_1(make(Opcode::so_sync, {{"Prev_Cores", {0}}, {"Next_Cores", {1}}}, bit(Class::LD), 0)));
  text.code.push_back(make(Opcode::si_cfg, tiles));
  text.code.push_back(
      make(Opcode::si_mov,
           {{"CORE", {1}}, {"STaddr", {base}}, {"DTaddr", {base}}, {"Tile", {1, 8, 4, 4}}, {"Prev_Cores", {2}}, {"Next_Cores", {2}}},
           bit(Class::CT), bit(Class::ST)));
  text.code.push_back(on_core_1(make(Opcode::so_sync, {{"Prev_Cores", {1}}, {"Next_Cores", {0}}}, 0, 0)));
  text.code.push_back(copy[kStore]);
  isa::insert_bits(text.code.back(), isa::tile::kPreviousBit, kClasses, bit(Class::SI));
  text.code.push_back(copy[kEnd]);
  return text;
}

class FourCores : public testing::Test {
 protected:
  void SetUp() override { ASSERT_TRUE(scheduler.initialise(device.queue_memory()).ok()); }
  void TearDown() override {
    EXPECT_THAT(device.violations, testing::IsEmpty());
    EXPECT_EQ(device.clocks & 0xF, 0U) << "nothing runs";
  }
  unsigned start(Task &task, const RunOptions &options = {}) {
    const auto context = scheduler.start(task.loaded, task.windows, options);
    EXPECT_TRUE(context.ok()) << error_name(context.status().code()) << " " << context.status().what();
    return context.ok() ? context.value() : 0;
  }
  RunReport wait(unsigned context) {
    const auto report = scheduler.wait(context);
    EXPECT_TRUE(report.ok());
    return report.ok() ? report.value() : RunReport{};
  }
  std::vector<hal::FaultAction> actions() {
    std::vector<hal::FaultAction> all;
    for (std::uint32_t i = 0; i < hal::fault_log::size(); ++i) all.push_back(hal::fault_log::at(i).action);
    return all;
  }

  FakeDevice device{4};
  std::unique_ptr<Scheduler> memory = std::make_unique<Scheduler>();
  Scheduler &scheduler = *memory;
};

TEST_F(FourCores, EightTasksTakeTwoCoresEachAndEndInAnyOrder) {
  std::mt19937 random(7);
  device.duration = [&](unsigned, const auto &) { return random() % 200; };
  std::vector<TaskText> texts;
  std::deque<Task> tasks;
  std::vector<unsigned> contexts;
  for (unsigned i = 0; i < 8; ++i) {
    texts.push_back(random_task(100 + i, i, 300));
    tasks.emplace_back(texts.back());
  }
  for (Task &task : tasks) contexts.push_back(start(task));
  EXPECT_EQ(device.clocks & 0xF, 0xFU);
  std::array<unsigned, 4> on{};
  for (unsigned i = 8; i-- > 0;) {
    const RunReport report = wait(contexts[i]);
    EXPECT_EQ(report.status.code(), ErrorCode::ok);
    EXPECT_EQ(device.cores_of_context[contexts[i]], report.first_core | report.first_core << 8);
    ++on[report.first_core];
  }
  EXPECT_THAT(on, testing::Each(2U));
  for (unsigned i = 0; i < 8; ++i) expect_in_order(device, contexts[i], texts[i]);
}

TEST_F(FourCores, ATaskOfTwoCoresRunsOnNeighboursWithTokensBetweenThem) {
  const TaskText text = two_core_task();
  for (const std::uint8_t mask : {std::uint8_t{0}, std::uint8_t{0b0110}, std::uint8_t{0b1101}}) {
    Task task(text);
    device.executed.clear();
    RunOptions options;
    options.core_mask = mask;
    const RunReport report = wait(start(task, options));
    EXPECT_EQ(report.status.code(), ErrorCode::ok) << report.status.what() << " " << report.status.index();
    EXPECT_EQ(report.cores, 2);
    const unsigned first = mask == 0 ? 0 : mask == 0b0110 ? 1 : 2;
    EXPECT_EQ(report.first_core, first);
    ASSERT_EQ(device.executed.size(), text.code.size());
    // What moves waits for the load of the other core, and the store for what was moved.
    const auto ended = [&](unsigned core, Class own, std::size_t index) {
      std::vector<Executed> of;
      for (const Executed &each : device.executed) {
        if (each.queue == (first + core) * kClasses + static_cast<unsigned>(own)) of.push_back(each);
      }
      return of.at(index);
    };
    EXPECT_GE(ended(1, Class::SO, 0).start, ended(1, Class::LD, 1).end);
    EXPECT_GE(ended(0, Class::SI, 1).start, ended(1, Class::SO, 0).end);
    EXPECT_GE(ended(1, Class::SO, 1).start, ended(0, Class::SI, 1).end);
    EXPECT_GE(ended(0, Class::ST, 1).start, ended(0, Class::SI, 1).end);
  }
  Task task(text);
  RunOptions apart;
  apart.core_mask = 0b0101;
  const auto refused = scheduler.start(task.loaded, task.windows, apart);
  EXPECT_EQ(refused.status().code(), ErrorCode::no_room);
  EXPECT_STREQ(refused.status().what(), "cores");
}

TEST_F(FourCores, TheSameBlocksAreFreeOnAnotherCore) {
  device.duration = [](unsigned, const auto &) { return 1000; };
  std::deque<Task> tasks;
  for (unsigned i = 0; i < 5; ++i) tasks.emplace_back(copy_task(0, 10));
  for (unsigned i = 0; i < 4; ++i) start(tasks[i]);
  const auto refused = scheduler.start(tasks[4].loaded, tasks[4].windows);
  EXPECT_EQ(refused.status().code(), ErrorCode::no_room);
  EXPECT_STREQ(refused.status().what(), "L2");
  for (unsigned i = 0; i < 4; ++i) EXPECT_EQ(wait(i).first_core, i);
  EXPECT_TRUE(wait(start(tasks[4])).status.ok());
}

TEST_F(FourCores, AFaultThatPassesIsRetriedAndOneThatDoesNotIsNot) {
  for (const FaultCode fault : {FaultCode::bus_error, FaultCode::ecc, FaultCode::window}) {
    unsigned faults = 0;
    device.outcome = [&](unsigned, const MachineCode &code) {
      return isa::tile::opcode_of(code) == Opcode::lda_mov && faults++ < 2 ? fault : FaultCode::none;
    };
    Task task(copy_task());
    RunOptions options;
    options.retries = 3;
    options.owner = 5;
    const std::uint32_t before = hal::fault_log::count();
    const RunReport report = wait(start(task, options));
    const bool passes = fault != FaultCode::window;
    EXPECT_EQ(report.status.ok(), passes);
    EXPECT_EQ(report.retried, passes ? 2 : 0);
    // 0xDEAD is in L2: only a reset of the core makes it whole.
    const unsigned resets = fault == FaultCode::ecc ? 2 : 0;
    EXPECT_EQ(hal::fault_log::count() - before, passes ? 2U + resets : 1U);
    const hal::FaultRecord last = hal::fault_log::at(hal::fault_log::size() - 1);
    EXPECT_EQ(last.action, passes ? hal::FaultAction::retried : hal::FaultAction::failed);
    EXPECT_EQ(last.fault, fault);
    EXPECT_EQ(last.queue, 1);
    EXPECT_EQ(last.owner, 5);
    EXPECT_EQ(last.detail, 0xDEADU);
    EXPECT_EQ(last.instruction, static_cast<std::int32_t>(kLoad));
  }
  EXPECT_EQ(scheduler.totals().core_resets, 2U);
}

TEST_F(FourCores, RetriesRunOut) {
  device.outcome = [](unsigned queue, const auto &) { return queue % kClasses == 1 ? FaultCode::bus_error : FaultCode::none; };
  Task task(copy_task());
  RunOptions options;
  options.retries = 2;
  const RunReport report = wait(start(task, options));
  EXPECT_EQ(report.status.code(), ErrorCode::device_fault);
  EXPECT_EQ(report.retried, 2);
  using hal::FaultAction;
  EXPECT_THAT(actions(), testing::ElementsAre(FaultAction::retried, FaultAction::retried, FaultAction::failed));
}

// Every way to lose a core: what ran on it begins again, what ran on the others never notices.
TEST_F(FourCores, AResetOfOneCoreLeavesTheOthersAlone) {
  enum class Loss { corrupted, wrong_phase, another, reset, stuck };
  for (const Loss loss : {Loss::corrupted, Loss::wrong_phase, Loss::another, Loss::reset, Loss::stuck}) {
    SCOPED_TRACE(static_cast<int>(loss));
    bool done = false;
    const TaskText text = random_task(3, 0, 200);
    Task victim(text), neighbour(text);
    device.executed.clear();
    device.completion = [&](hal::Completion &entry) {
      if (done || entry.queue() >= kClasses || device.executed.size() < 40) return true;
      if (loss == Loss::corrupted) entry.outcome ^= 0x10;
      if (loss == Loss::wrong_phase) entry.outcome ^= 1U << 31;
      if (loss == Loss::another) entry.identity = hal::Completion::identity_of(entry.tag() + 100U, entry.outcome);
      done = loss != Loss::reset && loss != Loss::stuck;
      return true;
    };
    device.duration = [&](unsigned queue, const auto &) -> std::uint64_t {
      if (done || queue != 1 || device.executed.size() < 40) return 100;
      if (loss == Loss::stuck) done = true;
      if (loss == Loss::reset) {
        done = true;
        device.reset_in(0, 50);
      }
      return loss == Loss::stuck ? FakeDevice::kNever : 100;
    };
    RunOptions options;
    options.retries = 1;
    options.time_limit_us = 30'000;
    const std::uint32_t resets = scheduler.totals().core_resets;
    const unsigned first = start(victim, options);
    const unsigned second = start(neighbour, options);
    const RunReport report = wait(first);
    EXPECT_TRUE(done);
    EXPECT_EQ(report.status.code(), ErrorCode::ok) << report.status.what();
    EXPECT_EQ(report.retried, 1);
    const RunReport other = wait(second);
    EXPECT_EQ(other.status.code(), ErrorCode::ok);
    EXPECT_EQ(other.first_core, 1);
    EXPECT_EQ(other.retried, 0);
    expect_in_order(device, second, text);
    EXPECT_EQ(scheduler.totals().core_resets, resets + 1);
  }
}

TEST_F(FourCores, ALostDoorbellCostsATickAndNotTheTask) {
  unsigned rings = 0;
  device.doorbell = [&](unsigned queue) { return queue != 6 || rings++ != 1; };  // the second is the store's
  Task task(copy_task());
  const RunReport report = wait(start(task));
  EXPECT_EQ(report.status.code(), ErrorCode::ok);
  EXPECT_EQ(report.retried, 0);
  EXPECT_EQ(scheduler.totals().lost_doorbells, 1U);
  EXPECT_LE(report.end_cycle, FakeDevice::kTick + 1000);
  EXPECT_THAT(actions(), testing::ElementsAre(hal::FaultAction::corrected));
}

TEST_F(FourCores, ALostCompletionIsNoticedAndTheTaskBeginsAgain) {
  bool lost = false;
  device.completion = [&](const hal::Completion &entry) { return lost || entry.queue() != 1 || !(lost = true); };
  Task task(copy_task());
  RunOptions options;
  options.retries = 1;
  const RunReport report = wait(start(task, options));
  EXPECT_EQ(report.status.code(), ErrorCode::ok);
  EXPECT_EQ(report.retried, 1);
  EXPECT_LE(report.end_cycle, 4 * FakeDevice::kTick);
  EXPECT_EQ(scheduler.totals().core_resets, 0U);
}

TEST_F(FourCores, ACancelledTaskEndsAndItsNeighboursRunOn) {
  device.duration = [](unsigned, const auto &) { return 100'000; };
  const TaskText text = random_task(9, 5, 1000);
  Task task(chain_task(1000)), neighbour(text);
  RunOptions options;
  options.core_mask = 1;
  options.retries = 3;
  const unsigned context = start(task, options);
  options.core_mask = 2;
  const unsigned other = start(neighbour, options);
  scheduler.sleep();
  EXPECT_EQ(scheduler.take(context).status().code(), ErrorCode::not_ready);
  ASSERT_TRUE(scheduler.cancel(context).ok());
  for (unsigned i = 0; i < 100 && !scheduler.has_ended(context); ++i) scheduler.sleep();
  EXPECT_TRUE(scheduler.sleep()) << "at once: it has not been taken";
  const auto report = scheduler.take(context);
  ASSERT_TRUE(report.ok());
  EXPECT_EQ(report.value().status.code(), ErrorCode::cancelled);
  EXPECT_EQ(report.value().retried, 0);
  EXPECT_TRUE(wait(other).status.ok());
  expect_in_order(device, other, text);
  EXPECT_EQ(hal::fault_log::count(), 0U) << "that was no fault";
  EXPECT_EQ(scheduler.cancel(context).code(), ErrorCode::invalid_argument);
}

TEST_F(FourCores, AFaultOnOneCoreOfATaskStopsItOnBoth) {
  device.outcome = [](unsigned queue, const auto &) { return queue == kClasses + 1 ? FaultCode::bus_error : FaultCode::none; };
  Task task(two_core_task());
  const RunReport report = wait(start(task));
  EXPECT_EQ(report.status.code(), ErrorCode::device_fault);
  EXPECT_STREQ(report.status.what(), "bus_error");
  device.outcome = [](unsigned, const auto &) { return FaultCode::none; };
  EXPECT_TRUE(wait(start(task)).status.ok());
}

TEST_F(FourCores, CorrectedErrorsAreLogged) {
  device.duration = [](unsigned, const auto &) { return 3'000'000; };
  Task task(copy_task());
  const unsigned context = start(task);
  device.corrected_errors = 3;
  EXPECT_TRUE(wait(context).status.ok());
  EXPECT_EQ(scheduler.totals().corrected_errors, 3U);
  EXPECT_EQ(hal::fault_log::at(0).fault, FaultCode::ecc);
  EXPECT_EQ(hal::fault_log::at(0).action, hal::FaultAction::corrected);
}

TEST(SchedulerStart, AnUnknownDeviceIsRefused) {
  FakeDevice device;
  device.id = 0x12345678;
  Scheduler scheduler;
  const Status status = scheduler.initialise(device.queue_memory());
  EXPECT_EQ(status.code(), ErrorCode::unknown_device);
  Task task(copy_task());
  EXPECT_EQ(scheduler.start(task.loaded, task.windows).status().code(), ErrorCode::not_ready);
}

TEST(SchedulerStart, TooLittleQueueMemoryIsRefused) {
  FakeDevice device;
  Scheduler scheduler;
  EXPECT_EQ(scheduler.initialise(device.queue_memory().first(1024)).code(), ErrorCode::invalid_argument);
}

}  // namespace
}  // namespace cox::tests
