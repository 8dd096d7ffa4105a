// SPDX-License-Identifier: MIT
#include "sim/model/observers/engine_hazards.h"

#include <algorithm>
#include <utility>

namespace cox::model {

namespace {

const char *kind_text(bool earlier_wrote, bool later_writes) {
  if (!earlier_wrote) return "write after read";
  return later_writes ? "write after write" : "read after write";
}

}  // namespace

std::uint32_t EngineHazards::Sequence::ended(Cycle time) const {
  return static_cast<std::uint32_t>(std::upper_bound(ends.begin(), ends.end(), time) - ends.begin());
}

void EngineHazards::Sequence::end_all(Cycle now) {
  ends.resize(names.size(), now);
  ended_streams.clear();
}

void EngineHazards::Sequence::end_stream(std::uint32_t stream, Cycle now) {
  ended_streams.insert(stream);
  while (ends.size() < names.size() && ended_streams.contains(streams[ends.size()])) ends.push_back(now);
  if (ends.size() == names.size()) ended_streams.clear();
}

bool EngineHazards::touches_dram(const InstructionEvent &event) {
  return std::any_of(event.touches.begin(), event.touches.end(), [](const Touch &touch) { return touch.space == Touch::kDram; });
}

void EngineHazards::add(const InstructionEvent &event, std::string name) {
  Sequence &own = sequences_[event.queue];
  own.engine = event.engine;
  own.names.push_back(std::move(name));
  own.streams.push_back(event.index);
  // `clock` counts only queues of other engines, because an engine's own hazard::Order finds the hazards between its own instructions.
  Clock clock;
  for (std::size_t i = 0; i < sequences_.size(); ++i) {
    if (sequences_[i].engine != event.engine) clock.ended[i] = sequences_[i].ended(event.doorbell);
  }
  for (const Touch &touched : event.touches) {
    if (touched.space != Touch::kDram) continue;
    for_each_run(touched, [&](std::uint64_t first, std::uint64_t bytes) { touch(event.queue, clock, touched.write, first, bytes); });
  }
}

void EngineHazards::on_end(const InstructionEvent &event) {
  if (event.last || !registers::row_of(event.engine).has_ring()) sequences_[event.queue].end_stream(event.index, event.end);
}

void EngineHazards::on_engine_reset(registers::Engine engine, unsigned core, Cycle now) {
  const registers::EngineRow &row = registers::row_of(engine);
  const unsigned first = row.has_ring() ? row.queue_number() : faults::queue_number(core, 0);
  const unsigned count = row.has_ring() ? 1 : faults::kQueuesOfCore;
  for (unsigned i = first; i < first + count; ++i) sequences_[i].end_all(now);
}

void EngineHazards::touch(std::size_t queue, const Clock &clock, bool write, std::uint64_t first, std::uint64_t bytes) {
  const Sequence &own = sequences_[queue];
  const auto position = static_cast<std::uint32_t>(own.names.size() - 1);
  const Shadow::Toucher toucher{static_cast<std::int32_t>(position), queue, position};
  shadow_.touch(toucher, clock, write, static_cast<std::int64_t>(first), static_cast<std::int64_t>(bytes),
                [&](const Shadow::Conflict &conflict) {
                  if (sequences_[conflict.earlier.queue].engine == own.engine) return;
                  const std::string &earlier = sequences_[conflict.earlier.queue].names[conflict.earlier.position];
                  if (!reported_.emplace(earlier, own.names.back(), conflict.earlier_wrote, write).second) return;
                  host_.warning("hazard: {}: nothing orders {} and {}, both touch DRAM bytes {:#x} to {:#x}",
                                kind_text(conflict.earlier_wrote, write), earlier, own.names.back(), conflict.first,
                                conflict.first + conflict.bytes - 1);
                });
}

}  // namespace cox::model
