// SPDX-License-Identifier: MIT
#include "tools/run/tile/timeline.h"

#include <gmock/gmock.h>

#include <cstdlib>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tools/run/picture/layer_colours.h"
#include "tools/run/tile/chrome_trace.h"
#include "tools/run/tile/events_csv.h"
#include "tools/run/tile/timeline_svg.h"

namespace cox::tools::run {
namespace timeline_test {

using isa::tile::Class;
using testing::HasSubstr;

constexpr std::uint32_t bit(Class queue) { return 1U << static_cast<unsigned>(queue); }

Timeline example() {
  Timeline timeline;
  timeline.title = "two <convolutions>";
  const auto add = [&](Class queue, const char *name, std::uint64_t start, std::uint64_t end, std::uint32_t previous, std::uint32_t next) {
    timeline.instructions.push_back({.index = static_cast<std::uint32_t>(timeline.instructions.size()),
                                     .queue = queue,
                                     .name = name,
                                     .start = start,
                                     .end = end,
                                     .doorbell = start,
                                     .previous = previous,
                                     .next = next,
                                     .bytes = queue == Class::LW ? 640U : 0U,
                                     .layer = 3,
                                     .workload = 5,
                                     .tile = -1});
  };
  add(Class::LW, "lw_mov", 0, 100, 0, bit(Class::PE));
  add(Class::LW, "lw_mov", 100, 2100, 0, bit(Class::PE));
  add(Class::PE, "pe_cfg_fm", 0, 21, 0, 0);
  add(Class::PE, "pe_conv", 100, 1500, bit(Class::LW), 0);
  add(Class::PE, "pe_conv", 2100, 4000, bit(Class::LW), bit(Class::ST));
  return timeline;
}

TEST(Timeline, EndAndBusyCycles) {
  const Timeline timeline = example();
  EXPECT_EQ(timeline.end_cycle(), 4000U);
  EXPECT_EQ(timeline.busy_cycles()[static_cast<std::size_t>(Class::LW)], 2100U);
  EXPECT_EQ(timeline.busy_cycles()[static_cast<std::size_t>(Class::PE)], 21U + 1400U + 1900U);
  EXPECT_EQ(timeline.busy_cycles()[static_cast<std::size_t>(Class::VP)], 0U);
  EXPECT_EQ(Timeline{}.end_cycle(), 0U);
}

TEST(Timeline, TheKthPushMeetsTheKthPop) {
  const std::vector<Token> tokens = tokens_of(example());
  ASSERT_EQ(tokens.size(), 2U);  // no instruction takes the token for ST
  EXPECT_EQ(tokens[0].from, 0U);
  EXPECT_EQ(tokens[0].to, 3U);
  EXPECT_EQ(tokens[1].from, 1U);
  EXPECT_EQ(tokens[1].to, 4U);
}

TEST(EventsCsv, OneLineAnInstruction) {
  std::ostringstream out;
  write_events_csv(out, example());
  EXPECT_EQ(out.str(),
            "index,core,class,name,start,end\n"
            "0,0,LW,lw_mov,0,100\n"
            "1,0,LW,lw_mov,100,2100\n"
            "2,0,PE,pe_cfg_fm,0,21\n"
            "3,0,PE,pe_conv,100,1500\n"
            "4,0,PE,pe_conv,2100,4000\n");
}

TEST(ChromeTrace, TracksSlicesAndArrows) {
  std::ostringstream out;
  write_chrome_trace(out, example());
  const nlohmann::json trace = nlohmann::json::parse(out.str());
  std::map<std::string, int> phases;
  for (const nlohmann::json &event : trace.at("traceEvents")) ++phases[event.at("ph")];
  // The slices: five instructions, two waits (each convolution waits for a token), and three stretches of the critical path.
  EXPECT_EQ(phases["X"], 5 + 2 + 3);
  EXPECT_EQ(phases["s"], 2);
  EXPECT_EQ(phases["f"], 2);
  // The metadata: the name of the process, then the name and the position of each track. The tracks are the critical path, and for each of
  // the two lanes the lane itself and its waits.
  EXPECT_EQ(phases["M"], 1 + 2 * (1 + 2 * 2));

  const auto &events = trace.at("traceEvents");
  const auto slice =
      std::find_if(events.begin(), events.end(), [](const nlohmann::json &e) { return e["ph"] == "X" && e["args"]["index"] == 1; });
  ASSERT_NE(slice, events.end());
  EXPECT_EQ((*slice)["name"], "lw_mov");
  EXPECT_DOUBLE_EQ((*slice)["ts"], 0.1);  // microseconds
  EXPECT_DOUBLE_EQ((*slice)["dur"], 2.0);
  EXPECT_EQ((*slice)["args"]["bytes"], 640);
  EXPECT_EQ((*slice)["args"]["layer"], 3);
  EXPECT_EQ((*slice)["args"]["wkl"], 5);
  EXPECT_FALSE((*slice)["args"].contains("tile"));  // its tile is -1: the instruction belongs to no tile

  // An arrow leaves within the giver's slice and arrives at the start of the taker's slice.
  const auto leaves = std::find_if(events.begin(), events.end(), [](const nlohmann::json &e) { return e["ph"] == "s" && e["id"] == 1; });
  const auto arrives = std::find_if(events.begin(), events.end(), [](const nlohmann::json &e) { return e["ph"] == "f" && e["id"] == 1; });
  EXPECT_EQ((*leaves)["tid"], (*slice)["tid"]);
  EXPECT_LT((*leaves)["ts"].get<double>(), 2.1);
  EXPECT_DOUBLE_EQ((*arrives)["ts"], 2.1);
}

TEST(TimelineSvg, SaysWhatItShows) {
  std::ostringstream out;
  write_timeline_svg(out, example());
  const std::string svg = out.str();
  EXPECT_THAT(svg, HasSubstr("two &lt;convolutions&gt;"));
  EXPECT_THAT(svg, HasSubstr("5 instructions in 4,000 cycles (4 µs at 1 GHz)"));
  EXPECT_THAT(svg, HasSubstr("matrix engine"));
  EXPECT_THAT(svg, HasSubstr(">52.5 %<"));  // LW: 2,100 of 4,000 cycles
  EXPECT_THAT(svg, HasSubstr("<title>pe_conv (instruction 4)\n2,100 to 4,000: 1,900 cycles\nlayer 3, workload 5\nwaited 600 cycles for a "
                             "token of LW: lw_mov (instruction 1)</title>"));
  EXPECT_THAT(svg, Not(HasSubstr("vector engine")));  // a class that the task does not use has no lane
  EXPECT_THAT(svg, HasSubstr("A line is a token"));
  EXPECT_THAT(svg, HasSubstr(R"(<path class="token")"));
  EXPECT_THAT(svg, HasSubstr("</svg>\n"));
}

TEST(TimelineSvg, ManyTokensAreNotDrawn) {
  Timeline timeline;
  for (unsigned i = 0; i < 81; ++i) {
    timeline.instructions.push_back(
        {.index = 2 * i, .queue = Class::LW, .name = "lw_mov", .start = i, .end = i + 1, .next = bit(Class::PE)});
    timeline.instructions.push_back(
        {.index = 2 * i + 1, .queue = Class::PE, .name = "pe_conv", .start = i + 1, .end = i + 2, .previous = bit(Class::LW)});
  }
  std::ostringstream out;
  write_timeline_svg(out, timeline);
  EXPECT_THAT(out.str(), Not(HasSubstr(R"(<path class="token")")));
  EXPECT_THAT(out.str(), Not(HasSubstr("A line is a token")));
}

TEST(TimelineSvg, AnEmptyTimelineIsAPictureToo) {
  std::ostringstream out;
  write_timeline_svg(out, Timeline{});
  EXPECT_THAT(out.str(), HasSubstr("0 instructions in 0 cycles"));
}

// Returns the approximate brightness, up to 255; green counts most.
int brightness(std::int32_t layer) {
  const auto part = [colour = layer_colour(layer)](std::size_t at) { return std::stoi(colour.substr(at, 2), nullptr, 16); };
  return (2 * part(1) + 7 * part(3) + part(5)) / 10;
}

TEST(LayerColours, NeighboursDiffer) {
  for (int layer = 0; layer < 100; ++layer) {
    EXPECT_NE(layer_colour(layer), layer_colour(layer + 1));
    EXPECT_NE(layer_colour(layer), layer_colour(layer + 2));
    for (const std::int32_t near : {8, 13}) EXPECT_GT(std::abs(brightness(layer) - brightness(layer + near)), 12) << layer << ' ' << near;
    EXPECT_EQ(layer_colour(layer).size(), 7U);
  }
}

}  // namespace timeline_test
}  // namespace cox::tools::run
