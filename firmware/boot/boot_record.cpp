// SPDX-License-Identifier: MIT
#include "coxswain/firmware/boot/boot_record.h"

#include <new>

#include "coxswain/hal/board.h"
#include "coxswain/hal/mmio.h"
#include "coxswain/hal/soc.h"
#include "coxswain/isa/tile/header.h"

namespace cox::firmware::boot_record {

namespace {

constexpr std::uint32_t kMagic = 0x54424F43;  // "COBT"

struct Record {
  std::uint32_t magic;
  std::uint32_t boots;
  Entry now;
  Entry last;
};
constexpr std::size_t kBytes = 256;  // bytes for the record at the end of the retained memory; the fault log is at its start
static_assert(sizeof(Record) <= kBytes);

Record &record() { return *std::launder(reinterpret_cast<Record *>(board::retained_memory().last(kBytes).data())); }

unsigned cores = 0;  // number of the device's cores, or 0 if it is not known

constexpr std::uint32_t kLookInterval = 1000;  // microseconds between two looks at the queues
std::uint64_t next_look = 0;                   // time of the next look; 0: at once

/// Finds the first tile queue that is not empty. Writes its number, its head index and its number of instructions to `entry`.
void find_last_dispatch(Entry &entry) {
  for (unsigned core = 0; core < cores; ++core) {
    for (unsigned own = 0; own < isa::tile::kClasses; ++own) {
      const auto &queue = COX_NPU->CORE[core].SQ[own];
      const std::uint32_t head = hal::mmio::read(queue.HEAD);
      const std::uint32_t left = hal::mmio::read(queue.TAIL) - head;
      if (left == 0) continue;
      entry.queue = core * isa::tile::kClasses + own;
      entry.index = head;
      entry.dispatched = left;
      return;
    }
  }
}

}  // namespace

void begin(const hal::Geometry *geometry) {
  Record &shared = record();
  const bool known = board::reset_cause() != board::ResetCause::power_on && shared.magic == kMagic;
  Entry last;
  if (known) last = shared.now;
  cores = geometry == nullptr ? 0 : geometry->cores;
  if (known) find_last_dispatch(last);  // finds nothing if the device was reset together with the core
  shared = {.magic = kMagic, .boots = known ? shared.boots + 1 : 1, .now = {}, .last = last};
  enter(Phase::bring_up);
}

void enter(Phase phase) {
  Entry &now = record().now;
  if (now.phase == phase) return;
  now.phase = phase;
  now.microseconds = board::microseconds();
}

void enter_job(std::uint32_t job, Phase phase) {
  record().now.job = job;
  enter(phase);
}

void enter_sleep() {
  Entry &now = record().now;
  enter(Phase::sleep);
  if (now.microseconds < next_look) return;
  next_look = now.microseconds + kLookInterval;
  now.queue = kNobody;
  find_last_dispatch(now);
}

void enter_run(std::uint32_t job, std::uint32_t context, bool on_tile_cores) {
  Entry &now = record().now;
  now.job = job;
  now.context = context;
  if (on_tile_cores) next_look = 0;
}

std::uint32_t boots() { return record().boots; }

const Entry &last_boot() { return record().last; }

}  // namespace cox::firmware::boot_record
