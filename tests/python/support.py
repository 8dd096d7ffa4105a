# SPDX-License-Identifier: MIT
"""What the tests of the Python package share: the package of the source tree, and a task that copies 48 bytes."""
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "python"))

COPY = """\
["ct_st", {}, {"Prev_Insts": [], "Next_Insts": []}]
["ct_bc", {}, {"BCS": 0, "BufCut": [0, 8191, 0, 0, 0, 0, 0, 0], "Prev_Insts": [], "Next_Insts": ["LD"]}]
["lda_cfg", {}, {"SME": 1, "RS": 0, "BAS": 0, "DF": "INT8", "STile": [3, 4, 4], "DTile": [3, 4, 4]}]
["lda_mov", {}, {"RS": 0, "DBSG": 0, "STaddr": 0, "DTaddr": 0, "Tile": [1, 3, 4, 4], "Prev_Insts": ["CT"], "Next_Insts": ["ST"]}]
["sta_cfg", {}, {"SME": 1, "RS": 0, "BAS": 0, "DF": "INT8", "STile": [3, 4, 4], "DTile": [3, 4, 4]}]
["sta_mov", {}, {"RS": 0, "SBSG": 0, "STaddr": 0, "DTaddr": 64, "Tile": [1, 3, 4, 4], "Prev_Insts": ["LD"], "Next_Insts": ["CT"]}]
["ct_ed", {}, {"Prev_Insts": ["ST"], "Next_Insts": []}]
"""
SHAPE = (1, 4, 4, 3)  # N, H, W, C


def copy_bindings(number_format="INT8", channels=3):
    shape = [1, channels, 4, 4]
    return {"name": "copy", "tensors": [
        {"name": "in", "direction": "input", "format": number_format, "shape": shape, "window": 0},
        {"name": "out", "direction": "output", "format": number_format, "shape": shape, "window": 0, "offset": 64},
    ]}  # fmt: skip
