// SPDX-License-Identifier: MIT
#include "sim/model/engine_hazards.h"

#include <fmt/format.h>

#include <algorithm>

namespace cox::model {

using isa::tile::Class;
using isa::tile::kClasses;

namespace {

constexpr std::size_t number(Class queue) { return static_cast<std::size_t>(queue); }

const char *kind_text(bool earlier_wrote, bool later_writes) {
  if (!earlier_wrote) return "write after read";
  return later_writes ? "write after write" : "read after write";
}

}  // namespace

std::uint32_t EngineHazards::Sequence::ended(Cycle time) const {
  return static_cast<std::uint32_t>(std::upper_bound(ends.begin(), ends.end(), time) - ends.begin());
}

void EngineHazards::on_start(const InstructionEvent &event, const std::vector<hazard::Touch> &touches) {
  const auto in_dram = [](const hazard::Touch &touch) { return touch.place == hazard::Place::dram; };
  if (std::none_of(touches.begin(), touches.end(), in_dram)) return;
  Sequence &own = cores_[event.core].sequences[number(event.queue)];
  own.names.push_back(
      fmt::format("{}[{}] of core {}, context {}", isa::tile::kClassNames[number(event.queue)], event.ordinal, event.core, event.context));
  hazard::Clock clock;
  clock.ended[number(kEngineClass)] = engine_.ended(event.doorbell);
  for (const hazard::Touch &touched : touches) {
    if (!in_dram(touched)) continue;
    hazard::for_each_run(touched, [&](std::int64_t first, std::int64_t bytes) {
      touch(event.core, event.queue, own, clock, touched.write, event.window + static_cast<std::uint64_t>(first),
            static_cast<std::uint64_t>(bytes));
    });
  }
}

void EngineHazards::on_end(const InstructionEvent &event) { cores_[event.core].sequences[number(event.queue)].end(event.end); }

void EngineHazards::on_core_reset(unsigned core, Cycle now) {
  for (Sequence &sequence : cores_[core].sequences) sequence.end(now);
}

void EngineHazards::on_stream_start(const StreamEvent &event) {
  if (event.mx == nullptr) return;
  const isa::mx::Footprint footprint = isa::mx::footprint(*event.mx);
  if (footprint.count == 0) return;
  engine_.names.push_back(fmt::format("MX {} at {} of stream {}, context {}", event.name, event.offset, event.stream, event.context));
  for (unsigned core = 0; core < kMostCores; ++core) {
    hazard::Clock clock;
    for (unsigned i = 0; i < kClasses; ++i) clock.ended[i] = cores_[core].sequences[i].ended(event.doorbell);
    for (unsigned i = 0; i < footprint.count; ++i) {
      const isa::mx::Access &access = footprint.accesses[i];
      for (std::uint32_t run = 0; run < access.count; ++run) {
        touch(core, kEngineClass, engine_, clock, access.write, access.start + run * access.stride, access.run);
      }
    }
  }
}

void EngineHazards::on_stream_end(const StreamEvent &event) {
  if (event.last && event.engine == registers::Engine::mx) engine_.end(event.end);
}

void EngineHazards::on_engine_reset(Cycle now) { engine_.end(now); }

void EngineHazards::touch(unsigned core, Class queue, const Sequence &own, const hazard::Clock &clock, bool write, std::uint64_t first,
                          std::uint64_t bytes) {
  const auto position = static_cast<std::uint32_t>(own.names.size() - 1);
  const hazard::Shadow::Toucher toucher{static_cast<std::int32_t>(position), queue, position};
  cores_[core].shadow.touch(toucher, clock, write, static_cast<std::int64_t>(first), static_cast<std::int64_t>(bytes),
                            [&](const hazard::Shadow::Conflict &conflict) {
                              // Tile instructions among themselves are the detector's, by their tokens.
                              if (queue != kEngineClass && conflict.earlier.queue != kEngineClass) return;
                              const std::string &earlier = sequence(core, conflict.earlier.queue).names[conflict.earlier.position];
                              if (!reported_.emplace(earlier, own.names.back(), conflict.earlier_wrote, write).second) return;
                              host_.warning("hazard: {}: nothing orders {} and {}, both touch DRAM bytes {:#x} to {:#x}",
                                            kind_text(conflict.earlier_wrote, write), earlier, own.names.back(), conflict.first,
                                            conflict.first + conflict.bytes - 1);
                            });
}

}  // namespace cox::model
