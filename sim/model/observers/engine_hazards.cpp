// SPDX-License-Identifier: MIT
#include "sim/model/observers/engine_hazards.h"

#include <fmt/format.h>

#include <algorithm>
#include <variant>

namespace cox::model {

using isa::tile::kClasses;

namespace {

static_assert(registers::kFirstEngineQueueNumber == kMostCores * kClasses);

constexpr std::size_t number(unsigned core, isa::tile::Class queue) {
  return std::size_t{core} * kClasses + static_cast<std::size_t>(queue);
}
constexpr std::size_t number(registers::Engine engine) { return registers::kFirstEngineQueueNumber + static_cast<std::size_t>(engine); }
constexpr bool is_engine(std::size_t queue) { return queue >= registers::kFirstEngineQueueNumber; }

const char *kind_text(bool earlier_wrote, bool later_writes) {
  if (!earlier_wrote) return "write after read";
  return later_writes ? "write after write" : "read after write";
}

/// `on_run(write, first, bytes)` for each run of bytes in DRAM.
template <typename OnRun>
void for_each_run(const isa::mx::Operation &operation, const OnRun &on_run) {
  const isa::mx::Footprint footprint = isa::mx::footprint(operation);
  for (unsigned i = 0; i < footprint.count; ++i) {
    const isa::mx::Access &access = footprint.accesses[i];
    for (std::uint32_t run = 0; run < access.count; ++run) on_run(access.write, access.start + run * access.stride, access.run);
  }
}
template <typename OnRun>
void for_each_run(const isa::cube::Operation &operation, const OnRun &on_run) {
  const isa::cube::Footprint footprint = isa::cube::footprint(operation);
  for (unsigned i = 0; i < footprint.count; ++i) {
    const isa::cube::Access &access = footprint.accesses[i];
    if (access.memory != isa::cube::Memory::dram) continue;
    // Of DRAM there is one row of runs.
    for (std::uint32_t run = 0; run < access.count[0]; ++run) on_run(access.write, access.start + run * access.stride[0], access.run);
  }
}

bool touches_dram(const StreamEvent &event) {
  bool any = false;
  const auto found = [&any](bool, std::uint64_t, std::uint64_t) { any = true; };
  if (event.mx != nullptr) for_each_run(*event.mx, found);
  if (event.cube != nullptr) for_each_run(*event.cube, found);
  return any;
}

}  // namespace

std::uint32_t EngineHazards::Sequence::ended(Cycle time) const {
  return static_cast<std::uint32_t>(std::upper_bound(ends.begin(), ends.end(), time) - ends.begin());
}

void EngineHazards::Sequence::end_stream(std::uint32_t stream, Cycle now) {
  ended_streams.insert(stream);
  while (ends.size() < names.size() && ended_streams.contains(streams[ends.size()])) ends.push_back(now);
  if (ends.size() == names.size()) ended_streams.clear();
}

void EngineHazards::on_start(const InstructionEvent &event, const std::vector<hazard::Touch> &touches) {
  const auto in_dram = [](const hazard::Touch &touch) { return touch.place == hazard::Place::dram; };
  if (std::none_of(touches.begin(), touches.end(), in_dram)) return;
  const std::size_t own = number(event.core, event.queue);
  sequences_[own].names.push_back(fmt::format("{}[{}] of core {}, context {}", isa::tile::kClassNames[static_cast<unsigned>(event.queue)],
                                              event.ordinal, event.core, event.context));
  Clock clock;
  for (std::size_t i = 0; i < kSequences; ++i) {
    if (is_engine(i)) clock.ended[i] = sequences_[i].ended(event.doorbell);
  }
  for (const hazard::Touch &touched : touches) {
    if (!in_dram(touched)) continue;
    hazard::for_each_run(touched, [&](std::int64_t first, std::int64_t bytes) {
      touch(own, clock, touched.write, event.window + static_cast<std::uint64_t>(first), static_cast<std::uint64_t>(bytes));
    });
  }
}

void EngineHazards::on_end(const InstructionEvent &event) { sequences_[number(event.core, event.queue)].end(event.end); }

void EngineHazards::on_core_reset(unsigned core, Cycle now) {
  for (std::size_t i = 0; i < kClasses; ++i) sequences_[std::size_t{core} * kClasses + i].end(now);
}

void EngineHazards::on_stream_start(const StreamEvent &event) {
  if (!touches_dram(event)) return;
  const std::size_t own = number(event.engine);
  sequences_[own].names.push_back(fmt::format("{} {} at {} of stream {}, context {}", event.cube != nullptr ? "CUBE" : "MX", event.name,
                                              event.offset, event.stream, event.context));
  sequences_[own].streams.push_back(event.stream);
  Clock clock;
  for (std::size_t i = 0; i < kSequences; ++i) clock.ended[i] = sequences_[i].ended(event.doorbell);
  const auto touch_run = [&](bool write, std::uint64_t first, std::uint64_t bytes) { touch(own, clock, write, first, bytes); };
  if (event.mx != nullptr) for_each_run(*event.mx, touch_run);
  if (event.cube != nullptr) for_each_run(*event.cube, touch_run);
}

void EngineHazards::on_stream_end(const StreamEvent &event) {
  if (event.last) sequences_[number(event.engine)].end_stream(event.stream, event.end);
}

void EngineHazards::on_engine_reset(registers::Engine engine, Cycle now) {
  sequences_[number(engine)].end(now);
  sequences_[number(engine)].ended_streams.clear();
}

void EngineHazards::touch(std::size_t queue, const Clock &clock, bool write, std::uint64_t first, std::uint64_t bytes) {
  const Sequence &own = sequences_[queue];
  const auto position = static_cast<std::uint32_t>(own.names.size() - 1);
  const Shadow::Toucher toucher{static_cast<std::int32_t>(position), queue, position};
  shadow_.touch(toucher, clock, write, static_cast<std::int64_t>(first), static_cast<std::int64_t>(bytes),
                [&](const Shadow::Conflict &conflict) {
                  // Tile instructions among themselves are the detector's, by their tokens.
                  if (!is_engine(queue) && !is_engine(conflict.earlier.queue)) return;
                  const std::string &earlier = sequences_[conflict.earlier.queue].names[conflict.earlier.position];
                  if (!reported_.emplace(earlier, own.names.back(), conflict.earlier_wrote, write).second) return;
                  host_.warning("hazard: {}: nothing orders {} and {}, both touch DRAM bytes {:#x} to {:#x}",
                                kind_text(conflict.earlier_wrote, write), earlier, own.names.back(), conflict.first,
                                conflict.first + conflict.bytes - 1);
                });
}

}  // namespace cox::model
