// SPDX-License-Identifier: MIT
// The records of an event log that a timeline draws.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/model/observers/event_log.h"
#include "tools/registry/program_format.h"

namespace cox::tools::run {

/// An instruction, and the format of the engine that executed it.
struct DrawnRecord {
  const model::EventRecord *record;
  const ProgramFormat *format;

  /// Number of the core in its engine.
  [[nodiscard]] unsigned core() const { return format->engine().has_ring() ? record->engine_core : record->core; }
  [[nodiscard]] ProgramFormat::Drawn drawn() const { return *format->drawn(record->opcode); }
};

class EngineRecords {
 public:
  /// Throws Failure(bad_input) if `log` cannot be read or is no event log. Leaves out invalid records of a damaged file.
  EngineRecords(const std::string &log, ProgramFormats formats);
  EngineRecords(const EngineRecords &) = delete;
  EngineRecords &operator=(const EngineRecords &) = delete;

  /// Start of the first instruction.
  [[nodiscard]] std::uint64_t zero() const { return zero_; }
  [[nodiscard]] const std::vector<DrawnRecord> &instructions() const { return instructions_; }
  [[nodiscard]] const std::vector<const model::EventRecord *> &messages() const { return messages_; }
  [[nodiscard]] const std::vector<const model::EventRecord *> &barriers() const { return barriers_; }
  [[nodiscard]] const std::vector<const model::EventRecord *> &keys() const { return keys_; }

 private:
  std::vector<model::EventRecord> records_;
  std::uint64_t zero_ = 0;
  std::vector<DrawnRecord> instructions_;
  std::vector<const model::EventRecord *> messages_, barriers_, keys_;
};

}  // namespace cox::tools::run
