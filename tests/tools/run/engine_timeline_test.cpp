// SPDX-License-Identifier: MIT
// Pictures of engines' streams, from logs written by hand.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "coxswain/isa/pim/program.h"
#include "coxswain/isa/pim/table.h"
#include "coxswain/isa/tile/table.h"
#include "sim/model/observers/event_log.h"
#include "sim/model/pim/machine/counters.h"
#include "tools/command/failure.h"
#include "tools/registry/registry.h"
#include "tools/run/boards/temporary_folder.h"
#include "tools/run/picture/engine_timeline_svg.h"

namespace cox::tools::run {
namespace engine_timeline_test {

using model::EventKind;
using model::EventRecord;
using testing::HasSubstr;
using testing::Not;

EventRecord slot(unsigned pipe, unsigned opcode, std::uint64_t start, std::uint64_t end) {
  EventRecord record{};
  record.kind = EventKind::stream_instruction;
  record.core = 1;
  record.queue = static_cast<std::uint8_t>(pipe);
  record.opcode = static_cast<std::uint8_t>(opcode);
  record.start = start;
  record.end = end;
  return record;
}

/// Returns records of two overlapping loads, a product and a barrier on the matrix unit, and of an ELADD that the MX engine runs from cycle
/// 1,000 on.
std::vector<EventRecord> example() {
  std::vector<EventRecord> records = {slot(0, 4, 1100, 1400), slot(0, 4, 1200, 1500), slot(2, 10, 1500, 1900), slot(4, 3, 1900, 1900)};
  records[2].ordinal = 64;
  records[2].stalled = 12;
  records[1].bytes = 4096;
  EventRecord eladd{};
  eladd.kind = EventKind::stream_instruction;
  eladd.opcode = 2;
  eladd.start = 1000;
  eladd.end = 2000;
  records.push_back(eladd);
  return records;
}

std::string picture_of(const std::vector<EventRecord> &records, const EnginePictureOptions &options) {
  const TemporaryFolder folder;
  const std::string path = folder.file("log");
  std::ofstream log(path, std::ios::binary);
  log.write(model::kEventLogMagic, sizeof(model::kEventLogMagic));
  log.write(reinterpret_cast<const char *>(records.data()), static_cast<std::streamsize>(records.size() * sizeof(EventRecord)));
  log.close();
  std::ostringstream out;
  write_engine_timeline_svg(out, path, options, program_formats());
  return out.str();
}

TEST(EngineTimeline, HasALaneForEachPipeAndForTheMxEngine) {
  const std::string svg = picture_of(example(), {.title = "a <product>"});
  EXPECT_THAT(svg, HasSubstr("a &lt;product&gt;"));
  EXPECT_THAT(svg, HasSubstr("5 instructions in 1,000 cycles (1 µs at 1 GHz)"));
  for (const char *lane : {">MX<", ">MTE2<", ">M<", ">all<"}) EXPECT_THAT(svg, HasSubstr(lane));
  EXPECT_THAT(svg, Not(HasSubstr(">FIX<")));  // no instruction ran in this pipe
  EXPECT_THAT(svg, HasSubstr(">100.0 %<"));   // the MX engine is busy all the time
  // The two loads together take cycles 100 to 500 of the picture, because their overlap counts once. The product takes cycles 500 to 900.
  EXPECT_THAT(svg, testing::ContainsRegex(">40.0 %<.*\n(.*\n)*.*>40.0 %<"));
  EXPECT_THAT(svg, HasSubstr("<title>MAD (stream 0, byte 64)\n500 to 900: 400 cycles\n12 of them stalled</title>"));
  EXPECT_THAT(svg, HasSubstr("4,096 bytes of DRAM"));
  EXPECT_THAT(svg, HasSubstr("<title>ELADD"));
  EXPECT_THAT(svg, HasSubstr(">DRAM_TO_L1<"));    // in the legend
  EXPECT_THAT(svg, Not(HasSubstr(">BARRIER<")));  // drawn as a grey tick
}

TEST(EngineTimeline, HasALaneForEachClassOfATileCore) {
  std::vector<EventRecord> records = example();
  for (const unsigned core : {0U, 2U}) {
    EventRecord load{};
    load.kind = EventKind::instruction;
    load.core = static_cast<std::uint8_t>(core);
    load.context = 6;
    load.queue = static_cast<std::uint8_t>(isa::tile::Class::LD);
    load.opcode = static_cast<std::uint8_t>(isa::tile::Opcode::lda_mov);
    load.start = 1000 + 100 * core;
    load.end = 1500;
    records.push_back(load);
  }
  records.push_back(records.back());
  records.back().core = 4;  // no such core
  const std::string svg = picture_of(records, {.title = "all"});
  EXPECT_THAT(svg, HasSubstr("7 instructions in 1,000 cycles"));
  for (const char *lane : {">MX<", ">MTE2<", ">LD<", ">LD of core 2<"}) EXPECT_THAT(svg, HasSubstr(lane));
  EXPECT_THAT(svg, HasSubstr("<title>lda_mov (core 2, context 6)\n200 to 500: 300 cycles"));
}

EventRecord pim(unsigned core, isa::pim::Opcode opcode, model::pim::Unit unit, std::uint32_t instruction, std::uint64_t start,
                std::uint64_t end) {
  EventRecord record{};
  record.kind = EventKind::stream_instruction;
  record.core = static_cast<std::uint8_t>(registers::Engine::pim);
  record.engine_core = static_cast<std::uint8_t>(core);
  record.opcode = static_cast<std::uint8_t>(opcode);
  record.queue = static_cast<std::uint8_t>(unit);
  record.ordinal = isa::pim::Position{core, instruction}.pack();
  record.index = 3;
  record.start = start;
  record.end = end;
  return record;
}

/// Core 0 computes and sends synchronously to core 1, which has waited since cycle 100. Both meet core 2 at barrier 9.
std::vector<EventRecord> cores_example() {
  using enum isa::pim::Opcode;
  using model::pim::Unit;
  std::vector<EventRecord> records = {pim(0, pim_compute, Unit::compute, 4, 100, 400), pim(1, receive, Unit::message, 5, 100, 500),
                                      pim(0, send, Unit::message, 7, 400, 500),        pim(2, add, Unit::scalar, 0, 100, 101),
                                      pim(2, barrier, Unit::message, 1, 101, 700),     pim(0, barrier, Unit::message, 8, 500, 700),
                                      pim(1, barrier, Unit::message, 6, 600, 700)};
  EventRecord message{};
  message.kind = EventKind::message;
  message.core = static_cast<std::uint8_t>(registers::Engine::pim);
  message.queue = 0;
  message.engine_core = 1;
  message.index = 3;
  message.start = 400;
  message.doorbell = 100;
  message.end = 500;
  message.bytes = 64;
  message.detail = 17;
  records.push_back(message);
  EventRecord meeting{};
  meeting.kind = EventKind::barrier;
  meeting.core = static_cast<std::uint8_t>(registers::Engine::pim);
  meeting.index = 3;
  meeting.start = 600;
  meeting.end = 700;
  meeting.bytes = 7;
  meeting.detail = 9;
  records.push_back(meeting);
  return records;
}

std::size_t count_of(const std::string &text, const std::string &part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

TEST(EngineTimeline, HasALaneForEachPimCoreWithItsMessagesAndBarriers) {
  const std::string svg = picture_of(cores_example(), {.title = "cores"});
  EXPECT_THAT(svg, HasSubstr("7 instructions in 600 cycles (0.600 µs at 1 GHz), 1 message<"));
  EXPECT_EQ(count_of(svg, R"(<text class="name")"), 3U);
  for (const char *lane : {">core 0<", ">core 1<", ">core 2<"}) EXPECT_THAT(svg, HasSubstr(lane));
  // Units that have boxes are the rows of each lane. The scalar unit has only a tick.
  EXPECT_EQ(count_of(svg, R"(<text class="row")"), 6U);
  EXPECT_THAT(svg, HasSubstr("pim-compute (stream 3, core 0, instruction 4)\n0 to 300: 300 cycles"));
  EXPECT_EQ(count_of(svg, R"(<path class="message")"), 2U);  // one of them is in the legend
  EXPECT_THAT(svg, HasSubstr("message 17 from core 0 to core 1: 64 bytes\nboth sides from 300 on, arrived at 400"));
  EXPECT_EQ(count_of(svg, R"(<path class="barrier")"), 2U);
  EXPECT_EQ(count_of(svg, R"(<circle class="meets")"), 4U);
  EXPECT_THAT(svg, HasSubstr("barrier 9 of 3 cores\nthe last core came at 500; they went on at 600"));
  // The receive waits from 0 to 300 and the barrier holds all cores; only then, and in the legend, boxes are hatched.
  EXPECT_EQ(count_of(svg, R"(<rect class="h")"), 5U);
  EXPECT_THAT(svg, testing::ContainsRegex(">66.7 %<(.*\n)*.*>16.7 %<(.*\n)*.*>0.2 %<"));  // what is hatched does not count as occupied
}

/// Returns the x coordinates of the message's ends.
std::pair<double, double> arrow_of(const std::string &svg) {
  double from = 0, to = 0, y = 0;
  const std::size_t at = svg.find(R"(<path class="message" d="M)");
  EXPECT_EQ(std::sscanf(svg.c_str() + at, R"(<path class="message" d="M%lf %lfL%lf)", &from, &y, &to), 3);
  return {from, to};
}

TEST(EngineTimeline, AMessageLeavesWhenBothSidesAreThereAndASynchronousSendMayWait) {
  // Cycle c of 600 is at 200 + c * 1236 / 600.
  EXPECT_EQ(arrow_of(picture_of(cores_example(), {})), std::pair(818.0, 1024.0));
  std::vector<EventRecord> late = cores_example();
  late[7].doorbell = 450;
  late[1].start = 450;
  EXPECT_EQ(arrow_of(picture_of(late, {})), std::pair(921.0, 1024.0));
  // An asynchronous send has ended before the receive begins.
  late[2].end = 401;
  EXPECT_EQ(arrow_of(picture_of(late, {})), std::pair(820.1, 1024.0));
  EXPECT_EQ(count_of(picture_of(late, {}), R"(<rect class="h")"), 4U);
}

TEST(EngineTimeline, ALaneForEachUnitOnRequest) {
  const std::string svg = picture_of(cores_example(), {.title = "units", .units = true});
  EXPECT_EQ(count_of(svg, R"(<text class="name")"), 5U);
  for (const char *lane :
       {">compute of core 0<", ">message of core 0<", ">message of core 1<", ">scalar of core 2<", ">message of core 2<"})
    EXPECT_THAT(svg, HasSubstr(lane));
  EXPECT_EQ(count_of(svg, R"(<path class="message")"), 2U);
}

TEST(EngineTimeline, MessagesOutsideOfThePartAreNotDrawn) {
  const std::string svg = picture_of(cores_example(), {.title = "part", .from = 450});
  EXPECT_EQ(count_of(svg, R"(<path class="message")"), 0U);
  EXPECT_EQ(count_of(svg, R"(<path class="barrier")"), 2U);
  EXPECT_EQ(count_of(picture_of(cores_example(), {.title = "part", .to = 350}), R"(<path class="barrier")"), 0U);
}

TEST(EngineTimeline, ShowsTheFaultOfACore) {
  std::vector<EventRecord> records = cores_example();
  records.push_back(pim(2, isa::pim::Opcode::add, model::pim::Unit::scalar, 9, 720, 720));
  records.back().status = static_cast<std::uint8_t>(registers::FaultCode::buffer);
  const std::string svg = picture_of(records, {});
  EXPECT_EQ(count_of(svg, R"(<rect class="f")"), 2U);
  EXPECT_THAT(svg, HasSubstr("add (stream 3, core 2, instruction 9)\n620 to 620: 0 cycles\nfault: buffer"));
}

TEST(EngineTimeline, ANarrowPictureBreaksItsNotes) {
  const std::string wide = picture_of(cores_example(), {}), narrow = picture_of(cores_example(), {.title = "", .width = 700});
  EXPECT_THAT(wide, HasSubstr(R"(viewBox="0 0 1600 )"));
  EXPECT_THAT(narrow, HasSubstr(R"(viewBox="0 0 700 )"));
  EXPECT_EQ(count_of(wide, R"(<text class="note")"), 1U);
  EXPECT_EQ(count_of(narrow, R"(<text class="note")"), 3U);
}

TEST(EngineTimeline, MessagesOfADamagedLog) {
  std::vector<EventRecord> records = cores_example();
  records[7].engine_core = 5;  // a core that has no instruction
  records[8].bytes = ~std::uint64_t{0} - 7;
  const std::string svg = picture_of(records, {});
  EXPECT_EQ(count_of(svg, R"(<path class="message")") + count_of(svg, R"(<path class="barrier")"), 0U);
}

TEST(EngineTimeline, APartOfIt) {
  const std::string svg = picture_of(example(), {.title = "part", .from = 450, .to = 600});
  EXPECT_THAT(svg, HasSubstr("3 instructions in 150 cycles"));
  EXPECT_THAT(svg, HasSubstr("from cycle 450"));
  EXPECT_THAT(svg, HasSubstr("500 to 900: 400 cycles"));  // of the product; the tooltip is not cut off
  EXPECT_THAT(svg, HasSubstr(">66.7 %<"));                // the product runs in 100 of the 150 cycles from 450 to 600
}

TEST(EngineTimeline, ADamagedLogIsDrawnAsFarAsItMakesSense) {
  std::vector<EventRecord> records = example();
  records.push_back(slot(0, 0, 1500, 1600));
  records.push_back(slot(0, 200, 1500, 1600));
  records.push_back(slot(77, 10, 1500, 1600));
  records.push_back(slot(2, 10, 1600, 1500));
  records.push_back(slot(2, 10, 1500, 1600));
  records.back().core = 9;
  EXPECT_THAT(picture_of(records, {}), HasSubstr("5 instructions in 1,000 cycles"));
}

TEST(EngineTimeline, NothingToDraw) {
  EXPECT_THROW(static_cast<void>(picture_of({}, {})), Failure);
  EXPECT_THROW(static_cast<void>(picture_of(example(), {.title = "", .from = 5000})), Failure);
  std::ostringstream out;
  try {
    write_engine_timeline_svg(out, "/nowhere/log", {}, program_formats());
    FAIL();
  } catch (const Failure &failure) {
    EXPECT_EQ(failure.code(), ExitCode::bad_input);
  }
}

/// Instructions of two Unity units, and keys that they give and take.
std::vector<EventRecord> keys_example() {
  const auto record = [](EventKind kind, unsigned unit, std::uint64_t end) {
    EventRecord made{};
    made.kind = kind;
    made.core = static_cast<std::uint8_t>(registers::Engine::unity);
    made.engine_core = static_cast<std::uint8_t>(unit);
    made.end = end;
    return made;
  };
  const auto instruction = [&](unsigned unit, unsigned opcode, std::uint64_t start, std::uint64_t end) {
    EventRecord made = record(EventKind::stream_instruction, unit, end);
    made.opcode = static_cast<std::uint8_t>(opcode);
    made.start = start;
    return made;
  };
  const auto keys = [&](unsigned unit, bool given, unsigned count, unsigned entry, std::uint64_t at) {
    EventRecord made = record(EventKind::keys, unit, at);
    made.last = given ? 1 : 0;
    made.bytes = count;
    made.detail = 1 << 8 | entry;
    return made;
  };
  return {keys(0, false, 1, 7, 1000),       keys(0, true, 1, 5, 1100),       instruction(0, 0, 1000, 1100), keys(0, true, 1, 5, 1200),
          instruction(0, 0xF1, 1000, 1200), keys(1, false, 2, 5, 1250),      keys(1, true, 1, 5, 1300),     instruction(1, 0, 1250, 1300),
          keys(1, false, 1, 5, 1310),       instruction(1, 0xF3, 1310, 1400)};
}

TEST(EngineTimeline, Keys) {
  const std::string svg = picture_of(keys_example(), {.title = "keys"});
  EXPECT_THAT(svg, HasSubstr("4 instructions in 400 cycles (0.400 µs at 1 GHz), 3 keys"));
  EXPECT_THAT(svg, HasSubstr(">unit 0<"));
  EXPECT_THAT(svg, HasSubstr(">submit mx<"));
  EXPECT_THAT(svg, HasSubstr(">submit pim<"));
  EXPECT_THAT(svg, HasSubstr("key 1:5 from core 0 to core 1\ngiven at 100, taken at 250"));
  EXPECT_THAT(svg, HasSubstr("key 1:5 from core 0 to core 1\ngiven at 200, taken at 250"));
  EXPECT_THAT(svg, HasSubstr("key 1:5 from core 1 to core 1\ngiven at 300, taken at 310"));
  EXPECT_THAT(svg, Not(HasSubstr("key 1:7")));  // nothing in the log gave it
  EXPECT_THAT(svg, HasSubstr("a key, from the instruction that gives it to the one that takes it"));
  EXPECT_THAT(svg, Not(HasSubstr("a message")));
}

}  // namespace engine_timeline_test
}  // namespace cox::tools::run
