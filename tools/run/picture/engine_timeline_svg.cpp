// SPDX-License-Identifier: MIT
#include "tools/run/picture/engine_timeline_svg.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "device/engine_descriptor.h"
#include "isa/cube/table.h"
#include "isa/mx/table.h"
#include "sim/model/observers/event_log.h"
#include "tools/command/failure.h"
#include "tools/run/picture/lane_picture.h"
#include "tools/run/picture/layer_colours.h"

namespace cox::tools::run {
namespace {

using model::EventKind;
using model::EventRecord;
using registers::Engine;

struct Shape {
  const char *name;
  bool small;
};

Shape kind_of(const EventRecord &record) {
  if (static_cast<Engine>(record.core) == Engine::mx) {
    const auto opcode = static_cast<isa::mx::Opcode>(record.opcode);
    return {isa::mx::instruction_of(opcode).name, opcode == isa::mx::Opcode::CONFBADDR};
  }
  const auto opcode = static_cast<isa::cube::Opcode>(record.opcode);
  using enum isa::cube::Opcode;
  const bool small = opcode == SET_FLAG || opcode == WAIT_FLAG || opcode == BARRIER || opcode == IM2COL_CFG || opcode == OUT_CFG;
  return {isa::cube::instruction_of(opcode).name, small};
}

LanePicture::Lane lane_of(const EventRecord &record) {
  if (static_cast<Engine>(record.core) == Engine::mx) return {.name = "MX", .what = "MX engine"};
  constexpr std::array<std::array<const char *, 2>, isa::cube::kPipes + 1> kLanes{
      {{"MTE2", "DRAM to L1"}, {"MTE1", "L1 to L0A and L0B"}, {"M", "the array"}, {"FIX", "L0C to DRAM and L1"}, {"all", "barriers"}}};
  const auto &[name, what] = kLanes.at(record.queue);
  return {.name = name, .what = what};
}

/// An instruction of a stream that was fetched. What else a damaged file may say is left out.
bool is_drawn(const EventRecord &record) {
  if (record.kind != EventKind::stream_instruction || record.end < record.start) return false;
  const auto has_opcode = [&](const auto &instruction) { return static_cast<unsigned>(instruction.opcode) == record.opcode; };
  switch (static_cast<Engine>(record.core)) {
    case Engine::mx: return std::ranges::any_of(isa::mx::kInstructions, has_opcode);
    case Engine::cube: return std::ranges::any_of(isa::cube::kInstructions, has_opcode) && record.queue <= isa::cube::kPipes;
    default: return false;
  }
}

std::string spoken(const EventRecord &record, const char *name, std::uint64_t zero) {
  std::string text = fmt::format("{} (stream {}, byte {})\n{} to {}: {} cycles", name, record.index, record.ordinal,
                                 grouped(record.start - zero), grouped(record.end - zero), grouped(record.end - record.start));
  if (record.stalled > 0) text += fmt::format("\n{} of them stalled", grouped(record.stalled));
  if (record.bytes > 0) text += fmt::format("\n{} bytes of DRAM", grouped(record.bytes));
  return text;
}

/// Cycles in which any of them was under way: loads of the matrix unit overlap by their latency.
std::uint64_t busy_cycles(std::vector<std::pair<std::uint64_t, std::uint64_t>> spans) {
  std::ranges::sort(spans);
  std::uint64_t busy = 0, until = 0;
  for (const auto &[start, end] : spans) {
    if (end > until) busy += end - std::max(start, until);
    until = std::max(until, end);
  }
  return busy;
}

}  // namespace

void write_engine_timeline_svg(std::ostream &out, const std::string &log, const EnginePictureOptions &options) {
  std::vector<EventRecord> records;
  std::string error;
  if (!model::read_event_log(log, records, error)) throw Failure(ExitCode::bad_input, error);
  std::uint64_t zero = std::numeric_limits<std::uint64_t>::max();
  for (const EventRecord &record : records) {
    if (is_drawn(record)) zero = std::min(zero, record.start);
  }
  std::vector<const EventRecord *> drawn;
  std::uint64_t last = 0;
  for (const EventRecord &record : records) {
    if (!is_drawn(record) || record.start - zero >= options.to || record.end - zero < options.from) continue;
    drawn.push_back(&record);
    last = std::max(last, std::min(record.end - zero, options.to));
  }
  if (drawn.empty()) throw Failure(ExitCode::failed, "the log has no instruction of an engine's stream in these cycles");

  LanePicture picture;
  picture.title = options.title;
  picture.lanes_are = "pipe";
  picture.span = std::max<std::uint64_t>(last - options.from, 1);
  // In the order of engines and pipes.
  std::map<std::pair<unsigned, unsigned>, std::size_t> lanes;
  for (const EventRecord *record : drawn) lanes.try_emplace({record->core, record->queue});
  for (auto &[key, number] : lanes) {
    number = picture.lanes.size();
    EventRecord any{};
    std::tie(any.core, any.queue) = key;
    picture.lanes.push_back(lane_of(any));
  }

  std::map<std::string, std::string> colours;
  std::vector<std::vector<std::pair<std::uint64_t, std::uint64_t>>> spans(lanes.size());
  for (const EventRecord *record : drawn) {
    const auto [name, small] = kind_of(*record);
    LanePicture::Box box;
    box.lane = lanes.at({record->core, record->queue});
    box.start = std::max(record->start - zero, options.from) - options.from;
    box.end = std::min(record->end - zero, options.to) - options.from;
    box.small = small;
    box.colour = layer_colour(record->opcode);
    box.spoken = spoken(*record, name, zero);
    box.labels = {name};
    spans[box.lane].emplace_back(box.start, box.end);
    if (!small) colours.try_emplace(name, box.colour);
    picture.boxes.push_back(std::move(box));
  }
  for (std::size_t lane = 0; lane < spans.size(); ++lane) picture.lanes[lane].busy = busy_cycles(std::move(spans[lane]));
  picture.subtitle = fmt::format("{} instructions in {} cycles ({} µs at 1 GHz)", grouped(drawn.size()), grouped(picture.span),
                                 microseconds(picture.span));
  if (options.from > 0) picture.subtitle += fmt::format(", from cycle {}", grouped(options.from));
  picture.notes = {
      "A lane is a pipe, which runs its instructions one after another. A box is one instruction from its start to its end; a grey tick at "
      "the foot of a lane is a flag, a barrier or a configuration."};
  picture.legends.push_back({"Instructions", {}});
  for (const auto &[name, colour] : colours) picture.legends.back().chips.push_back({name, colour});
  write_lane_picture(out, picture);
}

}  // namespace cox::tools::run
