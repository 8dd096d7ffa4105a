// SPDX-License-Identifier: MIT
// Register access (docs/registers.md): what each register answers, and what a write to it does.
#include <fmt/format.h>

#include <string>

#include "device/engine_bits.h"
#include "isa/cube/layout.h"
#include "sim/model/device/device.h"

namespace cox::model {

namespace r = registers;
using r::Name;

namespace {

constexpr std::uint32_t low(std::uint64_t value) { return static_cast<std::uint32_t>(value); }
constexpr std::uint32_t high(std::uint64_t value) { return static_cast<std::uint32_t>(value >> 32); }
constexpr std::uint64_t with_low(std::uint64_t value, std::uint32_t part) { return (value & ~std::uint64_t{0xFFFFFFFF}) | part; }
constexpr std::uint64_t with_high(std::uint64_t value, std::uint32_t part) { return (value & 0xFFFFFFFF) | std::uint64_t{part} << 32; }

/// "CORE[].SQ[].TAIL" with its indices.
std::string full_name(const r::Register &definition, std::array<std::uint32_t, 2> index) {
  std::string name;
  unsigned level = 0;
  for (const char *character = definition.text; *character != '\0'; ++character) {
    if (*character == ']') name += std::to_string(index[level++]);
    name += *character;
  }
  return name;
}

/// Reading the low half keeps the high half for the read after it.
std::uint32_t latch(std::uint64_t value, std::uint64_t &latched) {
  latched = value;
  return low(value);
}

constexpr bool belongs_to(Name name, Name first, Name last) { return name >= first && name <= last; }

constexpr bool of_engine_ring(Name name) { return belongs_to(name, Name::engine_base_lo, Name::engine_bytes_hi); }

/// The registers of an engine's submission queue are those of a tile core's, one for one: the latter's name for either.
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

// What the matrix unit has is no parameter: instructions are checked against it wherever they are built.
static_assert(r::geometry4::kResetValue ==
                  (r::geometry4::kCubeL1Kib.put(isa::cube::kL1Bytes >> 10) | r::geometry4::kCubeL0cKib.put(isa::cube::kL0CBytes >> 10)) &&
              r::geometry5::kResetValue ==
                  (r::geometry5::kCubeL0aKib.put(isa::cube::kL0ABytes >> 10) | r::geometry5::kCubeL0bKib.put(isa::cube::kL0BBytes >> 10)) &&
              r::geometry6::kResetValue == (r::geometry6::kCubeMacsPerCycle.put(isa::cube::kFractalRows * isa::cube::kFractalRows *
                                                                                isa::cube::fractal_width(isa::cube::Type::bfloat16)) |
                                            r::geometry6::kCubeBiasTableBytes.put(isa::cube::kBiasTableBytes)));

/// The registers that say where a context may be, and whose it is.
const char *write_context_place(Name name, Context &context, std::uint32_t value) {
  if (context.valid) return "the context is valid";
  switch (name) {
    case Name::context_l2_first: context.l2_first = value; break;
    case Name::context_l2_last: context.l2_last = value; break;
    case Name::context_wl0:
      context.wl0_first = r::context::wl0::kFirst.get(value);
      context.wl0_last = r::context::wl0::kLast.get(value);
      break;
    case Name::context_cores:
      context.first_core = r::context::cores::kFirst.get(value);
      context.last_core = r::context::cores::kLast.get(value);
      break;
    default: context.owner = value;
  }
  return nullptr;
}

}  // namespace

const r::Register *Device::find_register(std::uint32_t offset, std::uint32_t size, std::array<std::uint32_t, 2> &index,
                                         const char *verb) const {
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
  const bool of_context = belongs_to(name, Name::context_control, Name::mx_base_hi);
  if (of_engine && (of_completions ? index[0] - r::kFirstEngineCompletionQueue : index[0]) >= kEngines) {
    host_.error("NPU: {} of {}: this device has no such engine", verb, full_name(*location.definition, index));
    return nullptr;
  }
  if ((of_core && index[0] >= geometry_.tile_cores) || (of_context && index[0] >= geometry_.contexts)) {
    host_.error("NPU: {} of {}: this device has {} tile cores and {} contexts", verb, full_name(*location.definition, index),
                geometry_.tile_cores, geometry_.contexts);
    return nullptr;
  }
  return location.definition;
}

bool Device::read(Cycle now, std::uint32_t offset, std::uint32_t size, std::uint32_t &value) {
  advance(now);
  value = 0;
  std::array<std::uint32_t, 2> index{};
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
  std::array<std::uint32_t, 2> index{};
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
  for (unsigned i = 0; i < cores_.size(); ++i) cores |= cores_[i].completion_level ? 1U << i : 0U;
  std::uint32_t engines = 0;
  for (unsigned i = 0; i < kEngines; ++i) engines |= engine_completion_level_[i] ? 1U << i : 0U;
  return r::int_status::kCompletion.put(cores) | r::engine_completions::put(engines) | r::int_status::kFault.put(fault_.level ? 1 : 0);
}

unsigned Device::queue_number(Name name, std::array<std::uint32_t, 2> index) {
  return of_engine_ring(name) ? r::kFirstEngineQueueNumber + index[0] : faults::queue_number(index[0], index[1]);
}

SubmissionRing &Device::ring(Name name, std::array<std::uint32_t, 2> index) {
  return of_engine_ring(name) ? engine_port(index[0]).ring : cores_[index[0]].queues[index[1]];
}

CompletionQueue &Device::completion_queue(unsigned index) {
  return index < r::kFirstEngineCompletionQueue ? cores_[index].completions
                                                : engine_port(index - r::kFirstEngineCompletionQueue).completions;
}

void Device::complete_waiting(unsigned completion_queue_index) {
  if (completion_queue_index < r::kFirstEngineCompletionQueue) return complete_waiting_of_core(completion_queue_index);
  if (completion_queue_index == r::kFirstEngineCompletionQueue) return mx_.complete_waiting(now_);
  cube_.complete_waiting(now_);
}

std::uint32_t Device::read_register(Name name, std::array<std::uint32_t, 2> index) {
  const auto completions = [&]() -> CompletionQueue & { return completion_queue(index[0]); };
  const auto queue = [&]() -> SubmissionRing & { return ring(name, index); };
  const auto context = [&]() -> Context & { return contexts_[index[0]]; };
  const auto base = [&]() -> std::uint64_t { return contexts_[index[0]].mx_bases.address[index[1]]; };
  const auto window = [&]() -> Window & { return contexts_[index[0]].windows[index[1]]; };
  switch (ring_register(name)) {
    case Name::id: return r::id::kResetValue;
    case Name::version: return r::version::kResetValue;
    case Name::capabilities: return r::capabilities::kResetValue;
    case Name::geometry0:
      return r::geometry0::kTileCores.put(geometry_.tile_cores) | r::geometry0::kContexts.put(geometry_.contexts) |
             r::geometry0::kL2Mib.put(geometry_.l2_mib) | r::geometry0::kCutRegions.put(isa::tile::kRegions);
    case Name::geometry1:
      return r::geometry1::kWl0Units.put(isa::tile::kWeightUnits) | r::geometry1::kL2BlockBytes.put(isa::tile::kBlockBytes);
    case Name::geometry2:
      return r::geometry2::kMacsPerCycle.put(geometry_.macs_per_cycle()) |
             r::geometry2::kQueueSizeLog2Max.put(geometry_.queue_size_log2_max);
    case Name::geometry3:
      return r::geometry3::kMxMacsPerCycle.put(geometry_.mx_macs_per_cycle()) | r::geometry3::kMxBufferKib.put(geometry_.mx_buffer_kib);
    case Name::geometry4: return r::geometry4::kResetValue;
    case Name::geometry5: return r::geometry5::kResetValue;
    case Name::geometry6: return r::geometry6::kResetValue;
    case Name::clock: return r::clock::kResetValue;
    case Name::control: return r::control::kEnable.put(enabled_at_ != kNever ? 1 : 0);
    case Name::engine_reset: return 0;  // write-only: read() does not get here
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
    case Name::core_clock_cycles_lo: return latch(cores_[index[0]].clock.cycles(now_), cores_[index[0]].latched_cycles);
    case Name::core_clock_cycles_hi: return high(cores_[index[0]].latched_cycles);
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
    case Name::context_l2_first: return context().l2_first;
    case Name::context_l2_last: return context().l2_last;
    case Name::context_wl0: return r::context::wl0::kFirst.put(context().wl0_first) | r::context::wl0::kLast.put(context().wl0_last);
    case Name::context_cores:
      return r::context::cores::kFirst.put(context().first_core) | r::context::cores::kLast.put(context().last_core);
    case Name::context_owner: return context().owner;
    case Name::context_window_base_lo: return low(window().base);
    case Name::context_window_base_hi: return high(window().base);
    case Name::context_window_size: return window().size;
    case Name::context_window_access:
      return r::context::window::access::kRead.put(window().readable ? 1 : 0) |
             r::context::window::access::kWrite.put(window().writable ? 1 : 0);
    case Name::mx_base_lo: return low(base());
    case Name::mx_base_hi: return high(base());
    default: return 0;  // an engine's: ring_register() has renamed it
  }
  return 0;
}

const char *Device::write_register(Name name, std::array<std::uint32_t, 2> index, std::uint32_t value) {
  const auto completions = [&]() -> CompletionQueue & { return completion_queue(index[0]); };
  const auto queue = [&]() -> SubmissionRing & { return ring(name, index); };
  const auto window = [&]() -> Window & { return contexts_[index[0]].windows[index[1]]; };
  const auto bases = [&]() -> isa::mx::BaseRegisters & { return contexts_[index[0]].mx_bases; };
  switch (ring_register(name)) {
    case Name::control: {
      const bool enable = r::control::kEnable.get(value) != 0;
      if (!enable || enabled_at_ == kNever) enabled_at_ = enable ? now_ : kNever;
      return nullptr;
    }
    case Name::engine_reset:
      for (unsigned i = 0; i < cores_.size(); ++i) {
        if ((r::engine_reset::kCore.get(value) >> i & 1) != 0) reset_core(i);
      }
      for (unsigned i = 0; i < kEngines; ++i) {
        if ((r::engine_reset::kEngine.get(value) >> i & 1) != 0) reset_engine(i);
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
      if (reason == nullptr) complete_waiting(index[0]);
      return reason;
    }
    case Name::cq_head: {
      // Somebody may have reset it since its last look.
      if (!completions().enabled()) return nullptr;
      const char *reason = completions().set_head(value);
      if (reason == nullptr) complete_waiting(index[0]);
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
    case Name::context_l2_first:
    case Name::context_l2_last:
    case Name::context_wl0:
    case Name::context_cores:
    case Name::context_owner: return write_context_place(name, contexts_[index[0]], value);
    case Name::context_window_base_lo: window().base = with_low(window().base, value); return nullptr;
    case Name::context_window_base_hi: window().base = with_high(window().base, value); return nullptr;
    case Name::context_window_size: window().size = value; return nullptr;
    case Name::context_window_access:
      window().readable = r::context::window::access::kRead.get(value) != 0;
      window().writable = r::context::window::access::kWrite.get(value) != 0;
      return nullptr;
    case Name::mx_base_lo:
      bases().address[index[1]] = with_low(bases().address[index[1]], value);
      bases().written |= 1U << index[1];
      return nullptr;
    case Name::mx_base_hi: bases().address[index[1]] = with_high(bases().address[index[1]], value); return nullptr;
    default: return "the register is read-only";
  }
}

}  // namespace cox::model
