// SPDX-License-Identifier: MIT
#include "tools/run/timeline_svg.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <set>
#include <string>
#include <vector>

#include "tools/run/lane_picture.h"
#include "tools/run/layer_colours.h"

namespace cox::tools::run {
namespace {

constexpr std::size_t kMostTokens = 80;  // drawn; more would hide what they explain

// A lane of the picture: a class of a core that the task uses.
struct Queue {
  std::uint32_t core;
  isa::tile::Class name;
  auto operator<=>(const Queue &) const = default;
};

Queue queue_of(const TimedInstruction &instruction) { return {instruction.core, instruction.queue}; }

std::string spoken(const TimedInstruction &instruction) {
  std::string text = fmt::format("{} (instruction {})\n{} to {}: {} cycles", instruction.name, instruction.index,
                                 grouped(instruction.start), grouped(instruction.end), grouped(instruction.cycles()));
  if (instruction.layer >= 0) text += fmt::format("\nlayer {}", instruction.layer);
  if (instruction.workload >= 0) text += fmt::format(", workload {}", instruction.workload);
  if (instruction.tile >= 0) text += fmt::format(", tile {}", instruction.tile);
  if (instruction.bytes > 0) text += fmt::format("\n{} bytes of DRAM", grouped(instruction.bytes));
  return text;
}

LanePicture::Lane lane_of(const Timeline &timeline, Queue queue, bool several_cores) {
  LanePicture::Lane lane;
  lane.name = isa::tile::kClassNames[static_cast<std::size_t>(queue.name)];
  if (several_cores) lane.name += fmt::format(" {}", queue.core);
  lane.what = class_description(queue.name);
  for (const TimedInstruction &instruction : timeline.instructions) {
    if (queue_of(instruction) == queue) lane.busy += instruction.cycles();
  }
  return lane;
}

LanePicture::Box box_of(const TimedInstruction &instruction, std::size_t lane) {
  LanePicture::Box box;
  box.lane = lane;
  box.start = instruction.start;
  box.end = instruction.end;
  box.small = instruction.is_configuration();
  box.colour = layer_colour(instruction.layer);
  box.spoken = spoken(instruction);
  // The longest of the name with the layer, the layer, and nothing, that fits.
  const std::string layer = instruction.layer >= 0 ? std::to_string(instruction.layer) : "";
  box.labels = {layer.empty() ? instruction.name : instruction.name + " · " + layer, layer};
  return box;
}

}  // namespace

void write_timeline_svg(std::ostream &out, const Timeline &timeline) {
  std::set<std::int32_t> layers;
  std::set<Queue> used;
  for (const TimedInstruction &instruction : timeline.instructions) {
    layers.insert(instruction.layer);
    used.insert(queue_of(instruction));
  }
  const bool several_cores = std::ranges::any_of(used, [](Queue queue) { return queue.core > 0; });
  const std::vector<Queue> queues(used.begin(), used.end());
  const auto lane = [&queues](const TimedInstruction &instruction) {
    return static_cast<std::size_t>(std::ranges::find(queues, queue_of(instruction)) - queues.begin());
  };

  LanePicture picture;
  picture.title = timeline.title;
  picture.subtitle = fmt::format("{} instructions in {} cycles ({} µs at 1 GHz)", grouped(timeline.instructions.size()),
                                 grouped(timeline.end_cycle()), microseconds(timeline.end_cycle()));
  picture.lanes_are = "engine";
  picture.span = timeline.end_cycle();
  for (const Queue queue : queues) picture.lanes.push_back(lane_of(timeline, queue, several_cores));
  for (const TimedInstruction &instruction : timeline.instructions) picture.boxes.push_back(box_of(instruction, lane(instruction)));
  picture.note =
      "A lane is one engine's queue. A box is one instruction from its start to its end, in the colour of the network layer that it works "
      "for; a grey tick at the foot of a lane is a configuration.";
  const std::vector<Token> tokens = tokens_of(timeline);
  if (!tokens.empty() && tokens.size() <= kMostTokens) {
    picture.note += " A line is a token: what an instruction waits for.";
    for (const Token &token : tokens) {
      const TimedInstruction &from = timeline.instructions[token.from], &to = timeline.instructions[token.to];
      picture.arrows.push_back({lane(from), lane(to), from.end, to.start});
    }
  }
  picture.chips_are = "Layers";
  for (const std::int32_t layer : layers) picture.chips.push_back({layer >= 0 ? std::to_string(layer) : "none", layer_colour(layer)});
  write_lane_picture(out, picture);
}

}  // namespace cox::tools::run
