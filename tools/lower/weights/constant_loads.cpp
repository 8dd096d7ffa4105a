// SPDX-License-Identifier: MIT
// Emits the instructions that load the lowering's own constants into L2.
#include <algorithm>

#include "coxswain/isa/tile/table.h"
#include "tools/lower/emit/emission.h"
#include "tools/lower/weights/constants.h"

namespace cox::lower {

void emit_constants(const Work &work, std::int64_t offset) {
  constexpr std::int64_t kChannels = kConstantAlignment / static_cast<std::int64_t>(sizeof(float));
  constexpr std::int64_t kMostPixels = isa::tile::field_named<isa::tile::Opcode::lda_mov, "Tile">()->maximum;
  const std::int64_t pixels = constant_bytes(work.network) / kConstantAlignment;
  for (unsigned core = 0; core < work.plan.cores; ++core) {
    work.emitter.select(core);
    for (std::int64_t first = 0; first < pixels; first += kMostPixels) {
      const std::int64_t columns = std::min(kMostPixels, pixels - first);
      const std::int64_t begin = first * kConstantAlignment;
      // This load uses register set 1, because set 0 holds the configuration of the input's loads.
      work.emitter.configure("lda_cfg", {},
                             {{"SME", 1},
                              {"RS", 1},
                              {"BAS", kWeightWindow},
                              {"DF", "FP32"},
                              {"STile", {kChannels, 1, columns}},
                              {"DTile", {kChannels, 1, columns}}});
      work.emitter.emit("lda_mov", {},
                        {{"RS", 1},
                         {"DBSG", 0},
                         {"STaddr", offset + begin},
                         {"DTaddr", work.placement.constants() + begin},
                         {"Tile", {1, kChannels, 1, columns}}});
    }
  }
}

Fields table_fields(const Work &work, TableFunction function) {
  const TableRange range = range_of(function);
  return {{"LO", range.low},
          {"STEP", kTableSegments / (range.high - range.low)},
          {"TBSG", 0},
          {"Taddr", work.placement.constants() + table_offset(work.network, function)}};
}

}  // namespace cox::lower
