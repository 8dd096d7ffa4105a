// SPDX-License-Identifier: MIT
#include "sim/model/observers/event_log.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>

namespace cox::model {

static_assert(std::endian::native == std::endian::little, "records are written as they lie in memory");

std::unique_ptr<EventLog> EventLog::create(const std::string &path) {
  std::FILE *file = std::fopen(path.c_str(), "wb");
  if (file == nullptr) return nullptr;
  std::unique_ptr<EventLog> log(new EventLog(file));
  if (std::fwrite(kEventLogMagic, sizeof kEventLogMagic, 1, file) != 1 || std::fflush(file) != 0) return nullptr;
  return log;
}

EventLog::~EventLog() {
  if (file_ != nullptr) std::fclose(file_);
}

bool EventLog::close() {
  const bool failed = std::ferror(file_) != 0;
  const bool closed = std::fclose(file_) == 0;
  file_ = nullptr;
  return closed && !failed;
}

void EventLog::write(const EventRecord &record) { std::fwrite(&record, sizeof record, 1, file_); }

EventRecord EventLog::record_of(registers::Engine engine, unsigned core, EventKind with_cores, EventKind with_ring) {
  const registers::EngineRow &row = registers::row_of(engine);
  EventRecord record{};
  record.kind = row.has_ring() ? with_ring : with_cores;
  record.core = static_cast<std::uint8_t>(row.has_ring() ? row.number() : core);
  return record;
}

void EventLog::on_end(const InstructionEvent &event) {
  EventRecord record = record_of(event.engine, event.core, EventKind::instruction, EventKind::stream_instruction);
  record.context = static_cast<std::uint8_t>(event.context);
  record.queue = static_cast<std::uint8_t>(event.lane);
  record.opcode = static_cast<std::uint8_t>(event.opcode);
  record.status = static_cast<std::uint8_t>(event.fault.code);
  record.last = record.kind == EventKind::stream_instruction && event.last ? 1 : 0;
  record.engine_core = static_cast<std::uint8_t>(record.kind == EventKind::stream_instruction ? event.core : 0);
  record.index = event.index;
  record.ordinal = event.position;
  record.doorbell = event.doorbell;
  record.start = event.start;
  record.end = event.end;
  record.stalled = event.stalled;
  record.bytes = event.bytes;
  record.detail = event.fault.detail;
  record.compute = static_cast<std::uint32_t>(std::min<Cycle>(event.compute, UINT32_MAX));
  write(record);
  if (event.last) std::fflush(file_);
}

void EventLog::on_message(const MessageEvent &event) {
  EventRecord record{};
  record.kind = EventKind::message;
  record.core = static_cast<std::uint8_t>(event.engine);
  record.context = static_cast<std::uint8_t>(event.context);
  record.queue = static_cast<std::uint8_t>(event.sender);
  record.engine_core = static_cast<std::uint8_t>(event.receiver);
  record.index = event.index;
  record.ordinal = event.receive;
  record.doorbell = event.received;
  record.start = event.sent;
  record.end = event.landed;
  record.bytes = event.bytes;
  record.detail = event.id;
  record.compute = event.send;
  write(record);
}

void EventLog::on_barrier(const BarrierEvent &event) {
  EventRecord record{};
  record.kind = EventKind::barrier;
  record.core = static_cast<std::uint8_t>(event.engine);
  record.context = static_cast<std::uint8_t>(event.context);
  record.index = event.index;
  record.start = event.complete;
  record.end = event.released;
  record.bytes = event.cores;
  record.detail = event.id;
  write(record);
}

void EventLog::on_keys(const KeysEvent &event) {
  EventRecord record{};
  record.kind = EventKind::keys;
  record.core = static_cast<std::uint8_t>(event.engine);
  record.context = static_cast<std::uint8_t>(event.context);
  record.queue = static_cast<std::uint8_t>(event.lane);
  record.last = event.given ? 1 : 0;
  record.engine_core = static_cast<std::uint8_t>(event.core);
  record.index = event.index;
  record.ordinal = event.position;
  record.end = event.time;
  record.bytes = event.count;
  record.detail = event.table << 8 | event.entry;
  write(record);
}

void EventLog::write_reset(EventKind kind, EventRecord record, Cycle now) {
  record.kind = kind;
  record.end = now;
  write(record);
  std::fflush(file_);
}

void EventLog::on_context_reset(unsigned context, Cycle now) {
  EventRecord record{};
  record.context = static_cast<std::uint8_t>(context);
  write_reset(EventKind::context_reset, record, now);
}

void EventLog::on_engine_reset(registers::Engine engine, unsigned core, Cycle now) {
  const EventRecord record = record_of(engine, core, EventKind::core_reset, EventKind::engine_reset);
  write_reset(record.kind, record, now);
}

void EventLog::on_interrupt(unsigned line, bool level, Cycle now) {
  EventRecord record{};
  record.kind = EventKind::interrupt;
  record.queue = static_cast<std::uint8_t>(line);
  record.status = level ? 1 : 0;
  record.end = now;
  write(record);
}

bool read_event_log(const std::string &path, std::vector<EventRecord> &records, std::string &error) {
  records.clear();
  const std::unique_ptr<std::FILE, int (*)(std::FILE *)> file(std::fopen(path.c_str(), "rb"), &std::fclose);
  if (file == nullptr) {
    error = fmt::format("event log '{}': {}", path, std::strerror(errno));
    return false;
  }
  char magic[sizeof kEventLogMagic];
  if (std::fread(magic, sizeof magic, 1, file.get()) != 1 || std::memcmp(magic, kEventLogMagic, sizeof magic) != 0) {
    error = fmt::format("'{}' is not an event log of this version", path);
    return false;
  }
  EventRecord record;
  while (std::fread(&record, sizeof record, 1, file.get()) == 1) records.push_back(record);
  return true;
}

}  // namespace cox::model
