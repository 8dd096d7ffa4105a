// SPDX-License-Identifier: MIT
// Emits the beginning and the end of a task.
#include "tools/lower/emit/emission.h"

namespace cox::lower {
namespace {

constexpr Touch kTask{Resource::task, true, 0, 1};
constexpr std::int64_t kEverything = std::int64_t{1} << 44;

}  // namespace

void begin_task(const Work &work) {
  work.emitter.select(0);
  work.emitter.emit("ct_st", {}, {}, {kTask});
  for (unsigned core = 0; core < work.plan.cores; ++core) {
    work.emitter.select(core);
    // Selector 0 names a region with all used bytes of L2. The other fifteen regions are empty.
    for (std::uint32_t bank = 0; bank < isa::tile::kRegions / isa::tile::kRegionsACut; ++bank) {
      const std::uint32_t length = bank == 0 ? work.l2_blocks % isa::tile::kMaxL2Blocks : 0;
      const std::uint32_t last_block = bank == 0 ? work.l2_blocks - 1 : 0;
      work.emitter.emit("ct_bc", {}, {{"BCS", bank}, {"BufCut", {length, last_block, 0, 0, 0, 0, 0, 0}}},
                        {{Resource::cuts, true, 0, 1, static_cast<std::uint8_t>(core)}});
    }
  }
}

void end_task(const Work &work) {
  const Origin origin{static_cast<std::int32_t>(work.network.layers.size()) - 1};
  // Each core but the first emits a so_sync at its end. The si_sync of the first core waits for all of them.
  constexpr std::int64_t kEnd = -1;
  std::vector<Touch> ends = {kTask};
  for (unsigned core = 1; core < work.plan.cores; ++core) {
    const auto own = static_cast<std::uint8_t>(core);
    work.emitter.select(core);
    work.emitter.emit("so_sync", origin, {{"Prev_Cores", 0}, {"Next_Cores", 0}},
                      {{Resource::l2, true, 0, kEverything, own},
                       {Resource::wl0, true, 0, kEverything, own},
                       {Resource::cuts, true, 0, 1, own},
                       {Resource::link, true, kEnd, kEnd + 1, own}});
    ends.push_back({Resource::link, false, kEnd, kEnd + 1, own});
  }
  work.emitter.select(0);
  if (work.plan.cores > 1) work.emitter.emit("si_sync", origin, {{"Prev_Cores", 0}, {"Next_Cores", 0}}, ends);
  // ct_ed touches everything that any instruction touches, so that it is ordered behind all instructions.
  work.emitter.emit("ct_ed", origin, {},
                    {{Resource::l2, true, 0, kEverything},
                     {Resource::wl0, true, 0, kEverything},
                     {Resource::dram, true, 0, kEverything},
                     {Resource::cuts, true, 0, 1},
                     kTask});
}

}  // namespace cox::lower
