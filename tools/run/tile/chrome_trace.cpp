// SPDX-License-Identifier: MIT
#include "tools/run/tile/chrome_trace.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <set>

#include "tools/run/tile/critical_path.h"
#include "tools/run/tile/waits.h"

namespace cox::tools::run {
namespace {

using nlohmann::json;

// The format's times are in microseconds. With three decimals they are exact to the cycle (1 ns).
std::string exact_microseconds(std::uint64_t cycles) { return fmt::format("{}.{:03}", cycles / 1000, cycles % 1000); }

// Viewers sort tracks by number. These numbers give the order in docs/tracing.md: the critical path, the control core, interrupts, then the
// lanes by core and class. A lane's waits follow the lane.
constexpr std::size_t kCriticalPath = 1, kControlCore = 2, kInterrupts = 3, kFirstLane = 4;
std::size_t track_of(const TimedInstruction &instruction) { return kFirstLane + 2 * instruction.lane(); }

std::string quoted(const std::string &text) { return json(text).dump(); }

class Writer {
 public:
  Writer(std::ostream &out, const Timeline &timeline)
      : out_(out),
        timeline_(timeline),
        waits_(timeline),
        path_(critical_path(timeline, waits_)),
        several_cores_(has_several_cores(timeline)) {}

  void write() {
    out_ << "{\"displayTimeUnit\":\"ns\",\"otherData\":{\"clock\":\"1 cycle = 1 ns\",\"task\":" << quoted(timeline_.title)
         << "},\"traceEvents\":[\n";
    out_ << fmt::format(R"({{"ph":"M","pid":1,"name":"process_name","args":{{"name":{}}}}})", quoted(timeline_.title));
    tracks();
    for (const TimedInstruction &instruction : timeline_.instructions) {
      slice(track_of(instruction), instruction.name, instruction.is_configuration() ? "configuration" : "operation",
            {instruction.start, instruction.end}, arguments_of(instruction));
      for (const Wait &wait : waits_.of(instruction.index)) {
        if (wait.reason == WaitFor::queue || wait.reason == WaitFor::bandwidth) continue;  // the lane is busy during such a wait
        slice(track_of(instruction) + 1, name_of(wait.reason), "wait", wait.when,
              {{"index", instruction.index}, {"for", describe(wait, timeline_, several_cores_)}});
      }
    }
    tokens();
    for (const Stretch &stretch : path_) {
      slice(kCriticalPath, name_of(stretch.on), "critical_path", stretch.when,
            {{"index", timeline_.instructions[stretch.instruction].index}, {"name", timeline_.instructions[stretch.instruction].name}});
    }
    for (const Interrupt &interrupt : timeline_.interrupts)
      slice(kInterrupts, interrupt.line == 0 ? "completions" : "faults", "interrupt", interrupt.high, {{"line", interrupt.line}});
    for (const Span &active : timeline_.active)
      slice(kControlCore, timeline_.control_source == ControlSource::trace ? "awake" : "serves the device", "control_core", active,
            json::object());
    for (const ControlEvent &event : timeline_.control_events) {
      out_ << fmt::format(",\n{{\"ph\":\"i\",\"s\":\"t\",\"pid\":1,\"tid\":{},\"name\":{},\"cat\":\"control_core\",\"ts\":{}}}",
                          kControlCore, quoted(event.text), exact_microseconds(event.time));
    }
    out_ << "\n]}\n";
  }

 private:
  void track(std::size_t number, const std::string &name) {
    out_ << fmt::format(",\n{{\"ph\":\"M\",\"pid\":1,\"tid\":{},\"name\":\"thread_name\",\"args\":{{\"name\":{}}}}}", number, quoted(name));
    out_ << fmt::format(",\n{{\"ph\":\"M\",\"pid\":1,\"tid\":{0},\"name\":\"thread_sort_index\",\"args\":{{\"sort_index\":{0}}}}}", number);
  }

  void tracks() {
    if (!path_.empty()) track(kCriticalPath, "critical path");
    if (timeline_.control_source != ControlSource::nothing) track(kControlCore, "control core");
    if (!timeline_.interrupts.empty()) track(kInterrupts, "interrupts");
    std::set<std::size_t> lanes;
    for (const TimedInstruction &instruction : timeline_.instructions) {
      if (!lanes.insert(instruction.lane()).second) continue;
      const std::string name = lane_name(instruction.lane(), several_cores_);
      track(track_of(instruction), fmt::format("{} {}", name, class_description(instruction.queue)));
      track(track_of(instruction) + 1, name + " waits");
    }
  }

  void slice(std::size_t track, const std::string &name, const char *category, const Span &when, const json &arguments) {
    out_ << fmt::format(",\n{{\"ph\":\"X\",\"pid\":1,\"tid\":{},\"name\":{},\"cat\":\"{}\",\"ts\":{},\"dur\":{},\"args\":{}}}", track,
                        quoted(name), category, exact_microseconds(when.from), exact_microseconds(when.to - when.from), arguments.dump());
  }

  json arguments_of(const TimedInstruction &instruction) const {
    json arguments = {{"index", instruction.index}, {"cycles", instruction.cycles()}, {"doorbell", instruction.doorbell}};
    if (instruction.layer >= 0) arguments["layer"] = instruction.layer;
    if (instruction.workload >= 0) arguments["wkl"] = instruction.workload;
    if (instruction.tile >= 0) arguments["tile"] = instruction.tile;
    if (instruction.bytes > 0) arguments["bytes"] = instruction.bytes;
    for (const Wait &wait : waits_.of(instruction.index)) {
      arguments["waited"].push_back(fmt::format("{} cycles for {}", wait.cycles(), describe(wait, timeline_, several_cores_)));
    }
    return arguments;
  }

  void tokens() {
    std::size_t id = 0;
    for (const Token &token : tokens_of(timeline_)) {
      const TimedInstruction &from = timeline_.instructions[token.from];
      const TimedInstruction &to = timeline_.instructions[token.to];
      const std::string name =
          quoted(fmt::format("token {} to {}", lane_name(from.lane(), several_cores_), lane_name(to.lane(), several_cores_)));
      // A viewer attaches an arrow to the slice that covers its time. A slice does not cover its own end, so the arrow leaves one cycle
      // earlier.
      const std::uint64_t leaves = from.cycles() > 0 ? from.end - 1 : from.start;
      out_ << fmt::format(",\n{{\"ph\":\"s\",\"pid\":1,\"tid\":{},\"name\":{},\"cat\":\"token\",\"id\":{},\"ts\":{}}}", track_of(from),
                          name, id, exact_microseconds(leaves));
      out_ << fmt::format(",\n{{\"ph\":\"f\",\"bp\":\"e\",\"pid\":1,\"tid\":{},\"name\":{},\"cat\":\"token\",\"id\":{},\"ts\":{}}}",
                          track_of(to), name, id, exact_microseconds(to.start));
      ++id;
    }
  }

  std::ostream &out_;
  const Timeline &timeline_;
  Waits waits_;
  std::vector<Stretch> path_;
  bool several_cores_;
};

}  // namespace

void write_chrome_trace(std::ostream &out, const Timeline &timeline) { Writer(out, timeline).write(); }

}  // namespace cox::tools::run
