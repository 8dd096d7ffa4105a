// SPDX-License-Identifier: MIT
#include "tools/run/tile/timeline_svg.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "tools/run/picture/lane_picture.h"
#include "tools/run/picture/layer_colours.h"
#include "tools/run/tile/critical_path.h"
#include "tools/run/tile/waits.h"

namespace cox::tools::run {
namespace {

constexpr std::size_t kMostTokens = 80;       // the largest number of tokens that are drawn; more would hide the boxes
constexpr std::size_t kMostStretches = 2000;  // a critical path with more stretches is not drawn
constexpr const char *kCoreColour = "#6b7a8f";
constexpr const char *kInterruptColour = "#d98e04";

const char *colour_of(WaitFor reason) {
  switch (reason) {
    case WaitFor::token: return "#f2b880";
    case WaitFor::dispatch: return "#9d8fd0";
    case WaitFor::doorbell: return "#c9bfe8";
    case WaitFor::device: return "#d65a5a";
    case WaitFor::queue:
    case WaitFor::bandwidth: break;  // not drawn: the lane is busy during such a wait
  }
  return "#cccccc";
}

const char *colour_of(Spent on) {
  switch (on) {
    case Spent::matrix: return "#6fa8dc";
    case Spent::vector: return "#93c47d";
    case Spent::dram: return "#e8a15c";
    case Spent::bandwidth: return "#cc7a29";
    case Spent::transform: return "#76c7c0";
    case Spent::exchange: return "#e5b8d0";
    case Spent::configuration: return "#b4bcc8";
    case Spent::dispatch: return "#9d8fd0";
    case Spent::doorbell: return "#c9bfe8";
    case Spent::device: return "#d65a5a";
  }
  return "#cccccc";
}

// Returns the layer by which an instruction is coloured. CT works for the whole task, whatever layer its mapping part names.
std::int32_t layer_of(const TimedInstruction &instruction) { return instruction.queue == isa::tile::Class::CT ? -1 : instruction.layer; }

class Picture {
 public:
  explicit Picture(const Timeline &timeline)
      : timeline_(timeline), waits_(timeline), path_(critical_path(timeline, waits_)), several_cores_(has_several_cores(timeline)) {}

  LanePicture draw() {
    const std::uint64_t span = timeline_.end_cycle();
    picture_.title = timeline_.title;
    picture_.subtitle = fmt::format("{} instructions in {} cycles ({} µs at 1 GHz)", grouped(timeline_.instructions.size()), grouped(span),
                                    microseconds(span));
    picture_.lanes_are = "engine";
    picture_.span = span;
    lanes();
    control_core();
    for (const TimedInstruction &instruction : timeline_.instructions) {
      picture_.boxes.push_back(box_of(instruction));
      gaps_before(instruction);
    }
    picture_.notes = {
        "A lane is one engine's queue. A box is one instruction from its start to its end, in the colour of the network layer that it "
        "works "
        "for; a grey tick at the foot of a lane is a configuration."};
    tokens();
    critical();
    if (!core_note_.empty()) picture_.notes.push_back(core_note_);
    legends();
    return std::move(picture_);
  }

 private:
  void lanes() {
    std::map<std::size_t, std::uint64_t> busy;
    for (const TimedInstruction &instruction : timeline_.instructions) busy[instruction.lane()] += instruction.cycles();
    for (const auto &[lane, cycles] : busy) {
      drawn_[lane] = picture_.lanes.size();
      picture_.lanes.push_back(
          {lane_name(lane, several_cores_), class_description(static_cast<isa::tile::Class>(lane % isa::tile::kClasses)), cycles});
    }
  }

  void control_core() {
    if (timeline_.control_source == ControlSource::nothing) return;
    const std::size_t lane = picture_.lanes.size();
    const bool traced = timeline_.control_source == ControlSource::trace;
    LanePicture::Lane core{"core", traced ? "control core awake" : "serves the device", 0};
    for (const Span &active : timeline_.active) {
      core.busy += active.to - active.from;
      picture_.boxes.push_back({.lane = lane,
                                .start = active.from,
                                .end = active.to,
                                .colour = kCoreColour,
                                .spoken = fmt::format("control core {}\n{} to {}: {} cycles", traced ? "awake" : "serves the device",
                                                      grouped(active.from), grouped(active.to), grouped(active.to - active.from))});
    }
    for (const Interrupt &interrupt : timeline_.interrupts) {
      picture_.boxes.push_back({.lane = lane,
                                .start = interrupt.high.from,
                                .end = interrupt.high.to,
                                .small = true,
                                .colour = kInterruptColour,
                                .spoken = fmt::format("interrupt: {}\n{} to {}", interrupt.line == 0 ? "completions" : "faults",
                                                      grouped(interrupt.high.from), grouped(interrupt.high.to))});
    }
    picture_.lanes.push_back(core);
    core_note_ =
        traced ? "The lane core: when the control core was awake, by its own trace. The ticks below: an interrupt line is high."
               : "The lane core: from an interrupt to the last doorbell that it led to; between, the control core may sleep. The ticks "
                 "below: an interrupt line is high.";
  }

  std::string spoken(const TimedInstruction &instruction) const {
    std::string text = fmt::format("{} (instruction {})\n{} to {}: {} cycles", instruction.name, instruction.index,
                                   grouped(instruction.start), grouped(instruction.end), grouped(instruction.cycles()));
    if (instruction.layer >= 0) text += fmt::format("\nlayer {}", instruction.layer);
    if (instruction.workload >= 0) text += fmt::format(", workload {}", instruction.workload);
    if (instruction.tile >= 0) text += fmt::format(", tile {}", instruction.tile);
    if (instruction.bytes > 0) text += fmt::format("\n{} bytes of DRAM", grouped(instruction.bytes));
    for (const Wait &wait : waits_.of(instruction.index))
      text += fmt::format("\nwaited {} cycles for {}", grouped(wait.cycles()), describe(wait, timeline_, several_cores_));
    return text;
  }

  LanePicture::Box box_of(const TimedInstruction &instruction) const {
    LanePicture::Box box;
    box.lane = drawn_.at(instruction.lane());
    box.start = instruction.start;
    box.end = instruction.end;
    box.small = instruction.is_configuration();
    box.colour = layer_colour(layer_of(instruction));
    box.spoken = spoken(instruction);
    // The picture shows the first of these texts that fits its box: the name with the layer, or the layer. If neither fits, the box has no
    // text.
    const std::string layer = instruction.layer >= 0 ? std::to_string(instruction.layer) : "";
    box.labels = {layer.empty() ? instruction.name : instruction.name + " · " + layer, layer};
    return box;
  }

  void gaps_before(const TimedInstruction &instruction) {
    for (const Wait &wait : waits_.of(instruction.index)) {
      if (wait.reason == WaitFor::queue || wait.reason == WaitFor::bandwidth) continue;
      gap_reasons_.insert(wait.reason);
      picture_.gaps.push_back({drawn_.at(instruction.lane()), wait.when.from, wait.when.to, colour_of(wait.reason),
                               fmt::format("{} (instruction {}) waits {} cycles for {}", instruction.name, instruction.index,
                                           grouped(wait.cycles()), describe(wait, timeline_, several_cores_))});
    }
  }

  void tokens() {
    const std::vector<Token> tokens = tokens_of(timeline_);
    if (tokens.empty() || tokens.size() > kMostTokens) return;
    picture_.notes.front() += " A line is a token: what an instruction waits for.";
    for (const Token &token : tokens) {
      const TimedInstruction &from = timeline_.instructions[token.from], &to = timeline_.instructions[token.to];
      picture_.arrows.push_back({drawn_.at(from.lane()), drawn_.at(to.lane()), from.end, to.start});
    }
  }

  void critical() {
    if (path_.empty()) return;
    picture_.notes.emplace_back(
        "Red, along the boxes' heads: the critical path, back from the last end through what each start waited for. Only what lies on it "
        "made "
        "the run as long as it was.");
    if (path_.size() <= kMostStretches) {
      for (const Stretch &stretch : path_) {
        if (stretch.runs)
          picture_.path.push_back({drawn_.at(timeline_.instructions[stretch.instruction].lane()), stretch.when.from, stretch.when.to});
      }
    }
    picture_.parts_are = "Where the time went: the critical path, by what it was spent on";
    const auto cycles = spent_cycles(path_);
    for (std::size_t i = 0; i < kSpent; ++i) {
      const auto on = static_cast<Spent>(i);
      if (cycles.at(i) > 0) picture_.parts.push_back({name_of(on), colour_of(on), cycles.at(i)});
    }
    std::ranges::stable_sort(picture_.parts, std::ranges::greater{}, &LanePicture::Part::cycles);
  }

  void legends() {
    std::set<std::int32_t> layers;
    for (const TimedInstruction &instruction : timeline_.instructions) layers.insert(layer_of(instruction));
    LanePicture::Legend boxes{"Boxes: layers", {}};
    for (const std::int32_t layer : layers) boxes.chips.push_back({layer >= 0 ? std::to_string(layer) : "none", layer_colour(layer)});
    picture_.legends.push_back(std::move(boxes));
    LanePicture::Legend gaps{"Thin bars between boxes: what the next instruction waits for", {}};
    for (const WaitFor reason : gap_reasons_) {
      const char *text = reason == WaitFor::token      ? "a token of another engine"
                         : reason == WaitFor::dispatch ? "dispatch by the control core"
                         : reason == WaitFor::doorbell ? "doorbell to start"
                                                       : "the device";
      gaps.chips.push_back({text, colour_of(reason)});
    }
    picture_.legends.push_back(std::move(gaps));
  }

  const Timeline &timeline_;
  Waits waits_;
  std::vector<Stretch> path_;
  bool several_cores_;
  std::map<std::size_t, std::size_t> drawn_;  // key: lane of the instructions; value: lane of the picture
  std::set<WaitFor> gap_reasons_;
  std::string core_note_;
  LanePicture picture_;
};

}  // namespace

void write_timeline_svg(std::ostream &out, const Timeline &timeline) { write_lane_picture(out, Picture(timeline).draw()); }

}  // namespace cox::tools::run
