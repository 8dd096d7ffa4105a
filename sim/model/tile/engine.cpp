// SPDX-License-Identifier: MIT
#include "sim/model/tile/engine.h"

#include <algorithm>
#include <cstring>

#include "sim/model/tile/make.h"
#include "sim/model/tile/token_order.h"

namespace cox::model {

using isa::tile::Class;
using isa::tile::kClasses;
using State = SubmissionRing::State;

TileEngine::Core::Core(unsigned index, unsigned first_mover, const TileGeometry &geometry)
    : queues(kClasses, SubmissionQueue(geometry.queue_size_log2_max)),
      completions(index, geometry.queue_size_log2_max),
      l2(geometry.l2_bytes()),
      wl0(geometry.wl0_bytes()),
      scrubber(geometry),
      movers(first_mover) {}

TileEngine::TileEngine(const Surroundings &surroundings, const Options &options)
    : surroundings_(surroundings),
      geometry_(tile_geometry(options.geometry, options.parameters)),
      path_(options.path == Path::reference ? arithmetic::Path::reference : arithmetic::Path::fast) {
  if (options.durations) {
    durations_.emplace();
    for (unsigned i = 0; i < kClasses; ++i) {
      if (const auto list = options.durations->find(isa::tile::kClassNames[i]); list != options.durations->end()) {
        (*durations_)[i] = list->second;
      }
    }
  }
  for (unsigned i = 0; i < geometry_.tile_cores; ++i) cores_.emplace_back(i, surroundings_.channel.add_movers(kMoversOfCore), geometry_);
}

void TileEngine::reset(unsigned core_index, Cycle now) {
  Core &core = cores_[core_index];
  for (unsigned i = 0; i < kClasses; ++i) {
    SubmissionQueue &queue = core.queues[i];
    if (queue.state == State::transferring && !core.paused) surroundings_.channel.end(mover(core, i), now);
    if (queue.state != State::idle && queue.running.context < geometry_.contexts) {
      --surroundings_.contexts[queue.running.context].in_flight;
      tell_peer(queue.running, {FaultCode::aborted, 0}, now);
    }
    abort(queue.peers.remove(), now);
    queue.reset();
  }
  core.completions.reset();
  surroundings_.faults.memory().make_whole(core_index);
  surroundings_.observers.engine_reset(kEngine, core_index, now);
}

void TileEngine::power_on() {
  for (Core &core : cores_) {
    std::fill(core.l2.begin(), core.l2.end(), std::byte{0});
    std::fill(core.wl0.begin(), core.wl0.end(), std::byte{0});
    core.scrubber.reset();
  }
  places_ = {};
  all_clear_at_ = 0;
}

std::span<std::byte> TileEngine::memory(faults::Place place) {
  if (place.core >= cores_.size() || place.memory == faults::Place::Memory::bus) return {};
  return place.memory == faults::Place::Memory::l2 ? cores_[place.core].l2 : cores_[place.core].wl0;
}

// Peers.

bool TileEngine::accept(const PeerSubmission &submission) {
  isa::tile::MachineCode code;
  std::memcpy(code.data(), submission.slot.data(), kSlotBytes);
  const unsigned core = places_[submission.context].first_core + isa::tile::core_of(code);
  if (submission.queue >= kClasses || core >= cores_.size()) return false;
  ++surroundings_.contexts[submission.context].in_flight;
  cores_[core].queues[submission.queue].peers.push(submission);
  return true;
}

void TileEngine::withdraw(PeerClient &client, Cycle now) {
  for (Core &core : cores_) {
    for (SubmissionQueue &queue : core.queues) abort(queue.peers.remove(&client), now);
  }
}

void TileEngine::abort(std::span<const PeerSubmission> removed, Cycle now) {
  for (const PeerSubmission &submission : removed) {
    --surroundings_.contexts[submission.context].in_flight;
    submission.client->on_peer_end(submission.ticket, {FaultCode::aborted, 0}, now);
  }
}

// Time.

unsigned TileEngine::mover(const Core &core, unsigned queue_index) {
  switch (static_cast<Class>(queue_index)) {
    case Class::LD: return core.movers;
    case Class::LW: return core.movers + 1;
    default: return core.movers + 2;  // ST; the other classes have no mover
  }
}

Cycle TileEngine::busy_end(const Core &core, unsigned queue_index) const {
  const SubmissionQueue &queue = core.queues[queue_index];
  return queue.state == State::transferring ? surroundings_.channel.finish(mover(core, queue_index)) : queue.phase_end;
}

Cycle TileEngine::idle_end(const SubmissionQueue &queue, Cycle enabled_at) const {
  const Cycle start = queue.peers.start_at(queue, enabled_at, geometry_.doorbell_latency);
  return queue.held_for == kNoContext ? start : std::max(start, start_at(queue.held_for));
}

Cycle TileEngine::next_event(unsigned core_index, Cycle enabled_at) const {
  const Core &core = cores_[core_index];
  Cycle next = kNever;
  for (unsigned i = 0; i < kClasses; ++i) {
    const SubmissionQueue &queue = core.queues[i];
    if (queue.busy()) next = std::min(next, busy_end(core, i));
    if (queue.state == State::idle) next = std::min(next, idle_end(queue, enabled_at));
  }
  return next;
}

void TileEngine::step_ends(unsigned core_index, Cycle now) {
  for (unsigned i = 0; i < kClasses; ++i) {
    if (cores_[core_index].queues[i].busy() && busy_end(cores_[core_index], i) <= now) leave_phase(core_index, i, now);
  }
}

void TileEngine::step_starts(unsigned core_index, Cycle now, Cycle enabled_at) {
  for (unsigned i = 0; i < kClasses; ++i) {
    const SubmissionQueue &queue = cores_[core_index].queues[i];
    if (queue.state == State::idle && idle_end(queue, enabled_at) <= now) start(core_index, i, now);
  }
}

void TileEngine::pause(unsigned core_index, Cycle now) {
  Core &core = cores_[core_index];
  core.paused = true;
  for (unsigned i = 0; i < kClasses; ++i) {
    SubmissionQueue &queue = core.queues[i];
    if (queue.state == State::transferring) queue.paused_transfer = surroundings_.channel.pause(mover(core, i), now);
  }
}

void TileEngine::resume(unsigned core_index, Cycle now, Cycle stood) {
  Core &core = cores_[core_index];
  core.paused = false;
  for (unsigned i = 0; i < kClasses; ++i) {
    SubmissionQueue &queue = core.queues[i];
    if (!queue.busy()) continue;
    if (queue.state == State::transferring) surroundings_.channel.resume(mover(core, i), now, queue.paused_transfer);
    if (queue.phase_end != kNever) queue.phase_end += stood;
    queue.stood += stood;
  }
}

// The engine's entry in the registry of engines.

namespace tile {
namespace {

constexpr auto kParameters = parameters_of(kTileParameters);
static_assert(kTileParameters[0].member == &TileGeometry::tile_cores);

void describe(const ParameterValues &parameters, Inventory &inventory) {
  const TileGeometry geometry = tile_geometry({}, parameters);
  inventory.cores = geometry.tile_cores;
  inventory.l2_bytes = geometry.l2_bytes();
  inventory.wl0_bytes = geometry.wl0_bytes();
}

}  // namespace

const EngineKind kKind{
    .id = TileEngine::kEngine,
    .parameters = kParameters,
    .make = [](const Surroundings &surroundings, const Options &options) -> std::unique_ptr<Engine> {
      return std::make_unique<TileEngine>(surroundings, options);
    },
    .queues = isa::tile::kClassNames,
    .cores_parameter = kTileParameters[0].parameter.name,
    .describe = describe,
    .make_order = [](const Host &host) -> std::unique_ptr<hazard::Order> { return std::make_unique<TokenOrder>(host); },
};

}  // namespace tile
}  // namespace cox::model
