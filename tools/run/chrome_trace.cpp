// SPDX-License-Identifier: MIT
#include "tools/run/chrome_trace.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <set>

namespace cox::tools::run {
namespace {

using isa::tile::kClasses;
using nlohmann::json;

// The format's times are microseconds; three digits keep every cycle.
std::string microseconds(std::uint64_t cycles) { return fmt::format("{}.{:03}", cycles / 1000, cycles % 1000); }

// Tracks are numbered by core and class so that a viewer sorts them as the documents do.
std::size_t track_of(const TimedInstruction &instruction) {
  return std::size_t{instruction.core} * kClasses + static_cast<std::size_t>(instruction.queue) + 1;
}

std::string quoted(const std::string &text) { return json(text).dump(); }

json arguments_of(const TimedInstruction &instruction) {
  json arguments = {{"index", instruction.index}, {"cycles", instruction.cycles()}};
  if (instruction.layer >= 0) arguments["layer"] = instruction.layer;
  if (instruction.workload >= 0) arguments["wkl"] = instruction.workload;
  if (instruction.tile >= 0) arguments["tile"] = instruction.tile;
  if (instruction.bytes > 0) arguments["bytes"] = instruction.bytes;
  return arguments;
}

}  // namespace

void write_chrome_trace(std::ostream &out, const Timeline &timeline) {
  out << "{\"displayTimeUnit\":\"ns\",\"otherData\":{\"clock\":\"1 cycle = 1 ns\",\"task\":" << quoted(timeline.title)
      << "},\"traceEvents\":[\n";
  out << fmt::format(R"({{"ph":"M","pid":1,"name":"process_name","args":{{"name":{}}}}})", quoted(timeline.title));

  std::set<std::size_t> tracks;
  for (const TimedInstruction &instruction : timeline.instructions) {
    const std::size_t track = track_of(instruction);
    if (!tracks.insert(track).second) continue;
    const std::string name =
        fmt::format("{} {}{}", isa::tile::kClassNames[static_cast<std::size_t>(instruction.queue)], class_description(instruction.queue),
                    instruction.core == 0 ? "" : fmt::format(" (core {})", instruction.core));
    out << fmt::format(",\n{{\"ph\":\"M\",\"pid\":1,\"tid\":{},\"name\":\"thread_name\",\"args\":{{\"name\":{}}}}}", track, quoted(name));
    out << fmt::format(",\n{{\"ph\":\"M\",\"pid\":1,\"tid\":{0},\"name\":\"thread_sort_index\",\"args\":{{\"sort_index\":{0}}}}}", track);
  }
  for (const TimedInstruction &instruction : timeline.instructions) {
    out << fmt::format(",\n{{\"ph\":\"X\",\"pid\":1,\"tid\":{},\"name\":{},\"cat\":\"{}\",\"ts\":{},\"dur\":{},\"args\":{}}}",
                       track_of(instruction), quoted(instruction.name), instruction.is_configuration() ? "configuration" : "operation",
                       microseconds(instruction.start), microseconds(instruction.cycles()), arguments_of(instruction).dump());
  }
  std::size_t id = 0;
  for (const Token &token : tokens_of(timeline)) {
    const TimedInstruction &from = timeline.instructions[token.from];
    const TimedInstruction &to = timeline.instructions[token.to];
    // A viewer attaches an arrow to the slice that covers its time, and the end itself is outside of the slice.
    const std::uint64_t leaves = from.cycles() > 0 ? from.end - 1 : from.start;
    out << fmt::format(",\n{{\"ph\":\"s\",\"pid\":1,\"tid\":{},\"name\":\"token\",\"cat\":\"token\",\"id\":{},\"ts\":{}}}", track_of(from),
                       id, microseconds(leaves));
    out << fmt::format(",\n{{\"ph\":\"f\",\"bp\":\"e\",\"pid\":1,\"tid\":{},\"name\":\"token\",\"cat\":\"token\",\"id\":{},\"ts\":{}}}",
                       track_of(to), id, microseconds(to.start));
    ++id;
  }
  out << "\n]}\n";
}

}  // namespace cox::tools::run
