// SPDX-License-Identifier: MIT
// Why instructions started when they did (docs/tracing.md, Waits).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "tools/run/timeline/timeline.h"

namespace cox::tools::run {

enum class WaitFor : std::uint8_t {
  token,      ///< of an instruction in another lane
  dispatch,   ///< the control core: from the last token that was given to the doorbell
  doorbell,   ///< the device: from the doorbell to the earliest start
  queue,      ///< the instruction before it in its lane, though it could have started
  bandwidth,  ///< others that moved bytes to or from DRAM while it did
  device,     ///< nothing that is known: a clock that stood, a completion queue that was full
};
inline constexpr std::size_t kWaitsFor = 6;

struct Wait {
  WaitFor reason = WaitFor::token;
  Span when;             ///< of bandwidth the end of the instruction: where in it the cycles were lost is not known
  std::size_t whom = 0;  ///< of token and queue: index into Timeline::instructions

  [[nodiscard]] std::uint64_t cycles() const { return when.to - when.from; }
};

/// What the start of each instruction had to wait for, and who.
class Waits {
 public:
  explicit Waits(const Timeline &timeline);

  static constexpr std::size_t kNone = SIZE_MAX;

  /// Of instruction `index`, in order of time; those without cycles are left out.
  [[nodiscard]] const std::vector<Wait> &of(std::size_t index) const { return waits_[index]; }
  /// The instruction before it in its lane; kNone: it is the first.
  [[nodiscard]] std::size_t before(std::size_t index) const { return before_[index]; }
  /// The one that gave its last token; kNone: it takes none.
  [[nodiscard]] std::size_t giver(std::size_t index) const { return giver_[index]; }
  /// Cycles from a doorbell to the earliest start that it allows.
  [[nodiscard]] std::uint64_t doorbell_latency() const { return latency_; }

 private:
  [[nodiscard]] std::vector<Wait> find(const Timeline &timeline, std::size_t index) const;

  std::uint64_t latency_ = 0;
  std::vector<std::size_t> before_, giver_;
  std::vector<std::vector<Wait>> waits_;
};

/// "a token of PE: pe_conv (instruction 12)", to stand behind "waits for".
std::string describe(const Wait &wait, const Timeline &timeline, bool several_cores);
/// "token", for a legend.
const char *name_of(WaitFor reason);

}  // namespace cox::tools::run
