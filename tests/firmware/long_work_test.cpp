// SPDX-License-Identifier: MIT
// Work that continues while an image is loaded (docs/jobs.md, Long work).
#include <algorithm>
#include <cstring>

#include "coxswain/firmware/load/load.h"
#include "coxswain/firmware/schedule/bindings.h"
#include "coxswain/hal/fault_log.h"
#include "tests/firmware/job_ring.h"

namespace cox::tests {
namespace {

// Returns a task that repeats the copy `times` times in sequence.
TaskText copies(unsigned times, std::int64_t first, std::int64_t last) {
  TaskText text = copy_task(first, last);
  isa::tile::MachineCode load = text.code[kLoad];
  isa::insert_bits(load, isa::tile::kPreviousBit, isa::tile::kClasses, bit(isa::tile::Class::ST));
  const isa::tile::MachineCode end_of_all = text.code[kStore];
  isa::tile::MachineCode store = end_of_all;
  isa::insert_bits(store, isa::tile::kNextBit, isa::tile::kClasses, bit(isa::tile::Class::LD));
  text.code.resize(kStore);
  for (unsigned i = 1; i < times; ++i) text.code.insert(text.code.end(), {store, load});
  text.code.insert(text.code.end(), {end_of_all, copy_task().code[kEnd]});
  return text;
}

constexpr std::uint8_t kLoader = 0, kOther = 1;  // owners

class LongWorkTest : public JobRing {
 protected:
  void SetUp() override {
    add(load_job(copy_task(0, 99), 1, kOther));
    job = load_job(copies(1000, 100, 199), 0, kLoader);
    long_load = add(job);
    // The firmware feeds the watchdog between two steps of the load, in a pause. Then the device advances to its next event, and in_pause()
    // does what the test asks for.
    device.on_feed = [this] {
      if (outcome(long_load).state != State::running) return;
      const bool before = board::mask_interrupts();
      device.wait();
      board::restore_interrupts(before);
      ++pauses;
      in_pause(pauses);
    };
  }
  [[nodiscard]] bool is_done(std::size_t number) { return outcome(number).state == State::done; }

  Request job;  ///< the long load
  std::size_t long_load = 0;
  unsigned pauses = 0;
  std::function<void(unsigned)> in_pause = [](unsigned) {};
};

TEST_F(LongWorkTest, OtherOwnersRunAndTheOwnersOwnJobsWait) {
  std::size_t run = 0, own = 0, load = 0, again = 0;
  bool ended = false, in_order = true;
  in_pause = [&](unsigned pause) {
    if (pause == 1) {
      run = jobs_;
      submit(run_job(1, kOther));
      own = jobs_;
      submit(run_job(0, kLoader));
      load = jobs_;
      submit(load_job(copy_task(200, 299), 2, kOther));
      again = jobs_;
      submit(run_job(0, kOther));  // uses the slot that the load is filling
      return;
    }
    ended = ended || is_done(run);
    for (const std::size_t later : {own, load, again}) in_order = in_order && outcome(later).state == State::submitted;
  };
  EXPECT_EQ(serve(), 0);
  EXPECT_GT(pauses, 10U);
  EXPECT_TRUE(ended) << "before the load";
  EXPECT_TRUE(in_order);
  for (const std::size_t good : {long_load, run, own, load}) expect(good, ErrorCode::ok);
  expect(again, ErrorCode::not_owner, "task_slot");
  EXPECT_TRUE(device.violations.empty());
}

TEST_F(LongWorkTest, ATimeLimitFires) {
  device.duration = [](unsigned queue, const auto &) {
    return queue == static_cast<unsigned>(isa::tile::Class::ST) ? FakeDevice::kNever : std::uint64_t{100};
  };
  std::size_t run = 0;
  bool ended = false;
  in_pause = [&](unsigned pause) {
    if (pause == 1) {
      Request stuck = run_job(1, kOther);
      stuck.time_limit_us = 100;
      run = jobs_;
      submit(stuck);
      return;
    }
    ended = ended || is_done(run);
  };
  EXPECT_EQ(serve(), 0);
  EXPECT_TRUE(ended) << "before the load";
  expect(run, ErrorCode::time_limit, "ST");
  expect(long_load, ErrorCode::ok);
}

TEST_F(LongWorkTest, NobodyWritesWhatIsChecked) {
  std::vector<std::size_t> refused;
  in_pause = [&](unsigned pause) {
    if (pause != 1) return;
    for (const std::uint64_t address : {(job.image_address + 15) / 16 * 16, job.workspace_address + job.workspace_bytes / 64 * 32}) {
      Request run = run_job(1, kOther);
      run.windows[0].address = address;
      refused.push_back(jobs_);
      submit(run);
      Request reading = simple_job(Kind::read_faults, kOther, 0);
      reading.windows[0] = {address, 256};
      refused.push_back(jobs_);
      submit(reading);
    }
  };
  EXPECT_EQ(serve(), 0);
  ASSERT_EQ(refused.size(), 4U);
  for (const std::size_t number : refused) expect(number, ErrorCode::window_overlap, "windows");
  expect(long_load, ErrorCode::ok);
}

TEST_F(LongWorkTest, ItsOwnerCancelsIt) {
  std::size_t others = 0, cancel = 0, run = 0;
  in_pause = [&](unsigned pause) {
    if (pause != 1) return;
    others = jobs_;
    submit(simple_job(Kind::cancel, kOther, static_cast<std::uint32_t>(long_load)));
    cancel = jobs_;
    submit(simple_job(Kind::cancel, kLoader, static_cast<std::uint32_t>(long_load)));
    run = jobs_;
    submit(run_job(0, kLoader));
  };
  EXPECT_EQ(serve(), 0);
  EXPECT_LE(pauses, 2U);
  expect(others, ErrorCode::not_owner, "argument");
  expect(cancel, ErrorCode::ok);
  expect(long_load, ErrorCode::cancelled, "job");
  expect(run, ErrorCode::not_ready, "task_slot");
}

TEST_F(LongWorkTest, ARingThatCannotBeEndsIt) {
  in_pause = [&](unsigned pause) {
    if (pause != 1) return;
    const std::uint32_t submitted = 1000;
    std::memcpy(dram() + offsetof(Header, submitted), &submitted, sizeof(submitted));
  };
  EXPECT_EQ(serve(), 1);
  EXPECT_LE(pauses, 2U);
  EXPECT_EQ(header().firmware_state, 3U);
  EXPECT_EQ(outcome(long_load).state, State::running) << "no further descriptor may be written";
}

/// Returns the number of steps of a load that succeeds.
unsigned steps_of(Image image, std::size_t instructions) {
  std::vector<std::uint64_t> workspace(firmware::image::workspace_bytes(instructions) / 8 + 1);
  firmware::load::Load load;
  load.begin(image.bytes(), firmware::image::reference_geometry(), std::as_writable_bytes(std::span(workspace)));
  unsigned steps = 1;
  while (load.step()) ++steps;
  const Status &status = load.status();
  EXPECT_TRUE(status.ok()) << error_name(status.code()) << " " << status.what() << " " << status.index();
  return steps;
}

// A step must also end while the loader reads long lists of tensors or constants. Two passes over a list take 1,200 instructions of the
// control core for each entry. The test calculates with 1,150, to have a margin.
// count() leaves out the steps of the checksum, which takes one instruction for each byte.
TEST(Steps, EndInListsOfTables) {
  constexpr unsigned kTables = 16'000;
  const auto count = [](const TaskText &text) {
    Image image(text);
    const std::size_t bytes = image.bytes().size();
    return steps_of(std::move(image), text.code.size()) - bytes / firmware::load::kStepInstructions;
  };
  TaskText text = copy_task();
  text.tensors.resize(kTables, text.tensors[0]);
  EXPECT_GE(count(text), kTables * 1150ULL / firmware::load::kStepInstructions);
  text = copy_task();
  text.constants = {{0, 0, {}}};
  text.constants.resize(kTables, {0, 0, {}, true});
  EXPECT_GE(count(text), kTables * 1150ULL / firmware::load::kStepInstructions);
}

/// Returns a task with `times` loads, then as many stores, and one token from the loads to the stores. Each load gives the next one a
/// token. The last load gives the token if `given_late`, otherwise the first. The last store takes it if `taken_late`, otherwise the first.
TaskText lopsided(unsigned times, bool given_late, bool taken_late) {
  using isa::tile::Class;
  const auto with = [](isa::tile::MachineCode code, std::uint32_t previous, std::uint32_t next) {
    isa::insert_bits(code, isa::tile::kPreviousBit, isa::tile::kClasses, previous);
    isa::insert_bits(code, isa::tile::kNextBit, isa::tile::kClasses, next);
    return code;
  };
  TaskText text = copy_task();
  const std::vector<isa::tile::MachineCode> once = text.code;
  text.code = {once[kStart], with(once[kCut], 0, bit(Class::LD) | bit(Class::ST)), once[kLoadConfiguration]};
  text.code.push_back(with(once[kLoad], bit(Class::CT), bit(Class::LD) | (given_late ? 0 : bit(Class::ST))));
  text.code.insert(text.code.end(), times, with(once[kLoad], bit(Class::LD), bit(Class::LD)));
  text.code.push_back(with(once[kLoad], bit(Class::LD), given_late ? bit(Class::ST) : 0));
  text.code.push_back(once[kStoreConfiguration]);
  text.code.push_back(with(once[kStore], bit(Class::CT) | (taken_late ? 0 : bit(Class::LD)), 0));
  text.code.insert(text.code.end(), times, with(once[kStore], 0, 0));
  text.code.push_back(with(once[kStore], taken_late ? bit(Class::LD) : 0, bit(Class::CT)));
  text.code.push_back(once[kEnd]);
  return text;
}

// The search for the taker of a token skips instructions that do not take it. The control core executes 6 instructions to skip one. There
// is no search for the giver.
TEST(Steps, EndWhereATakerIsFarAway) {
  constexpr unsigned kTimes = 30'000;
  const auto count = [](bool given_late, bool taken_late) {
    const TaskText text = lopsided(kTimes, given_late, taken_late);
    return steps_of(Image(text), text.code.size());
  };
  const unsigned near = count(false, false);
  EXPECT_LE(count(true, false), near + 1);
  EXPECT_GE(count(false, true), near + kTimes * 6 / firmware::load::kStepInstructions);
}

// The firmware feeds the watchdog while it writes constants. It writes only inside the windows, even if the image changes meanwhile.
TEST(Constants, ArePlacedInPieces) {
  FakeDevice device;
  constexpr std::uint64_t kSize = 200 << 10, kOffset = 0x1238;
  TaskText text = copy_task();
  text.windows = {{0, kSize + kOffset, true}};
  std::vector<std::uint8_t> data(kSize);
  for (std::size_t i = 0; i < kSize; ++i) data[i] = static_cast<std::uint8_t>(i * 37 >> 4);
  const auto middle = data.begin() + kSize / 2;
  text.constants = {{0, kOffset, {data.begin(), middle}}, {0, kOffset + kSize / 2, {middle, data.end()}}};
  Image image(text);
  std::vector<std::uint64_t> workspace(2 << 10);
  const auto loaded =
      firmware::image::load(image.bytes(), firmware::image::reference_geometry(), std::as_writable_bytes(std::span(workspace)));
  ASSERT_TRUE(loaded.ok());
  std::vector<std::uint8_t> memory(kOffset + 2 * kSize);
  std::array<hal::Window, hal::kWindows> windows{};
  windows[0] = {reinterpret_cast<std::uintptr_t>(memory.data()), kOffset + kSize, true, true};
  const auto place_constants = [&] {
    firmware::schedule::ConstantCopy copy(loaded.value(), windows);
    while (copy.step()) {
    }
  };
  place_constants();
  EXPECT_EQ(device.feeds, 4U);
  EXPECT_TRUE(std::equal(data.begin(), data.end(), memory.begin() + kOffset));
  EXPECT_TRUE(std::all_of(memory.begin() + kOffset + kSize, memory.end(), [](std::uint8_t byte) { return byte == 0; }));

  unsigned changed = 0;
  for (std::size_t at = 0; at + sizeof(kOffset) <= image.bytes().size(); at += 4) {
    if (std::memcmp(&image.bytes()[at], &kOffset, sizeof(kOffset)) != 0) continue;
    constexpr std::uint64_t kOutside = kOffset + kSize / 2 + 8;
    std::memcpy(&image.bytes()[at], &kOutside, sizeof(kOutside));
    ++changed;
  }
  ASSERT_EQ(changed, 1U);
  const std::vector<std::uint8_t> before = memory;
  place_constants();
  EXPECT_EQ(memory, before);
}

class PlacingTest : public JobRing {};

TEST_F(PlacingTest, TimeLimitsAreLookedAt) {
  add(load_job(copy_task(0, 99), 0, 0));
  TaskText text = copy_task(100, 199);
  text.windows[0].size = 300 << 10;
  text.constants = {{0, 0, std::vector<std::uint8_t>(300 << 10, 5)}};
  add(load_job(text, 1, 1));
  Request job = run_job(0, 0);
  job.time_limit_us = 100;
  const std::size_t stuck = add(job);
  job = run_job(1, 1);
  job.windows[0] = {address(reserve(300 << 10)), 300 << 10};
  const std::size_t placed = add(job);
  const std::byte *constant = seen(job.windows[0].address);
  device.duration = [](unsigned, const auto &) { return FakeDevice::kNever; };
  const std::uint32_t faults = hal::fault_log::count();
  bool noticed = false;
  device.on_feed = [&] {
    if (constant[0] != std::byte{5} || constant[(300 << 10) - 1] == std::byte{5}) return;
    const bool before = board::mask_interrupts();
    for (unsigned tick = 0; tick < 3; ++tick) device.wait();
    board::restore_interrupts(before);
    device.duration = [](unsigned, const auto &) { return 100; };
    noticed = noticed || hal::fault_log::count() != faults;
  };
  EXPECT_EQ(serve(), 0);
  EXPECT_TRUE(noticed) << "the core was lost while constants were copied";
  EXPECT_EQ(outcome(stuck).error, static_cast<std::uint32_t>(ErrorCode::time_limit));
  expect(placed, ErrorCode::ok);
}

// A load in steps that end after each piece of work proves the same, and makes the same plan, as a load in long steps.
TEST(Steps, MayEndAnywhere) {
  const TaskText text = copies(100, 0, 99);
  Image image(text);
  const std::size_t bytes = firmware::image::workspace_bytes(text.code.size());
  std::vector<std::uint64_t> whole(bytes / 8 + 1), pieces(bytes / 8 + 1);
  const auto loaded = firmware::image::load(image.bytes(), firmware::image::reference_geometry(), std::as_writable_bytes(std::span(whole)));
  ASSERT_TRUE(loaded.ok());
  firmware::load::Load load;
  const auto begin = [&] { load.begin(image.bytes(), firmware::image::reference_geometry(), std::as_writable_bytes(std::span(pieces))); };
  begin();
  unsigned steps = 1;
  while (load.step(1)) ++steps;
  EXPECT_GT(steps, 4 * text.code.size());
  // A load that was given up anywhere does not disturb the next one.
  for (unsigned given_up = 1; given_up < steps; given_up += steps / 20) {
    begin();
    for (unsigned step = 0; step < given_up; ++step) ASSERT_TRUE(load.step(1));
    ASSERT_FALSE(load.done());
    begin();
    while (load.step(1)) {
    }
    ASSERT_TRUE(load.status().ok());
    const firmware::image::LoadedTask task = load.task();
    const firmware::plan::Plan &plan = task.plan();
    const firmware::plan::Plan &expected = loaded.value().plan();
    ASSERT_TRUE(std::ranges::equal(plan.code, expected.code));
    EXPECT_EQ(plan.sinks, expected.sinks);
    ASSERT_EQ(plan.groups.size(), expected.groups.size());
    for (std::size_t i = 0; i < plan.groups.size(); ++i) {
      EXPECT_EQ(plan.groups[i].size, expected.groups[i].size) << i;
      EXPECT_EQ(plan.groups[i].initial, expected.groups[i].initial) << i;
    }
    ASSERT_EQ(plan.lanes.size(), expected.lanes.size());
    for (std::size_t lane = 0; lane < plan.lanes.size(); ++lane) {
      ASSERT_EQ(plan.lanes[lane].wakes.size(), expected.lanes[lane].wakes.size()) << lane;
      EXPECT_EQ(std::memcmp(plan.lanes[lane].wakes.data(), expected.lanes[lane].wakes.data(), plan.lanes[lane].wakes.size_bytes()), 0)
          << lane;
    }
  }
}

}  // namespace
}  // namespace cox::tests
