// SPDX-License-Identifier: MIT
// The scheduler on a scripted device: completions in every order, several tasks, one core and four.
#include "coxswain/firmware/schedule/scheduler.h"

#include <random>

#include "tests/firmware/scheduler_fixture.h"

namespace cox::tests {
namespace {

using firmware::image::LoadedTask;
using firmware::schedule::RunOptions;
using firmware::schedule::RunReport;
using firmware::schedule::Scheduler;
using isa::tile::Class;
using isa::tile::kClasses;

TEST_F(OneCore, RunsATask) {
  const TaskText text = copy_task();
  Task task(text);
  const unsigned context = start(task);
  EXPECT_FALSE(scheduler.has_ended(context));
  const RunReport report = wait(context);
  EXPECT_EQ(report.status.code(), ErrorCode::ok);
  EXPECT_EQ(report.accelerator_instructions, 7U);
  EXPECT_EQ(report.queues[static_cast<unsigned>(Class::LD)].instructions, 2U);
  EXPECT_EQ(report.control_instructions, UINT64_MAX);
  EXPECT_EQ(report.end_cycle, device.now);
  expect_in_order(device, context, text);
  // The configurations of LD and ST wait for no tokens, so they start at cycle 0.
  EXPECT_EQ(device.executed[1].queue, static_cast<unsigned>(Class::LD));
  EXPECT_EQ(device.executed[1].start, 0U);
  EXPECT_EQ(device.executed[2].queue, static_cast<unsigned>(Class::ST));
  EXPECT_EQ(device.executed[2].start, 0U);
}

TEST_F(OneCore, RandomTasksRunInOrderWhateverTheInstructionsTake) {
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

TEST_F(OneCore, ALongRunOfConfigurationsFitsAnyRing) {
  TaskText text = copy_task();
  text.code.insert(text.code.begin() + kLoadConfiguration, 2000, text.code[kLoadConfiguration]);
  Task task(text);
  expect_runs(task, text);
}

// The scheduler's loop in assembly begins a group only if kMaximumGroup instructions fit before the end of the ring
// (SubmissionQueue::set_limit()). So no group may have more.
TEST(Plan, AGroupHasNoMoreInstructionsThanTheRingsKeepRoomFor) {
  TaskText text = copy_task();
  text.code.insert(text.code.begin() + kLoad + 1, 100, text.code[kLoadConfiguration]);
  const Task task(text);
  std::size_t instructions = 0;
  std::uint16_t largest = 0;
  for (const firmware::plan::Group &group : task.loaded.plan().groups) {
    instructions += group.size;
    largest = std::max(largest, group.size);
  }
  EXPECT_EQ(instructions, text.code.size());
  EXPECT_EQ(largest, firmware::plan::kMaximumGroup) << "a load or a configuration, with the configurations behind it";
}

// In a ring, at most 15 consecutive instructions of a run do not ask for a completion. At most 8 runs share a ring, so 120 such
// instructions may come together. A ring has 256 slots. So a full ring always holds an instruction that will report its end
// (docs/scheduler.md, Room in the rings).
TEST(Plan, OneOfSixteenInstructionsAsksForACompletion) {
  TaskText text = copy_task();
  text.code.insert(text.code.begin() + kLoadConfiguration, 100, text.code[kLoadConfiguration]);
  const Task task(text);
  unsigned silent = 0, most = 0;
  for (const isa::tile::MachineCode &code : task.loaded.plan().lanes[static_cast<unsigned>(Class::LD)].code) {
    silent = isa::tile::completion_of(code) ? 0 : silent + 1;
    most = std::max(most, silent);
  }
  EXPECT_EQ(most, firmware::plan::kCompletionInterval - 1);
  EXPECT_EQ(silent, 0U) << "the last instruction asks for one";
}

TEST_F(OneCore, TasksRunSideBySide) {
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

TEST_F(OneCore, WhatTwoTasksBothWantIsRefused) {
  Task one(copy_task(0, 10)), same_blocks(copy_task(10, 20)), other(copy_task(11, 20));
  const unsigned context = start(one);
  const auto refused = scheduler.start(same_blocks.loaded, same_blocks.windows);
  EXPECT_EQ(refused.status().code(), ErrorCode::no_room);
  EXPECT_STREQ(refused.status().what(), "L2");
  const auto overlap = scheduler.start(other.loaded, one.windows);
  EXPECT_EQ(overlap.status().code(), ErrorCode::window_overlap);
  EXPECT_EQ(scheduler.start(one.loaded, one.windows).status().code(), ErrorCode::no_room);
  const unsigned second = start(other);
  EXPECT_TRUE(wait(second).status.ok());
  EXPECT_TRUE(wait(context).status.ok());
  EXPECT_TRUE(wait(start(same_blocks)).status.ok());
}

TEST_F(OneCore, ContextsRunOut) {
  device.duration = [](unsigned, const auto &) { return FakeDevice::kNever; };
  std::deque<Task> tasks;
  for (unsigned i = 0; i < 9; ++i) tasks.emplace_back(copy_task(i, i));
  for (unsigned i = 0; i < 8; ++i) start(tasks[i], {.time_limit_us = 1000});
  const auto refused = scheduler.start(tasks[8].loaded, tasks[8].windows);
  EXPECT_EQ(refused.status().code(), ErrorCode::no_room);
  EXPECT_STREQ(refused.status().what(), "contexts");
  for (unsigned i = 0; i < 8; ++i) EXPECT_FALSE(wait(i).status.ok());
}

TEST_F(OneCore, BadWindowsAreRefusedBeforeAnythingIsTouched) {
  Task task(copy_task());
  std::array<hal::Window, hal::kWindows> none{};
  EXPECT_EQ(scheduler.start(task.loaded, none).status().code(), ErrorCode::window_missing);
  std::array<hal::Window, hal::kWindows> small = task.windows;
  small[0].bytes = 255;
  EXPECT_EQ(scheduler.start(task.loaded, small).status().code(), ErrorCode::window_too_small);
  EXPECT_EQ(scheduler.start(LoadedTask{}, task.windows).status().code(), ErrorCode::invalid_argument);
  EXPECT_TRUE(device.executed.empty());
  EXPECT_EQ(scheduler.wait(0).status().code(), ErrorCode::invalid_argument);
  EXPECT_EQ(scheduler.wait(99).status().code(), ErrorCode::invalid_argument);
}

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
    // The move waits for the load on the other core, and the store waits for the moved data.
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

TEST(SchedulerStart, AnUnknownDeviceIsRefused) {
  FakeDevice device;
  device.id = 0x12345678;
  Scheduler scheduler;
  hal::Accelerator accelerator;
  EXPECT_EQ(accelerator.open().code(), ErrorCode::unknown_device);
  EXPECT_EQ(scheduler.initialise(accelerator).code(), ErrorCode::not_ready);
  Task task(copy_task());
  EXPECT_EQ(scheduler.start(task.loaded, task.windows).status().code(), ErrorCode::not_ready);
}

TEST(SchedulerStart, TooLittleQueueMemoryIsRefused) {
  FakeDevice device;
  Scheduler scheduler;
  hal::Accelerator accelerator;
  ASSERT_TRUE(accelerator.open(device.queue_memory().first(1024)).ok());
  EXPECT_STREQ(scheduler.initialise(accelerator).what(), "queue memory");
  ASSERT_TRUE(accelerator.open().ok());
  EXPECT_TRUE(scheduler.initialise(accelerator).ok()) << "a refusal leaves nothing behind";
}

}  // namespace
}  // namespace cox::tests
