// SPDX-License-Identifier: MIT
#include "tools/run/tile/control_trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "coxswain/base/status.h"
#include "coxswain/firmware/job/job_queue.h"
#include "coxswain/firmware/trace/trace.h"

namespace cox::tools::run {
namespace {

using firmware::trace::Event;
using TraceKind = firmware::trace::Kind;

std::string text_of(const Event &event) {
  const unsigned context = event.what >> 4 & 0xF, lane = event.what >> 8 & 0xFF, argument = event.what >> 16;
  switch (static_cast<TraceKind>(event.what & 0xF)) {
    case TraceKind::none: break;
    case TraceKind::dispatch: return fmt::format("dispatch: {}, index {}", lane_name(lane, lane >= isa::tile::kClasses), argument);
    case TraceKind::completion: return fmt::format("completion: {}, tag {}", lane_name(lane, lane >= isa::tile::kClasses), argument);
    case TraceKind::wake_up: return "wakes up";
    case TraceKind::sleep: return "goes to sleep";
    case TraceKind::interrupt: return argument == 0 ? "interrupt: completions" : "interrupt: faults";
    case TraceKind::run_start: return fmt::format("run starts: context {}, core {}, cores {}", context, lane, argument);
    case TraceKind::run_end: return fmt::format("run ends: context {}, error {}", context, argument);
    case TraceKind::fault: return fmt::format("fault {}: {}", argument, lane_name(lane, lane >= isa::tile::kClasses));
    case TraceKind::retry: return fmt::format("run begins again: context {}, attempt {}", context, argument + 1);
    case TraceKind::job_start: return fmt::format("job {} starts: owner {}", argument, lane);
    case TraceKind::job_end: return fmt::format("job {} ends: owner {}", argument, lane);
  }
  return fmt::format("event {}", event.what & 0xF);
}

}  // namespace

void add_control_trace(Timeline &timeline, std::span<const std::byte> reading, std::uint64_t start_cycle) {
  firmware::job::TraceReading head{};
  if (reading.size() < sizeof(head)) return;
  std::memcpy(&head, reading.data(), sizeof(head));
  const std::size_t events = std::min<std::size_t>(head.events, (reading.size() - sizeof(head)) / sizeof(Event));
  if (events == 0) return;
  timeline.control_source = ControlSource::trace;
  timeline.active.clear();
  const std::uint64_t end = timeline.end_cycle();
  // The trace says nothing about the time before its first event. The core was awake at that event, because it recorded the event.
  std::int64_t awake_since = -1;
  bool first = true;
  for (std::size_t i = 0; i < events; ++i) {
    Event event{};
    std::memcpy(&event, reading.data() + sizeof(head) + i * sizeof(Event), sizeof(event));
    // An event has only the low word of the time. That is enough, because a run that is drawn is shorter than half of the word's range.
    const auto time = static_cast<std::int64_t>(static_cast<std::int32_t>(event.time - static_cast<std::uint32_t>(start_cycle)));
    const auto kind = static_cast<TraceKind>(event.what & 0xF);
    const std::int64_t inside = std::clamp<std::int64_t>(time, 0, static_cast<std::int64_t>(end));
    if (first && kind != TraceKind::wake_up) awake_since = inside;
    first = false;
    if (kind == TraceKind::wake_up && awake_since < 0) awake_since = inside;
    if (kind == TraceKind::sleep && awake_since >= 0) {
      if (inside > awake_since) timeline.active.push_back({static_cast<std::uint64_t>(awake_since), static_cast<std::uint64_t>(inside)});
      awake_since = -1;
    }
    if (time >= 0 && static_cast<std::uint64_t>(time) <= end)
      timeline.control_events.push_back({static_cast<std::uint64_t>(time), text_of(event)});
  }
  if (awake_since >= 0 && static_cast<std::uint64_t>(awake_since) < end)
    timeline.active.push_back({static_cast<std::uint64_t>(awake_since), end});
}

}  // namespace cox::tools::run
