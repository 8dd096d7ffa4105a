// SPDX-License-Identifier: MIT
#include "tools/lower/emit/exchange.h"

#include "tools/lower/program/links.h"

namespace cox::lower {

void exchange(const Work &work, const Origin &origin, const Layer &layer, const std::vector<Slice> &slices, const Piece &piece,
              std::int64_t computed) {
  const FeatureMap &map = work.network.output_of(layer);
  const MapLayout layout = layout_of(map);
  const std::int64_t base = row_address(work, layer.output, piece.first_image, piece.first_row);
  const std::int64_t bytes = (piece.images - 1) * layout.image_bytes + piece.rows * layout.row_bytes;
  std::vector<Link> links;
  for (unsigned owner = 0; owner < work.plan.cores; ++owner) {
    if (slices[owner].kernels != 0) links.push_back(work.links.announce_computed(origin, owner, base, base + bytes, computed));
  }
  for (const Link &link : links) {
    const Slice &slice = slices[link.owner];
    const std::int64_t address = base + std::int64_t{slice.first_kernel} * map.element_bytes();
    for (unsigned core = 0; core < work.plan.cores; ++core) {
      if (core == link.owner) continue;
      work.emitter.select(core);
      work.emitter.configure("si_cfg", origin,
                             {{"DF", name_of(map.format)}, shape_field("STile", map.shape), shape_field("DTile", map.shape)});
      work.emitter.emit("si_mov", origin,
                        {{"CORE", link.owner},
                         {"DBSG", 0},
                         {"STaddr", address},
                         {"DTaddr", address},
                         {"Tile", {piece.images, slice.kernels, piece.rows, map.shape.width}},
                         {"Prev_Cores", 0},
                         {"Next_Cores", 0}},
                        Links::heard(link));
    }
    work.links.defer(link);
  }
}

}  // namespace cox::lower
