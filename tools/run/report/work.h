// SPDX-License-Identifier: MIT
// What statistics count besides the jobs' own figures.
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

/// Of one run of the task.
std::uint64_t multiply_accumulates(const task::Task &task);

/// How many images a run of the task takes: the first dimension, where all its tensors have the same; else 1.
std::uint64_t images_of(const task::Task &task);

/// What a read_faults job writes where the log is full.
inline constexpr std::size_t kFaultReadingBytes =
    sizeof(firmware::job::FaultReading) + hal::fault_log::kCapacity * sizeof(firmware::job::FaultEntry);

/// Bits that ECC corrected, by what a read_faults job brought (a job::FaultReading and its entries).
std::uint64_t corrected_errors(std::span<const std::byte> reading);

/// Adds what each of the device's `tile_cores` cores did by the event log at `path`. Throws Failure(failed) where that cannot be read.
void add_core_work(Statistics &statistics, const std::string &path, unsigned tile_cores);

}  // namespace cox::tools::run
