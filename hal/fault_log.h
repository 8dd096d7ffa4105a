// SPDX-License-Identifier: MIT
// The last sixteen faults of all engines, and what the firmware did about each (docs/faults.md). The log is in memory that outlives a reset
// of the control core, so the next boot can report the faults of the last one.
#pragma once

#include <cstddef>
#include <cstdint>

#include "coxswain/base/status.h"
#include "coxswain/hal/device.h"

namespace cox::hal {

enum class FaultAction : std::uint8_t {
  none,
  corrected,  ///< nothing was lost
  retried,    ///< the task was started again
  failed,     ///< the task, job or stream failed with the record's `error`
  reset,      ///< a core or engine was reset
};
inline constexpr unsigned kFaultActions = 5;
inline constexpr const char *kFaultActionNames[kFaultActions] = {"none", "corrected", "retried", "failed", "reset"};

struct FaultRecord {
  static constexpr std::uint8_t kNone = 0xFF;  ///< in `queue`, `context`, `owner`: unknown, or more than one

  std::uint64_t cycle = 0;            ///< device time when the firmware noticed the fault
  std::uint32_t detail = 0;           ///< detail of `fault`, as Fault::detail (hal/device.h)
  std::int32_t instruction = -1;      ///< index in the task or stream; -1: not known
  std::uint8_t queue = kNone;         ///< queue number as in completions; for a whole core, that of its first queue
  std::uint8_t context = kNone;       ///< the device's context
  FaultCode fault = FaultCode::none;  ///< reported by the device; none if it reported no fault
  std::uint8_t owner = kNone;         ///< owner of the job (firmware/job/job_queue.h)
  ErrorCode error = ErrorCode::ok;    ///< the firmware's error for the task, job or stream
  FaultAction action = FaultAction::none;
};

/// The log lies in the first kBytes of board::retained_memory().
namespace fault_log {

inline constexpr std::size_t kBytes = 512;
inline constexpr std::uint32_t kCapacity = 16;

/// Adds a record; it replaces the oldest if the log is full. Interrupt handlers may call this.
void append(const FaultRecord &record);
/// Number of records since power-on, modulo 2^32, including replaced ones.
[[nodiscard]] std::uint32_t count();
/// Number of records in the log, at most kCapacity.
[[nodiscard]] std::uint32_t size();
/// Returns record `index`, counted from the oldest. `index` must be less than size().
[[nodiscard]] FaultRecord at(std::uint32_t index);

}  // namespace fault_log
}  // namespace cox::hal
