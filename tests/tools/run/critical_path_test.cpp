// SPDX-License-Identifier: MIT
// Tests the waits of instructions and the critical path of a run. Most tests use an event log of the copy task (small_task.h) with times
// that are made up.
#include "tools/run/tile/critical_path.h"

#include <gmock/gmock.h>

#include <cstring>
#include <fstream>

#include "coxswain/firmware/job/job_queue.h"
#include "coxswain/firmware/trace/trace.h"
#include "coxswain/isa/tile/table.h"
#include "sim/model/observers/event_log.h"
#include "tests/tools/run/small_task.h"
#include "tools/run/boards/temporary_folder.h"
#include "tools/run/tile/control_trace.h"
#include "tools/run/tile/event_timeline.h"

namespace cox::tools::run {
namespace {

using isa::tile::Class;
using model::EventKind;
using model::EventRecord;
using testing::ElementsAre;
using testing::IsEmpty;

constexpr std::uint64_t kStart = 1000;
constexpr unsigned kFirstCore = 2;

EventRecord instruction(std::size_t index, std::uint32_t ordinal, std::uint64_t doorbell, std::uint64_t start, std::uint64_t end,
                        std::uint64_t stalled = 0) {
  const auto opcode = isa::tile::opcode_of(copy_task().instructions[index].code);
  EventRecord record{};
  record.kind = EventKind::instruction;
  record.core = kFirstCore;
  record.context = 3;
  record.queue = static_cast<std::uint8_t>(isa::tile::find_instruction(opcode)->queue);
  record.opcode = static_cast<std::uint8_t>(opcode);
  record.ordinal = ordinal;
  record.doorbell = kStart + doorbell;
  record.start = kStart + start;
  record.end = kStart + end;
  record.stalled = stalled;
  return record;
}

EventRecord other(EventKind kind, std::uint64_t when, std::uint8_t level = 0) {
  EventRecord record{};
  record.kind = kind;
  if (kind == EventKind::context_reset) record.context = 3;
  record.status = level;
  record.end = kStart + when;
  return record;
}

// The earliest start of an instruction is 50 cycles after its doorbell. In this log, the last instruction starts 55 cycles after its
// doorbell.
std::vector<EventRecord> copy_log() {
  EventRecord elsewhere = instruction(0, 0, 0, 10, 20);
  elsewhere.core = 0;  // this instruction belongs to another task
  elsewhere.context = 4;
  return {elsewhere,
          // Two failed attempts of the run come first; each ends with a reset of the context.
          instruction(0, 0, 0, 5, 30), instruction(2, 0, 0, 5, 30), instruction(4, 0, 0, 5, 30), instruction(1, 1, 0, 30, 35),
          other(EventKind::context_reset, 36), instruction(0, 0, 0, 36, 37), instruction(2, 0, 0, 36, 37), instruction(4, 0, 0, 36, 37),
          instruction(1, 1, 0, 37, 38), other(EventKind::context_reset, 40), instruction(0, 0, 0, 50, 88), instruction(2, 0, 20, 70, 91),
          instruction(4, 0, 40, 90, 110), instruction(1, 1, 0, 88, 123), other(EventKind::interrupt, 147, 1),
          other(EventKind::interrupt, 230), instruction(3, 1, 223, 273, 373, 30), other(EventKind::interrupt, 397, 1),
          other(EventKind::interrupt, 440), instruction(5, 1, 450, 500, 600), other(EventKind::interrupt, 624, 1),
          other(EventKind::interrupt, 690), instruction(6, 2, 680, 735, 766), other(EventKind::context_reset, 900)};
}

Timeline timeline_of(const std::vector<EventRecord> &records) {
  const TemporaryFolder folder;
  std::ofstream log(folder.file("log"), std::ios::binary);
  log.write(model::kEventLogMagic, sizeof(model::kEventLogMagic));
  log.write(reinterpret_cast<const char *>(records.data()), static_cast<std::streamsize>(records.size() * sizeof(EventRecord)));
  log.close();
  return read_timeline(folder.file("log"), copy_task(), {kStart, kFirstCore});
}

MATCHER_P4(IsWait, reason, from, to, whom, "") {
  return arg.reason == reason && arg.when.from == from && arg.when.to == to && arg.whom == whom;
}
MATCHER_P4(IsStretch, on, from, to, instruction, "") {
  return arg.on == on && arg.when.from == from && arg.when.to == to && arg.instruction == instruction;
}
MATCHER_P2(IsSpan, from, to, "") { return arg.from == from && arg.to == to; }

TEST(Waits, OfEachStartWithTheirReason) {
  const Timeline timeline = timeline_of(copy_log());
  const Waits waits(timeline);
  constexpr std::size_t kNone = Waits::kNone;
  EXPECT_EQ(waits.doorbell_latency(), 50U);
  EXPECT_THAT(waits.of(0), ElementsAre(IsWait(WaitFor::doorbell, 0U, 50U, kNone)));
  EXPECT_THAT(waits.of(1), ElementsAre(IsWait(WaitFor::queue, 50U, 88U, 0U)));
  EXPECT_THAT(waits.of(3), ElementsAre(IsWait(WaitFor::token, 91U, 123U, 1U), IsWait(WaitFor::dispatch, 123U, 223U, kNone),
                                       IsWait(WaitFor::doorbell, 223U, 273U, kNone), IsWait(WaitFor::bandwidth, 343U, 373U, kNone)));
  EXPECT_THAT(waits.of(6), ElementsAre(IsWait(WaitFor::token, 123U, 600U, 5U), IsWait(WaitFor::dispatch, 600U, 680U, kNone),
                                       IsWait(WaitFor::doorbell, 680U, 730U, kNone), IsWait(WaitFor::device, 730U, 735U, kNone)));
  EXPECT_EQ(describe(waits.of(6)[0], timeline, false), "a token of ST: sta_mov (instruction 5)");
  EXPECT_EQ(describe(waits.of(1)[0], timeline, true), "its turn in its queue, after CT 0: ct_st (instruction 0)");
}

TEST(CriticalPath, FromTheLastEndBackToTheStart) {
  const Timeline timeline = timeline_of(copy_log());
  const std::vector<Stretch> path = critical_path(timeline, Waits(timeline));
  EXPECT_THAT(path, ElementsAre(IsStretch(Spent::doorbell, 0U, 50U, 0U), IsStretch(Spent::configuration, 50U, 88U, 0U),
                                IsStretch(Spent::configuration, 88U, 123U, 1U), IsStretch(Spent::dispatch, 123U, 223U, 3U),
                                IsStretch(Spent::doorbell, 223U, 273U, 3U), IsStretch(Spent::dram, 273U, 343U, 3U),
                                IsStretch(Spent::bandwidth, 343U, 373U, 3U), IsStretch(Spent::dispatch, 373U, 450U, 5U),
                                IsStretch(Spent::doorbell, 450U, 500U, 5U), IsStretch(Spent::dram, 500U, 600U, 5U),
                                IsStretch(Spent::dispatch, 600U, 680U, 6U), IsStretch(Spent::doorbell, 680U, 730U, 6U),
                                IsStretch(Spent::device, 730U, 735U, 6U), IsStretch(Spent::configuration, 735U, 766U, 6U)));
  const auto cycles = spent_cycles(path);
  EXPECT_EQ(cycles.at(static_cast<std::size_t>(Spent::dram)), 170U);
  EXPECT_EQ(cycles.at(static_cast<std::size_t>(Spent::dispatch)), 257U);
  EXPECT_EQ(cycles.at(static_cast<std::size_t>(Spent::matrix)), 0U);
  std::uint64_t all = 0;
  for (const std::uint64_t part : cycles) all += part;
  EXPECT_EQ(all, 766U);
}

// The second load takes no token. It starts 50 cycles after its doorbell, as early as it can, so it waited only for the control core. The
// control core rings the doorbells of a queue in order, so the path continues at the doorbell of the first load.
TEST(CriticalPath, ThroughADoorbellThatNoTokenHeld) {
  Timeline timeline;
  const auto load = [](std::uint32_t index, std::uint64_t doorbell, std::uint64_t start, std::uint64_t end) {
    TimedInstruction instruction;
    instruction.index = index;
    instruction.queue = Class::LD;
    instruction.name = "lda_mov";
    instruction.doorbell = doorbell;
    instruction.start = start;
    instruction.end = end;
    return instruction;
  };
  timeline.instructions = {load(0, 10, 60, 100), load(1, 120, 170, 200)};
  EXPECT_THAT(critical_path(timeline, Waits(timeline)),
              ElementsAre(IsStretch(Spent::dispatch, 0U, 10U, 1U), IsStretch(Spent::dispatch, 10U, 120U, 1U),
                          IsStretch(Spent::doorbell, 120U, 170U, 1U), IsStretch(Spent::dram, 170U, 200U, 1U)));
  EXPECT_THAT(critical_path(Timeline{}, Waits(Timeline{})), IsEmpty());
}

// The later of two tokens is decisive, in whichever order they come in the program.
TEST(CriticalPath, ThroughTheLaterOfTwoTokens) {
  Timeline timeline;
  const auto add = [&timeline](Class queue, const char *name, std::uint64_t start, std::uint64_t end, std::uint32_t previous,
                               std::uint32_t next) {
    TimedInstruction instruction;
    instruction.index = static_cast<std::uint32_t>(timeline.instructions.size());
    instruction.queue = queue;
    instruction.name = name;
    instruction.doorbell = instruction.start = start;
    instruction.end = end;
    instruction.previous = previous;
    instruction.next = next;
    timeline.instructions.push_back(instruction);
  };
  constexpr auto kBit = [](Class queue) { return 1U << static_cast<unsigned>(queue); };
  add(Class::LD, "lda_mov", 0, 300, 0, kBit(Class::PE));
  add(Class::LW, "lw_mov", 0, 100, 0, kBit(Class::PE));
  add(Class::PE, "pe_conv", 310, 400, kBit(Class::LD) | kBit(Class::LW), kBit(Class::VP));
  add(Class::VP, "vp_self", 400, 450, kBit(Class::PE), 0);
  EXPECT_THAT(critical_path(timeline, Waits(timeline)),
              ElementsAre(IsStretch(Spent::dram, 0U, 300U, 0U), IsStretch(Spent::dispatch, 300U, 310U, 2U),
                          IsStretch(Spent::matrix, 310U, 400U, 2U), IsStretch(Spent::vector, 400U, 450U, 3U)));
}

TEST(EventTimeline, InterruptsAndWhenTheControlCoreServedThem) {
  const Timeline timeline = timeline_of(copy_log());
  ASSERT_EQ(timeline.interrupts.size(), 3U);
  EXPECT_THAT(timeline.interrupts[1].high, IsSpan(397U, 440U));
  EXPECT_EQ(timeline.control_source, ControlSource::device);
  // After an interrupt the control core counts as active until the interrupt line falls, or until the last doorbell before the next
  // interrupt, if that is later. It is later only for the second interrupt: cycle 450 instead of 440.
  EXPECT_THAT(timeline.active, ElementsAre(IsSpan(0U, 40U), IsSpan(147U, 230U), IsSpan(397U, 450U), IsSpan(624U, 690U)));
}

TEST(EventTimeline, TokensBetweenCores) {
  Timeline timeline;
  TimedInstruction giver, taker;
  giver.core = 2;
  giver.queue = Class::SO;
  giver.next = 1U << (isa::tile::kClasses + 1);  // gives to core 1
  taker.core = 1;
  taker.queue = Class::SI;
  taker.previous = 1U << (isa::tile::kClasses + 2);  // takes from core 2
  timeline.instructions = {giver, taker};
  const std::vector<Token> tokens = tokens_of(timeline);
  ASSERT_EQ(tokens.size(), 1U);
  EXPECT_EQ(tokens[0].from, 0U);
  EXPECT_EQ(tokens[0].to, 1U);
  EXPECT_EQ(lane_name(taker.lane(), true), "SI 1");
}

std::vector<std::byte> reading_of(const std::vector<firmware::trace::Event> &events) {
  const firmware::job::TraceReading head{static_cast<std::uint32_t>(events.size()), 0};
  std::vector<std::byte> bytes(sizeof(head) + events.size() * sizeof(events[0]));
  std::memcpy(bytes.data(), &head, sizeof(head));
  if (!events.empty()) std::memcpy(bytes.data() + sizeof(head), events.data(), events.size() * sizeof(events[0]));
  return bytes;
}

TEST(ControlTrace, WhenItWasAwakeAcrossTheTurnOfTheLowWord) {
  Timeline timeline = timeline_of(copy_log());
  constexpr std::uint64_t kLate = 0x1'FFFF'FFF0;
  using firmware::trace::Kind;
  const auto event = [](std::uint64_t time, Kind kind, std::uint32_t lane = 0, std::uint32_t argument = 0) {
    return firmware::trace::Event{static_cast<std::uint32_t>(kLate + time), static_cast<std::uint32_t>(kind) | lane << 8 | argument << 16};
  };
  add_control_trace(timeline,
                    reading_of({event(static_cast<std::uint64_t>(-50), Kind::run_start, 2, 1), event(20, Kind::dispatch, 1, 7),
                                event(100, Kind::sleep), event(200, Kind::wake_up), event(260, Kind::sleep), event(700, Kind::wake_up)}),
                    kLate);
  EXPECT_EQ(timeline.control_source, ControlSource::trace);
  EXPECT_THAT(timeline.active, ElementsAre(IsSpan(0U, 100U), IsSpan(200U, 260U), IsSpan(700U, 766U)));
  ASSERT_EQ(timeline.control_events.size(), 5U);  // events before the run are left out
  EXPECT_EQ(timeline.control_events[0].time, 20U);
  EXPECT_EQ(timeline.control_events[0].text, "dispatch: LD, index 7");
}

TEST(ControlTrace, AFirmwareWithoutOneChangesNothing) {
  Timeline timeline = timeline_of(copy_log());
  add_control_trace(timeline, reading_of({}), kStart);
  add_control_trace(timeline, {}, kStart);
  EXPECT_EQ(timeline.control_source, ControlSource::device);
  EXPECT_EQ(timeline.active.size(), 4U);
}

}  // namespace
}  // namespace cox::tools::run
