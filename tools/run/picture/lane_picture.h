// SPDX-License-Identifier: MIT
// A timeline as a picture that needs no explanation beside it: lanes, boxes in them, an axis in cycles and in microseconds, the share of
// time in which each lane was busy, the critical path, where the time went, a legend. What the lanes are its users say (timeline_svg.h,
// engine_timeline_svg.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

namespace cox::tools::run {

struct LanePicture {
  struct Lane {
    std::string name, what;
    std::uint64_t busy = 0;  ///< cycles
  };
  struct Box {
    std::size_t lane = 0;
    std::uint64_t start = 0, end = 0;  ///< cycles, from 0 to `span`
    bool small = false;                ///< a grey tick at the foot of the lane
    std::string colour;
    std::string spoken;                 ///< when pointed at
    std::vector<std::string> labels{};  ///< the first that fits is written in it
  };
  /// A thin bar between boxes: why there is none.
  struct Gap {
    std::size_t lane = 0;
    std::uint64_t start = 0, end = 0;
    std::string colour, spoken;
  };
  /// Of the critical path: a box, or a part of one.
  struct Stretch {
    std::size_t lane = 0;
    std::uint64_t start = 0, end = 0;
  };
  /// Of the bar that says where the time went.
  struct Part {
    std::string label, colour;
    std::uint64_t cycles = 0;
  };
  /// From a cycle in a lane to a cycle in another one.
  struct Arrow {
    std::size_t from_lane = 0, to_lane = 0;
    std::uint64_t from = 0, to = 0;
  };
  /// A row of the legend: what its chips are ("Layers"), and they.
  struct Chip {
    std::string label, colour;
  };
  struct Legend {
    std::string are;
    std::vector<Chip> chips;
  };

  std::string title, subtitle;
  std::string lanes_are;   ///< over their names: "engine"
  std::uint64_t span = 1;  ///< cycles that the picture is wide
  std::vector<Lane> lanes;
  std::vector<Arrow> arrows;
  std::vector<Gap> gaps;
  std::vector<Box> boxes;
  std::vector<Stretch> path;  ///< in order of time; joined by lines
  std::string parts_are;      ///< over the bar
  std::vector<Part> parts;    ///< the largest first; no bar where there are none
  std::vector<std::string> notes;
  std::vector<Legend> legends;
};

void write_lane_picture(std::ostream &out, const LanePicture &picture);

/// 1234567 as 1,234,567.
std::string grouped(std::uint64_t value);
/// Cycles of 1 ns in microseconds.
std::string microseconds(std::uint64_t cycles);

}  // namespace cox::tools::run
