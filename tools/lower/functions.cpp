// SPDX-License-Identifier: MIT
// Tables, where functions are computed by them: made by the lowering, loaded with the weights, kept in L2.
#include <algorithm>

#include "tools/lower/emission.h"
#include "tools/lower/tables.h"

namespace cox::lower {
namespace {

constexpr unsigned kEntryBytes = 4;

std::int64_t index_of(const Work &work, TableFunction function) {
  const std::vector<TableFunction> functions = tables_of(work.network);
  return std::find(functions.begin(), functions.end(), function) - functions.begin();
}

}  // namespace

void emit_tables(const Work &work, std::int64_t offset) {
  const std::int64_t elements = table_bytes(work.network) / kEntryBytes;
  if (elements == 0) return;
  const FieldValue shape("STile", {elements, 1, 1});
  for (unsigned core = 0; core < work.plan.cores; ++core) {
    work.emitter.select(core);
    // A parameter set of its own: the input's stands in the first one.
    work.emitter.configure("lda_cfg", {},
                           {{"SME", 1}, {"RS", 1}, {"BAS", kWeightWindow}, {"DF", "FP32"}, shape, {"DTile", {elements, 1, 1}}});
    work.emitter.emit("lda_mov", {},
                      {{"RS", 1}, {"DBSG", 0}, {"STaddr", offset}, {"DTaddr", work.placement.tables()}, {"Tile", {1, elements, 1, 1}}});
  }
}

Fields table_fields(const Work &work, TableFunction function) {
  const TableRange range = range_of(function);
  return {{"LO", range.low},
          {"STEP", kTableSegments / (range.high - range.low)},
          {"TBSG", 0},
          {"Taddr", work.placement.tables() + index_of(work, function) * kTableBytes}};
}

}  // namespace cox::lower
