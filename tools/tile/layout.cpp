// SPDX-License-Identifier: MIT
#include "tools/tile/layout.h"

#include <algorithm>
#include <bit>

#include "coxswain/isa/tile/core_tokens.h"
#include "coxswain/isa/tile/operation.h"
#include "coxswain/isa/tile/table.h"

namespace cox::task {
namespace {

namespace tile = isa::tile;

void add_core(Layout &layout, unsigned core) { layout.geometry.tile_cores = std::max(layout.geometry.tile_cores, core + 1); }

void add(Layout &layout, const tile::Access &access) {
  if (access.end() <= 0) return;
  const auto end = static_cast<std::uint64_t>(access.end());
  if (access.space == tile::Space::dram) {
    Layout::WindowUse &use = layout.windows[access.selector];
    use.end = std::max(use.end, end);
    use.written = use.written || access.write;
  } else if (access.space == tile::Space::wl0) {
    layout.geometry.wl0_bytes = std::max(layout.geometry.wl0_bytes, static_cast<std::uint32_t>(end));
  } else if (access.space == tile::Space::remote_l2) {
    constexpr std::uint64_t kMaxBytes = std::uint64_t{tile::kMaxL2Blocks} * tile::kBlockBytes;
    layout.geometry.l2_bytes = std::max(layout.geometry.l2_bytes, static_cast<std::uint32_t>(std::min(end, kMaxBytes)));
    add_core(layout, access.selector);
  }
}

/// Adds the core that runs the instruction, and the cores that it waits for or wakes.
void add_cores(Layout &layout, const tile::MachineCode &code) {
  add_core(layout, tile::core_of(code));
  const tile::CoreTokens tokens = tile::core_tokens(code);
  const auto others = static_cast<unsigned>(tokens.previous | tokens.next);
  if (others != 0) add_core(layout, static_cast<unsigned>(std::bit_width(others)) - 1);
}

void add_regions(Layout &layout, const tile::Configuration &configuration) {
  for (unsigned i = 0; i < tile::kRegions; ++i) {
    const tile::Region &region = configuration.region(i);
    if (region.blocks == 0) continue;
    layout.geometry.l2_bytes = std::max(layout.geometry.l2_bytes, static_cast<std::uint32_t>(region.first_byte() + region.bytes()));
  }
}

}  // namespace

Layout layout_of(std::span<const Instruction> instructions) {
  Layout layout;
  std::array<tile::Configuration, tile::kMostCores> configurations;
  for (const Instruction &instruction : instructions) {
    if (!tile::check(instruction.code)) continue;
    add_cores(layout, instruction.code);
    tile::Configuration &configuration = configurations[tile::core_of(instruction.code)];
    if (!configuration.apply(instruction.code)) continue;
    if (tile::opcode_of(instruction.code) == tile::Opcode::ct_bc) add_regions(layout, configuration);
    const Result<tile::Operation> operation = tile::resolve(instruction.code, configuration);
    if (!operation) continue;
    const tile::Footprint footprint = tile::footprint(operation.value());
    for (unsigned i = 0; i < footprint.count; ++i) add(layout, footprint.accesses[i]);
  }
  return layout;
}

}  // namespace cox::task
