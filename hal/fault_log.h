// SPDX-License-Identifier: MIT
// What went wrong with the accelerator, and what was done about it (docs/faults.md): the last sixteen faults of all engines, in memory that
// outlives a reset of the control core, so that the next boot can say what happened in the last one.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/status.h"
#include "hal/device.h"

namespace cox::hal {

enum class FaultAction : std::uint8_t {
  none,
  corrected,  ///< nothing was lost
  retried,    ///< the task was started again
  failed,     ///< the task, job or stream failed with this error
  reset,      ///< a tile core or engine was reset
};
inline constexpr unsigned kFaultActions = 5;
inline constexpr const char *kFaultActionNames[kFaultActions] = {"none", "corrected", "retried", "failed", "reset"};

struct FaultRecord {
  static constexpr std::uint8_t kNone = 0xFF;  ///< in `queue`, `context`, `owner`: not known, or of no single one

  std::uint64_t cycle = 0;            ///< device time when it was noticed
  std::uint32_t detail = 0;           ///< of `fault`: the address, or the opcode
  std::int32_t instruction = -1;      ///< in its task or stream; -1: not known
  std::uint8_t queue = kNone;         ///< queue number as in completions, or, of a whole core, that of its first queue
  std::uint8_t context = kNone;       ///< of the device
  FaultCode fault = FaultCode::none;  ///< what the device said; none: it did not
  std::uint8_t owner = kNone;         ///< of the job (firmware/job/job_queue.h)
  ErrorCode error = ErrorCode::ok;    ///< what the firmware made of it
  FaultAction action = FaultAction::none;
};

/// The log lies in the first kBytes of board::retained_memory().
namespace fault_log {

inline constexpr std::size_t kBytes = 512;
inline constexpr std::uint32_t kCapacity = 16;

/// Adds a record; the oldest makes room. Also from interrupt handlers.
void append(const FaultRecord &record);
/// Records since power-on, modulo 2^32, those included that have made room.
[[nodiscard]] std::uint32_t count();
/// Records that are there: at most kCapacity.
[[nodiscard]] std::uint32_t size();
/// Record `index` < size(), the oldest first.
[[nodiscard]] FaultRecord at(std::uint32_t index);

}  // namespace fault_log
}  // namespace cox::hal
