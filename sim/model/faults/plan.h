// SPDX-License-Identifier: MIT
// The faults of a plan, and when each happens (docs/faults.md, The plan).
#pragma once

#include <cstdint>
#include <string>

#include "coxswain/device/dma_descriptor.h"
#include "coxswain/device/engines.h"
#include "sim/model/geometry.h"

namespace cox::model::faults {

enum class Kind : std::uint8_t { bus_error, stuck, slow, interrupt, completion, flip, doorbell, reset, clock };

/// The effect of a fault on an interrupt, a completion or a doorbell.
enum class Effect : std::uint8_t { none, lost, doubled, early, spurious, corrupt, swap };

/// Memories with ECC. `queue` (slots and descriptors of queues) and `dram` are both memory on the bus.
enum class Store : std::uint8_t { l2, wl0, dram, queue };

// Units are numbered like completion queues: first cores, then engines by the number of their ring.
inline constexpr unsigned kMostUnits = registers::kFirstEngineCompletionQueue + registers::engine::kCount;
static_assert(registers::kFirstEngineCompletionQueue == kMostCores);

/// Submission queues have the numbers by which completions name them.
inline constexpr unsigned kQueuesOfCore = registers::core::sq::kCount;
inline constexpr unsigned kMostQueues = registers::kFirstEngineQueueNumber + registers::engine::kCount;
static_assert(registers::kFirstEngineQueueNumber == kMostCores * kQueuesOfCore);
/// The channels of the DMA engine come after the queues.
inline constexpr unsigned kMostTargets = registers::dma::kFirstQueueNumber + registers::dma::channel::kCount;
static_assert(registers::dma::kFirstQueueNumber == kMostQueues);

/// One line of a plan. The comment of each member names the kinds that use it; other kinds ignore it.
struct Planned {
  Kind kind = Kind::bus_error;
  Effect effect = Effect::none;
  unsigned queue = 0;         ///< for bus_error, stuck and doorbell: number of the queue or DMA channel
  unsigned unit = 0;          ///< for completion: the completion queue; for reset and clock: the core or engine; for flip: the core, if any
  unsigned line = 0;          ///< for interrupt: number of the line
  Store memory = Store::l2;   ///< for flip: the memory with the word
  std::uint64_t address = 0;  ///< for flip: byte address in L2 or WL0, bus address in the other memories
  std::uint32_t bits = 1;     ///< for flip: number of bits, 1 or 2
  std::uint32_t bit = 0;      ///< for completion with Effect::corrupt: one of the entry's 128 bits
  std::uint32_t factor = 1;   ///< for slow: divisor of the DRAM bandwidth
  std::uint64_t count = 0;    ///< which access, instruction, doorbell, entry or interrupt, counted from 1; 0: at time `at` instead
  Cycle at = kNever;          ///< cycle at which, or from which, the fault happens
  Cycle cycles = kNever;      ///< duration; kNever: a stuck queue waits for a reset, and a stopped clock never runs again
};

/// Returns the number by which completions name submission queue `queue` of a core.
constexpr unsigned queue_number(unsigned core, unsigned queue) { return core * kQueuesOfCore + queue; }

/// Returns the fault as a line of a plan.
[[nodiscard]] std::string text(const Planned &fault);

}  // namespace cox::model::faults
