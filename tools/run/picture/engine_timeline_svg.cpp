// SPDX-License-Identifier: MIT
#include "tools/run/picture/engine_timeline_svg.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tools/command/failure.h"
#include "tools/run/picture/core_meetings.h"
#include "tools/run/picture/engine_records.h"
#include "tools/run/picture/key_passes.h"
#include "tools/run/picture/lane_picture.h"
#include "tools/run/picture/layer_colours.h"

namespace cox::tools::run {
namespace {

using model::EventKind;
using model::EventRecord;

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

class EnginePicture {
 public:
  EnginePicture(const EngineRecords &records, const EnginePictureOptions &options)
      : records_(records), options_(options), meetings_(records) {}

  LanePicture draw() {
    select();
    picture_.title = options_.title;
    picture_.width = options_.width;
    picture_.span = std::max<std::uint64_t>(last_ - options_.from, 1);
    add_lanes();
    for (const DrawnRecord &one : drawn_) add_boxes(one);
    for (std::size_t lane = 0; lane < busy_.size(); ++lane) picture_.lanes[lane].busy = busy_cycles(std::move(busy_[lane]));
    add_messages();
    add_barriers();
    add_keys();
    describe();
    return std::move(picture_);
  }

 private:
  /// Lanes are sorted by engine, then by core, then by queue, pipe or unit. A lane for a whole core has the unit 0.
  struct LaneKey {
    unsigned engine, core, unit;
    auto operator<=>(const LaneKey &) const = default;
  };
  struct Row {
    std::size_t lane = 0, row = 0;
  };

  [[nodiscard]] std::uint64_t since_zero(std::uint64_t time) const { return time - std::min(time, records_.zero()); }
  /// Cycle of the picture, with times outside of it moved to its edge.
  [[nodiscard]] std::uint64_t cycle(std::uint64_t time) const {
    return std::clamp(since_zero(time), options_.from, options_.from + picture_.span) - options_.from;
  }
  [[nodiscard]] bool shows(std::uint64_t start, std::uint64_t end) const {
    return since_zero(start) < options_.to && since_zero(end) >= options_.from;
  }
  [[nodiscard]] bool has_core_lane(const DrawnRecord &one) const { return one.format->draws_cores() && !options_.units; }
  [[nodiscard]] LaneKey key_of(const DrawnRecord &one) const {
    return {one.format->engine().number(), one.core(), has_core_lane(one) ? 0U : one.record->queue};
  }

  void select() {
    for (const DrawnRecord &one : records_.instructions()) {
      if (!shows(one.record->start, one.record->end)) continue;
      drawn_.push_back(one);
      last_ = std::max(last_, std::min(since_zero(one.record->end), options_.to));
    }
    if (drawn_.empty()) throw Failure(ExitCode::failed, "the log has no instruction of an engine in these cycles");
  }

  void add_lanes() {
    std::map<LaneKey, const DrawnRecord *> first;
    for (const DrawnRecord &one : drawn_) {
      first.try_emplace(key_of(one), &one);
      if (has_core_lane(one) && !one.drawn().small) rows_[one.format->engine().number()].emplace(one.record->queue, 0);
    }
    for (auto &[engine, units] : rows_) {
      std::size_t row = 0;
      for (auto &[unit, its_row] : units) its_row = row++;
    }
    std::size_t core_lanes = 0;
    for (const auto &[key, one] : first) {
      lanes_[key] = picture_.lanes.size();
      const bool is_core = has_core_lane(*one);
      core_lanes += is_core ? 1 : 0;
      picture_.lanes.push_back(is_core ? core_lane(key, *one->format) : unit_lane(key, *one->format));
    }
    picture_.lanes_are = core_lanes == 0 ? "pipe or unit" : core_lanes == lanes_.size() ? "core" : "core, pipe or unit";
    constexpr std::size_t kFewCores = 4, kSomeCores = 16;
    picture_.row_height = core_lanes <= kFewCores ? 18 : core_lanes <= kSomeCores ? 10 : 6;
    busy_.resize(lanes_.size());
  }

  [[nodiscard]] LanePicture::Lane core_lane(const LaneKey &key, const ProgramFormat &format) const {
    LanePicture::Lane lane{.name = fmt::format("core {}", key.core), .what = format.engine().name, .rows = {}};
    if (const auto found = rows_.find(key.engine); found != rows_.end()) {
      for (const auto &[unit, row] : found->second) lane.rows.emplace_back(format.lanes()[unit].name);
    }
    return lane;
  }
  [[nodiscard]] static LanePicture::Lane unit_lane(const LaneKey &key, const ProgramFormat &format) {
    return {.name = format.lane_name(key.core, key.unit), .what = format.lanes()[key.unit].what, .rows = {}};
  }

  /// Returns the row of an instruction that may lie outside of the picture's cycles. Returns nullopt if it has none.
  [[nodiscard]] std::optional<Row> row_of(const DrawnRecord &one) const {
    const auto lane = lanes_.find(key_of(one));
    if (lane == lanes_.end()) return std::nullopt;
    if (!has_core_lane(one)) return Row{lane->second, 0};
    const auto units = rows_.find(one.format->engine().number());
    if (units == rows_.end()) return Row{lane->second, 0};
    const auto row = units->second.find(one.record->queue);
    return row == units->second.end() ? Row{lane->second, 0} : Row{lane->second, row->second};
  }

  [[nodiscard]] std::string spoken(const DrawnRecord &one) const {
    const EventRecord &record = *one.record;
    const std::string place = record.kind == EventKind::instruction
                                  ? fmt::format("core {}, context {}", record.core, record.context)
                                  : fmt::format("stream {}, {}", record.index, one.format->position_text(record.ordinal));
    std::string text = fmt::format("{} ({})\n{} to {}: {} cycles", one.drawn().name, place, grouped(since_zero(record.start)),
                                   grouped(since_zero(record.end)), grouped(record.end - record.start));
    if (record.stalled > 0)
      text += fmt::format("\n{} {}", grouped(record.stalled), one.format->draws_cores() ? "cycles late" : "of them stalled");
    if (record.bytes > 0) text += fmt::format("\n{} bytes of DRAM", grouped(record.bytes));
    if (const std::string met = meetings_.text_of(one, records_.zero()); !met.empty()) text += "\n" + met;
    if (record.status != 0)
      text += fmt::format("\nfault: {}", record.status < registers::kFaultCodes ? registers::kFaultCodeNames[record.status] : "unknown");
    return text;
  }

  /// An instruction that waits for another core has two boxes: one for its wait, and one for the rest.
  void add_boxes(const DrawnRecord &one) {
    const EventRecord &record = *one.record;
    const auto [name, small, waits] = one.drawn();
    const Row row = *row_of(one);
    LanePicture::Box box{.lane = row.lane,
                         .row = row.row,
                         .small = small && record.status == 0,
                         .failed = record.status != 0,
                         .colour = layer_colour(record.opcode),
                         .spoken = spoken(one),
                         .labels = {name}};
    any_failed_ = any_failed_ || box.failed;
    const std::uint64_t until = waits ? meetings_.waits_until(one) : record.start;
    if (until > record.start && shows(record.start, until)) {
      LanePicture::Box wait = box;
      wait.start = cycle(record.start);
      wait.end = cycle(until);
      wait.waits = any_waits_ = true;
      picture_.boxes.push_back(std::move(wait));
      if (until >= record.end) return;
    }
    if (!shows(until, record.end)) return;
    box.start = cycle(until);
    box.end = cycle(record.end);
    busy_[row.lane].emplace_back(box.start, box.end);
    if (!small) colours_.try_emplace(name, box.colour);
    picture_.boxes.push_back(std::move(box));
  }

  void add_messages() {
    for (const EventRecord *message : records_.messages()) {
      const DrawnRecord *send = meetings_.send_of(*message), *receive = meetings_.receive_of(*message);
      if (send == nullptr || receive == nullptr) continue;
      const std::uint64_t leaves = CoreMeetings::leaves(*message, *send->record);
      const std::optional<Row> from = row_of(*send), to = row_of(*receive);
      if (!from || !to || !shows(leaves, message->end)) continue;
      picture_.messages.push_back({from->lane, from->row, to->lane, to->row, cycle(leaves), cycle(message->end),
                                   CoreMeetings::message_text(*message, records_.zero())});
    }
  }

  void add_barriers() {
    for (const EventRecord *barrier : records_.barriers()) {
      if (!shows(barrier->end, barrier->end)) continue;
      LanePicture::Barrier line{.lanes = {}, .at = cycle(barrier->end), .spoken = CoreMeetings::barrier_text(*barrier, records_.zero())};
      for (const DrawnRecord *arrival : meetings_.arrivals_at(*barrier)) {
        if (const std::optional<Row> row = row_of(*arrival)) line.lanes.emplace_back(row->lane, row->row);
      }
      std::ranges::sort(line.lanes);
      if (!line.lanes.empty()) picture_.barriers.push_back(std::move(line));
    }
  }

  void add_keys() {
    for (const KeyPass &pass : match_keys(records_.keys())) {
      const auto from = lanes_.find(key_of(*pass.given)), to = lanes_.find(key_of(*pass.taken));
      if (from == lanes_.end() || to == lanes_.end() || !shows(pass.given->end, pass.taken->end)) continue;
      picture_.messages.push_back(
          {from->second, 0, to->second, 0, cycle(pass.given->end), cycle(pass.taken->end), pass.text(records_.zero())});
      ++keys_;
    }
  }
  [[nodiscard]] static LaneKey key_of(const EventRecord &keys) { return {keys.core, keys.engine_core, keys.queue}; }

  void describe() {
    picture_.subtitle = fmt::format("{} instructions in {} cycles ({} µs at 1 GHz)", grouped(drawn_.size()), grouped(picture_.span),
                                    microseconds(picture_.span));
    if (options_.from > 0) picture_.subtitle += fmt::format(", from cycle {}", grouped(options_.from));
    const std::size_t messages = picture_.messages.size() - keys_;
    if (messages > 0) picture_.subtitle += fmt::format(", {} message{}", grouped(messages), messages == 1 ? "" : "s");
    if (keys_ > 0) picture_.subtitle += fmt::format(", {} key{}", grouped(keys_), keys_ == 1 ? "" : "s");
    if (picture_.lanes_are != "pipe or unit") {
      if (picture_.row_height < LanePicture::kLeastRowName) picture_.notes.push_back(rows_text());
      picture_.notes.emplace_back(
          "A lane is a core, with a row for each of its units that works in these cycles. A box is one instruction from its start to its "
          "end; a grey tick at the foot of a lane is a scalar instruction or a branch.");
    }
    if (picture_.lanes_are != "core") {
      picture_.notes.emplace_back(
          "A lane is a pipe, or a unit or class of a core, which runs its instructions one after another. A box is one instruction from "
          "its start "
          "to its end; a grey tick at the foot of a lane is a flag, a barrier or a configuration.");
    }
    picture_.legends.push_back({"Instructions", {}});
    for (const auto &[name, colour] : colours_) picture_.legends.back().chips.push_back({name, colour});
    LanePicture::Legend marks{"Between cores", {}};
    if (messages > 0) marks.chips.push_back({"a message, from its send to its arrival", "", LanePicture::Mark::message});
    if (keys_ > 0)
      marks.chips.push_back({"a key, from the instruction that gives it to the one that takes it", "", LanePicture::Mark::message});
    if (!picture_.barriers.empty()) marks.chips.push_back({"a barrier: its cores go on", "", LanePicture::Mark::barrier});
    if (any_waits_) marks.chips.push_back({"waits for another core", "", LanePicture::Mark::waits});
    if (any_failed_) marks.chips.push_back({"a fault", "", LanePicture::Mark::failed});
    picture_.legends.push_back(std::move(marks));
  }

  /// Names the rows of lanes that are too low for names beside them.
  [[nodiscard]] std::string rows_text() const {
    std::string text = "The rows of a lane, from the top:";
    const auto named = std::ranges::find_if(picture_.lanes, [](const LanePicture::Lane &lane) { return !lane.rows.empty(); });
    if (named == picture_.lanes.end()) return text + " none.";
    for (const std::string &row : named->rows) text += (&row == &named->rows.front() ? " " : ", ") + row;
    return text + ".";
  }

  const EngineRecords &records_;
  const EnginePictureOptions &options_;
  CoreMeetings meetings_;
  LanePicture picture_;
  std::vector<DrawnRecord> drawn_;
  std::uint64_t last_ = 0;
  std::map<LaneKey, std::size_t> lanes_;
  std::map<unsigned, std::map<unsigned, std::size_t>> rows_;  // of an engine with a lane for each core: unit and row
  std::vector<std::vector<std::pair<std::uint64_t, std::uint64_t>>> busy_;
  std::map<std::string, std::string> colours_;
  std::size_t keys_ = 0;  // arrows in picture_.messages that are keys
  bool any_waits_ = false, any_failed_ = false;
};

}  // namespace

void write_engine_timeline_svg(std::ostream &out, const std::string &log, const EnginePictureOptions &options, ProgramFormats formats) {
  const EngineRecords records(log, formats);
  write_lane_picture(out, EnginePicture(records, options).draw());
}

}  // namespace cox::tools::run
