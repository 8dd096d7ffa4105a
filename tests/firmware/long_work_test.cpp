// SPDX-License-Identifier: MIT
// What goes on while an image is loaded (docs/jobs.md, Long work).
#include "tests/firmware/job_ring.h"

namespace cox::tests {
namespace {

// The copy so many times over, each after the one before.
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

constexpr std::uint8_t kLoads = 0, kOther = 1;  // owners

class LongWorkTest : public JobRing {
 protected:
  void SetUp() override {
    add(load_job(copy_task(0, 99), 1, kOther));
    job = load_job(copies(1000, 100, 199), 0, kLoads);
    long_load = add(job);
    // A pause: the device goes on, and then does what the test says.
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

  Descriptor job;  ///< the long load
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
      submit(run_job(0, kLoads));
      load = jobs_;
      submit(load_job(copy_task(200, 299), 2, kOther));
      again = jobs_;
      submit(run_job(0, kOther));  // of the slot that is being filled
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
      Descriptor stuck = run_job(1, kOther);
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
      Descriptor run = run_job(1, kOther);
      run.windows[0].address = address;
      refused.push_back(jobs_);
      submit(run);
      Descriptor reading = simple_job(Kind::read_faults, kOther, 0);
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
    submit(simple_job(Kind::cancel, kLoads, static_cast<std::uint32_t>(long_load)));
    run = jobs_;
    submit(run_job(0, kLoads));
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
  EXPECT_EQ(outcome(long_load).state, State::running) << "no descriptor is touched any more";
}

TEST(Pause, ComesAfterSoMuchWorkAndIsTakenUntilItGivesUp) {
  using firmware::verify::kPauseInterval;
  using firmware::verify::Pause;
  unsigned taken = 0;
  Pause pause([](void *count) { return ++*static_cast<unsigned *>(count) < 3; }, &taken);
  for (int i = 1; i < 10; ++i) EXPECT_TRUE(pause.after(kPauseInterval / 10));
  EXPECT_EQ(taken, 0U);
  EXPECT_TRUE(pause.after(kPauseInterval / 10));
  EXPECT_EQ(taken, 1U);
  EXPECT_TRUE(pause.after(2 * kPauseInterval));
  EXPECT_TRUE(pause.after(kPauseInterval - 1));
  EXPECT_FALSE(pause.after(1));
  EXPECT_TRUE(pause.given_up());
  EXPECT_FALSE(pause.after(kPauseInterval));
  EXPECT_EQ(taken, 3U) << "nobody is asked any more";
  Pause none;
  EXPECT_TRUE(none.after(2 * kPauseInterval));
  EXPECT_FALSE(none.given_up());
}

}  // namespace
}  // namespace cox::tests
