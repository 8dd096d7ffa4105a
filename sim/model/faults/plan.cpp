// SPDX-License-Identifier: MIT
#include "sim/model/faults/plan.h"

#include <fmt/format.h>

#include "sim/model/faults/words.h"
#include "sim/model/registry.h"

namespace cox::model::faults {
namespace {

/// Returns the name of the engine whose ring is ENGINE[number]. A plan names only existing engines.
const char *engine_name(unsigned number) { return registers::engine_with_ring(number)->name; }

std::string queue_text(unsigned queue) {
  if (queue >= registers::dma::kFirstQueueNumber) return fmt::format("queue=dma{}", queue - registers::dma::kFirstQueueNumber);
  if (queue >= registers::kFirstEngineQueueNumber) return fmt::format("queue={}", engine_name(queue - registers::kFirstEngineQueueNumber));
  return fmt::format("queue={} core={}", core_queues()[queue % kQueuesOfCore], queue / kQueuesOfCore);
}

std::string unit_text(unsigned unit) {
  return unit < kMostCores ? fmt::format("core={}", unit) : fmt::format("engine={}", engine_name(unit - kMostCores));
}

std::string when_text(const Planned &fault) {
  return fault.count != 0 ? fmt::format("count={}", fault.count) : fmt::format("at={}", fault.at);
}

}  // namespace

std::string text(const Planned &fault) {
  const char *kind = kKindWords[static_cast<unsigned>(fault.kind)];
  const char *effect = kEffectWords[static_cast<unsigned>(fault.effect)];
  switch (fault.kind) {
    case Kind::bus_error: return fmt::format("{} {} access={}", kind, queue_text(fault.queue), fault.count);
    case Kind::stuck: {
      const std::string duration = fault.cycles == kNever ? "" : fmt::format(" cycles={}", fault.cycles);
      return fmt::format("{} {} instruction={}{}", kind, queue_text(fault.queue), fault.count, duration);
    }
    case Kind::slow: return fmt::format("{} factor={} at={} cycles={}", kind, fault.factor, fault.at, fault.cycles);
    case Kind::interrupt: return fmt::format("{} {} line={} {}", kind, effect, fault.line, when_text(fault));
    case Kind::completion: {
      const std::string bit = fault.effect == Effect::corrupt ? fmt::format(" bit={}", fault.bit) : "";
      return fmt::format("{} {} queue={} count={}{}", kind, effect, fault.unit, fault.count, bit);
    }
    case Kind::flip: {
      const bool on_chip = fault.memory == Store::l2 || fault.memory == Store::wl0;
      const std::string core = on_chip ? fmt::format(" core={}", fault.unit) : "";
      return fmt::format("{} memory={}{} address={:#x} bits={} at={}", kind, kStoreWords[static_cast<unsigned>(fault.memory)], core,
                         fault.address, fault.bits, fault.at);
    }
    case Kind::doorbell: return fmt::format("{} {} {} count={}", kind, effect, queue_text(fault.queue), fault.count);
    case Kind::reset: return fmt::format("{} {} at={}", kind, unit_text(fault.unit), fault.at);
    case Kind::clock: {
      const std::string duration = fault.cycles == kNever ? "forever" : std::to_string(fault.cycles);
      return fmt::format("{} {} at={} cycles={}", kind, unit_text(fault.unit), fault.at, duration);
    }
  }
  return {};
}

}  // namespace cox::model::faults
