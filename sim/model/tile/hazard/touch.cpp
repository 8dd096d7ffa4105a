// SPDX-License-Identifier: MIT
#include "sim/model/tile/hazard/touch.h"

#include "coxswain/isa/tile/table.h"

namespace cox::model::hazard {
namespace {

namespace tile = isa::tile;

Place place_of(tile::Space space) {
  switch (space) {
    case tile::Space::dram: return Place::dram;
    case tile::Space::wl0: return Place::wl0;
    case tile::Space::l2:
    case tile::Space::remote_l2: break;
  }
  return Place::l2;
}

Touch region_touch(unsigned core, std::int64_t region, std::int64_t regions, bool write) {
  Touch touch;
  touch.core = static_cast<std::uint8_t>(core);
  touch.place = Place::region;
  touch.write = write;
  touch.first = region;
  touch.run = regions;
  return touch;
}

Status add_access(std::vector<Touch> &touches, unsigned core, const tile::Access &access, const tile::Configuration &configuration) {
  Touch touch;
  touch.place = place_of(access.space);
  touch.write = access.write;
  touch.first = access.start;
  touch.run = access.run;
  touch.count = access.count;
  touch.stride = access.stride;
  if (access.space == tile::Space::dram) {
    touch.window = access.selector;
  } else {
    touch.core = static_cast<std::uint8_t>(access.space == tile::Space::remote_l2 ? access.selector : core);
  }
  if (access.space == tile::Space::l2) {
    const tile::Region &region = configuration.region(access.selector);
    if (Status status = tile::check_region(access.reach(), region); !status) return status;
    touch.wrap_end = region.first_byte() + region.bytes();
    touch.wrap_bytes = region.bytes();
    touches.push_back(region_touch(core, access.selector, 1, false));
  }
  touches.push_back(touch);
  return {};
}

}  // namespace

Result<Step> make_step(const tile::MachineCode &code, const tile::Configuration &configuration) {
  Step step;
  step.code = code;
  if (tile::opcode_of(code) == tile::Opcode::ct_bc) {
    step.touches.push_back(
        region_touch(tile::core_of(code), tile::get<tile::Opcode::ct_bc, "BCS">(code) * tile::kRegionsACut, tile::kRegionsACut, true));
    return step;
  }
  const Result<tile::Operation> operation = tile::resolve(code, configuration);
  if (!operation) return operation.status();
  step.operation = operation.value();
  const tile::Footprint footprint = tile::footprint(step.operation);
  for (unsigned i = 0; i < footprint.count; ++i) {
    if (Status status = add_access(step.touches, tile::core_of(code), footprint.accesses[i], configuration); !status) return status;
  }
  return step;
}

}  // namespace cox::model::hazard
