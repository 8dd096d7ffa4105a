// SPDX-License-Identifier: MIT
#include "sim/model/device/device.h"

#include <algorithm>
#include <span>

#include "device/engine_bits.h"

namespace cox::model {

using isa::tile::Class;
using isa::tile::kClasses;

Device::Core::Core(unsigned index, const Geometry &geometry)
    : queues(kClasses, SubmissionQueue(geometry.queue_size_log2_max)),
      completions(index, geometry.queue_size_log2_max),
      l2(geometry.l2_bytes()),
      wl0(isa::tile::kWeightBufferBytes),
      scrubber(geometry.l2_bytes()) {}

Device::Device(const Host &host, const Options &options)
    : host_(host),
      geometry_(options.geometry),
      path_(options.path),
      durations_(options.durations),
      channel_(options.geometry.dram_bytes_per_1024_cycles),
      faults_(options.faults, host_,
              [this](faults::Place place, std::uint64_t address, bool write, auto &word) {
                return transfer_word(place, address, write, word);
              }),
      mx_({host_, geometry_, std::span(contexts_).first(geometry_.contexts), fault_, observers_, faults_}, channel_,
          options.path == arithmetic::Path::reference ? mx::Path::reference : mx::Path::fast),
      cube_({host_, geometry_, std::span(contexts_).first(geometry_.contexts), fault_, observers_, faults_},
            options.path == arithmetic::Path::reference ? cube::Path::reference : cube::Path::fast) {
  for (unsigned i = 0; i < geometry_.tile_cores; ++i) cores_.emplace_back(i, geometry_);
}

void Device::reset(Cycle now) {
  now_ = std::max(now_, now);
  for (unsigned core = 0; core < cores_.size(); ++core) {
    reset_core(core);
    std::fill(cores_[core].l2.begin(), cores_[core].l2.end(), std::byte{0});
    std::fill(cores_[core].wl0.begin(), cores_[core].wl0.end(), std::byte{0});
    cores_[core].scrubber.reset();
  }
  for (unsigned engine = 0; engine < kEngines; ++engine) reset_engine(engine);
  cube_.clear_buffers();
  faults_.memory().reset();
  reset_clocks();
  contexts_ = {};
  all_clear_at_ = 0;
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
    if (queue.state == SubmissionQueue::State::transferring && core.clock.running()) channel_.end(mover(core_index, i), now_);
    if (queue.state != SubmissionQueue::State::idle && queue.running.context < geometry_.contexts)
      --contexts_[queue.running.context].in_flight;
    queue.reset();
  }
  core.completions.reset();
  faults_.memory().make_whole(core_index);
  for (Observer *observer : observers_) observer->on_core_reset(core_index, now_);
}

void Device::reset_engine(unsigned engine) {
  if (engine == 0) {
    mx_.reset(now_);
  } else {
    cube_.reset(now_);
  }
}

// Time.

unsigned Device::mover(unsigned core_index, unsigned queue_index) {
  switch (static_cast<Class>(queue_index)) {
    case Class::LD: return core_index * DramChannel::kMoversOfCore;
    case Class::LW: return core_index * DramChannel::kMoversOfCore + 1;
    default: return core_index * DramChannel::kMoversOfCore + 2;  // ST: no other class transfers
  }
}

Cycle Device::enabled_at(const Clock &clock) const {
  if (!clock.running() || enabled_at_ == kNever) return kNever;
  return std::max(enabled_at_, clock.since());
}

Cycle Device::queue_event(const Core &core, unsigned core_index, unsigned queue_index) const {
  if (!core.clock.running()) return kNever;
  const SubmissionQueue &queue = core.queues[queue_index];
  switch (queue.state) {
    case SubmissionQueue::State::executing: return queue.phase_end;
    case SubmissionQueue::State::transferring: return channel_.finish(mover(core_index, queue_index));
    case SubmissionQueue::State::completing: return kNever;
    case SubmissionQueue::State::idle: break;
  }
  const Cycle start = queue.start_at(enabled_at(core.clock), geometry_.doorbell_latency);
  return queue.held_for == kNoContext ? start : std::max(start, contexts_[queue.held_for].start_at());
}

Cycle Device::next_event() const {
  Cycle next = faults_.next_event(now_);
  if (engine_clock_[0].running()) next = std::min(next, mx_.next_event(enabled_at(engine_clock_[0])));
  if (engine_clock_[1].running()) next = std::min(next, cube_.next_event(enabled_at(engine_clock_[1])));
  for (unsigned i = 0; i < kEngines; ++i) {
    if (!engine_completion_level_[i]) next = std::min(next, engine_port(i).completions.interrupt_at(geometry_.interrupt_latency));
    next = std::min(next, engine_port(i).completions.release_at());
  }
  for (unsigned i = 0; i < cores_.size(); ++i) {
    for (unsigned j = 0; j < kClasses; ++j) next = std::min(next, queue_event(cores_[i], i, j));
    if (!cores_[i].completion_level) next = std::min(next, cores_[i].completions.interrupt_at(geometry_.interrupt_latency));
    next = std::min(next, cores_[i].completions.release_at());
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
  for (Core &core : cores_) core.completions.release_due(now, host_);
  for (unsigned i = 0; i < kEngines; ++i) engine_port(i).completions.release_due(now, host_);
  // What ends at a cycle makes room and sets memory before what starts at it.
  for (unsigned i = 0; i < cores_.size(); ++i) {
    for (unsigned j = 0; j < kClasses; ++j) {
      if (cores_[i].queues[j].busy() && queue_event(cores_[i], i, j) <= now) leave_phase(i, j);
    }
  }
  if (engine_clock_[0].running()) mx_.step_ends(now);
  if (engine_clock_[1].running()) cube_.step_ends(now);
  for (unsigned i = 0; i < cores_.size(); ++i) {
    for (unsigned j = 0; j < kClasses; ++j) {
      if (cores_[i].queues[j].state == SubmissionQueue::State::idle && queue_event(cores_[i], i, j) <= now) start(i, j);
    }
  }
  if (engine_clock_[0].running()) mx_.step_starts(now, enabled_at(engine_clock_[0]));
  if (engine_clock_[1].running()) cube_.step_starts(now, enabled_at(engine_clock_[1]));
  update_interrupts();
}

void Device::update_interrupts() {
  for (unsigned i = 0; i < kEngines; ++i) {
    engine_completion_level_[i] = engine_port(i).completions.interrupt_at(geometry_.interrupt_latency) <= now_;
  }
  for (Core &core : cores_) core.completion_level = core.completions.interrupt_at(geometry_.interrupt_latency) <= now_;
  fault_.level = fault_.valid && fault_.time + geometry_.interrupt_latency <= now_;
  const std::uint32_t raised = interrupt_status() & interrupt_enable_;
  constexpr std::uint32_t kCompletions = registers::int_status::kCompletion.mask() | registers::engine_completions::kMask;
  set_line(0, faults_.line_level(0, (raised & kCompletions) != 0, now_));
  set_line(1, faults_.line_level(1, (raised & registers::int_status::kFault.mask()) != 0, now_));
}

void Device::set_line(unsigned line, bool level) {
  if (line_[line] == level) return;
  line_[line] = level;
  for (Observer *observer : observers_) observer->on_interrupt(line, level, now_);
  host_.interrupt(line, level);
}

}  // namespace cox::model
