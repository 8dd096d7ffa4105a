// SPDX-License-Identifier: MIT
// Jobs of programs of streams, from the ring, on the native board with the accelerator's model.
#include <gmock/gmock.h>

#include <algorithm>
#include <cstring>
#include <string>

#include "coxswain/firmware/schedule/wake_flag.h"
#include "coxswain/hal/bus.h"
#include "coxswain/hal/fault_log.h"
#include "coxswain/isa/numbers/mx9_block.h"
#include "tests/firmware/scheduled_tasks.h"
#include "tests/firmware/stream_jobs_fixture.h"
#include "tests/firmware/stream_programs.h"
#include "tests/sim/pim/programs.h"

namespace cox::tests {
namespace {

TEST_F(StreamJobs, AnMxProgramRunsOnEachRunsWindows) {
  boot();
  const TaskText text = sum_program(2);
  load(text, 3);
  std::vector<Request> runs;
  for (unsigned i = 0; i < 3; ++i) {
    runs.push_back(run_request(text, 3));
    fill_sum(runs.back(), i);
    add(runs.back());
  }
  serve_all();
  for (std::size_t i = 0; i <= runs.size(); ++i) expect(i, ErrorCode::ok);
  for (unsigned i = 0; i < runs.size(); ++i) expect_sum(runs[i], i);
  EXPECT_EQ(outcome(1).accelerator_instructions, 3U);
  EXPECT_EQ(outcome(1).cores, 0);
  EXPECT_LT(outcome(1).start_cycle, outcome(1).end_cycle);
  EXPECT_GE(outcome(2).start_cycle, outcome(1).end_cycle) << "an engine runs one program at a time";
  EXPECT_EQ(hal::fault_log::size(), 0U);
}

TEST_F(StreamJobs, ACubeProgramRunsOnEachRunsWindows) {
  boot();
  const TaskText text = product_program();
  load(text, 0);
  std::vector<Request> runs;
  for (unsigned i = 0; i < 3; ++i) {
    runs.push_back(run_request(text, 0));
    fill_product(runs.back(), i);
    add(runs.back());
  }
  serve_all();
  for (std::size_t i = 0; i <= runs.size(); ++i) expect(i, ErrorCode::ok);
  for (unsigned i = 0; i < runs.size(); ++i) expect_product(runs[i], i);
  EXPECT_EQ(outcome(1).warnings, 0);
}

TEST_F(StreamJobs, APimProgramRunsOnEachRunsWindows) {
  boot();
  const TaskText text = pim_program(2);
  load(text, 0);
  std::vector<Request> runs;
  for (unsigned i = 0; i < 3; ++i) {
    runs.push_back(run_request(text, 0));
    fill(runs.back(), pim_contents(i));
    add(runs.back());
  }
  serve_all();
  for (std::size_t i = 0; i <= runs.size(); ++i) expect(i, ErrorCode::ok);
  for (unsigned i = 0; i < runs.size(); ++i) expect_contents(runs[i], pim_contents(i));
  EXPECT_GE(outcome(2).start_cycle, outcome(1).end_cycle) << "an engine runs one program at a time";
}

TEST_F(StreamJobs, AUnityProgramRunsOnEachRunsWindows) {
  boot();
  constexpr unsigned kUnityRounds = 40;  // more than one group of instructions
  const TaskText text = unity_program(kUnityRounds);
  load(text, 0);
  std::vector<Request> runs;
  for (unsigned i = 0; i < 3; ++i) {
    runs.push_back(run_request(text, 0));
    fill(runs.back(), unity_contents(i));
    add(runs.back());
  }
  serve_all();
  for (std::size_t i = 0; i <= runs.size(); ++i) expect(i, ErrorCode::ok);
  for (unsigned i = 0; i < runs.size(); ++i) expect_contents(runs[i], unity_contents(i));
  EXPECT_EQ(outcome(1).accelerator_instructions, 2 * (kUnityRounds + 1)) << "each unit's END counts";
  EXPECT_GE(outcome(2).start_cycle, outcome(1).end_cycle) << "an engine runs one program at a time";
}

/// Unit 1 waits for a key when the fault stops the program. The next run begins with the keys of its own.
TEST_F(StreamJobs, ABusErrorOfAUnityProgramIsRetriedIfTheSubmitterAsks) {
  for (const unsigned retries : {0U, 1U}) {
    switch_off();
    boot("bus_error queue=UNITY access=20");
    const TaskText text = unity_program(8);
    load(text, 0);
    Request request = run_request(text, 0);
    request.retries = static_cast<std::uint8_t>(retries);
    fill(request, unity_contents(4));
    const std::size_t run = add(request);
    const Request next = run_request(text, 0);
    fill(next, unity_contents(5));
    const std::size_t after = add(next);
    serve_all();
    if (retries != 0) {
      expect(run, ErrorCode::ok);
      EXPECT_EQ(outcome(run).retried, 1);
      expect_contents(request, unity_contents(4));
    } else {
      EXPECT_EQ(static_cast<ErrorCode>(outcome(run).error), ErrorCode::device_fault);
      EXPECT_EQ(outcome(run).error_value, static_cast<std::int64_t>(hal::FaultCode::bus_error));
    }
    expect(after, ErrorCode::ok);
    expect_contents(next, unity_contents(5));
  }
}

/// The index of a fault in a PIM program is its packed position, so that a report can name core and instruction.
TEST_F(StreamJobs, AFaultOfAPimProgramNamesCoreAndInstruction) {
  namespace pim = test::pim;
  boot();
  pim::Assembly program;
  program.add(3, pim::build::general_li(pim::build::r(1), 0)).add(3, pim::build::load_local(pim::build::r(2), pim::build::r(1)));
  const TaskText text = pim_text(program.bytes());
  const std::size_t loaded = load(text, 0);
  const std::size_t run = add(run_request(text, 0));
  serve_all();
  const isa::pim::Position position{3, 1};
  expect(run, ErrorCode::device_fault, "rs1");
  EXPECT_EQ(outcome(run).error_index, static_cast<std::int32_t>(position.pack()));
  EXPECT_EQ(outcome(run).error_value, static_cast<std::int64_t>(hal::FaultCode::buffer));
  const std::uint64_t image = descriptor(loaded).request.image_address;
  EXPECT_GT(outcome(run).fault_address, image);
  EXPECT_LT(outcome(run).fault_address, image + descriptor(loaded).request.image_bytes);
  EXPECT_EQ(std::memcmp(at<std::byte>(outcome(run).fault_address), &program.cores[3][1], sizeof(isa::pim::MachineCode)), 0);
}

TEST_F(StreamJobs, ADeadlockOfPimCoresNamesAllThatWait) {
  namespace pim = test::pim;
  boot();
  pim::Assembly program;
  for (const unsigned core : {1U, 9U}) {
    program.set_register(core, 1, 3).add(core, pim::build::barrier(pim::build::r(2), pim::build::r(1)));
  }
  const TaskText text = pim_text(program.bytes());
  load(text, 0);
  const std::size_t run = add(run_request(text, 0));
  const TaskText good = pim_program();
  load(good, 1);
  const Request next = run_request(good, 1);
  fill(next, pim_contents(1));
  const std::size_t after = add(next);
  serve_all();
  expect(run, ErrorCode::deadlock, "cores");
  EXPECT_EQ(outcome(run).error_value, 1 << 9 | 1 << 1);
  EXPECT_EQ(outcome(run).error_index, 1 << 18);
  expect(after, ErrorCode::ok);
  expect_contents(next, pim_contents(1));
}

TEST_F(StreamJobs, APimProgramForMoreCoresThanTheDeviceHasDoesNotRun) {
  boot();
  test::pim::Assembly program;
  program.add(16, test::pim::build::jmp(1));
  const TaskText text = pim_text(program.bytes());
  load(text, 0);
  const std::size_t run = add(run_request(text, 0));
  serve_all();
  expect(run, ErrorCode::image_geometry, "cores");
  EXPECT_EQ(outcome(run).error_value, 17);
  EXPECT_EQ(outcome(run).error_limit, 16);
}

TEST_F(StreamJobs, APimProgramThatDoesNotEndMeetsTheTimeLimit) {
  boot();
  test::pim::Assembly program;
  program.add(0, test::pim::build::jmp(0));
  const TaskText text = pim_text(program.bytes());
  load(text, 0);
  Request request = run_request(text, 0);
  request.time_limit_us = 2000;
  const std::size_t run = add(request);
  serve_all();
  expect(run, ErrorCode::time_limit, "stream");
}

TEST_F(StreamJobs, ThreeEnginesRunSideBySide) {
  boot();
  constexpr unsigned kCopyRounds = 100;
  const TaskText texts[] = {copies_task(0, 3, kCopyRounds), sum_program(8), product_program()};
  for (std::uint32_t slot = 0; slot < 3; ++slot) load(texts[slot], slot, static_cast<std::uint8_t>(slot));
  std::vector<Request> runs;
  for (unsigned round = 0; round < 4; ++round) {
    for (std::uint32_t slot = 0; slot < 3; ++slot) {
      runs.push_back(run_request(texts[slot], slot, static_cast<std::uint8_t>(slot)));
      if (slot == 1) fill_sum(runs.back(), round);
      if (slot == 2) fill_product(runs.back(), round);
      if (slot == 0) std::memset(at<std::byte>(runs.back().windows[0].address), static_cast<int>(round + 1), kCopyRounds * kTensorBytes);
      add(runs.back());
    }
  }
  serve_all();
  for (std::size_t i = 0; i < 3 + runs.size(); ++i) expect(i, ErrorCode::ok);
  for (unsigned i = 0; i < runs.size(); i += 3) {
    const auto *const copied = at<std::byte>(runs[i].windows[0].address);
    EXPECT_EQ(std::memcmp(copied, copied + kCopyRounds * kTensorBytes, kCopyRounds * kTensorBytes), 0);
    expect_sum(runs[i + 1], i / 3);
    expect_product(runs[i + 2], i / 3);
  }
  for (std::size_t one = 3; one < 6; ++one) {
    for (std::size_t other = 3; other < 6; ++other) EXPECT_LT(outcome(one).start_cycle, outcome(other).end_cycle) << one << " " << other;
  }
}

TEST_F(StreamJobs, ConstantsAreInTheirWindowsBeforeTheStreamStarts) {
  boot();
  TaskText copied = sum_program();
  const std::vector<std::uint8_t> blocks = sum_contents(0).before[0];
  copied.constants = {{0, 0, {blocks.begin(), blocks.begin() + 18 * 10}}, {0, 18 * 10, {blocks.begin() + 18 * 10, blocks.end()}}};
  TaskText in_place = sum_program();
  in_place.constants = {{0, 0, blocks}};
  load(copied, 0);
  load(in_place, 1);
  const Request first = run_request(copied, 0);
  Request second = run_request(in_place, 1);
  add(first);
  second.windows[0] = {};
  add(second);
  serve_all();
  for (std::size_t i = 0; i < 4; ++i) expect(i, ErrorCode::ok);
  expect_sum(first, 0);
  EXPECT_EQ(std::memcmp(at<std::byte>(first.windows[1].address), at<std::byte>(second.windows[1].address), kSumBytes), 0);
}

TEST_F(StreamJobs, WindowsAndOwnersAreCheckedAsForTasks) {
  boot();
  const TaskText text = sum_program(50);
  load(text, 0, 1);
  load(text, 1, 2);
  Request run = run_request(text, 0, 1);
  fill_sum(run, 0);
  add(run);  // job 2
  Request overlap = run_request(text, 1, 2);
  overlap.windows[0] = run.windows[1];
  const std::size_t overlaps = add(overlap);
  Request missing = run_request(text, 1, 2);
  missing.windows[1] = {};
  const std::size_t misses = add(missing);
  Request small = run_request(text, 1, 2);
  small.windows[1].size -= 1;
  const std::size_t too_small = add(small);
  Request foreign = run;
  foreign.owner = 2;
  const std::size_t not_owner = add(foreign);
  serve_all();
  expect(2, ErrorCode::ok);
  expect(not_owner, ErrorCode::not_owner, "task_slot");
  expect(overlaps, ErrorCode::window_overlap, "windows");
  expect(misses, ErrorCode::window_missing, "windows");
  expect(too_small, ErrorCode::window_too_small, "windows");
}

TEST_F(StreamJobs, ACancelledStreamEndsAndTheNextRuns) {
  boot();
  const TaskText text = sum_program(200);
  load(text, 0);
  const Request long_run = run_request(text, 0);
  const std::size_t cancelled = add(long_run);
  serve([&] { return outcome(cancelled).state == State::running && outcome(cancelled).number == cancelled; });
  Request cancel{};
  cancel.kind = Kind::cancel;
  cancel.argument = static_cast<std::uint32_t>(cancelled);
  add(cancel);
  const Request next = run_request(text, 0);
  fill_sum(next, 1);
  const std::size_t after = add(next);
  serve_all();
  expect(cancelled, ErrorCode::cancelled, "stream");
  expect(cancelled + 1, ErrorCode::ok);
  expect(after, ErrorCode::ok);
  expect_sum(next, 1);
}

/// The cancel is taken after the turn has looked for ended runs. No interrupt comes any more that would end a sleep.
TEST_F(StreamJobs, ACancelledStreamIsAnsweredBeforeTheNextSleep) {
  boot();
  const TaskText text = sum_program(200);
  load(text, 0);
  const std::size_t cancelled = add(run_request(text, 0));
  serve([&] { return outcome(cancelled).state == State::running && outcome(cancelled).number == cancelled; });
  Request cancel{};
  cancel.kind = Kind::cancel;
  cancel.argument = static_cast<std::uint32_t>(cancelled);
  add(cancel);
  while (jobs_->serve() != Progress::idle) {
  }
  ASSERT_TRUE(is_done(cancelled));
  expect(cancelled, ErrorCode::cancelled, "stream");
}

/// A task that stops has the attention of the main program until it has stopped. A stream that ends between a look and the sleep after it
/// keeps the core awake nevertheless.
TEST_F(StreamJobs, AStreamThatEndsBesideATaskThatStopsWaitsForNoTick) {
  boot("clock core=0 at=2000 cycles=forever");
  const TaskText texts[] = {copies_task(0, 3, 100), sum_program(4)};
  std::vector<Request> runs;
  for (std::uint32_t slot = 0; slot < 2; ++slot) {
    load(texts[slot], slot);
    runs.push_back(run_request(texts[slot], slot));
  }
  fill_sum(runs[1], 3);
  const std::size_t hung = add(runs[0]), stream = add(runs[1]);
  serve([&] { return outcome(stream).state == State::running && outcome(stream).number == stream; });
  board_->advance(2000);
  Request cancel{};
  cancel.kind = Kind::cancel;
  cancel.argument = static_cast<std::uint32_t>(hung);
  const std::size_t cancelled = add(cancel);
  while (jobs_->serve() != Progress::idle) {
  }
  expect(cancelled, ErrorCode::ok);
  board_->advance(40'000);
  ASSERT_FALSE(is_done(hung));
  ASSERT_FALSE(is_done(stream));
  const std::uint64_t before = board_->now();
  scheduler_->sleep();
  EXPECT_EQ(board_->now(), before) << "the sleep lasted until a tick";
  static_cast<void>(jobs_->serve());
  expect(stream, ErrorCode::ok);
  expect_sum(runs[1], 3);
  serve_all();
  EXPECT_EQ(static_cast<ErrorCode>(outcome(hung).error), ErrorCode::cancelled);
}

TEST_F(StreamJobs, NewsBetweenALookAndTheSleepEndsTheSleep) {
  boot();
  ASSERT_EQ(jobs_->serve(), Progress::idle);
  firmware::schedule::WakeFlag::raise();
  scheduler_->sleep();
  EXPECT_EQ(board_->now(), 0U);
  ASSERT_EQ(jobs_->serve(), Progress::idle);
  scheduler_->sleep();
  EXPECT_EQ(board_->now(), board::NativeBoard::kTickCycles) << "the look has cleared the flag";
}

TEST_F(StreamJobs, ATimeLimitEndsAStreamThatHangs) {
  boot("stuck queue=MX instruction=2");
  const TaskText text = sum_program(4);
  load(text, 0);
  Request run = run_request(text, 0);
  run.time_limit_us = 3000;
  const std::size_t hung = add(run);
  const Request next = run_request(text, 0);
  fill_sum(next, 1);
  const std::size_t after = add(next);
  serve_all();
  expect(hung, ErrorCode::time_limit, "stream");
  EXPECT_EQ(outcome(hung).error_value, 3000);
  ASSERT_EQ(hal::fault_log::size(), 1U);
  const hal::FaultRecord fault = hal::fault_log::at(0);
  EXPECT_EQ(fault.error, ErrorCode::time_limit);
  EXPECT_EQ(fault.action, hal::FaultAction::failed);
  EXPECT_EQ(fault.owner, 0);
  EXPECT_EQ(fault.queue, 36);
  expect(after, ErrorCode::ok);
  expect_sum(next, 1);
}

/// A fault of the hardware that may pass: the run fails without retries, and begins again with them.
TEST_F(StreamJobs, AFaultThatPassesIsRetriedOnlyIfTheSubmitterAsks) {
  const struct {
    const char *plan, *what;
  } cases[] = {{"bus_error queue=MX access=3", "instruction"},
               {"completion lost queue=4 count=1", "completion"},
               {"completion corrupt queue=4 count=1 bit=3", "completion"},
               {"reset engine=MX at=40000", "engine reset"}};
  for (const auto &one : cases) {
    SCOPED_TRACE(one.plan);
    for (const unsigned retries : {0U, 2U}) {
      switch_off();
      boot(one.plan);
      const TaskText text = sum_program(30);
      load(text, 0);
      Request run = run_request(text, 0);
      run.retries = static_cast<std::uint8_t>(retries);
      fill_sum(run, 5);
      const std::size_t first = add(run);
      Request next = run_request(text, 0);
      fill_sum(next, 6);
      const std::size_t second = add(next);
      const std::uint32_t faults = hal::fault_log::count();
      serve_all();
      EXPECT_EQ(hal::fault_log::count() - faults, 1U);
      expect(second, ErrorCode::ok);
      expect_sum(next, 6);
      if (retries == 0) {
        EXPECT_EQ(static_cast<ErrorCode>(outcome(first).error), ErrorCode::device_fault);
        EXPECT_STREQ(outcome(first).error_what, one.what);
        continue;
      }
      expect(first, ErrorCode::ok);
      EXPECT_EQ(outcome(first).retried, 1);
      expect_sum(run, 5);
    }
  }
}

TEST_F(StreamJobs, ABusErrorOfAPimProgramIsRetriedIfTheSubmitterAsks) {
  for (const unsigned retries : {0U, 1U}) {
    switch_off();
    boot("bus_error queue=PIM access=20");
    const TaskText text = pim_program();
    load(text, 0);
    Request request = run_request(text, 0);
    request.retries = static_cast<std::uint8_t>(retries);
    fill(request, pim_contents(4));
    const std::size_t run = add(request);
    serve_all();
    if (retries != 0) {
      expect(run, ErrorCode::ok);
      expect_contents(request, pim_contents(4));
    } else {
      EXPECT_EQ(static_cast<ErrorCode>(outcome(run).error), ErrorCode::device_fault);
      EXPECT_EQ(outcome(run).error_value, static_cast<std::int64_t>(hal::FaultCode::bus_error));
    }
  }
}

TEST_F(StreamJobs, EventsThatHarmNothingAreCorrected) {
  for (const char *const plan : {"doorbell lost queue=MX count=1", "interrupt lost line=0 count=1", "completion doubled queue=4 count=1"}) {
    SCOPED_TRACE(plan);
    switch_off();
    boot(plan);
    const TaskText text = sum_program(3);
    load(text, 0);
    std::vector<Request> runs;
    for (unsigned i = 0; i < 3; ++i) {
      runs.push_back(run_request(text, 0));
      fill_sum(runs.back(), i);
      add(runs.back());
    }
    serve_all();
    for (unsigned i = 0; i < runs.size(); ++i) {
      expect(i + 1, ErrorCode::ok);
      expect_sum(runs[i], i);
    }
  }
}

/// The submitter must not change an image while it is loaded. If it does, the device refuses what the load has not seen, and the outcome
/// says which instruction.
TEST_F(StreamJobs, AnInstructionThatTheDeviceRefusesIsNamed) {
  boot();
  const TaskText text = sum_program(3);
  const std::size_t loaded = load(text, 0);
  serve_all();
  const auto &code = text.program->code;
  std::byte *const image = at<std::byte>(descriptor(loaded).request.image_address);
  std::byte *const end = image + descriptor(loaded).request.image_bytes;
  auto *const found = std::search(image, end, reinterpret_cast<const std::byte *>(code.data()),
                                  reinterpret_cast<const std::byte *>(code.data() + code.size()));
  ASSERT_NE(found, end);
  constexpr std::size_t kThird = 8 + 16;  // behind a CONFBADDR and an ELADD
  found[kThird] = std::byte{0x0F};
  const std::size_t run = add(run_request(text, 0));
  serve_all();
  expect(run, ErrorCode::device_fault, "instruction");
  EXPECT_EQ(outcome(run).error_index, 2);
  EXPECT_EQ(outcome(run).error_value, static_cast<std::int64_t>(hal::FaultCode::unknown_instruction));
  EXPECT_EQ(outcome(run).error_limit, static_cast<std::int64_t>(kThird));
  EXPECT_EQ(outcome(run).fault_address, hal::dram_range().address + static_cast<std::uint64_t>(found + kThird - board_->dram().data()));
}

/// Relocations are applied at each run, so that they are checked then, too.
TEST_F(StreamJobs, ARelocationThatWasChangedAfterTheLoadIsRefused) {
  for (const TaskText &text : {sum_program(3), product_program()}) {
    switch_off();
    boot();
    const std::size_t loaded = load(text, 0);
    serve_all();
    const auto *const relocations = reinterpret_cast<const std::byte *>(text.program->relocations.data());
    std::byte *const image = at<std::byte>(descriptor(loaded).request.image_address);
    auto *const found = std::search(image, image + descriptor(loaded).request.image_bytes, relocations,
                                    relocations + text.program->relocations.size() * sizeof(firmware::image::Relocation));
    auto &first = *reinterpret_cast<firmware::image::Relocation *>(found);
    first.window = 200;
    const std::size_t window = add(run_request(text, 0));
    serve_all();
    expect(window, ErrorCode::image_malformed, "program.relocations");
    first.window = 0;
    first.place = UINT32_MAX;
    const std::size_t place = add(run_request(text, 0));
    serve_all();
    EXPECT_NE(static_cast<ErrorCode>(outcome(place).error), ErrorCode::ok);
  }
}

/// A run of several inferences of sum_program() or product_program(), whose windows follow each other without the blocks between them.
/// Returns a run of each inference, for the functions that fill and compare windows.
class StreamInferences : public StreamJobs {
 protected:
  std::vector<Request> several(const TaskText &text, std::uint32_t count, Request &run) {
    run = run_request(text, 0);
    job::Strides strides{};
    for (const WindowText &window : text.windows) {
      strides[window.index] = window.size;
      run.windows[window.index].address = reserve(count * window.size);
    }
    job::set_inferences(run, count, strides);
    std::vector<Request> each(count, run);
    for (std::uint32_t i = 0; i < count; ++i) {
      for (const WindowText &window : text.windows) each[i].windows[window.index].address += i * window.size;
    }
    return each;
  }
  static WindowContents contents_of(const TaskText &text, unsigned seed) {
    if (text.name == "sum") return sum_contents(seed);
    if (text.name == "pim") return pim_contents(seed);
    return text.name == "unity" ? unity_contents(seed) : product_contents(seed);
  }
};

TEST_F(StreamInferences, EachIsASingleRunByteForByte) {
  constexpr std::uint32_t kCount = 7;
  for (const TaskText &text : {sum_program(2), product_program(), pim_program(), unity_program(2)}) {
    SCOPED_TRACE(text.name);
    switch_off();
    boot();
    load(text, 0);
    Request run;
    const std::vector<Request> each = several(text, kCount, run);
    std::vector<Request> singles;
    for (std::uint32_t i = 0; i < kCount; ++i) {
      fill(each[i], contents_of(text, i));
      singles.push_back(run_request(text, 0));
      fill(singles.back(), contents_of(text, i));
      add(singles.back());
    }
    const std::size_t all = add(run);
    serve_all();
    expect(all, ErrorCode::ok);
    EXPECT_EQ(outcome(all).inferences, kCount);
    EXPECT_EQ(outcome(all).accelerator_instructions, kCount * outcome(1).accelerator_instructions);
    EXPECT_EQ(outcome(all).cores, 0);
    const unsigned output = text.windows.back().index;
    for (std::uint32_t i = 0; i < kCount; ++i) {
      expect_contents(each[i], contents_of(text, i));
      EXPECT_EQ(std::memcmp(at<std::byte>(each[i].windows[output].address), at<std::byte>(singles[i].windows[output].address),
                            text.windows.back().size),
                0);
    }
  }
}

TEST_F(StreamInferences, AFaultInTheMiddleIsRetriedOrNamesItsInference) {
  constexpr std::uint32_t kCount = 5;
  for (const unsigned retries : {0U, 1U}) {
    switch_off();
    boot("bus_error queue=MX access=8");  // four accesses an inference: the stream, two reads and a write
    const TaskText text = sum_program();
    load(text, 0);
    Request run;
    const std::vector<Request> each = several(text, kCount, run);
    for (std::uint32_t i = 0; i < kCount; ++i) fill_sum(each[i], i);
    run.retries = static_cast<std::uint8_t>(retries);
    const std::size_t job = add(run);
    const Request after = run_request(text, 0);
    fill_sum(after, 9);
    const std::size_t next = add(after);
    serve_all();
    expect(next, ErrorCode::ok);
    expect_sum(after, 9);
    if (retries != 0) {
      expect(job, ErrorCode::ok);
      EXPECT_EQ(outcome(job).inferences, kCount);
      EXPECT_EQ(outcome(job).retried, 1);
      for (std::uint32_t i = 0; i < kCount; ++i) expect_sum(each[i], i);
      continue;
    }
    EXPECT_EQ(static_cast<ErrorCode>(outcome(job).error), ErrorCode::device_fault);
    const std::uint32_t done = outcome(job).inferences;
    ASSERT_GT(done, 0U);
    ASSERT_LT(done, kCount);
    for (std::uint32_t i = 0; i < done; ++i) expect_sum(each[i], i);
    for (std::uint32_t i = done + 1; i < kCount; ++i) EXPECT_EQ(at<isa::mx::Block>(each[i].windows[1].address)->exponent, 0U) << i;
  }
}

TEST_F(StreamInferences, ACancelEndsThemAll) {
  constexpr std::uint32_t kCount = 6;
  boot();
  const TaskText text = sum_program(100);
  load(text, 0);
  Request run;
  const std::vector<Request> each = several(text, kCount, run);
  for (std::uint32_t i = 0; i < kCount; ++i) fill_sum(each[i], i);
  const std::size_t job = add(run);
  serve([&] { return at<isa::mx::Block>(each[2].windows[1].address)->exponent != 0; });
  Request cancel{};
  cancel.kind = Kind::cancel;
  cancel.argument = static_cast<std::uint32_t>(job);
  add(cancel);
  serve_all();
  EXPECT_EQ(static_cast<ErrorCode>(outcome(job).error), ErrorCode::cancelled);
  EXPECT_GE(outcome(job).inferences, 2U);
  EXPECT_LT(outcome(job).inferences, 5U);
  for (std::uint32_t i = 0; i < outcome(job).inferences; ++i) expect_sum(each[i], i);
  EXPECT_EQ(at<isa::mx::Block>(each[kCount - 1].windows[1].address)->exponent, 0U);
}

/// An output may be the input of the next inference, if both windows have the same stride.
TEST_F(StreamInferences, AnOutputMayBeTheNextInput) {
  boot();
  const TaskText text = sum_program();
  load(text, 0);
  Request run = run_request(text, 0);
  run.windows[0].address = reserve(5 * kSumBytes);
  run.windows[1].address = run.windows[0].address + kSumBytes;
  fill_sum(run, 3);
  job::set_inferences(run, 4, {kSumBytes, kSumBytes, 0, 0});
  const std::size_t chain = add(run);
  job::set_inferences(run, 4, {kSumBytes, 2 * kSumBytes, 0, 0});
  const std::size_t crossed = add(run);
  serve_all();
  expect(chain, ErrorCode::ok);
  EXPECT_EQ(at<isa::mx::Block>(run.windows[0].address + 4 * kSumBytes)->exponent, 127U + 4);
  expect(crossed, ErrorCode::window_overlap, "windows");
  EXPECT_EQ(outcome(crossed).error_index, 1);
}

/// A job that waits for a busy engine does not hold up the other engines, however many of their runs pass it.
TEST_F(StreamJobs, ABusyEngineHoldsUpNoOther) {
  boot();
  const TaskText stream = sum_program(400);
  const TaskText task = copies_task(0, 3, 2);
  load(stream, 0, 1);
  load(stream, 1, 2);
  load(task, 2, 3);
  const Request first = run_request(stream, 0, 1);
  const std::size_t busy = add(first);
  const std::size_t waits = add(run_request(stream, 1, 2));
  std::size_t last = 0;
  for (unsigned i = 0; i < 40; ++i) last = add(run_request(task, 2, 3));
  serve_all();
  expect(busy, ErrorCode::ok);
  expect(waits, ErrorCode::ok);
  expect(last, ErrorCode::ok);
  EXPECT_LT(outcome(last).end_cycle, outcome(busy).end_cycle);
  EXPECT_GE(outcome(waits).start_cycle, outcome(busy).end_cycle);
}

/// Runs of one task behind each other. The firmware binds the next one while one is on the engine, and starts it in its place
/// (docs/jobs.md, Runs that repeat).
class StreamRepeats : public StreamJobs {
 protected:
  /// Adds `count` runs of the task in slot 0, and fills their windows.
  void add_runs(const TaskText &text, unsigned count, WindowContents (*contents)(unsigned)) {
    for (unsigned i = 0; i < count; ++i) {
      runs_.push_back(run_request(text, 0));
      fill(runs_.back(), contents(i));
    }
  }
  void submit() {
    for (const Request &run : runs_) numbers_.push_back(add(run));
  }
  /// Serves until run `index` is on the engine and the firmware has nothing else to do: the run behind it is bound then.
  void serve_until_bound(std::size_t index) {
    const std::size_t number = numbers_[index];
    serve([&] { return outcome(number).state == State::running && outcome(number).number == number; });
    while (jobs_->serve() != Progress::idle) {
    }
    ASSERT_FALSE(is_done(number));
  }

  std::vector<Request> runs_;
  std::vector<std::size_t> numbers_;
};

TEST_F(StreamRepeats, EachRunHasItsWindowsAndItsReport) {
  const struct {
    TaskText text;
    WindowContents (*contents)(unsigned);
  } programs[] = {{sum_program(3), sum_contents},
                  {product_program(), product_contents},
                  {pim_program(2), pim_contents},
                  {unity_program(3), unity_contents}};
  for (const auto &[text, contents] : programs) {
    SCOPED_TRACE(text.name);
    switch_off();
    boot();
    load(text, 0);
    runs_.clear();
    numbers_.clear();
    add_runs(text, 12, contents);
    submit();
    serve_all();
    std::uint64_t end = 0;
    for (unsigned i = 0; i < runs_.size(); ++i) {
      expect(numbers_[i], ErrorCode::ok);
      expect_contents(runs_[i], contents(i));
      const Outcome &report = outcome(numbers_[i]);
      EXPECT_EQ(report.accelerator_instructions, outcome(numbers_[0]).accelerator_instructions);
      EXPECT_EQ(report.inferences, 1U);
      EXPECT_EQ(report.cores, 0);
      EXPECT_EQ(report.retried, 0);
      EXPECT_GE(report.start_cycle, end);
      end = report.end_cycle;
      EXPECT_GT(end, report.start_cycle);
    }
  }
}

TEST_F(StreamRepeats, ARunThatFailsDoesNotStopTheNext) {
  for (const unsigned retries : {0U, 1U}) {
    switch_off();
    boot("bus_error queue=MX access=10");  // four accesses a run: the stream, two reads and a write
    load(sum_program(), 0);
    runs_.clear();
    numbers_.clear();
    add_runs(sum_program(), 5, sum_contents);
    for (unsigned i = 0; i < runs_.size(); ++i) runs_[i].retries = static_cast<std::uint8_t>(i == 2 ? retries : 1 - retries);
    submit();
    serve_all();
    for (unsigned i = 0; i < runs_.size(); ++i) {
      SCOPED_TRACE(i);
      EXPECT_EQ(outcome(numbers_[i]).retried, i == 2 ? retries : 0U);
      if (i == 2 && retries == 0) {
        expect(numbers_[i], ErrorCode::device_fault, "instruction");
        EXPECT_NE(outcome(numbers_[i]).fault_address, 0U);
        continue;
      }
      expect(numbers_[i], ErrorCode::ok);
      EXPECT_EQ(outcome(numbers_[i]).fault_address != 0, i == 2);
      expect_sum(runs_[i], i);
    }
  }
}

TEST_F(StreamRepeats, ARunHasItsOwnTimeLimit) {
  boot("stuck queue=MX instruction=5");  // two instructions a run
  load(sum_program(), 0);
  add_runs(sum_program(), 4, sum_contents);
  runs_[1].time_limit_us = 7000;
  runs_[2].time_limit_us = 3000;
  submit();
  serve_all();
  for (unsigned i = 0; i < runs_.size(); ++i) {
    if (i == 2) continue;
    expect(numbers_[i], ErrorCode::ok);
    expect_sum(runs_[i], i);
  }
  expect(numbers_[2], ErrorCode::time_limit, "stream");
  EXPECT_EQ(outcome(numbers_[2]).error_value, 3000);
}

TEST_F(StreamRepeats, ConstantsAreWrittenForEachRun) {
  boot();
  TaskText text = sum_program();
  const std::vector<std::uint8_t> blocks = sum_contents(5).before[0];
  text.constants = {{0, 0, {blocks.begin(), blocks.begin() + 18 * 10}}, {0, 18 * 10, {blocks.begin() + 18 * 10, blocks.end()}}};
  load(text, 0);
  for (unsigned i = 0; i < 4; ++i) runs_.push_back(run_request(text, 0));
  submit();
  serve_all();
  for (unsigned i = 0; i < runs_.size(); ++i) {
    expect(numbers_[i], ErrorCode::ok);
    expect_sum(runs_[i], 5);
  }
}

TEST_F(StreamRepeats, ABoundRunCanBeCancelled) {
  boot();
  load(sum_program(100), 0);
  add_runs(sum_program(100), 3, sum_contents);
  submit();
  serve_until_bound(0);
  Request cancel{};
  cancel.kind = Kind::cancel;
  cancel.argument = static_cast<std::uint32_t>(numbers_[1]);
  add(cancel);
  serve_all();
  expect(numbers_[0], ErrorCode::ok);
  expect(numbers_[1], ErrorCode::cancelled, "job");
  expect(numbers_[2], ErrorCode::ok);
  expect_sum(runs_[0], 0);
  expect_sum(runs_[2], 2);
  EXPECT_EQ(at<isa::mx::Block>(runs_[1].windows[1].address)->exponent, 0U);
}

/// Another owner's job may go first when it comes, although a run is bound.
TEST_F(StreamRepeats, ABoundRunWaitsForAnOwnerWithLessOnItsAccount) {
  boot();
  load(sum_program(100), 0);
  load(sum_program(100), 1, 1);
  add_runs(sum_program(100), 3, sum_contents);
  submit();
  serve_until_bound(0);
  Request other = run_request(sum_program(100), 1, 1);
  other.priority = 0;
  fill_sum(other, 7);
  const std::size_t first = add(other);
  serve_all();
  expect(first, ErrorCode::ok);
  expect_sum(other, 7);
  for (unsigned i = 0; i < runs_.size(); ++i) expect_sum(runs_[i], i);
  EXPECT_LT(outcome(first).start_cycle, outcome(numbers_[2]).start_cycle);
}

/// Each run applies the relocations, so it notices an image that was changed while the run before it was on the engine.
TEST_F(StreamRepeats, ARelocationThatWasChangedBehindTheBindingIsRefused) {
  boot();
  const TaskText text = sum_program(100);
  const std::size_t loaded = load(text, 0);
  add_runs(text, 3, sum_contents);
  submit();
  serve_until_bound(0);
  const auto *const relocations = reinterpret_cast<const std::byte *>(text.program->relocations.data());
  std::byte *const image = at<std::byte>(descriptor(loaded).request.image_address);
  auto *const found = std::search(image, image + descriptor(loaded).request.image_bytes, relocations,
                                  relocations + text.program->relocations.size() * sizeof(firmware::image::Relocation));
  reinterpret_cast<firmware::image::Relocation *>(found)->window = 200;
  serve_all();
  expect(numbers_[0], ErrorCode::ok);
  expect_sum(runs_[0], 0);
  for (const std::size_t run : {numbers_[1], numbers_[2]}) expect(run, ErrorCode::image_malformed, "program.relocations");
}

}  // namespace
}  // namespace cox::tests
