// SPDX-License-Identifier: MIT
// Register access (docs/registers.md): the value of each register, and the effect of a write to it.
#include <fmt/format.h>

#include <string>

#include "coxswain/device/engine_bits.h"
#include "sim/model/device/device.h"
#include "sim/model/registry.h"

namespace cox::model {

namespace r = registers;
using r::Name;

namespace {

constexpr std::uint32_t low(std::uint64_t value) { return static_cast<std::uint32_t>(value); }
constexpr std::uint32_t high(std::uint64_t value) { return static_cast<std::uint32_t>(value >> 32); }
constexpr std::uint64_t with_low(std::uint64_t value, std::uint32_t part) { return (value & ~std::uint64_t{0xFFFFFFFF}) | part; }
constexpr std::uint64_t with_high(std::uint64_t value, std::uint32_t part) { return (value & 0xFFFFFFFF) | std::uint64_t{part} << 32; }

/// Returns a name such as "CORE[].SQ[].TAIL" with its indices filled in.
std::string full_name(const r::Register &definition, Engine::Index index) {
  std::string name;
  unsigned level = 0;
  for (const char *character = definition.text; *character != '\0'; ++character) {
    if (*character == ']') name += std::to_string(index[level++]);
    name += *character;
  }
  return name;
}

/// Returns the low half of a counter and keeps the whole value, from which the next read takes the high half.
std::uint32_t latch(std::uint64_t value, std::uint64_t &latched) {
  latched = value;
  return low(value);
}

constexpr bool belongs_to(Name name, Name first, Name last) { return name >= first && name <= last; }

constexpr bool of_engine_ring(Name name) { return belongs_to(name, Name::engine_base_lo, Name::engine_bytes_hi); }

/// ENGINE[] and CORE[].SQ[] have the same ring registers. Returns the name that a register of ENGINE[] has in CORE[].SQ[]; other names stay
/// unchanged.
constexpr Name ring_register(Name name) {
  constexpr int kBetween = static_cast<int>(Name::engine_base_lo) - static_cast<int>(Name::core_sq_base_lo);
  static_assert(static_cast<int>(Name::engine_bytes_hi) - static_cast<int>(Name::core_sq_bytes_hi) == kBetween);
  return of_engine_ring(name) ? static_cast<Name>(static_cast<int>(name) - kBetween) : name;
}
namespace ring_control = r::core::sq::control;
namespace ring_status = r::core::sq::status;
static_assert(ring_control::kWritableMask == r::engine::control::kWritableMask &&
              ring_control::kEnable.mask() == r::engine::control::kEnable.mask() &&
              ring_control::kSizeLog2.mask() == r::engine::control::kSizeLog2.mask());
static_assert(ring_status::kBusy.mask() == r::engine::status::kBusy.mask() &&
              ring_status::kWaiting.mask() == r::engine::status::kWaiting.mask());

}  // namespace

const r::Register *Device::find_register(std::uint32_t offset, std::uint32_t size, Index &index, const char *verb) const {
  if (size != 4 || offset % 4 != 0) {
    host_.error("NPU: {} of {} bytes at offset {:#x}: registers are 32 bits wide", verb, size, offset);
    return nullptr;
  }
  const r::Location location = r::locate(offset);
  if (location.definition == nullptr) {
    host_.error("NPU: {} at offset {:#x}: there is no register", verb, offset);
    return nullptr;
  }
  index = location.index;
  const Name name = location.definition->name;
  const bool of_completions = belongs_to(name, Name::cq_base_lo, Name::cq_coalesce);
  const bool of_engine = of_engine_ring(name) || (of_completions && index[0] >= r::kFirstEngineCompletionQueue);
  const bool of_core = !of_engine && belongs_to(name, Name::core_clock_cycles_lo, Name::core_sq_bytes_hi);
  // In the enumeration Name, all context registers come last, including those that only one engine has.
  const bool of_context = name >= Name::context_control && location.definition->dimensions[0].count == kMostContexts;
  if (of_engine && find_unit(of_completions ? index[0] : r::kFirstEngineCompletionQueue + index[0]) == nullptr) {
    host_.error("NPU: {} of {}: this device has no such engine", verb, full_name(*location.definition, index));
    return nullptr;
  }
  if ((of_core && find_unit(index[0]) == nullptr) || (of_context && index[0] >= geometry_.contexts)) {
    host_.error("NPU: {} of {}: this device has {} cores and {} contexts", verb, full_name(*location.definition, index), cores(),
                geometry_.contexts);
    return nullptr;
  }
  return location.definition;
}

bool Device::read(Cycle now, std::uint32_t offset, std::uint32_t size, std::uint32_t &value) {
  advance(now);
  if (offset >= COX_MODEL_DMA_OFFSET) return dma_.read(offset - COX_MODEL_DMA_OFFSET, size, value);
  value = 0;
  Index index{};
  const r::Register *definition = find_register(offset, size, index, "read");
  if (definition == nullptr) return false;
  if (definition->access == r::Access::write_only) {
    host_.error("NPU: read of {}: the register is write-only", full_name(*definition, index));
    return false;
  }
  value = read_register(definition->name, index);
  return true;
}

bool Device::write(Cycle now, std::uint32_t offset, std::uint32_t size, std::uint32_t value) {
  advance(now);
  if (offset >= COX_MODEL_DMA_OFFSET) {
    const bool taken = dma_.write(now_, offset - COX_MODEL_DMA_OFFSET, size, value);
    update_interrupts();
    return taken;
  }
  Index index{};
  const r::Register *definition = find_register(offset, size, index, "write");
  if (definition == nullptr) return false;
  const char *reason = "the register is read-only";
  if (definition->access != r::Access::read_only) reason = write_register(definition->name, index, value & definition->writable);
  if (reason != nullptr) {
    host_.error("NPU: write of {:#x} to {}: {}", value, full_name(*definition, index), reason);
    return false;
  }
  update_interrupts();
  return true;
}

std::uint32_t Device::interrupt_status() const {
  std::uint32_t cores = 0;
  std::uint32_t engines = 0;
  for (const Unit &unit : units_) {
    if (!unit.completion_level) continue;
    if (unit.number < r::kFirstEngineCompletionQueue) {
      cores |= 1U << unit.number;
    } else {
      engines |= 1U << (unit.number - r::kFirstEngineCompletionQueue);
    }
  }
  return r::int_status::kCompletion.put(cores) | r::engine_completions::put(engines) | r::int_status::kFault.put(fault_.level ? 1 : 0);
}

std::uint32_t Device::capabilities() const {
  std::uint32_t bits = 0;
  for (const EngineKind *kind : engine_kinds()) bits |= 1U << r::row_of(kind->id).capability();
  return bits;
}

std::uint32_t Device::report(Name name) const {
  std::uint32_t bits = 0;
  for (const auto &engine : engines_) bits |= engine->report(name);
  return bits;
}

unsigned Device::queue_number(Name name, Index index) {
  return of_engine_ring(name) ? r::kFirstEngineQueueNumber + index[0] : faults::queue_number(index[0], index[1]);
}

SubmissionRing &Device::ring(Name name, Index index) {
  const Unit &unit = *find_unit(of_engine_ring(name) ? r::kFirstEngineCompletionQueue + index[0] : index[0]);
  return unit.engine->ring(unit.index, of_engine_ring(name) ? 0 : index[1]);
}

std::uint32_t Device::read_own_register(Name name, Index index) const {
  std::uint32_t value = 0;
  for (const auto &engine : engines_) {
    if (engine->read(name, index, value)) return value;
  }
  return report(name);
}

const char *Device::write_own_register(Name name, Index index, std::uint32_t value) {
  const char *reason = nullptr;
  for (const auto &engine : engines_) {
    if (engine->write(name, index, value, now_, reason)) return reason;
  }
  return "the register is read-only";
}

std::uint32_t Device::read_register(Name name, Index index) {
  const auto completions = [&]() -> CompletionQueue & { return find_unit(index[0])->completions(); };
  const auto queue = [&]() -> SubmissionRing & { return ring(name, index); };
  const auto context = [&]() -> Context & { return contexts_[index[0]]; };
  const auto window = [&]() -> Window & { return contexts_[index[0]].windows[index[1]]; };
  switch (ring_register(name)) {
    case Name::id: return r::id::kResetValue;
    case Name::version: return r::version::kResetValue;
    case Name::capabilities: return capabilities();
    case Name::geometry0: return r::geometry0::kContexts.put(geometry_.contexts) | report(name);
    case Name::geometry2: return r::geometry2::kQueueSizeLog2Max.put(geometry_.queue_size_log2_max) | report(name);
    case Name::clock: return r::clock::kResetValue;
    case Name::control: return r::control::kEnable.put(enabled_at_ != kNever ? 1 : 0);
    case Name::engine_reset: return 0;  // write-only, so read() never gets here
    case Name::int_status: return interrupt_status();
    case Name::int_enable: return interrupt_enable_;
    case Name::fault_status:
      return r::fault_status::kValid.put(fault_.valid ? 1 : 0) | r::fault_status::kCode.put(static_cast<std::uint32_t>(fault_.fault.code)) |
             r::fault_status::kQueue.put(fault_.queue) | r::fault_status::kContext.put(fault_.context);
    case Name::fault_tag: return fault_.tag;
    case Name::fault_detail: return fault_.fault.detail;
    case Name::fault_time_lo: return low(fault_.time);
    case Name::fault_time_hi: return high(fault_.time);
    case Name::clock_enable: return clock_enable_;
    case Name::ecc_corrected: return faults_.memory().corrected();
    case Name::core_clock_cycles_lo: return latch(find_unit(index[0])->clock.cycles(now_), find_unit(index[0])->latched_cycles);
    case Name::core_clock_cycles_hi: return high(find_unit(index[0])->latched_cycles);
    case Name::cycle_lo: cycle_high_ = high(now_); return low(now_);
    case Name::cycle_hi: return cycle_high_;

    case Name::cq_base_lo: return low(completions().base());
    case Name::cq_base_hi: return high(completions().base());
    case Name::cq_control:
      return r::cq::control::kEnable.put(completions().enabled() ? 1 : 0) | r::cq::control::kSizeLog2.put(completions().size_log2());
    case Name::cq_head: return completions().head();
    case Name::cq_tail: return completions().tail();
    case Name::cq_coalesce: return completions().coalesce();

    case Name::core_sq_base_lo: return low(queue().base);
    case Name::core_sq_base_hi: return high(queue().base);
    case Name::core_sq_control: return ring_control::kEnable.put(queue().enabled ? 1 : 0) | ring_control::kSizeLog2.put(queue().size_log2);
    case Name::core_sq_tail: return queue().tail;
    case Name::core_sq_head: return queue().head;
    case Name::core_sq_status: return ring_status::kBusy.put(queue().busy() ? 1 : 0) | ring_status::kWaiting.put(queue().waiting() ? 1 : 0);
    case Name::core_sq_instructions_lo: return latch(queue().counters.instructions, queue().latched.instructions);
    case Name::core_sq_instructions_hi: return high(queue().latched.instructions);
    case Name::core_sq_busy_lo: return latch(queue().counters.busy, queue().latched.busy);
    case Name::core_sq_busy_hi: return high(queue().latched.busy);
    case Name::core_sq_stalled_lo: return latch(queue().counters.stalled, queue().latched.stalled);
    case Name::core_sq_stalled_hi: return high(queue().latched.stalled);
    case Name::core_sq_bytes_lo: return latch(queue().counters.bytes, queue().latched.bytes);
    case Name::core_sq_bytes_hi: return high(queue().latched.bytes);

    case Name::context_control:
      return r::context::control::kValid.put(context().valid ? 1 : 0) |
             r::context::control::kQuarantined.put(context().quarantined ? 1 : 0);
    case Name::context_owner: return context().owner;
    case Name::context_window_base_lo: return low(window().base);
    case Name::context_window_base_hi: return high(window().base);
    case Name::context_window_size: return window().size;
    case Name::context_window_access:
      return r::context::window::access::kRead.put(window().readable ? 1 : 0) |
             r::context::window::access::kWrite.put(window().writable ? 1 : 0);
    default: return read_own_register(name, index);
  }
  return 0;
}

const char *Device::write_register(Name name, std::array<std::uint32_t, 2> index, std::uint32_t value) {
  const auto completions = [&]() -> CompletionQueue & { return find_unit(index[0])->completions(); };
  const auto queue = [&]() -> SubmissionRing & { return ring(name, index); };
  const auto window = [&]() -> Window & { return contexts_[index[0]].windows[index[1]]; };
  const auto complete_waiting = [&] {
    const Unit &unit = *find_unit(index[0]);
    unit.engine->complete_waiting(unit.index, now_);
  };
  switch (ring_register(name)) {
    case Name::control: {
      const bool enable = r::control::kEnable.get(value) != 0;
      if (!enable || enabled_at_ == kNever) enabled_at_ = enable ? now_ : kNever;
      return nullptr;
    }
    case Name::engine_reset:
      for (const Unit &unit : units_) {
        const bool core = unit.number < r::kFirstEngineCompletionQueue;
        const std::uint32_t bits = core ? r::engine_reset::kCore.get(value) >> unit.number
                                        : r::engine_reset::kEngine.get(value) >> (unit.number - r::kFirstEngineCompletionQueue);
        if ((bits & 1) != 0) unit.engine->reset(unit.index, now_);
      }
      return nullptr;
    case Name::int_status:
      if (r::int_status::kFault.get(value) != 0) fault_ = {};
      return nullptr;
    case Name::int_enable: interrupt_enable_ = value; return nullptr;
    case Name::clock_enable: write_clock_enable(value); return nullptr;

    case Name::cq_base_lo: return completions().set_base(with_low(completions().base(), value));
    case Name::cq_base_hi: return completions().set_base(with_high(completions().base(), value));
    case Name::cq_control: {
      const char *reason = completions().set_control(r::cq::control::kEnable.get(value) != 0, r::cq::control::kSizeLog2.get(value),
                                                     geometry_.queue_size_log2_max);
      if (reason == nullptr) complete_waiting();
      return reason;
    }
    case Name::cq_head: {
      // Ignore the write while the queue is disabled: another bus master may have reset the queue since the writer last looked.
      if (!completions().enabled()) return nullptr;
      const char *reason = completions().set_head(value);
      if (reason == nullptr) complete_waiting();
      return reason;
    }
    case Name::cq_coalesce: completions().set_coalesce(value); return nullptr;

    case Name::core_sq_base_lo: return queue().set_base(with_low(queue().base, value));
    case Name::core_sq_base_hi: return queue().set_base(with_high(queue().base, value));
    case Name::core_sq_control:
      return queue().set_control(ring_control::kEnable.get(value) != 0, ring_control::kSizeLog2.get(value), geometry_.queue_size_log2_max);
    case Name::core_sq_tail:
      if (faults_.loses_doorbell(queue_number(name, index), now_)) return nullptr;
      return queue().enabled ? queue().ring_doorbell(value, now_) : nullptr;

    case Name::context_control: return write_context_control(index[0], value);
    case Name::context_owner:
      if (contexts_[index[0]].valid) return "the context is valid";
      contexts_[index[0]].owner = value;
      return nullptr;
    case Name::context_window_base_lo: window().base = with_low(window().base, value); return nullptr;
    case Name::context_window_base_hi: window().base = with_high(window().base, value); return nullptr;
    case Name::context_window_size: window().size = value; return nullptr;
    case Name::context_window_access:
      window().readable = r::context::window::access::kRead.get(value) != 0;
      window().writable = r::context::window::access::kWrite.get(value) != 0;
      return nullptr;
    default: return write_own_register(name, index, value);
  }
}

}  // namespace cox::model
