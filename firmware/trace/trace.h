// SPDX-License-Identifier: MIT
// A trace of what the control core does: a ring of 8-byte events in SRAM (docs/tracing.md, The firmware's own trace). Only builds with
// COX_TRACE have it; in all other builds record() does nothing.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#if defined(COX_TRACE)
#include "coxswain/hal/mmio.h"
#include "coxswain/hal/soc.h"
#endif

namespace cox::firmware::trace {

/// The numbers are part of the job interface (firmware/job/job_queue.h, read_trace): append only, at most 16.
enum class Kind : std::uint8_t {
  none = 0,
  dispatch = 1,    ///< instructions went to the queue of `lane`; `argument`: low half of the queue's running index after them
  completion = 2,  ///< a completion of `lane` was taken; `argument`: its tag
  wake_up = 3,     ///< the core woke up
  sleep = 4,       ///< the core goes to sleep
  interrupt = 5,   ///< a handler runs; `argument`: interrupt line, 0 for completions, 1 for faults
  run_start = 6,   ///< a run starts; `lane`: its first core, `argument`: its number of cores
  run_end = 7,     ///< a run ends; `lane`: its first core, `argument`: the ErrorCode
  fault = 8,       ///< a completion of `lane` reports a fault; `argument`: the FaultCode
  retry = 9,       ///< a run begins again; `lane`: its first core, `argument`: the number of retries
  job_start = 10,  ///< a job starts; `lane`: its owner, `argument`: the low half of its number
  job_end = 11,    ///< a job ends; `lane`: its owner, `argument`: the low half of its number
};

struct Event {
  std::uint32_t time;  ///< low word of the device time
  std::uint32_t what;  ///< [3:0] Kind, [7:4] context, [15:8] lane (core * 9 + class), [31:16] argument
};
static_assert(sizeof(Event) == 8);

inline constexpr std::size_t kEvents = 1024;  ///< number of events that the ring keeps

struct Ring {
  std::uint32_t next = 0;  ///< running count of events
  std::array<Event, kEvents> events{};
};

#if defined(COX_TRACE)
inline constexpr bool kEnabled = true;
extern Ring ring;

/// Records an event, in at most 16 instructions (tests/target/trace counts them). Call it only with interrupts masked or in an
/// interrupt handler.
template <Kind kKind>
[[gnu::always_inline]] inline void record(std::uint32_t context, std::uint32_t lane, std::uint32_t argument) {
  const std::uint32_t next = ring.next;
  ring.next = next + 1;
  ring.events[next % kEvents] = {hal::mmio::read(COX_NPU->CYCLE_LO),
                                 static_cast<std::uint32_t>(kKind) | context << 4 | lane << 8 | argument << 16};
}

/// Number of events since the start, modulo 2^32. The ring holds the last kEvents of them.
[[nodiscard]] inline std::uint32_t count() { return ring.next; }
[[nodiscard]] inline const Event &event(std::uint32_t number) { return ring.events[number % kEvents]; }
#else
inline constexpr bool kEnabled = false;

template <Kind kKind>
[[gnu::always_inline]] inline void record(std::uint32_t, std::uint32_t, std::uint32_t) {}
#endif

}  // namespace cox::firmware::trace
