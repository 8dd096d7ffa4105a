// SPDX-License-Identifier: MIT
// The reasons for the start times of instructions (docs/tracing.md, Waits).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "tools/run/tile/timeline.h"

namespace cox::tools::run {

enum class WaitFor : std::uint8_t {
  token,      ///< a token of an instruction in another lane
  dispatch,   ///< the control core: from the instruction's last token to its doorbell
  doorbell,   ///< the device: from the doorbell to the earliest start
  queue,      ///< the previous instruction in the lane; all other conditions for the start were met
  bandwidth,  ///< other instructions that moved bytes to or from DRAM at the same time
  device,     ///< the device, for a reason that the log does not show, such as a stopped clock
};
inline constexpr std::size_t kWaitsFor = 6;

struct Wait {
  WaitFor reason = WaitFor::token;
  Span when;             ///< for bandwidth, the log has only the number of lost cycles; the span ends with the instruction
  std::size_t whom = 0;  ///< for token and queue: the other instruction, as an index into Timeline::instructions

  [[nodiscard]] std::uint64_t cycles() const { return when.to - when.from; }
};

/// The waits of each instruction, with their causes: the waits before its start, and the cycles that it lost for lack of bandwidth.
class Waits {
 public:
  explicit Waits(const Timeline &timeline);

  static constexpr std::size_t kNone = SIZE_MAX;

  /// Returns the waits of instruction `index`, in order of time, without those of 0 cycles.
  [[nodiscard]] const std::vector<Wait> &of(std::size_t index) const { return waits_[index]; }
  /// Returns the previous instruction in the lane, or kNone for the first.
  [[nodiscard]] std::size_t before(std::size_t index) const { return before_[index]; }
  /// Returns the instruction that gave the last token that instruction `index` takes, or kNone if it takes none.
  [[nodiscard]] std::size_t giver(std::size_t index) const { return giver_[index]; }
  /// Returns the cycles from a doorbell to the earliest start that it allows.
  [[nodiscard]] std::uint64_t doorbell_latency() const { return latency_; }

 private:
  [[nodiscard]] std::vector<Wait> find(const Timeline &timeline, std::size_t index) const;

  std::uint64_t latency_ = 0;
  std::vector<std::size_t> before_, giver_;
  std::vector<std::vector<Wait>> waits_;
};

/// Returns text that follows "waits for", for example "a token of PE: pe_conv (instruction 12)".
std::string describe(const Wait &wait, const Timeline &timeline, bool several_cores);
/// Returns a name for a legend, for example "token".
const char *name_of(WaitFor reason);

}  // namespace cox::tools::run
