// SPDX-License-Identifier: MIT
// Results of the jobs that read the firmware's trace and its fault log.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "coxswain/firmware/job/job_queue.h"
#include "coxswain/firmware/trace/trace.h"
#include "coxswain/hal/fault_log.h"

namespace cox::tools::run {

/// Bytes that a read_trace job writes if the trace's ring is full.
inline constexpr std::size_t kTraceReadingBytes =
    sizeof(firmware::job::TraceReading) + firmware::trace::kEvents * sizeof(firmware::trace::Event);

/// Bytes that a read_faults job writes if the log is full.
inline constexpr std::size_t kFaultReadingBytes =
    sizeof(firmware::job::FaultReading) + hal::fault_log::kCapacity * sizeof(firmware::job::FaultEntry);

/// Returns the bits that ECC corrected, from the result of a read_faults job (a job::FaultReading and its entries).
std::uint64_t corrected_errors(std::span<const std::byte> reading);

}  // namespace cox::tools::run
