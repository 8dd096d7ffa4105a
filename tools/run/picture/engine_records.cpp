// SPDX-License-Identifier: MIT
#include "tools/run/picture/engine_records.h"

#include <algorithm>
#include <limits>

#include "tools/command/failure.h"

namespace cox::tools::run {
namespace {

using model::EventKind;
using model::EventRecord;

/// Returns the format of the engine that executed an instruction. Returns nullptr for an instruction that is not drawn, and for an invalid
/// record.
const ProgramFormat *format_of(const EventRecord &record, ProgramFormats formats) {
  const bool of_core = record.kind == EventKind::instruction;
  if (record.end < record.start) return nullptr;
  if (of_core && record.core >= registers::core::kCount) return nullptr;
  const auto runs_it = [&](const ProgramFormat *format) {
    const registers::EngineRow &engine = format->engine();
    return of_core ? !engine.has_ring() : engine.has_ring() && engine.number() == record.core;
  };
  const auto found = std::ranges::find_if(formats, runs_it);
  if (found == formats.end() || record.queue >= (*found)->lanes().size()) return nullptr;
  return (*found)->drawn(record.opcode).has_value() ? *found : nullptr;
}

}  // namespace

EngineRecords::EngineRecords(const std::string &log, ProgramFormats formats) {
  std::string error;
  if (!model::read_event_log(log, records_, error)) throw Failure(ExitCode::bad_input, error);
  zero_ = std::numeric_limits<std::uint64_t>::max();
  for (const EventRecord &record : records_) {
    if (record.kind == EventKind::message && record.start <= record.end) messages_.push_back(&record);
    if (record.kind == EventKind::barrier && record.start <= record.end) barriers_.push_back(&record);
    if (record.kind == EventKind::keys) keys_.push_back(&record);
    if (record.kind != EventKind::instruction && record.kind != EventKind::stream_instruction) continue;
    const ProgramFormat *format = format_of(record, formats);
    if (format == nullptr) continue;
    instructions_.push_back({&record, format});
    zero_ = std::min(zero_, record.start);
  }
}

}  // namespace cox::tools::run
