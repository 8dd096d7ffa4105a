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
using firmware::schedule::RunReport;
using firmware::schedule::Scheduler;
using hal::FaultCode;
using isa::tile::Class;
using isa::tile::kClasses;
using isa::tile::MachineCode;
using isa::tile::Opcode;

struct Task {
  explicit Task(const TaskText &text) : image(text), workspace(firmware::image::workspace_bytes(text.code.size()) / 8 + 1) {
    const auto result =
        firmware::image::load(image.bytes(), firmware::image::reference_geometry(), std::as_writable_bytes(std::span(workspace)));
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
    ASSERT_FALSE(wanted[each.queue].empty());
    MachineCode code = each.code;
    isa::insert_bits(code, isa::tile::kContextBit, 8, 0);
    isa::insert_bits(code, isa::tile::kCompletionBit, 1, 0);
    ASSERT_EQ(code, wanted[each.queue].front());
    wanted[each.queue].pop_front();
    for (unsigned to = 0; to < kClasses; ++to) {
      if ((isa::tile::next_of(code) >> to & 1) != 0) tokens[each.queue][to].push_back(each.end);
    }
  }
  for (const Executed &each : all) {
    for (unsigned from = 0; from < kClasses; ++from) {
      if ((isa::tile::previous_of(each.code) >> from & 1) == 0) continue;
      ASSERT_FALSE(tokens[from][each.queue].empty());
      EXPECT_GE(each.start, tokens[from][each.queue].front());
      tokens[from][each.queue].pop_front();
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
