// SPDX-License-Identifier: MIT
// The event log: a record for each instruction that ended, each interrupt and each reset (docs/model.md, Event log).
#pragma once

#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "sim/model/observer.h"

namespace cox::model {

enum class EventKind : std::uint8_t {
  instruction = 1,         ///< an instruction ended
  interrupt = 2,           ///< line `queue` changed to `status`, at `end`
  context_reset = 3,       ///< the configuration of `context` is gone: a run begins, at `end`
  core_reset = 4,          ///< the engines of `core` were reset, at `end`; what had started there did not end
  stream_instruction = 5,  ///< an instruction of an engine's stream ended, or the stream did before it had one
  engine_reset = 6,        ///< engine `core` was reset, at `end`
};

/// As in the file: 64 bytes, little-endian. Fields that a kind does not name are zero.
struct EventRecord {
  EventKind kind;
  std::uint8_t core;  ///< registers::Engine where it is an engine's
  std::uint8_t context;
  std::uint8_t queue;   ///< lane: the class, or the pipe, if the engine has several
  std::uint8_t opcode;  ///< of the instruction set; kNoOpcode: none was fetched
  std::uint8_t status;  ///< FaultCode
  std::uint8_t last;    ///< stream_instruction: 1 where its stream ended with it
  std::uint8_t reserved;
  std::uint32_t index;  ///< running index in the submission queue
  std::uint32_t
      ordinal;  ///< number of the instruction in its class of its context since the context's reset; its byte offset in the stream
  std::uint64_t doorbell;
  std::uint64_t start;
  std::uint64_t end;
  std::uint64_t stalled;
  std::uint64_t bytes;
  std::uint32_t detail;   ///< of a fault
  std::uint32_t compute;  ///< stream_instruction: cycles of the lanes or of the array, 2^32 - 1 where there are more
};
static_assert(sizeof(EventRecord) == 64);

inline constexpr char kEventLogMagic[8] = {'C', 'O', 'X', 'E', 'V', 'T', '0', '1'};

/// Writes a log. Records reach the file at the end of each task (`ct_ed`) and stream, at resets, when it grows large, and when the log is
/// closed.
class EventLog final : public Observer {
 public:
  /// nullptr where the file cannot be written.
  static std::unique_ptr<EventLog> create(const std::string &path);

  ~EventLog() override;
  /// Writes what is left and closes the file; nothing may be recorded after that. False where not everything could be written.
  [[nodiscard]] bool close();

  void on_start(const InstructionEvent & /*event*/) override {}
  void on_end(const InstructionEvent &event) override;
  void on_context_reset(unsigned context, Cycle now) override;
  void on_engine_reset(registers::Engine engine, unsigned core, Cycle now) override;
  void on_interrupt(unsigned line, bool level, Cycle now) override;

 private:
  explicit EventLog(std::FILE *file) : file_(file) {}
  void write(const EventRecord &record);
  /// A record for `core` of an engine with cores, or for an engine with a ring, with the kind for it.
  [[nodiscard]] static EventRecord record_of(registers::Engine engine, unsigned core, EventKind with_cores, EventKind with_ring);
  /// Of whom it is, `record` says already. Whoever waits for the reset finds it in the file.
  void write_reset(EventKind kind, EventRecord record, Cycle now);

  std::FILE *file_;
};

/// Reads what a log holds so far; a record that is only partly there is left out. False, and a sentence in `error`, where the file cannot
/// be read or is no event log.
[[nodiscard]] bool read_event_log(const std::string &path, std::vector<EventRecord> &records, std::string &error);

}  // namespace cox::model
