// SPDX-License-Identifier: MIT
// Pictures of engines' streams, from logs written by hand.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "isa/tile/table.h"
#include "sim/model/observers/event_log.h"
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

}  // namespace engine_timeline_test
}  // namespace cox::tools::run
