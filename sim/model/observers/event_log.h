// SPDX-License-Identifier: MIT
// The event log: a record for each instruction that ended, each message, barrier and key of cores, each interrupt and each reset
// (docs/model.md, Event log).
#pragma once

#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "sim/model/observer.h"

namespace cox::model {

/// The words in backquotes are fields of EventRecord.
enum class EventKind : std::uint8_t {
  instruction = 1,         ///< an instruction of a core ended
  interrupt = 2,           ///< at time `end`, the interrupt line with the number in `queue` changed to the level in `status`
  context_reset = 3,       ///< at time `end`, `context` lost its configuration and began a run
  core_reset = 4,          ///< at time `end`, `core` was reset; instructions that had started there did not end
  stream_instruction = 5,  ///< an instruction of a stream ended, or a stream ended before its first instruction
  engine_reset = 6,        ///< at time `end`, the engine with the number in `core` was reset
  message = 7,             ///< the data of a message from core `queue` to core `engine_core` arrived
  barrier = 8,             ///< the last core of a barrier arrived; its cores went on at time `end`
  keys = 9,                ///< at time `end`, an instruction gave (`last` 1) or took `bytes` keys of the table and entry in `detail`
};

/// A record as in the file: 64 bytes, little-endian. Fields that a kind does not use are zero.
struct EventRecord {
  EventKind kind;
  std::uint8_t core;  ///< number of the core, or registers::Engine for an engine with a ring
  std::uint8_t context;
  /// For an instruction of a core, its class. For an engine with several pipes or units, the number of the pipe or unit. 0 for other
  /// engines. For a message, the sender.
  std::uint8_t queue;
  std::uint8_t opcode;  ///< as in the machine code; kNoOpcode: no instruction was fetched
  std::uint8_t status;  ///< FaultCode
  std::uint8_t last;    ///< for stream_instruction: 1 if the instruction was the last of its stream; for keys: 1 if it gave them
  /// For stream_instruction and keys, the number of the core in its engine, 0 if the engine has no cores. For a message, the receiver.
  std::uint8_t engine_core;
  std::uint32_t index;  ///< running index in the submission queue
  /// Position in the stream as faults report it (stream_instruction), mostly a byte offset; or the instruction's number in its class and
  /// context since the context's reset. For a message, the position of the receive.
  std::uint32_t ordinal;
  std::uint64_t doorbell;  ///< for a message, when the receive started
  std::uint64_t start;     ///< for a message, when the send started; for a barrier, when its last core arrived
  std::uint64_t end;
  std::uint64_t stalled;
  std::uint64_t bytes;   ///< for a barrier, bit i: core i; for keys, their number
  std::uint32_t detail;  ///< detail of the fault, if there is one; for a message or barrier, its id; for keys, [15:8] table, [7:0] entry
  /// For stream_instruction, cycles of the engine's arithmetic, at most 2^32 - 1. For a message, the position of the send.
  std::uint32_t compute;
};
static_assert(sizeof(EventRecord) == 64);

inline constexpr char kEventLogMagic[8] = {'C', 'O', 'X', 'E', 'V', 'T', '0', '1'};

/// Writes a log. It flushes records to the file at the end of each task (`ct_ed`) and stream, at resets, when many have gathered, and at
/// close().
class EventLog final : public Observer {
 public:
  /// Returns nullptr if the file cannot be written.
  static std::unique_ptr<EventLog> create(const std::string &path);

  ~EventLog() override;
  /// Writes the remaining records and closes the file. The log must not get events after that. Returns false if a write failed.
  [[nodiscard]] bool close();

  void on_start(const InstructionEvent & /*event*/) override {}
  void on_end(const InstructionEvent &event) override;
  void on_message(const MessageEvent &event) override;
  void on_barrier(const BarrierEvent &event) override;
  void on_keys(const KeysEvent &event) override;
  void on_context_reset(unsigned context, Cycle now) override;
  void on_engine_reset(registers::Engine engine, unsigned core, Cycle now) override;
  void on_interrupt(unsigned line, bool level, Cycle now) override;

 private:
  explicit EventLog(std::FILE *file) : file_(file) {}
  void write(const EventRecord &record);
  /// Returns a record of kind `with_cores` for `core` of an engine with cores, or of kind `with_ring` for an engine with a ring.
  [[nodiscard]] static EventRecord record_of(registers::Engine engine, unsigned core, EventKind with_cores, EventKind with_ring);
  /// `record` already names the context, core or engine. Flushes, so that a reader that waits for the reset finds it in the file.
  void write_reset(EventKind kind, EventRecord record, Cycle now);

  std::FILE *file_;
};

/// Reads the records that a log holds so far and leaves out an incomplete one. Returns false, and a sentence in `error`, if the file cannot
/// be read or is not an event log.
[[nodiscard]] bool read_event_log(const std::string &path, std::vector<EventRecord> &records, std::string &error);

}  // namespace cox::model
