// SPDX-License-Identifier: MIT
#include "sim/model/device/device.h"

#include <algorithm>

#include "sim/model/device/surroundings.h"
#include "sim/model/registry.h"

#include "coxswain/device/engine_bits.h"

namespace cox::model {

Device::Device(const Host &host, const Options &options)
    : host_(host),
      geometry_(options.geometry),
      channel_(options.geometry.dram_bytes_per_1024_cycles),
      faults_(options.faults, host_,
              [this](faults::Place place, std::uint64_t address, bool write, auto &word) {
                return transfer_word(place, address, write, word);
              }),
      dma_(options.geometry, host_, faults_, channel_) {
  const Surroundings surroundings{host_, std::span(contexts_).first(geometry_.contexts), fault_, observers_, faults_, channel_, peers_};
  for (const EngineKind *kind : engine_kinds()) {
    const registers::EngineRow &row = registers::row_of(kind->id);
    Engine &engine = *engines_.emplace_back(kind->make(surroundings, options));
    const unsigned first = row.has_ring() ? row.completion_queue() : 0;
    peers_.add(kind->id, engine);
    for (unsigned i = 0; i < engine.units(); ++i) units_.push_back({.number = first + i, .engine = &engine, .index = i});
  }
}

void Device::reset(Cycle now) {
  now_ = std::max(now_, now);
  for (const Unit &unit : units_) unit.engine->reset(unit.index, now_);
  for (const auto &engine : engines_) engine->power_on();
  dma_.reset(now_);
  faults_.memory().reset();
  reset_clocks();
  contexts_ = {};
  enabled_at_ = kNever;
  interrupt_enable_ = 0;
  fault_ = {};
  cycle_high_ = 0;
  update_interrupts();
}

const Unit *Device::find_unit(unsigned number) const {
  const auto found = std::find_if(units_.begin(), units_.end(), [number](const Unit &unit) { return unit.number == number; });
  return found == units_.end() ? nullptr : &*found;
}

Unit *Device::find_unit(unsigned number) { return const_cast<Unit *>(std::as_const(*this).find_unit(number)); }

unsigned Device::cores() const {
  return static_cast<unsigned>(std::count_if(units_.begin(), units_.end(), [](const Unit &unit) { return unit.number < kMostCores; }));
}

std::span<std::byte> Device::l2(unsigned core) {
  const Unit *unit = core < kMostCores ? find_unit(core) : nullptr;
  return unit == nullptr ? std::span<std::byte>() : unit->engine->memory({faults::Place::Memory::l2, core});
}

// Time.

Cycle Device::enabled_at(const Clock &clock) const {
  if (!clock.running() || enabled_at_ == kNever) return kNever;
  return std::max(enabled_at_, clock.since());
}

Cycle Device::next_event() const {
  Cycle next = std::min(faults_.next_event(now_), dma_.next_event());
  for (const Unit &unit : units_) {
    if (unit.clock.running()) next = std::min(next, unit.engine->next_event(unit.index, enabled_at(unit.clock)));
    if (!unit.completion_level) next = std::min(next, unit.completions().interrupt_at(geometry_.interrupt_latency));
    next = std::min(next, unit.completions().release_at());
  }
  if (fault_.valid && !fault_.level) next = std::min(next, fault_.time + geometry_.interrupt_latency);
  return next;
}

void Device::advance(Cycle now) {
  for (Cycle next = next_event(); next <= now && next != kNever; next = next_event()) {
    now_ = std::max(now_, next);
    step(now_);
  }
  now_ = std::max(now_, now);
}

void Device::step(Cycle now) {
  while (const std::optional<faults::Injector::Timed> due = faults_.take_due(now)) inject(*due);
  for (const Unit &unit : units_) unit.completions().release_due(now, host_);
  // In a cycle, the device processes ends before starts, because an end makes room and writes memory.
  for (const Unit &unit : units_) {
    if (unit.clock.running()) unit.engine->step_ends(unit.index, now);
  }
  for (const Unit &unit : units_) {
    if (unit.clock.running()) unit.engine->step_starts(unit.index, now, enabled_at(unit.clock));
  }
  dma_.step(now);
  update_interrupts();
}

void Device::update_interrupts() {
  for (Unit &unit : units_) unit.completion_level = unit.completions().interrupt_at(geometry_.interrupt_latency) <= now_;
  fault_.level = fault_.valid && fault_.time + geometry_.interrupt_latency <= now_;
  const std::uint32_t raised = interrupt_status() & interrupt_enable_;
  constexpr std::uint32_t kCompletions = registers::int_status::kCompletion.mask() | registers::engine_completions::kMask;
  set_line(0, faults_.line_level(0, (raised & kCompletions) != 0, now_));
  set_line(1, faults_.line_level(1, (raised & registers::int_status::kFault.mask()) != 0, now_));
  set_line(2, faults_.line_level(2, dma_.interrupt(), now_));
}

void Device::set_line(unsigned line, bool level) {
  if (line_[line] == level) return;
  line_[line] = level;
  observers_.interrupt(line, level, now_);
  host_.interrupt(line, level);
}

}  // namespace cox::model
