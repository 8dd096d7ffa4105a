// SPDX-License-Identifier: MIT
// Computes the figures of the statistics that are not in the job records.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "firmware/job/job_queue.h"
#include "hal/fault_log.h"
#include "tools/run/report/statistics.h"
#include "tools/tile/task.h"

namespace cox::tools::run {

/// Returns the multiply-accumulates of one run of the task.
std::uint64_t multiply_accumulates(const task::Task &task);

/// Returns the images that a run of the task computes: the first dimension if it is the same in all tensors, else 1.
std::uint64_t images_of(const task::Task &task);

/// Bytes that a read_faults job writes if the log is full.
inline constexpr std::size_t kFaultReadingBytes =
    sizeof(firmware::job::FaultReading) + hal::fault_log::kCapacity * sizeof(firmware::job::FaultEntry);

/// Returns the bits that ECC corrected, from the result of a read_faults job (a job::FaultReading and its entries).
std::uint64_t corrected_errors(std::span<const std::byte> reading);

/// Adds the work of each of the device's `tile_cores` cores from the event log at `path`. Throws Failure(failed) if the log cannot be read.
void add_core_work(Statistics &statistics, const std::string &path, unsigned tile_cores);

}  // namespace cox::tools::run
