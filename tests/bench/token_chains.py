# SPDX-License-Identifier: MIT
"""The largest load that tasks can put on the control core: each tile core runs a chain of tiny loads and stores alternately. Each instruction takes a
token from the previous one and gives one to the next. So every instruction costs the control core a completion, a token and a dispatch."""
import json

CONFIGURATION = {"SME": 1, "RS": 0, "DF": "INT8", "STile": [8, 1, 1], "DTile": [8, 1, 1]}
PIXEL = 8  # bytes that one instruction moves
PLACES = 8192  # number of places in L2


def stream(instructions, cores):
    """The text of a task of about `instructions` instructions. It reads window 0, and each core writes 8 bytes of window 1."""
    lines = [("ct_st", 0, {"Prev_Insts": [], "Next_Insts": []})]
    for core in range(cores):
        lines.append(("ct_bc", core, {"BCS": 0, "BufCut": [0, 8191] + [0] * 6, "Prev_Insts": [], "Next_Insts": ["LD"]}))
        lines += [("lda_cfg", core, CONFIGURATION | {"BAS": 0}), ("sta_cfg", core, CONFIGURATION | {"BAS": 1})]
    pairs = instructions // (2 * cores)
    for i in range(pairs):
        place = PIXEL * (i % PLACES)
        load = {"RS": 0, "DBSG": 0, "STaddr": PIXEL * (i % 8), "DTaddr": place, "Tile": [1, 8, 1, 1], "Prev_Insts": ["ST" if i else "CT"], "Next_Insts": ["ST"]}
        store = {"RS": 0, "SBSG": 0, "STaddr": place, "Tile": [1, 8, 1, 1], "Prev_Insts": ["LD"], "Next_Insts": ["LD"] if i + 1 < pairs else []}
        for core in range(cores):
            lines += [("lda_mov", core, load), ("sta_mov", core, store | {"DTaddr": PIXEL * core})]
    lines.append(("ct_ed", 0, {"Prev_Insts": [], "Next_Insts": []}))
    return "".join(json.dumps([name, {"core": core} if core else {}, fields]) + "\n" for name, core, fields in lines)
