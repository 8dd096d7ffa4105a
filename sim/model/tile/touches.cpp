// SPDX-License-Identifier: MIT
#include "sim/model/tile/touches.h"

#include "coxswain/isa/tile/configuration.h"
#include "coxswain/isa/tile/table.h"

namespace cox::model {

using isa::tile::Access;
using isa::tile::Space;

namespace {

Touch touch_of(const Access &access, const Touched &touched) {
  Touch touch{.write = access.write,
              .first = static_cast<std::uint64_t>(access.start),
              .run = static_cast<std::uint64_t>(access.run),
              .stride = access.stride};
  for (unsigned level = 0; level < 3; ++level) touch.count[level] = static_cast<std::uint64_t>(access.count[level]);
  switch (access.space) {
    case Space::dram: touch.first += touched.window; break;
    case Space::l2: touch.space = l2_space(touched.core); break;
    case Space::remote_l2: touch.space = l2_space(touched.remote_core); break;
    case Space::wl0: touch.space = wl0_space(touched.core); break;
  }
  return touch;
}

}  // namespace

std::vector<Touch> touches_of(const isa::tile::MachineCode &code, const Touched &touched) {
  using isa::tile::Opcode;
  std::vector<Touch> touches;
  if (isa::tile::opcode_of(code) == Opcode::ct_bc) {
    const std::int64_t first = isa::tile::get<Opcode::ct_bc, "BCS">(code) * isa::tile::kRegionsACut;
    touches.push_back(
        {.space = regions_space(touched.core), .write = true, .first = static_cast<std::uint64_t>(first), .run = isa::tile::kRegionsACut});
  }
  for (unsigned i = 0; i < touched.footprint.count; ++i) {
    const Access &access = touched.footprint.accesses[i];
    Touch touch = touch_of(access, touched);
    if (access.space == Space::l2) {
      touches.push_back({.space = regions_space(touched.core), .write = false, .first = access.selector, .run = 1});
      const isa::tile::Region &region = touched.regions[i];
      if (access.start < region.first_byte() || access.end() > region.first_byte() + region.bytes())
        touch = {.space = touch.space,
                 .write = access.write,
                 .first = static_cast<std::uint64_t>(region.first_byte()),
                 .run = static_cast<std::uint64_t>(region.bytes())};
    }
    touches.push_back(touch);
  }
  return touches;
}

}  // namespace cox::model
