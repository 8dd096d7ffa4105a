// SPDX-License-Identifier: MIT
#include "tools/run/picture/engine_timeline_svg.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "sim/model/observers/event_log.h"
#include "tools/command/failure.h"
#include "tools/run/picture/lane_picture.h"
#include "tools/run/picture/layer_colours.h"

namespace cox::tools::run {
namespace {

using model::EventKind;
using model::EventRecord;

/// Returns the format of the engine that executed an instruction. Returns nullptr for records that are not drawn: other events, and invalid
/// records of a damaged file.
const ProgramFormat *format_of(const EventRecord &record, ProgramFormats formats) {
  const bool of_core = record.kind == EventKind::instruction;
  if ((!of_core && record.kind != EventKind::stream_instruction) || record.end < record.start) return nullptr;
  if (of_core && record.core >= registers::core::kCount) return nullptr;
  const auto runs_it = [&](const ProgramFormat *format) {
    const registers::EngineRow &engine = format->engine();
    return of_core ? !engine.has_ring() : engine.has_ring() && engine.number() == record.core;
  };
  const auto found = std::ranges::find_if(formats, runs_it);
  if (found == formats.end() || record.queue >= (*found)->lanes().size()) return nullptr;
  return (*found)->drawn(record.opcode).has_value() ? *found : nullptr;
}

struct DrawnRecord {
  const EventRecord *record;
  const ProgramFormat *format;

  /// Lanes are sorted by engine, then by core, then by queue or pipe.
  struct Lane {
    unsigned engine, core, queue;
    auto operator<=>(const Lane &) const = default;
  };
  [[nodiscard]] Lane lane() const {
    const registers::EngineRow &engine = format->engine();
    return {engine.number(), engine.has_ring() ? record->engine_core : record->core, record->queue};
  }
};

std::string spoken(const EventRecord &record, const char *name, std::uint64_t zero) {
  const std::string place = record.kind == EventKind::instruction ? fmt::format("core {}, context {}", record.core, record.context)
                                                                  : fmt::format("stream {}, byte {}", record.index, record.ordinal);
  std::string text = fmt::format("{} ({})\n{} to {}: {} cycles", name, place, grouped(record.start - zero), grouped(record.end - zero),
                                 grouped(record.end - record.start));
  if (record.stalled > 0) text += fmt::format("\n{} of them stalled", grouped(record.stalled));
  if (record.bytes > 0) text += fmt::format("\n{} bytes of DRAM", grouped(record.bytes));
  return text;
}

/// Returns the number of cycles that lie in at least one of `spans`. Spans of one lane may overlap: a load starts before the latency of the
/// previous load is over.
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

void write_engine_timeline_svg(std::ostream &out, const std::string &log, const EnginePictureOptions &options, ProgramFormats formats) {
  std::vector<EventRecord> records;
  std::string error;
  if (!model::read_event_log(log, records, error)) throw Failure(ExitCode::bad_input, error);
  std::vector<DrawnRecord> all;
  std::uint64_t zero = std::numeric_limits<std::uint64_t>::max();
  for (const EventRecord &record : records) {
    const ProgramFormat *format = format_of(record, formats);
    if (format == nullptr) continue;
    all.push_back({&record, format});
    zero = std::min(zero, record.start);
  }
  std::vector<DrawnRecord> drawn;
  std::uint64_t last = 0;
  for (const DrawnRecord &one : all) {
    const EventRecord &record = *one.record;
    if (record.start - zero >= options.to || record.end - zero < options.from) continue;
    drawn.push_back(one);
    last = std::max(last, std::min(record.end - zero, options.to));
  }
  if (drawn.empty()) throw Failure(ExitCode::failed, "the log has no instruction of an engine in these cycles");

  LanePicture picture;
  picture.title = options.title;
  picture.lanes_are = "pipe";
  picture.span = std::max<std::uint64_t>(last - options.from, 1);
  std::map<DrawnRecord::Lane, std::size_t> lanes;
  std::map<DrawnRecord::Lane, ProgramFormat::Lane> names;
  for (const DrawnRecord &one : drawn) names.try_emplace(one.lane(), one.format->lanes()[one.record->queue]);
  for (const auto &[key, lane] : names) {
    lanes[key] = picture.lanes.size();
    picture.lanes.push_back({.name = key.core == 0 ? lane.name : fmt::format("{} of core {}", lane.name, key.core), .what = lane.what});
  }

  std::map<std::string, std::string> colours;
  std::vector<std::vector<std::pair<std::uint64_t, std::uint64_t>>> spans(lanes.size());
  for (const DrawnRecord &one : drawn) {
    const auto &[record, format] = one;
    const auto [name, small] = *format->drawn(record->opcode);
    LanePicture::Box box;
    box.lane = lanes.at(one.lane());
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
      "A lane is a pipe or a class of a core, which runs its instructions one after another. A box is one instruction from its start "
      "to its end; a grey tick at "
      "the foot of a lane is a flag, a barrier or a configuration."};
  picture.legends.push_back({"Instructions", {}});
  for (const auto &[name, colour] : colours) picture.legends.back().chips.push_back({name, colour});
  write_lane_picture(out, picture);
}

}  // namespace cox::tools::run
