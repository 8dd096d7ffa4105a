// SPDX-License-Identifier: MIT
// A scheduler on a scripted device, and a check that the device executed the instructions of the task.
#pragma once

#include <gmock/gmock.h>

#include <array>
#include <deque>
#include <memory>
#include <vector>

#include "coxswain/firmware/schedule/scheduler.h"
#include "tests/firmware/fake_device.h"
#include "tests/firmware/scheduled_tasks.h"

namespace cox::tests {

/// A loaded task with windows of its own.
struct Task {
  explicit Task(const TaskText &text)
      : image(text), workspace(firmware::image::workspace_bytes(text.code.size(), text.tile_cores) / 8 + 1) {
    firmware::image::DeviceGeometry geometry = firmware::image::reference_geometry();
    geometry.cores = FakeDevice::kMostCores;
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
  firmware::image::LoadedTask loaded;
  std::array<hal::Window, hal::kWindows> windows{};
};

/// Expects that the device executed the context's instructions of each class in the order in which `text` has them. No instruction may have
/// started before its tokens were given.
inline void expect_in_order(const FakeDevice &device, unsigned context, const TaskText &text) {
  std::array<std::deque<isa::tile::MachineCode>, isa::tile::kClasses> wanted;
  for (const isa::tile::MachineCode &code : text.code)
    wanted[static_cast<unsigned>(isa::tile::find_instruction(isa::tile::opcode_of(code))->queue)].push_back(code);
  std::array<std::array<std::deque<std::uint64_t>, isa::tile::kClasses>, isa::tile::kClasses> tokens;
  std::vector<Executed> all;
  for (const Executed &each : device.executed) {
    if (each.context == context) all.push_back(each);
  }
  ASSERT_EQ(all.size(), text.code.size());
  for (const Executed &each : all) {
    ASSERT_FALSE(wanted[each.queue % isa::tile::kClasses].empty());
    isa::tile::MachineCode code = each.code;
    isa::insert_bits(code, isa::tile::kContextBit, 8, 0);
    isa::insert_bits(code, isa::tile::kCompletionBit, 1, 0);
    ASSERT_EQ(code, wanted[each.queue % isa::tile::kClasses].front());
    wanted[each.queue % isa::tile::kClasses].pop_front();
    for (unsigned to = 0; to < isa::tile::kClasses; ++to) {
      if ((isa::tile::next_of(code) >> to & 1) != 0) tokens[each.queue % isa::tile::kClasses][to].push_back(each.end);
    }
  }
  for (const Executed &each : all) {
    for (unsigned from = 0; from < isa::tile::kClasses; ++from) {
      if ((isa::tile::previous_of(each.code) >> from & 1) == 0) continue;
      ASSERT_FALSE(tokens[from][each.queue % isa::tile::kClasses].empty());
      EXPECT_GE(each.start, tokens[from][each.queue % isa::tile::kClasses].front());
      tokens[from][each.queue % isa::tile::kClasses].pop_front();
    }
  }
}

class SchedulerFixture : public testing::Test {
 protected:
  explicit SchedulerFixture(unsigned cores) : device(cores) {}
  void SetUp() override {
    ASSERT_TRUE(accelerator.open().ok());
    const Status status = scheduler.initialise(accelerator);
    ASSERT_TRUE(status.ok()) << status.what();
  }
  void TearDown() override { EXPECT_THAT(device.violations, testing::IsEmpty()); }
  unsigned start(Task &task, const firmware::schedule::RunOptions &options = {}) {
    const auto context = scheduler.start(task.loaded, task.windows, options);
    EXPECT_TRUE(context.ok()) << error_name(context.status().code()) << " " << context.status().what();
    return context.ok() ? context.value() : 0;
  }
  firmware::schedule::RunReport wait(unsigned context) {
    const auto report = scheduler.wait(context);
    EXPECT_TRUE(report.ok());
    return report.ok() ? report.value() : firmware::schedule::RunReport{};
  }
  void expect_runs(Task &task, const TaskText &text) {
    device.executed.clear();
    const unsigned context = start(task);
    EXPECT_EQ(wait(context).status.code(), ErrorCode::ok);
    expect_in_order(device, context, text);
  }

  FakeDevice device;
  hal::Accelerator accelerator;
  std::unique_ptr<firmware::schedule::Scheduler> memory = std::make_unique<firmware::schedule::Scheduler>();
  firmware::schedule::Scheduler &scheduler = *memory;
};

class OneCore : public SchedulerFixture {
 protected:
  OneCore() : SchedulerFixture(1) {}
};

class FourCores : public SchedulerFixture {
 protected:
  FourCores() : SchedulerFixture(4) {}
  void TearDown() override {
    SchedulerFixture::TearDown();
    EXPECT_EQ(device.clocks & 0xF, 0U) << "nothing runs";
  }
};

}  // namespace cox::tests
