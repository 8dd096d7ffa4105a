// SPDX-License-Identifier: MIT
#include "sim/model/cube/pipes.h"

#include <algorithm>
#include <variant>

#include "coxswain/isa/cube/encode.h"
#include "sim/model/cube/operands.h"
#include "sim/model/device/stream_fault.h"

namespace cox::model::cube {
namespace {

using isa::cube::Pipe;

constexpr Pipe kOrder[] = {Pipe::MTE2, Pipe::MTE1, Pipe::M, Pipe::FIX};

/// Returns the pipe's mover on the DRAM port. Only MTE2 and FIX have one.
constexpr unsigned mover(Pipe pipe) { return pipe == Pipe::MTE2 ? 0 : 1; }

}  // namespace

Pipes::Pipes(const Host &host, const StreamPort &stream_port, const Geometry &geometry, Path path)
    : host_(host),
      stream_port_(stream_port),
      geometry_(geometry),
      path_(path),
      pipes_{Pipe(geometry.cube_queue_slots), Pipe(geometry.cube_queue_slots), Pipe(geometry.cube_queue_slots),
             Pipe(geometry.cube_queue_slots)},
      port_(geometry.cube_dram_bytes_per_cycle * 1024) {}

bool Pipes::idle(std::uint32_t pipes) const {
  for (const Name name : kOrder) {
    if ((pipes >> static_cast<unsigned>(name) & 1) == 0) continue;
    if (of(name).phase != Phase::idle || !of(name).waiting.empty()) return false;
    if (name == Name::MTE2 && !landings_.empty()) return false;
  }
  return true;
}

Cycle Pipes::phase_end(Name name) const {
  switch (of(name).phase) {
    case Phase::idle: return kNever;
    case Phase::issue: return of(name).issued;
    case Phase::transfer: return port_.finish(mover(name));
    case Phase::drain: return of(name).end;
  }
  return kNever;
}

Cycle Pipes::next_event() const {
  Cycle next = landings_.empty() ? kNever : landings_.front().time;
  for (const Name name : kOrder) next = std::min(next, phase_end(name));
  return next;
}

// The ends of slots.

const std::vector<Pipes::Ended> &Pipes::end_due(Cycle now) {
  ended_.clear();
  for (const Name name : kOrder) {
    if (phase_end(name) <= now && !failed()) leave_phase(name, now);
  }
  while (!landings_.empty() && landings_.front().time <= now && !failed()) {
    const Slot slot = landings_.front().slot;
    landings_.pop_front();
    end_slot(slot, now);
  }
  return ended_;
}

void Pipes::leave_phase(Name name, Cycle now) {
  Pipe &pipe = of(name);
  if (pipe.phase == Phase::issue) {
    port_.begin(mover(name), now, pipe.running.dram_bytes);
    pipe.phase = Phase::transfer;
    return;
  }
  if (pipe.phase == Phase::transfer) {
    port_.end(mover(name), now);
    const Cycle alone = pipe.issued + port_.alone(pipe.running.dram_bytes);
    pipe.running.stalled += std::max(now, pipe.end) - std::max(alone, pipe.end);
    if (pipe.end > now) {
      pipe.phase = Phase::drain;
      return;
    }
  }
  leave_pipe(name, now);
}

void Pipes::leave_pipe(Name name, Cycle now) {
  Pipe &pipe = of(name);
  pipe.phase = Phase::idle;
  held_ = static_cast<BankSet>(held_ & ~pipe.running.banks);
  if (name != Name::MTE2) return end_slot(pipe.running, now);
  landings_.push_back({now + (pipe.running.dram_bytes == 0 ? 0 : geometry_.cube_dram_latency), pipe.running});
}

void Pipes::end_slot(const Slot &slot, Cycle now) {
  const Fault fault = take_effect(slot, now);
  if (!fault) flags_.give(slot.pipe, slot.flags.set);
  ended_.push_back({slot, fault});
}

Fault Pipes::take_effect(const Slot &slot, Cycle now) {
  const isa::cube::Footprint footprint = isa::cube::footprint(slot.operation);
  const auto *end = footprint.accesses.begin() + footprint.count;
  const auto *dram =
      std::find_if(footprint.accesses.begin(), end, [](const auto &access) { return access.memory == isa::cube::Memory::dram; });
  const auto refused_at = [&](const char *field) {
    return stream_fault(FaultCode::bus_error, slot.offset, isa::cube::field_bit(*slot.instruction, field));
  };
  if (dram != end && stream_port_.refuses_access(now)) return refused_at(dram->field);
  // An access to DRAM has several runs only in dimension 0.
  const std::uint32_t runs = dram == end || stream_port_.memory().empty() ? 0 : dram->count[0];
  for (std::uint32_t i = 0; i < runs && !dram->write; ++i) {
    if (const Fault fault = stream_port_.check_ecc(dram->start + i * dram->stride[0], dram->run)) return fault;
  }
  if (const char *refused = execute_in_memory(slot.operation, buffers_, path_, host_); refused != nullptr) return refused_at(refused);
  if (runs != 0) stream_port_.memory().begin_write();
  for (std::uint32_t i = 0; i < runs && dram->write; ++i) {
    stream_port_.memory().write({}, dram->start + i * dram->stride[0], dram->run);
  }
  return {};
}

// The starts of slots.

bool Pipes::may_start(Name name) {
  Pipe &pipe = of(name);
  return pipe.phase == Phase::idle && !pipe.waiting.empty() && flags_.missing(name, pipe.waiting.front().flags.wait) == 0;
}

bool Pipes::start_due(Cycle now) {
  std::array<Name, isa::cube::kPipes> ready{};  // pipes whose next slot is ready, in program order of these slots
  unsigned count = 0;
  for (const Name name : kOrder) {
    if (!may_start(name)) continue;
    Slot &slot = of(name).waiting.front();
    if (slot.ready == kNever) slot.ready = now;
    unsigned at = count++;
    for (; at != 0 && of(ready[at - 1]).waiting.front().sequence > slot.sequence; --at) ready[at] = ready[at - 1];
    ready[at] = name;
  }
  // A slot must not take banks for which an older slot waits.
  unsigned taken = held_;
  bool any = false;
  for (unsigned i = 0; i < count; ++i) {
    const BankSet wanted = of(ready[i]).waiting.front().banks;
    if ((wanted & taken) == 0) {
      start(ready[i], now);
      any = true;
    }
    taken |= wanted;
  }
  return any;
}

void Pipes::start(Name name, Cycle now) {
  Pipe &pipe = of(name);
  pipe.running = pipe.waiting.front();
  pipe.waiting.pop();
  Slot &slot = pipe.running;
  slot.start = now;
  slot.stalled = now - slot.ready;
  flags_.take(name, slot.flags.wait);
  held_ = static_cast<BankSet>(held_ | slot.banks);
  pipe.issued = now + geometry_.cube_issue_cycles;
  pipe.end = pipe.issued + slot.work;
  pipe.phase = slot.dram_bytes == 0 ? Phase::drain : Phase::issue;
}

void Pipes::pause(Cycle now) {
  paused_ = true;
  for (const Name name : kOrder) {
    if (of(name).phase == Phase::transfer) of(name).paused_transfer = port_.pause(mover(name), now);
  }
}

void Pipes::resume(Cycle now, Cycle stood) {
  paused_ = false;
  for (const Name name : kOrder) {
    Pipe &pipe = of(name);
    if (pipe.phase == Phase::idle) continue;
    if (pipe.phase == Phase::transfer) port_.resume(mover(name), now, pipe.paused_transfer);
    pipe.issued += stood;
    pipe.end += stood;
    pipe.running.stalled += stood;
  }
  for (Landing &landing : landings_) landing.time += stood;
}

void Pipes::drop(Cycle now) {
  for (const Name name : kOrder) {
    if (of(name).phase == Phase::transfer && !paused_) port_.end(mover(name), now);
    of(name).phase = Phase::idle;
    of(name).waiting.clear();
  }
  landings_.clear();
  held_ = 0;
}

void Pipes::clear_buffers() {
  const auto clear = [](auto &buffer) { std::fill(buffer.begin(), buffer.end(), std::byte{0}); };
  clear(buffers_.l1);
  clear(buffers_.l0a);
  clear(buffers_.l0b);
  clear(buffers_.l0c);
  clear(buffers_.bias_table);
}

}  // namespace cox::model::cube
