// SPDX-License-Identifier: MIT
// How jobs are handed to the firmware: a ring of descriptors in memory that both sides see, at the base of DRAM on the boards here
// (docs/jobs.md). Plain data, little-endian, the same bits on every board; all addresses are bus addresses.
#pragma once

#include <cstddef>
#include <cstdint>

namespace cox::firmware::job {

inline constexpr std::uint32_t kMagic = 0x4A584F43;  ///< "COXJ" in memory
inline constexpr std::uint32_t kVersion = 1;
inline constexpr unsigned kWindows = 4;
inline constexpr unsigned kTaskSlots = 8;
inline constexpr unsigned kQueues = 9;

enum class Kind : std::uint32_t {
  load = 1,    ///< check the image at `image_address` and keep it in `task_slot` (the memory stays the caller's and must not change)
  run = 2,     ///< run the task in `task_slot` on `windows`
  unload = 3,  ///< forget `task_slot`
};

enum class State : std::uint32_t { empty = 0, submitted = 1, running = 2, done = 3 };

/// DRAM that a base address register points at while the task runs. Size 0: not given.
struct Window {
  std::uint64_t address;
  std::uint64_t size;
};

/// What one submission queue did during a run, from the device's counters.
struct QueueCounters {
  std::uint64_t instructions;
  std::uint64_t busy_cycles;
  std::uint64_t stalled_cycles;  ///< an instruction was at the head and could not start, or waited for bandwidth
  std::uint64_t bytes;           ///< moved to or from DRAM
};

/// 512 bytes. The submitter fills the first part and sets `state` to submitted last; the firmware fills the second part and sets it to done
/// last.
struct Descriptor {
  State state;
  Kind kind;
  std::uint32_t task_slot;
  std::uint32_t time_limit_us;  ///< of a run, in microseconds of the control core's clock; 0: the firmware's default (10 s)
  std::uint64_t image_address;  ///< load: 16-byte aligned
  std::uint64_t image_bytes;
  std::uint64_t workspace_address;  ///< load: memory that the firmware keeps while the task is loaded (see workspace_bytes in
                                    ///< firmware/image/loader.h)
  std::uint64_t workspace_bytes;
  Window windows[kWindows];  ///< run

  // Filled by the firmware.
  std::uint32_t error;       ///< ErrorCode
  std::int32_t error_index;  ///< the instruction, -1 if none
  std::int64_t error_value;
  std::int64_t error_limit;
  char error_what[32];                 ///< the field, register or object; zero-terminated
  std::uint64_t start_cycle;           ///< device time at the first doorbell
  std::uint64_t end_cycle;             ///< device time at the end of the last instruction
  std::uint64_t control_instructions;  ///< executed by the control core from the first dispatch to the last completion; ~0 where the board
                                       ///< can't count
  std::uint64_t accelerator_instructions;  ///< dispatched, configurations included
  QueueCounters queues[kQueues];
  std::uint8_t reserved[24];
};
static_assert(offsetof(Descriptor, error) == 112);
static_assert(sizeof(Descriptor) == 512);

enum Flags : std::uint32_t { kExitWhenDone = 1 };  ///< leave the firmware (on boards that can) when `submitted` jobs are done

/// 64 bytes, then `capacity` descriptors.
struct Header {
  std::uint32_t magic;  ///< written last by the submitter
  std::uint32_t version;
  std::uint32_t capacity;  ///< descriptors in the ring
  std::uint32_t flags;
  std::uint32_t submitted;       ///< running count, by the submitter; at most `capacity` ahead of `completed`
  std::uint32_t completed;       ///< running count, by the firmware
  std::uint32_t firmware_state;  ///< 0 not booted, 1 ready, 2 exited, 3 stopped on an error
  std::uint32_t firmware_error;  ///< ErrorCode that stopped the firmware
  std::uint32_t reserved[8];
};
static_assert(sizeof(Header) == 64);

}  // namespace cox::firmware::job
