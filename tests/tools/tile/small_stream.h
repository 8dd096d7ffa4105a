// SPDX-License-Identifier: MIT
// The stream of a task that loads 32 bytes and stores them.
#pragma once

namespace cox::task::test {

inline constexpr const char *kSmallStream =
    R"(["ct_st", {}, {"Prev_Insts": [], "Next_Insts": []}]
["ct_bc", {}, {"BCS": 0, "BufCut": [0, 8191, 0, 0, 0, 0, 0, 0], "Prev_Insts": [], "Next_Insts": ["LD"]}]
["lda_cfg", {}, {"SME": 1, "RS": 0, "BAS": 0, "DF": "INT8", "STile": [8, 1, 4], "DTile": [8, 1, 4]}]
["lda_mov", {}, {"RS": 0, "DBSG": 0, "STaddr": 0, "DTaddr": 64, "Tile": [1, 8, 1, 4], "Prev_Insts": ["CT"], "Next_Insts": ["ST"]}]
["sta_cfg", {}, {"SME": 1, "RS": 0, "BAS": 1, "DF": "INT8", "STile": [8, 1, 4], "DTile": [8, 1, 4]}]
["sta_mov", {}, {"RS": 0, "SBSG": 0, "STaddr": 64, "DTaddr": 128, "Tile": [1, 8, 1, 4], "Prev_Insts": ["LD"], "Next_Insts": ["CT"]}]
["ct_ed", {}, {"Prev_Insts": ["ST"], "Next_Insts": []}]
)";

}  // namespace cox::task::test
