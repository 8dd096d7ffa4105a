// SPDX-License-Identifier: MIT
#include "tools/run/jobs/inference_plan.h"

#include <gmock/gmock.h>

#include <algorithm>

#include "coxswain/firmware/image/image_header.h"
#include "tests/tools/run/small_task.h"
#include "tools/command/failure.h"
#include "tools/run/boards/board.h"
#include "tools/run/tile/task_program.h"

namespace cox::tools::run {
namespace {

using firmware::job::Descriptor;
using firmware::job::Header;
using firmware::job::Request;
using testing::AllOf;
using testing::HasSubstr;

Workload workload_of(task::Task task, std::size_t inferences) {
  Workload workload;
  workload.program = program_of(std::move(task));
  workload.inferences = inferences;
  workload.inputs[0] = counting(128 * inferences);
  return workload;
}

std::span<std::byte> memory_of(std::vector<std::byte> &memory, std::uint64_t address, std::uint64_t size) {
  return std::span(memory).subspan(address - kDramBase, size);
}

bool same(std::span<const std::byte> memory, std::span<const std::uint8_t> bytes) {
  return std::ranges::equal(memory, std::as_bytes(bytes));
}

TEST(InferencePlan, EachInferenceHasItsOwnWindowAndInput) {
  const Workload workload = workload_of(copy_task(), 3);
  InferencePlan plan(workload, 0, 3, 1234);
  std::vector<std::byte> dram(plan.bytes());
  plan.fill(dram);

  const Header &header = *reinterpret_cast<const Header *>(dram.data());
  EXPECT_EQ(header.magic, firmware::job::kMagic);
  EXPECT_EQ(header.version, firmware::job::kVersion);
  EXPECT_EQ(header.submitted, 5U);  // the load, three runs, and the job that reads faults
  EXPECT_GE(header.capacity, 5U);
  EXPECT_EQ(header.flags, firmware::job::kExitWhenDone);

  const Request &load = plan.load_job();
  EXPECT_EQ(load.kind, firmware::job::Kind::load);
  EXPECT_EQ(load.state, firmware::job::State::submitted);
  EXPECT_TRUE(same(memory_of(dram, load.image_address, load.image_bytes), workload.program->interface().image));
  EXPECT_EQ((load.image_address + sizeof(firmware::image::ImageHeader)) % 64, 0U);
  EXPECT_EQ(load.workspace_address % 64, 0U);

  std::vector<std::pair<std::uint64_t, std::uint64_t>> regions{{load.image_address, load.image_bytes},
                                                               {load.workspace_address, load.workspace_bytes}};
  for (std::size_t i = 0; i < 3; ++i) {
    const Request &run = plan.run_job(i);
    EXPECT_EQ(run.kind, firmware::job::Kind::run);
    EXPECT_EQ(run.time_limit_us, 1234U);
    EXPECT_EQ(run.windows[0].size, 256U);
    EXPECT_EQ(run.windows[0].address % 64, 0U);
    EXPECT_EQ(run.windows[1].size, 0U);
    EXPECT_TRUE(same(memory_of(dram, run.windows[0].address, 128), std::span(workload.inputs.at(0)).subspan(128 * i, 128)));
    regions.emplace_back(run.windows[0].address, run.windows[0].size);
  }
  std::ranges::sort(regions);
  EXPECT_GE(regions[0].first, kDramBase + sizeof(Header) + 5 * sizeof(Descriptor));
  for (std::size_t i = 1; i < regions.size(); ++i) EXPECT_GE(regions[i].first, regions[i - 1].first + regions[i - 1].second);
}

TEST(InferencePlan, ReadsCountersUnlessItIsTold) {
  const Workload workload = workload_of(copy_task(), 3);
  const auto flags = [&workload](bool counters) {
    const InferencePlan plan(workload, 0, 3, 0, {.counters = counters});
    return plan.run_job(1).flags;
  };
  EXPECT_EQ(flags(true), std::uint32_t{firmware::job::kReadCounters});
  EXPECT_EQ(flags(false), 0U);
}

TEST(InferencePlan, OutputsAreReadWhereTheWindowLies) {
  const Workload workload = workload_of(copy_task(), 2);
  InferencePlan plan(workload, 0, 2, 0);
  std::vector<std::byte> dram(plan.bytes());
  plan.fill(dram);
  memory_of(dram, plan.run_job(1).windows[0].address + 128, 128)[5] = std::byte{99};
  EXPECT_EQ(plan.tensor(1, workload.program->tensors()[1])[5], std::byte{99});
  EXPECT_EQ(plan.tensor(0, workload.program->tensors()[1])[5], std::byte{0});
}

TEST(InferencePlan, ALaterChunkTakesLaterInputs) {
  const Workload workload = workload_of(copy_task(), 5);
  InferencePlan plan(workload, 3, 2, 0);
  std::vector<std::byte> dram(plan.bytes());
  plan.fill(dram);
  EXPECT_TRUE(same(plan.tensor(1, workload.program->tensors()[0]), std::span(workload.inputs.at(0)).subspan(4 * 128, 128)));
}

TEST(InferencePlan, AConstantThatIsTheWholeOfAReadOnlyWindowStaysInTheImage) {
  task::Task task = copy_task();
  task.windows.push_back({.index = 1, .size = 64, .writable = false});
  task.constants.push_back({.window = 1, .offset = 0, .data = counting(64)});
  const Workload workload = workload_of(task, 1);
  InferencePlan plan(workload, 0, 1, 0);
  std::vector<std::byte> dram(plan.bytes());
  plan.fill(dram);
  EXPECT_EQ(plan.run_job(0).windows[1].size, 0U);
}

TEST(InferencePlan, AReadOnlyWindowWithOtherConstantsIsThereOnce) {
  task::Task task = copy_task();
  task.windows.push_back({.index = 1, .size = 96, .writable = false});
  task.constants.push_back({.window = 1, .offset = 32, .data = counting(64)});
  const Workload workload = workload_of(task, 2);
  InferencePlan plan(workload, 0, 2, 0);
  std::vector<std::byte> dram(plan.bytes());
  plan.fill(dram);
  const firmware::job::Window &window = plan.run_job(0).windows[1];
  EXPECT_EQ(window.size, 96U);
  EXPECT_EQ(plan.run_job(1).windows[1].address, window.address);
}

TEST(InferencePlan, ContentsOfAWindowStandInEveryInferencesOwn) {
  Workload workload = workload_of(copy_task(), 2);
  workload.contents[0] = counting(200, 100);
  InferencePlan plan(workload, 0, 2, 0);
  std::vector<std::byte> dram(plan.bytes());
  plan.fill(dram);
  for (std::size_t i = 0; i < 2; ++i) {
    const std::uint64_t window = plan.run_job(i).windows[0].address;
    EXPECT_TRUE(same(memory_of(dram, window, 128), std::span(workload.inputs.at(0)).subspan(128 * i, 128)));  // the input comes first
    EXPECT_TRUE(same(memory_of(dram, window + 128, 72), std::span(workload.contents.at(0)).subspan(128)));
  }
}

TEST(InferencePlan, AReadOnlyWindowWithAnInputForEachInferenceIsNotShared) {
  task::Task task = copy_task();
  task.windows.push_back({.index = 2, .size = 128, .writable = false});
  task.tensors[0].window = 2;
  const Workload workload = workload_of(task, 2);
  InferencePlan plan(workload, 0, 2, 0);
  std::vector<std::byte> dram(plan.bytes());
  plan.fill(dram);
  EXPECT_NE(plan.run_job(0).windows[2].address, plan.run_job(1).windows[2].address);
  EXPECT_TRUE(same(plan.tensor(1, workload.program->tensors()[0]), std::span(workload.inputs.at(0)).subspan(128, 128)));
}

TEST(InferencesThatFit, AsManyAsThereAreOrAsMemoryHolds) {
  const Workload workload = workload_of(copy_task(), 100);
  EXPECT_EQ(inferences_that_fit(workload, 0, kDramDefaultBytes), 100U);
  EXPECT_EQ(inferences_that_fit(workload, 97, kDramDefaultBytes), 3U);
  const std::uint64_t room_for_10 = InferencePlan(workload, 0, 10, 0).bytes();
  const std::size_t fit = inferences_that_fit(workload, 0, room_for_10);
  EXPECT_GE(fit, 9U);  // may be one less than 10, because the function adds room for alignment to each inference
  EXPECT_LE(fit, 10U);
  EXPECT_LE(InferencePlan(workload, 0, fit, 0).bytes(), room_for_10);
}

TEST(InferencesThatFit, NoRoomNamesWhatIsNeededAndWhatIsThere) {
  task::Task task = copy_task();
  task.windows[0].size = std::uint64_t{2} << 30;
  const Workload workload = workload_of(task, 1);
  try {
    static_cast<void>(inferences_that_fit(workload, 0, kDramLargestBytes));
    FAIL() << "2 GiB fit into 1 GiB";
  } catch (const Failure &failure) {
    EXPECT_EQ(failure.code(), ExitCode::failed);
    EXPECT_THAT(failure.what(), AllOf(HasSubstr("no room in DRAM"), HasSubstr("2147"), HasSubstr("at most 1073741824")));
  }
}

TEST(JobMemory, RefusesWhatDoesNotFit) {
  JobMemory memory(kDramBase, 1);
  static_cast<void>(memory.add(Request{}));
  EXPECT_THROW(static_cast<void>(memory.add(Request{})), std::length_error);
  std::vector<std::byte> dram(memory.bytes());
  EXPECT_THROW(memory.attach(std::span(dram).first(dram.size() - 1)), std::length_error);
  memory.attach(dram);
  EXPECT_THROW(static_cast<void>(memory.at(kDramBase - 1, 1)), std::out_of_range);
  EXPECT_THROW(static_cast<void>(memory.at(kDramBase + dram.size(), 1)), std::out_of_range);
  EXPECT_THROW(static_cast<void>(memory.at(kDramBase, UINT64_MAX)), std::out_of_range);
}

}  // namespace
}  // namespace cox::tools::run
