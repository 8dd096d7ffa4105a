// SPDX-License-Identifier: MIT
#include "sim/model/faults/random_plan.h"

namespace cox::model::faults {
namespace {

/// The generator SplitMix64, which gives the same numbers on every machine. The distributions of standard libraries differ.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  /// A number from 0 to `most`, both included.
  std::uint64_t up_to(std::uint64_t most) { return next() % (most + 1); }
  unsigned pick(unsigned count) { return static_cast<unsigned>(next() % count); }
  /// A number from `least` to 2^`bits` - 1. Picks the number of binary digits first, so that small numbers are as likely as large ones.
  std::uint64_t size(std::uint64_t least, unsigned bits) {
    const std::uint64_t most = (std::uint64_t{1} << (1 + pick(bits))) - 1;
    return least + up_to(most > least ? most - least : 0);
  }

 private:
  std::uint64_t next() {
    std::uint64_t value = state_ += 0x9E3779B97F4A7C15;
    value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9;
    value = (value ^ (value >> 27)) * 0x94D049BB133111EB;
    return value ^ (value >> 31);
  }

  std::uint64_t state_;
};

constexpr unsigned kCountBits = 8;      // events are counted from 1 to 255
constexpr unsigned kCycleBits = 23;     // times are below 2^23 cycles: 8 ms at 1 GHz
constexpr unsigned kDurationBits = 20;  // durations are below 2^20 cycles: 1 ms

unsigned random_unit(Random &random, const Inventory &inventory) {
  const unsigned unit = random.pick(inventory.cores + static_cast<unsigned>(inventory.engines.size()));
  return unit < inventory.cores ? unit : inventory.engines[unit - inventory.cores]->completion_queue();
}

unsigned random_queue(Random &random, const Inventory &inventory) {
  const unsigned unit = random_unit(random, inventory);
  if (unit >= kMostCores) return registers::kFirstEngineQueueNumber + unit - kMostCores;
  return queue_number(unit, random.pick(kQueuesOfCore));
}

Planned random_fault(Random &random, const Inventory &inventory) {
  constexpr Effect kOfInterrupts[] = {Effect::lost, Effect::doubled, Effect::early, Effect::spurious};
  constexpr Effect kOfCompletions[] = {Effect::corrupt, Effect::swap, Effect::lost, Effect::doubled};
  Planned fault;
  fault.kind = static_cast<Kind>(random.pick(static_cast<unsigned>(Kind::clock) + 1));
  const std::uint64_t count = random.size(1, kCountBits);
  const Cycle at = random.size(0, kCycleBits);
  const Cycle cycles = random.size(1, kDurationBits);
  const bool for_ever = random.pick(4) == 0;
  switch (fault.kind) {
    case Kind::bus_error:
    case Kind::stuck:
    case Kind::doorbell:
      fault.queue = random_queue(random, inventory);
      fault.count = count;
      if (fault.kind == Kind::stuck && !for_ever) fault.cycles = cycles;
      if (fault.kind == Kind::doorbell) fault.effect = Effect::lost;
      break;
    case Kind::slow:
      fault.factor = static_cast<std::uint32_t>(random.size(2, 6));
      fault.at = at;
      fault.cycles = cycles;
      break;
    case Kind::interrupt:
      fault.effect = kOfInterrupts[random.pick(4)];
      fault.line = fault.effect == Effect::early ? 0 : random.pick(2);
      (fault.effect == Effect::spurious ? fault.at : fault.count) = fault.effect == Effect::spurious ? at : count;
      break;
    case Kind::completion:
      fault.effect = kOfCompletions[random.pick(4)];
      fault.unit = random_unit(random, inventory);
      fault.count = count;
      if (fault.effect == Effect::corrupt) fault.bit = random.pick(64);  // one of the bits that the entry's check covers
      break;
    case Kind::flip:
      fault.memory = random.pick(2) == 0 ? Store::l2 : Store::wl0;
      fault.unit = random.pick(inventory.cores);
      fault.address = random.up_to((fault.memory == Store::l2 ? inventory.l2_bytes : inventory.wl0_bytes) - 1);
      fault.bits = 1 + random.pick(2);
      fault.at = at;
      break;
    case Kind::reset:
    case Kind::clock:
      fault.unit = random_unit(random, inventory);
      fault.at = at;
      if (fault.kind == Kind::clock && !for_ever) fault.cycles = cycles;
      break;
  }
  return fault;
}

}  // namespace

std::vector<Planned> random_plan(std::uint64_t seed, std::uint32_t count, const Inventory &inventory) {
  Random random(seed);
  std::vector<Planned> plan;
  for (std::uint32_t i = 0; i < count; ++i) plan.push_back(random_fault(random, inventory));
  return plan;
}

}  // namespace cox::model::faults
