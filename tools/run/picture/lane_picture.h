// SPDX-License-Identifier: MIT
// A self-explanatory picture of a timeline. It has lanes with boxes, an axis in cycles and in microseconds, the share of time in which each
// lane was busy, and the critical path. Below the lanes there are a bar that shows on what the time was spent, and a legend. timeline_svg.h
// and engine_timeline_svg.h decide what the lanes are. A lane may have rows, one above the other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

namespace cox::tools::run {

struct LanePicture {
  static constexpr double kLeastRowName = 8;  ///< height of the lowest rows that have their names beside them, in pixels

  struct Lane {
    std::string name, what;
    std::uint64_t busy = 0;           ///< cycles
    std::vector<std::string> rows{};  ///< names, from the top; empty: a single row without a name
  };
  struct Box {
    std::size_t lane = 0;
    std::size_t row = 0;
    std::uint64_t start = 0, end = 0;  ///< cycles, from 0 to `span`
    bool small = false;                ///< drawn as a grey tick at the foot of the lane
    bool waits = false;                ///< drawn hatched, without its colour
    bool failed = false;               ///< drawn with a red edge
    std::string colour;
    std::string spoken;                 ///< text shown when the pointer is on the box
    std::vector<std::string> labels{};  ///< the picture writes the first label that fits into the box
  };
  /// A thin bar between boxes, with the reason why there is no box.
  struct Gap {
    std::size_t lane = 0;
    std::uint64_t start = 0, end = 0;
    std::string colour, spoken;
  };
  /// A stretch of the critical path in one lane.
  struct Stretch {
    std::size_t lane = 0;
    std::uint64_t start = 0, end = 0;
  };
  /// A part of the bar that shows on what the time was spent.
  struct Part {
    std::string label, colour;
    std::uint64_t cycles = 0;
  };
  /// An arrow from a cycle in a lane to a cycle in another lane.
  struct Arrow {
    std::size_t from_lane = 0, to_lane = 0;
    std::uint64_t from = 0, to = 0;
  };
  /// A message: an arrow across the boxes, from a cycle in a row to a later cycle in a row of another lane.
  struct Message {
    std::size_t from_lane = 0, from_row = 0, to_lane = 0, to_row = 0;
    std::uint64_t from = 0, to = 0;
    std::string spoken;
  };
  /// A barrier: a line across lanes, with a dot in each lane that takes part.
  struct Barrier {
    std::vector<std::pair<std::size_t, std::size_t>> lanes;  ///< lane and row, in the order of lanes
    std::uint64_t at = 0;
    std::string spoken;
  };
  enum class Mark : std::uint8_t { colour, waits, failed, message, barrier };
  /// A label in a legend: on its colour, or beside a mark of the picture.
  struct Chip {
    std::string label, colour;
    Mark mark = Mark::colour;
  };
  struct Legend {
    std::string are;
    std::vector<Chip> chips;
  };

  std::string title, subtitle;
  std::string lanes_are;   ///< heading of the lanes' names, for example "engine"
  std::uint64_t span = 1;  ///< width of the picture in cycles
  double width = 1600;     ///< pixels
  double row_height = 18;  ///< pixels, in lanes with rows
  std::vector<Lane> lanes;
  std::vector<Arrow> arrows;
  std::vector<Gap> gaps;
  std::vector<Box> boxes;
  std::vector<Message> messages;
  std::vector<Barrier> barriers;
  std::vector<Stretch> path;  ///< in order of time; the picture joins them by lines
  std::string parts_are;      ///< heading of the bar that shows `parts`
  std::vector<Part> parts;    ///< largest first; if empty, there is no bar
  std::vector<std::string> notes;
  std::vector<Legend> legends;
};

void write_lane_picture(std::ostream &out, const LanePicture &picture);

/// Returns the number with separators: 1,234,567.
std::string grouped(std::uint64_t value);
/// Converts cycles of 1 ns to microseconds, as text.
std::string microseconds(std::uint64_t cycles);

}  // namespace cox::tools::run
