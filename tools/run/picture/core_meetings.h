// SPDX-License-Identifier: MIT
// Which instructions of an event log belong to its messages and barriers.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "tools/run/picture/engine_records.h"

namespace cox::tools::run {

class CoreMeetings {
 public:
  explicit CoreMeetings(const EngineRecords &records);

  /// The two instructions of a message; nullptr if the log lacks the instruction.
  [[nodiscard]] const DrawnRecord *send_of(const model::EventRecord &message) const;
  [[nodiscard]] const DrawnRecord *receive_of(const model::EventRecord &message) const;
  /// The instructions with which the cores of a barrier arrived.
  [[nodiscard]] const std::vector<const DrawnRecord *> &arrivals_at(const model::EventRecord &barrier) const;

  /// The time up to which an instruction waited for another core: its end, or the time when its message had both sides.
  [[nodiscard]] std::uint64_t waits_until(const DrawnRecord &one) const;
  /// The message or the barrier of an instruction, in words; empty if it has none. Times count from `zero`.
  [[nodiscard]] std::string text_of(const DrawnRecord &one, std::uint64_t zero) const;

  /// When the data of a message leaves its sender, as far as the send shows it.
  [[nodiscard]] static std::uint64_t leaves(const model::EventRecord &message, const model::EventRecord &send);
  [[nodiscard]] static std::string message_text(const model::EventRecord &message, std::uint64_t zero);
  [[nodiscard]] static std::string barrier_text(const model::EventRecord &barrier, std::uint64_t zero);

 private:
  /// An instruction of a core that waits for others: engine, stream, core, and start, or end.
  using Key = std::tuple<unsigned, std::uint32_t, unsigned, std::uint64_t>;
  [[nodiscard]] static Key key_of(const DrawnRecord &one);
  [[nodiscard]] static Key end_of(const DrawnRecord &one);
  [[nodiscard]] const DrawnRecord *find(const Key &key) const;

  std::map<Key, const DrawnRecord *> instructions_;
  std::map<Key, const model::EventRecord *> message_of_;
  std::map<Key, const model::EventRecord *> barrier_of_;  // by end_of()
  std::map<const model::EventRecord *, std::vector<const DrawnRecord *>> arrivals_;
};

}  // namespace cox::tools::run
