// SPDX-License-Identifier: MIT
// Jobs of programs that use several engines.
#include <gmock/gmock.h>

#include <algorithm>

#include "coxswain/hal/fault_log.h"
#include "coxswain/isa/unity/program.h"
#include "coxswain/isa/unity/relocation.h"
#include "tests/firmware/mixed_programs.h"
#include "tests/firmware/scheduled_tasks.h"
#include "tests/firmware/stream_jobs_fixture.h"

namespace cox::tests {
namespace {

using MixedJobs = StreamJobs;

TEST_F(MixedJobs, AProgramOfFiveEnginesRunsOnEachRunsWindows) {
  boot();
  const TaskText text = mixed_program();
  load(text, 0);
  std::vector<Request> runs;
  for (unsigned i = 0; i < 3; ++i) {
    runs.push_back(run_request(text, 0));
    fill(runs.back(), mixed_contents(i));
    add(runs.back());
  }
  serve_all();
  for (std::size_t i = 0; i <= runs.size(); ++i) expect(i, ErrorCode::ok);
  for (unsigned i = 0; i < runs.size(); ++i) expect_contents(runs[i], mixed_contents(i));
  EXPECT_EQ(hal::fault_log::size(), 0U);
}

/// Jobs of each engine by itself run beside a program that uses all of them.
TEST_F(MixedJobs, JobsOfTheOtherEnginesRunBesideIt) {
  boot();
  const TaskText texts[] = {mixed_program(), sum_program(4), product_program(), pim_program(3), copies_task(0, 3, 20)};
  for (std::uint32_t slot = 0; slot < 5; ++slot) load(texts[slot], slot, static_cast<std::uint8_t>(slot));
  std::vector<Request> runs;
  for (unsigned round = 0; round < 4; ++round) {
    for (std::uint32_t slot = 0; slot < 5; ++slot) {
      runs.push_back(run_request(texts[slot], slot, static_cast<std::uint8_t>(slot)));
      const WindowContents contents = slot == 0   ? mixed_contents(round)
                                      : slot == 1 ? sum_contents(round)
                                      : slot == 2 ? product_contents(round)
                                      : slot == 3 ? pim_contents(round)
                                                  : WindowContents();
      fill(runs.back(), contents);
      add(runs.back());
    }
  }
  serve_all();
  for (std::size_t i = 0; i < 5 + runs.size(); ++i) expect(i, ErrorCode::ok);
  for (unsigned round = 0; round < 4; ++round) {
    expect_contents(runs[5 * round], mixed_contents(round));
    expect_contents(runs[5 * round + 1], sum_contents(round));
    expect_contents(runs[5 * round + 2], product_contents(round));
    expect_contents(runs[5 * round + 3], pim_contents(round));
  }
}

/// A program finds in lent cores what its owner left there, and nothing of other owners.
TEST_F(MixedJobs, LentCoresHaveNothingOfOtherOwners) {
  boot();
  const TaskText text = mixed_program(), looking = leftovers_program();
  constexpr std::uint8_t kOwner = 1, kOther = 2;
  load(text, 0, kOwner);
  load(looking, 1, kOwner);
  load(looking, 2, kOther);
  const Request run = run_request(text, 0, kOwner), same = run_request(looking, 1, kOwner), other = run_request(looking, 2, kOther);
  fill(run, mixed_contents(5));
  fill(same, no_leftovers());
  fill(other, no_leftovers());
  for (const Request &request : {run, same, other}) {
    add(request);
    serve_all();
  }
  for (std::size_t i = 0; i < 6; ++i) expect(i, ErrorCode::ok);
  expect_contents(run, mixed_contents(5));
  expect_contents(same, leftovers(5));
  expect_contents(other, no_leftovers());
}

/// Two flipped bits in L2 fail one run. Then the words are whole, although no run has written them.
TEST_F(MixedJobs, DamagedWordsOfLentCoresAreMadeWhole) {
  boot("flip memory=l2 core=0 address=8 bits=2 at=1");
  const TaskText looking = leftovers_program();
  load(looking, 0);
  const Request run = run_request(looking, 0);
  fill(run, no_leftovers());
  add(run);
  serve_all();
  expect(1, ErrorCode::device_fault, "memory");
  EXPECT_EQ(hal::fault_log::at(0).fault, hal::FaultCode::ecc);
  add(run);
  serve_all();
  expect(2, ErrorCode::ok);
}

// Refused at the load: nothing of the program runs.

/// Changes bytes of the container before it is loaded.
class RefusedPrograms : public StreamJobs {
 protected:
  /// `find` gets the container and returns the place of a 32-bit word, which becomes `value`.
  template <typename Find>
  void expect_refused(Find find, std::uint32_t value, ErrorCode code, const char *what) {
    switch_off();
    boot();
    TaskText text = mixed_program();
    std::vector<std::uint8_t> &container = text.program->code;
    std::memcpy(&container[find(container)], &value, sizeof value);
    const std::size_t loaded = load(text, 0);
    serve_all();
    expect(loaded, code, what);
  }
  /// The first slot of a stream that `domain` has, or the payload itself.
  static std::uint32_t payload_of(const std::vector<std::uint8_t> &code, isa::unity::Domain domain) {
    const auto opened = isa::unity::Container::open(std::as_bytes(std::span(code)));
    for (std::uint32_t i = 0; i < opened.value().header().programs; ++i) {
      const isa::unity::ProgramEntry entry = opened.value().program(i);
      for (std::uint32_t number = 0; number < entry.instructions; ++number) {
        if (opened.value().instruction(entry, number).domain == domain)
          return entry.offset + static_cast<std::uint32_t>(isa::unity::payload_offset(number));
      }
    }
    ADD_FAILURE() << "no such instruction";
    return 0;
  }
  static std::uint32_t word(const std::vector<std::uint8_t> &code, std::uint32_t place) {
    std::uint32_t value = 0;
    std::memcpy(&value, &code[place], sizeof value);
    return value;
  }
  static std::uint32_t slot_of(const std::vector<std::uint8_t> &code, isa::unity::Domain domain) {
    return word(code, payload_of(code, domain) + 8);
  }
  static std::uint32_t stream_of(const std::vector<std::uint8_t> &code, isa::unity::Domain domain) {
    return word(code, slot_of(code, domain));
  }
};

TEST_F(RefusedPrograms, AStreamThatItsEngineRefuses) {
  using isa::unity::Domain;
  const auto at = [](Domain domain, std::uint32_t offset) {
    return [=](const std::vector<std::uint8_t> &code) { return stream_of(code, domain) + offset; };
  };
  expect_refused(at(Domain::mx, 8), 0x0F, ErrorCode::unknown_instruction, "opcode");
  expect_refused(at(Domain::cube, 0), 0, ErrorCode::unknown_instruction, "opcode");
  expect_refused(at(Domain::pim, 0), 0, ErrorCode::field_out_of_range, "magic");
}

TEST_F(RefusedPrograms, SlotsThatNoEngineTakes) {
  using isa::unity::Domain;
  const auto slot = [](Domain domain, std::uint32_t offset) {
    return [=](const std::vector<std::uint8_t> &code) { return slot_of(code, domain) + offset; };
  };
  expect_refused(slot(Domain::mx, 12), 3, ErrorCode::reserved_bits, "slot");
  expect_refused(slot(Domain::mx, 8), 1U << 20, ErrorCode::address_outside_window, "stream");
  expect_refused(slot(Domain::mx, 0), 1U << 20, ErrorCode::address_outside_window, "stream");
  expect_refused(slot(Domain::tile, 0), 0x111, ErrorCode::reserved_bits, "slot");  // a context
  const auto payload = [](Domain domain, std::uint32_t offset) {
    return [=](const std::vector<std::uint8_t> &code) { return payload_of(code, domain) + offset; };
  };
  expect_refused(payload(Domain::mx, 8), 1U << 20, ErrorCode::address_outside_window, "address");
  expect_refused(payload(Domain::mx, 8), 8, ErrorCode::misaligned_address, "address");
  expect_refused(payload(Domain::mx, 0), 1U << 6, ErrorCode::field_out_of_range, "slots");
  expect_refused(payload(Domain::mx, 0), 1 | 1U << 6 | 1U << 8, ErrorCode::field_out_of_range, "queue");
  expect_refused(payload(Domain::tile, 0), 1 | 1U << 6 | 1U << 8, ErrorCode::unknown_instruction, "slot");  // another class
}

/// Slots in the 16-bit page, and slots of a container that is not relative, are not known at the load.
TEST_F(RefusedPrograms, SlotsOutsideOfTheContainer) {
  using isa::unity::Domain;
  expect_refused([](const std::vector<std::uint8_t> &code) { return payload_of(code, Domain::mx); }, 1U << 8,
                 ErrorCode::address_outside_window, "address");
  expect_refused([](const std::vector<std::uint8_t> &) { return 4U; }, 4, ErrorCode::unsupported, "flags");
}

/// The firmware writes addresses at the start of a run. None may change what the check has seen of a submission.
TEST_F(RefusedPrograms, RelocationsOfSubmissions) {
  using isa::unity::Domain;
  const std::vector<std::uint8_t> code = mixed_program().program->code;
  const std::uint32_t payload = payload_of(code, Domain::mx);
  for (const std::uint32_t place :
       {4U, 32U, payload - payload % 32, payload, payload + 8, slot_of(code, Domain::mx), slot_of(code, Domain::tile) + 8}) {
    switch_off();
    boot();
    TaskText text = mixed_program();
    auto &relocations = text.program->relocations;
    auto added = relocations.front();
    added.place = place;
    added.offset = 0;
    added.window = isa::unity::kOwnBytes;
    relocations.insert(std::ranges::lower_bound(relocations, place, {}, [](const auto &relocation) { return relocation.place; }), added);
    const std::size_t loaded = load(text, 0);
    serve_all();
    expect(loaded, ErrorCode::image_malformed, "program.relocations");
  }
}

// Faults while it runs. The next job is right.

/// Runs the program with a fault, and once more.
class FailingPrograms : public StreamJobs {
 protected:
  struct Ended {
    ErrorCode code;
    std::string what;
    std::int64_t value;
  };
  Ended run(const std::string &plan, std::uint32_t time_limit_us = 0) {
    switch_off();
    boot(plan);
    const TaskText text = mixed_program();
    load(text, 0);
    Request request = run_request(text, 0);
    request.time_limit_us = time_limit_us;
    fill(request, mixed_contents(1));
    const std::size_t first = add(request);
    const Request next = run_request(text, 0);
    fill(next, mixed_contents(2));
    const std::size_t second = add(next);
    serve_all();
    expect(second, ErrorCode::ok);
    expect_contents(next, mixed_contents(2));
    return {static_cast<ErrorCode>(outcome(first).error), outcome(first).error_what, outcome(first).error_value};
  }
};

TEST_F(FailingPrograms, ABusErrorOfAnyEngineFailsTheJobByName) {
  for (const char *queue : {"MX", "CUBE", "PIM", "UNITY", "LD core=0", "ST core=0"}) {
    SCOPED_TRACE(queue);
    const Ended ended = run(std::string("bus_error queue=") + queue + " access=1");
    EXPECT_EQ(ended.code, ErrorCode::device_fault);
    EXPECT_EQ(ended.value, static_cast<std::int64_t>(hal::FaultCode::bus_error));
  }
}

TEST_F(FailingPrograms, AnEngineThatHangsMeetsTheTimeLimit) {
  for (const char *queue : {"MX", "CUBE", "PIM", "LD core=0"}) {
    SCOPED_TRACE(queue);
    const Ended ended = run(std::string("stuck queue=") + queue + " instruction=1", 2000);
    EXPECT_EQ(ended.code, ErrorCode::time_limit);
    EXPECT_EQ(ended.what, "stream");
  }
}

/// A tile core that has failed a task, and has been reset, serves programs again.
TEST_F(FailingPrograms, ACoreWhereATaskHasHungIsLentAgain) {
  boot("stuck queue=LD core=0 instruction=1");
  const TaskText task = copies_task(0, 3, 2), mixed = mixed_program();
  load(task, 0);
  load(mixed, 1);
  Request hangs = run_request(task, 0);
  hangs.time_limit_us = 1000;
  const std::size_t hung = add(hangs);
  serve_all();
  expect(hung, ErrorCode::time_limit, outcome(hung).error_what);
  const Request run = run_request(mixed, 1);
  fill(run, mixed_contents(3));
  const std::size_t number = add(run);
  serve_all();
  expect(number, ErrorCode::ok);
  expect_contents(run, mixed_contents(3));
}

/// If only the completion of the program is lost, nothing of it is left on the other engines, and their own jobs go on.
TEST_F(FailingPrograms, ALostCompletionHarmsNoJobOfAnotherEngine) {
  const unsigned queue = registers::row_of(registers::Engine::unity).completion_queue();
  boot("completion lost queue=" + std::to_string(queue) + " count=1\nstuck queue=MX instruction=40 cycles=20000000");
  const TaskText mixed = mixed_program(), sum = sum_program(4);
  load(mixed, 0);
  load(sum, 1, 1);
  const Request run = run_request(mixed, 0);
  fill(run, mixed_contents(1));
  const std::size_t first = add(run);
  std::vector<std::pair<std::size_t, Request>> sums;
  for (unsigned i = 0; i < 40; ++i) {
    const Request request = run_request(sum, 1, 1);
    fill(request, sum_contents(i));
    sums.emplace_back(add(request), request);
  }
  serve_all();
  expect(first, ErrorCode::device_fault, "completion");
  for (unsigned i = 0; i < sums.size(); ++i) {
    expect(sums[i].first, ErrorCode::ok);
    expect_contents(sums[i].second, sum_contents(i));
  }
}

TEST_F(FailingPrograms, AnEngineThatIsResetFailsTheJob) {
  for (const char *engine : {"MX", "CUBE", "PIM"}) {
    SCOPED_TRACE(engine);
    const Ended ended = run("stuck queue=" + std::string(engine) + " instruction=1\nreset engine=" + engine + " at=30000");
    EXPECT_EQ(ended.code, ErrorCode::device_fault);
    EXPECT_EQ(ended.what, "engine reset");
  }
}

}  // namespace
}  // namespace cox::tests
