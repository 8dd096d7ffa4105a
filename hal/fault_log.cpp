// SPDX-License-Identifier: MIT
#include "coxswain/hal/fault_log.h"

#include <algorithm>
#include <cstring>
#include <type_traits>

#include "coxswain/hal/board.h"
#include "coxswain/hal/interrupt_mask.h"

namespace cox::hal::fault_log {

namespace {

constexpr std::uint32_t kMagic = 0x464C4F47;

/// The log is valid only if `inverted_count` is the complement of `count`. Otherwise its content is random since power-on, or a reset came
/// between two writes of append().
struct Log {
  std::uint32_t magic;
  std::uint32_t count;
  std::uint32_t inverted_count;
  std::uint32_t reserved;
  FaultRecord records[kCapacity];
};
static_assert(sizeof(Log) <= kBytes && std::is_trivially_copyable_v<FaultRecord>);

Log &log() { return *reinterpret_cast<Log *>(board::retained_memory().data()); }

bool is_valid(const Log &log) { return log.magic == kMagic && log.count == ~log.inverted_count; }

}  // namespace

void append(const FaultRecord &record) {
  const InterruptMask mask;
  Log &own = log();
  if (!is_valid(own)) own.count = 0;
  // The count selects the slot, so in a full log the oldest record is at count % kCapacity.
  own.records[own.count % kCapacity] = record;
  ++own.count;
  own.inverted_count = ~own.count;
  own.magic = kMagic;
}

std::uint32_t count() { return is_valid(log()) ? log().count : 0; }

std::uint32_t size() { return std::min(count(), kCapacity); }

FaultRecord at(std::uint32_t index) { return log().records[(count() - size() + index) % kCapacity]; }

}  // namespace cox::hal::fault_log
