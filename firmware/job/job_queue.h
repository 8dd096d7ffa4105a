// SPDX-License-Identifier: MIT
// The job interface of the firmware: a ring of descriptors in memory that the submitter and the firmware share. On the boards of this
// repository, the ring is at the base of DRAM (docs/jobs.md). Plain data, little-endian, the same bits on every board. All addresses are
// bus addresses.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "coxswain/device/waiting_unit.h"

namespace cox::firmware::job {

inline constexpr std::uint32_t kMagic = 0x4A584F43;      ///< "COXJ" in memory
inline constexpr std::uint32_t kWithdrawn = 0x57584F43;  ///< "COXW": the submitter withdraws the ring
inline constexpr std::uint32_t kVersion = 3;
// Values of Header::firmware_state.
inline constexpr std::uint32_t kNotBooted = 0;
inline constexpr std::uint32_t kReady = 1;
inline constexpr std::uint32_t kExited = 2;
inline constexpr std::uint32_t kStopped = 3;  ///< on an error, Header::firmware_error
inline constexpr unsigned kWindows = 4;
inline constexpr unsigned kTaskSlots = 8;
inline constexpr unsigned kQueues = 9;
inline constexpr unsigned kOwners = 16;
inline constexpr unsigned kPriorities = 8;  ///< number of priorities; priority 0 goes first
inline constexpr unsigned kCores = 4;
inline constexpr std::uint32_t kLargestWeight = 100;
inline constexpr std::uint32_t kMostRetries = 15;
inline constexpr std::uint32_t kMostInferences = 1 << 16;  ///< most inferences of a run
inline constexpr unsigned kLookAhead = 64;  ///< the firmware takes at most this many jobs, counted from the oldest that is not done

enum class Kind : std::uint32_t {
  load = 1,         ///< check the image at `image_address` and keep its task in `task_slot`; the image must stay unchanged
  run = 2,          ///< run the task in `task_slot` on `windows`
  unload = 3,       ///< empty `task_slot`
  cancel = 4,       ///< end the owner's job with the running number `argument`
  share = 5,        ///< give the owner the weight `argument`, 1 (the default) to kLargestWeight
  read_trace = 6,   ///< write the firmware's trace (TraceReading) to window 0
  read_faults = 7,  ///< write the fault log and the record of the previous boot (FaultReading) to window 0
};

enum class State : std::uint32_t { empty = 0, submitted = 1, running = 2, done = 3 };

/// DRAM that a base address register points at while the task runs. Size 0: the submitter gives no such window.
struct Window {
  std::uint64_t address;
  std::uint64_t size;
};

/// The work of one submission queue during a run, from the device's counters.
struct QueueCounters {
  std::uint64_t instructions;
  std::uint64_t busy_cycles;
  std::uint64_t stalled_cycles;  ///< cycles in which the head instruction could not start, or waited for bandwidth
  std::uint64_t bytes;           ///< bytes moved to or from DRAM
};

/// A block has one writer: the submitter, the firmware or the device. Caches write whole lines to memory, so the size is a multiple of the
/// lines of the control core (32 bytes) and of common hosts (64 bytes). The ring begins at a block.
inline constexpr std::size_t kBlock = 64;

/// kReadCounters: the firmware reads the device's counters before and after the run, for Outcome::queues and Outcome::clocked_cycles. This
/// takes it about as long as dispatching 40 instructions.
/// kInferences: the run computes `argument` inferences, one after another. Those behind the first one find their windows by strides_of().
enum RunFlags : std::uint32_t { kReadCounters = 1, kInferences = 2 };
inline constexpr std::uint32_t kAllRunFlags = kReadCounters | kInferences;

/// The part of a descriptor that the submitter writes. The firmware only reads it.
struct Request {
  State state;  ///< submitted
  Kind kind;
  std::uint32_t task_slot;
  std::uint32_t time_limit_us;  ///< run: time limit in microseconds of the control core's clock; 0: 10 s
  // A run with the flag kInferences has the strides of windows 0 to 3 in the next four members.
  std::uint64_t image_address;  ///< load: bus address of the image, aligned to 16 bytes
  std::uint64_t image_bytes;
  std::uint64_t workspace_address;  ///< load: memory that the firmware keeps while the task is loaded (see workspace_bytes in
                                    ///< firmware/image/loader.h), aligned to kBlock
  std::uint64_t workspace_bytes;
  Window windows[kWindows];  ///< run: the task's windows; read_trace and read_faults: only window 0 is used
  std::uint8_t owner;        ///< below kOwners; task slots, shares and jobs belong to an owner
  std::uint8_t priority;     ///< below kPriorities
  std::uint8_t core_mask;    ///< run: bit c is 1 if the run may use tile core c; 0: it may use all
  std::uint8_t retries;      ///< run: how often the run may begin again after a transient fault, at most kMostRetries
  std::uint32_t argument;    ///< cancel: running number of the job to cancel; share: the weight; run: see kInferences
  std::uint32_t flags;       ///< run: RunFlags
  std::uint32_t reserved;
};
static_assert(offsetof(Request, argument) == 116 && sizeof(Request) == 2 * kBlock);

/// For each window, the bytes from its place in an inference to its place in the next one. A window that the submitter does not give has
/// none.
using Strides = std::array<std::uint64_t, kWindows>;
[[nodiscard]] constexpr Strides strides_of(const Request &run) {
  return {run.image_address, run.image_bytes, run.workspace_address, run.workspace_bytes};
}
/// Makes a run compute `inferences` inferences.
constexpr void set_inferences(Request &run, std::uint32_t inferences, const Strides &strides) {
  run.flags |= kInferences;
  run.argument = inferences;
  run.image_address = strides[0];
  run.image_bytes = strides[1];
  run.workspace_address = strides[2];
  run.workspace_bytes = strides[3];
}

/// The part of a descriptor that the firmware writes. The submitter only reads it.
struct Outcome {
  std::uint32_t number;      ///< running number of the job to which `state` belongs
  State state;               ///< running or done; written after all else
  std::uint32_t error;       ///< value of an ErrorCode
  std::int32_t error_index;  ///< index of the instruction or element; -1 if there is none
  std::int64_t error_value;
  std::int64_t error_limit;
  char error_what[32];                     ///< the field, register or object; zero-terminated
  std::uint64_t start_cycle;               ///< device time at the first doorbell
  std::uint64_t end_cycle;                 ///< device time at the end of the last instruction
  std::uint64_t control_instructions;      ///< executed by the control core from the first dispatch to the last completion; ~0 if the board
                                           ///< cannot count
  std::uint64_t accelerator_instructions;  ///< number of instructions dispatched, including configurations
  std::uint8_t first_core;                 ///< the run's first tile core
  std::uint8_t cores;
  std::uint8_t retried;           ///< number of times that the run began again
  std::uint8_t counted;           ///< 1: `clocked_cycles` and `queues` are there; 0: they are undefined
  std::uint32_t counting_cycles;  ///< device cycles from `end_cycle` until `control_instructions` was read
  std::uint64_t fault_address;    ///< of a stream: bus address of the instruction that failed, or of memory that ECC could not correct
  std::uint8_t warnings;          ///< of a stream: bit i is the engine's warning i (device/engines.h)
  std::uint8_t waiting_units;     ///< of a stream that failed: number of units of its engine that waited for keys then
  std::uint16_t unused_half;
  std::uint32_t inferences;  ///< of a run: number of inferences that ended well; if the run failed, this is the index of the one that did
  std::uint64_t clocked_cycles;  ///< cycles in which the clocks of the run's tile cores ran, summed over the cores
  union {
    QueueCounters queues[kQueues];
    registers::WaitingUnit waiting[registers::kMostWaitingUnits];  ///< if `counted` is 0: the first `waiting_units` are there, by number
  };
  std::uint32_t unused[8];

  /// Returns true if the outcome of the job with this running number is there. Before, the outcome may be that of an earlier job.
  [[nodiscard]] bool is_done(std::uint32_t job) const { return number == job && state == State::done; }
};
static_assert(offsetof(Outcome, error) == 8 && offsetof(Outcome, error_what) == 32 && offsetof(Outcome, start_cycle) == kBlock);
static_assert(sizeof(Outcome) == 7 * kBlock);

/// 576 bytes. A job's running number is the count of jobs before it; its index in the ring is that number modulo `capacity`. The submitter
/// fills the request and then raises Header::submitted. The firmware fills the outcome, and then sets its `number` and its `state`.
struct Descriptor {
  Request request;
  Outcome outcome;
};
static_assert(sizeof(Descriptor) == 9 * kBlock);

enum Flags : std::uint32_t { kExitWhenDone = 1 };  ///< when all submitted jobs are done, firmware_main() returns

/// 128 bytes; `capacity` descriptors follow.
struct Header {
  // Written by the submitter.
  std::uint32_t magic;  ///< kMagic, written last; kWithdrawn before another submitter takes over
  std::uint32_t version;
  std::uint32_t capacity;  ///< number of descriptors in the ring
  std::uint32_t flags;
  std::uint32_t submitted;  ///< running count of submitted jobs; at most `completed` + `capacity`
  std::uint32_t session;    ///< a number that a submitter changes when it withdraws the ring of an earlier one
  std::uint32_t reserved[10];

  // Written by the firmware.
  std::uint64_t uptime_us;       ///< microseconds since the firmware's start, written whenever `completed` is written
  std::uint64_t awake_us;        ///< part of `uptime_us` in which the control core was awake; ~0 if the board cannot tell
  std::uint32_t completed;       ///< running count: all jobs with lower numbers are done; any other job is done if its outcome is there
  std::uint32_t firmware_state;  ///< kNotBooted, kReady, kExited or kStopped
  std::uint32_t firmware_error;  ///< ErrorCode that stopped the firmware
  std::uint32_t withdrawn;  ///< `session` of the last withdrawal. The firmware has no job and no task then, and does not touch the ring
                            ///< until `magic` is kMagic again
  std::uint32_t unused[8];
};
static_assert(offsetof(Header, uptime_us) == kBlock && sizeof(Header) == 2 * kBlock);

/// A read_trace job writes this header, then `events` events of 8 bytes, the oldest first (firmware/trace/trace.h).
struct TraceReading {
  std::uint32_t events;  ///< number of events that follow: the last ones, as many as fit into the window; 0 if the firmware was built
                         ///< without a trace
  std::uint32_t before;  ///< number of earlier events, modulo 2^32
};
static_assert(sizeof(TraceReading) == 8);

/// The firmware's last activity in a boot (firmware/boot/boot_record.h).
struct BootReading {
  std::uint32_t phase;    ///< boot_record::Phase; 0: not known
  std::uint32_t job;      ///< running number of the last job that the firmware worked on
  std::uint32_t context;  ///< context of the last run that was started
  std::uint32_t queue;    ///< the first tile queue that still had instructions when the core went to sleep
  std::uint32_t index;    ///< running index of the first instruction in `queue`
  std::uint32_t reserved;
  std::uint64_t microseconds;  ///< time from the start of the boot to the beginning of `phase`
};
static_assert(sizeof(BootReading) == 32);

/// One fault; hal/fault_log.h explains the fields.
struct FaultEntry {
  std::uint64_t cycle;
  std::uint32_t detail;
  std::int32_t instruction;
  std::uint8_t queue;
  std::uint8_t context;
  std::uint8_t fault;
  std::uint8_t owner;
  std::uint16_t error;
  std::uint8_t action;
  std::uint8_t reserved[5];
};
static_assert(sizeof(FaultEntry) == 32);

/// A read_faults job writes this header, then `faults` entries, the oldest first.
struct FaultReading {
  std::uint32_t faults;       ///< number of entries that follow: the last ones, as many as fit into the window
  std::uint32_t before;       ///< number of earlier faults, which the log has forgotten or which do not fit into the window
  std::uint32_t boots;        ///< number of boots of the firmware since power-on
  std::uint32_t reset_cause;  ///< board::ResetCause of the current boot
  BootReading last_boot;      ///< last activity of the previous boot
};
static_assert(sizeof(FaultReading) == 48);

}  // namespace cox::firmware::job
