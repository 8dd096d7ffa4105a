// SPDX-License-Identifier: MIT
#include "sim/model/device.h"

#include <algorithm>
#include <span>

#include "sim/model/admission.h"
#include "sim/model/duration.h"

namespace cox::model {

using arithmetic::Memories;
using arithmetic::Memory;
using isa::tile::Class;
using isa::tile::kClasses;
using isa::tile::Space;

namespace {

/// DMA by copy into a window; the first bus error stays.
struct WindowTransfer {
  const Host *host;
  std::uint64_t base;
  bool failed = false;
  std::uint64_t failed_address = 0;

  void check(bool done, std::uint64_t address) {
    if (done || failed) return;
    failed = true;
    failed_address = address;
  }
};

void read_window(void *opaque, std::int64_t address, void *data, std::int64_t size) {
  auto &transfer = *static_cast<WindowTransfer *>(opaque);
  const std::uint64_t bus_address = transfer.base + static_cast<std::uint64_t>(address);
  transfer.check(transfer.host->read(bus_address, data, static_cast<std::uint64_t>(size)), bus_address);
}

void write_window(void *opaque, std::int64_t address, const void *data, std::int64_t size) {
  auto &transfer = *static_cast<WindowTransfer *>(opaque);
  const std::uint64_t bus_address = transfer.base + static_cast<std::uint64_t>(address);
  transfer.check(transfer.host->write(bus_address, data, static_cast<std::uint64_t>(size)), bus_address);
}

/// The spaces of an operation's operands, and the regions or windows that they name.
struct Selectors {
  Space source = Space::l2, destination = Space::l2;
  unsigned from = 0, from1 = 0, to = 0;
};

Selectors selectors_of(const isa::tile::Operation &operation) {
  if (const auto *move = std::get_if<isa::tile::Move>(&operation)) {
    return {move->from.space, move->to.space, move->from.selector, 0, move->to.selector};
  }
  if (const auto *weights = std::get_if<isa::tile::WeightMove>(&operation)) {
    return {weights->from_space, weights->to_space, weights->from_selector, 0, weights->to_selector};
  }
  if (const auto *convolution = std::get_if<isa::tile::Convolution>(&operation)) {
    return {Space::l2, Space::l2, convolution->source.selector, 0, convolution->destination.selector};
  }
  if (const auto *vector = std::get_if<isa::tile::Vector>(&operation)) {
    return {Space::l2, Space::l2, vector->source.selector, vector->source1.selector, vector->destination.selector};
  }
  return {};
}

Places places_of(const Selectors &selectors, const Context &context, unsigned core) {
  Places places;
  const isa::tile::Configuration &configuration = context.banks[core].configuration;
  if (selectors.source == Space::l2) places.source = configuration.region(selectors.from);
  if (selectors.source == Space::dram) places.window = context.windows[selectors.from];
  places.source1 = configuration.region(selectors.from1);
  if (selectors.destination == Space::l2) places.destination = configuration.region(selectors.to);
  if (selectors.destination == Space::dram) places.window = context.windows[selectors.to];
  return places;
}

}  // namespace

Device::Core::Core(const Geometry &geometry)
    : queues(kClasses, SubmissionQueue(geometry.queue_size_log2_max)),
      completions(geometry.queue_size_log2_max),
      l2(geometry.l2_bytes()),
      wl0(std::size_t{isa::tile::kWeightUnits} * isa::tile::kWeightUnitBytes) {}

Device::Device(const Host &host, const Options &options)
    : host_(host),
      geometry_(options.geometry),
      path_(options.path),
      durations_(options.durations),
      cores_(options.geometry.tile_cores, Core(options.geometry)),
      channel_(options.geometry.dram_bytes_per_1024_cycles),
      mx_({host_, geometry_, std::span(contexts_).first(geometry_.contexts), fault_, observers_}, channel_,
          options.path == arithmetic::Path::reference ? mx::Path::reference : mx::Path::fast),
      cube_({host_, geometry_, std::span(contexts_).first(geometry_.contexts), fault_, observers_},
            options.path == arithmetic::Path::reference ? cube::Path::reference : cube::Path::fast) {}

void Device::reset(Cycle now) {
  now_ = std::max(now_, now);
  for (unsigned core = 0; core < cores_.size(); ++core) {
    reset_core(core);
    std::fill(cores_[core].l2.begin(), cores_[core].l2.end(), std::byte{0});
    std::fill(cores_[core].wl0.begin(), cores_[core].wl0.end(), std::byte{0});
  }
  mx_.reset(now_);
  cube_.reset(now_);
  cube_.clear_buffers();
  contexts_ = {};
  enabled_at_ = kNever;
  interrupt_enable_ = 0;
  fault_ = {};
  cycle_high_ = 0;
  update_interrupts();
}

void Device::reset_core(unsigned core_index) {
  Core &core = cores_[core_index];
  for (unsigned i = 0; i < kClasses; ++i) {
    SubmissionQueue &queue = core.queues[i];
    if (queue.state == SubmissionQueue::State::transferring) channel_.end(mover(core_index, i), now_);
    if (queue.state != SubmissionQueue::State::idle && queue.running.context < geometry_.contexts)
      --contexts_[queue.running.context].in_flight;
    queue.reset();
  }
  core.completions.reset();
  for (Observer *observer : observers_) observer->on_core_reset(core_index, now_);
}

// Time.

unsigned Device::mover(unsigned core_index, unsigned queue_index) {
  switch (static_cast<Class>(queue_index)) {
    case Class::LD: return core_index * DramChannel::kMoversOfCore;
    case Class::LW: return core_index * DramChannel::kMoversOfCore + 1;
    default: return core_index * DramChannel::kMoversOfCore + 2;  // ST: no other class transfers
  }
}

Cycle Device::queue_event(const Core &core, unsigned core_index, unsigned queue_index) const {
  const SubmissionQueue &queue = core.queues[queue_index];
  switch (queue.state) {
    case SubmissionQueue::State::executing: return queue.phase_end;
    case SubmissionQueue::State::transferring: return channel_.finish(mover(core_index, queue_index));
    case SubmissionQueue::State::completing: return kNever;
    case SubmissionQueue::State::idle: break;
  }
  return queue.start_at(enabled_at_, geometry_.doorbell_latency);
}

Cycle Device::next_event() const {
  Cycle next = std::min(mx_.next_event(enabled_at_), cube_.next_event(enabled_at_));
  for (unsigned i = 0; i < kEngines; ++i) {
    if (!engine_completion_level_[i]) next = std::min(next, engine_port(i).completions.interrupt_at(geometry_.interrupt_latency));
  }
  for (unsigned i = 0; i < cores_.size(); ++i) {
    for (unsigned j = 0; j < kClasses; ++j) next = std::min(next, queue_event(cores_[i], i, j));
    if (!cores_[i].completion_level) next = std::min(next, cores_[i].completions.interrupt_at(geometry_.interrupt_latency));
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
  // What ends at a cycle makes room and sets memory before what starts at it.
  for (unsigned i = 0; i < cores_.size(); ++i) {
    for (unsigned j = 0; j < kClasses; ++j) {
      if (cores_[i].queues[j].busy() && queue_event(cores_[i], i, j) <= now) leave_phase(i, j);
    }
  }
  mx_.step_ends(now);
  cube_.step_ends(now);
  for (unsigned i = 0; i < cores_.size(); ++i) {
    for (unsigned j = 0; j < kClasses; ++j) {
      if (cores_[i].queues[j].state == SubmissionQueue::State::idle && queue_event(cores_[i], i, j) <= now) start(i, j);
    }
  }
  mx_.step_starts(now, enabled_at_);
  cube_.step_starts(now, enabled_at_);
  update_interrupts();
}

void Device::update_interrupts() {
  for (unsigned i = 0; i < kEngines; ++i) {
    engine_completion_level_[i] = engine_port(i).completions.interrupt_at(geometry_.interrupt_latency) <= now_;
  }
  for (Core &core : cores_) core.completion_level = core.completions.interrupt_at(geometry_.interrupt_latency) <= now_;
  fault_.level = fault_.valid && fault_.time + geometry_.interrupt_latency <= now_;
  const std::uint32_t raised = interrupt_status() & interrupt_enable_;
  set_line(0, (raised & (registers::int_status::kCompletion.mask() | registers::int_status::kEngineCompletion.mask())) != 0);
  set_line(1, (raised & registers::int_status::kFault.mask()) != 0);
}

void Device::set_line(unsigned line, bool level) {
  if (line_[line] == level) return;
  line_[line] = level;
  for (Observer *observer : observers_) observer->on_interrupt(line, level, now_);
  host_.interrupt(line, level);
}

// One instruction, in the order of its life.

void Device::start(unsigned core_index, unsigned queue_index) {
  SubmissionQueue &queue = cores_[core_index].queues[queue_index];
  InstructionEvent &event = queue.running;
  event = {};
  event.core = core_index;
  event.queue = static_cast<Class>(queue_index);
  event.index = queue.head;
  event.doorbell = queue.doorbell[queue.slot(queue.head)];
  event.start = now_;
  event.fault = begin(queue, core_index, queue_index);
  queue.state = SubmissionQueue::State::executing;
  if (event.fault) {
    finish(core_index, queue_index);
  } else {
    for (Observer *observer : observers_) observer->on_start(event);
  }
}

Fault Device::begin(SubmissionQueue &queue, unsigned core_index, unsigned queue_index) {
  InstructionEvent &event = queue.running;
  event.context = kNoContext;
  queue.operation = isa::tile::Control{};
  const std::uint64_t address = queue.slot_address(queue.head);
  if (!host_.read(address, event.code.data(), kSlotBytes)) return {FaultCode::bus_error, static_cast<std::uint32_t>(address)};
  event.context = isa::tile::context_of(event.code);
  if (event.context >= geometry_.contexts) return {FaultCode::invalid_context, event.code[0] & 0xFF};
  Context &context = contexts_[event.context];
  ++context.in_flight;
  Bank &bank = context.banks[core_index];
  event.ordinal = bank.ordinal[queue_index]++;
  if (context.quarantined) return {FaultCode::aborted, event.code[0] & 0xFF};
  if (!context.valid) return {FaultCode::invalid_context, event.code[0] & 0xFF};

  isa::tile::Footprint footprint;
  if (Fault fault = admit(event.code, event.queue, context, core_index, geometry_, queue.operation, footprint)) return fault;
  queue.places = places_of(selectors_of(queue.operation), context, core_index);
  for (unsigned i = 0; i < footprint.count; ++i) {
    if (footprint.accesses[i].space == Space::dram) queue.dram = footprint.accesses[i];
  }
  Duration duration = duration_of(event.code, queue.operation, bank.configuration, geometry_);
  event.bytes = duration.dram_bytes;
  event.window = queue.places.window.base;
  if (durations_) {
    const std::vector<Cycle> &replayed = (*durations_)[queue_index];
    if (!replayed.empty()) duration = {replayed[event.ordinal % replayed.size()], 0, 0};
  }
  queue.phase_end = now_ + duration.fixed;
  queue.transfer_bytes = duration.transfer_bytes;
  return {};
}

void Device::leave_phase(unsigned core_index, unsigned queue_index) {
  SubmissionQueue &queue = cores_[core_index].queues[queue_index];
  if (queue.state == SubmissionQueue::State::executing && queue.transfer_bytes != 0) {
    channel_.begin(mover(core_index, queue_index), now_, queue.transfer_bytes);
    queue.state = SubmissionQueue::State::transferring;
    return;
  }
  if (queue.state == SubmissionQueue::State::transferring) {
    channel_.end(mover(core_index, queue_index), now_);
    queue.running.stalled = now_ - queue.phase_end - channel_.alone(queue.transfer_bytes);
  }
  queue.running.fault = take_effect(queue, core_index);
  finish(core_index, queue_index);
}

Fault Device::take_effect(SubmissionQueue &queue, unsigned core_index) {
  const isa::tile::MachineCode &code = queue.running.code;
  if (!std::holds_alternative<isa::tile::Control>(queue.operation)) return execute(queue, core_index);
  return fault_of(contexts_[queue.running.context].banks[core_index].configuration.apply(code), code);
}

Fault Device::execute(const SubmissionQueue &queue, unsigned core_index) {
  Core &core = cores_[core_index];
  const Selectors selectors = selectors_of(queue.operation);
  WindowTransfer transfer{&host_, queue.places.window.base};
  const auto memory = [&](Space space, const isa::tile::Region &region) {
    if (space == Space::l2) return Memory::circular(core.l2.data(), region);
    if (space == Space::wl0) return Memory::linear(core.wl0.data(), 0, static_cast<std::int64_t>(core.wl0.size()));
    const std::int64_t size = queue.dram.end() - queue.dram.start;
    const std::uint64_t address = transfer.base + static_cast<std::uint64_t>(queue.dram.start);
    void *mapped = host_.map(address, static_cast<std::uint64_t>(size));
    if (mapped != nullptr) return Memory::linear(static_cast<std::byte *>(mapped), queue.dram.start, size);
    return Memory::transfer({&transfer, &read_window, &write_window}, queue.dram.start, size);
  };
  Memories memories;
  memories.source = memory(selectors.source, queue.places.source);
  memories.source1 = Memory::circular(core.l2.data(), queue.places.source1);
  memories.destination = memory(selectors.destination, queue.places.destination);
  memories.weights = Memory::linear(core.wl0.data(), 0, static_cast<std::int64_t>(core.wl0.size()));
  arithmetic::execute(queue.operation, memories, path_);
  if (transfer.failed) return {FaultCode::bus_error, static_cast<std::uint32_t>(transfer.failed_address)};
  return {};
}

void Device::finish(unsigned core_index, unsigned queue_index) {
  SubmissionQueue &queue = cores_[core_index].queues[queue_index];
  InstructionEvent &event = queue.running;
  event.end = now_;
  if (event.fault) event.bytes = 0;
  if (event.fault && event.fault.code != FaultCode::aborted) {
    const bool known = event.context < geometry_.contexts;
    if (known && contexts_[event.context].valid) contexts_[event.context].quarantine(now_);
    fault_.record(event.fault, core_index * kClasses + queue_index, event.context, event.index, now_);
  }
  for (Observer *observer : observers_) observer->on_end(event);
  const bool wanted = event.fault || isa::tile::completion_of(event.code);
  if (wanted && !cores_[core_index].completions.has_room()) {
    queue.state = SubmissionQueue::State::completing;
    return;
  }
  complete(core_index, queue_index);
}

void Device::complete(unsigned core_index, unsigned queue_index) {
  Core &core = cores_[core_index];
  SubmissionQueue &queue = core.queues[queue_index];
  const InstructionEvent &event = queue.running;
  if (event.fault || isa::tile::completion_of(event.code)) {
    const Completion completion{event.index,       core_index * kClasses + queue_index, event.fault.code, event.context, event.end,
                                event.fault.detail};
    if (!core.completions.push(completion, now_, host_)) {
      host_.error("completion queue {}: bus error at the entry of queue {}, instruction {}: the completion is lost", core_index,
                  isa::tile::kClassNames[queue_index], event.index);
    }
  }
  if (event.context < geometry_.contexts) --contexts_[event.context].in_flight;
  const Cycle waited = now_ - event.end;
  if (event.fault.code != FaultCode::aborted) ++queue.counters.instructions;
  queue.counters.busy += event.end - event.start - event.stalled;
  queue.counters.stalled += event.stalled + waited;
  queue.counters.bytes += event.bytes;
  ++queue.head;
  queue.free_at = now_;
  queue.state = SubmissionQueue::State::idle;
}

void Device::complete_waiting_of_core(unsigned core_index) {
  Core &core = cores_[core_index];
  while (core.completions.has_room()) {
    unsigned first = kClasses;
    for (unsigned i = 0; i < kClasses; ++i) {
      if (core.queues[i].state != SubmissionQueue::State::completing) continue;
      if (first == kClasses || core.queues[i].running.end < core.queues[first].running.end) first = i;
    }
    if (first == kClasses) return;
    complete(core_index, first);
  }
}

}  // namespace cox::model
