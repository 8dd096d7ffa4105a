#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""How a lowered stream becomes submissions (examples/mixed_network/tile_chain.py)."""
import json
import pathlib
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent.parent
sys.path.insert(0, str(ROOT / "examples/mixed_network"))
sys.dont_write_bytecode = True

import tile_chain  # noqa: E402

TOKENS = {"Prev_Insts": ["LD"], "Next_Insts": ["VP"]}
STREAM = [
    ["ct_st", {}, {"Prev_Insts": [], "Next_Insts": []}],
    ["ct_bc", {}, {"BCS": 0, "BufCut": [3, 2, 0, 0, 0, 0, 0, 0], **TOKENS}],
    ["ct_bc", {}, {"BCS": 1, "BufCut": [0] * 8, **TOKENS}],
    ["lda_cfg", {"slyr": 0, "tile": -1}, {"RS": 0, "STile": [1, 8, 8]}],
    ["lda_mov", {"slyr": 0, "tile": -1}, {"STaddr": 16, "DTaddr": 8, **TOKENS}],
    ["lw_cfg", {}, {"BAS": 1}],
    ["lw_mov", {}, {"STaddr": 64, "DTaddr": 1, **TOKENS}],
    ["pe_conv", {"tile": 0}, {"STaddr": -72, "SWaddr": 1, "DTaddr": 1024, **TOKENS}],
    ["lw_mov", {}, {"STaddr": 128, "DTaddr": 2, **TOKENS}],
    ["pe_conv", {"tile": 0}, {"STaddr": 1024, "SWaddr": 2, "DTaddr": 2048, **TOKENS}],
    ["vp_self", {"slyr": 1, "tile": 1, "tiles": 2}, {"STaddr": 8, "STaddr1": 16, "DTaddr": 24, **TOKENS}],
    ["sta_mov", {}, {"STaddr": 32, "DTaddr": 40, **TOKENS}],
    ["ct_ed", {}, {"Prev_Insts": ["ST"], "Next_Insts": []}],
]


def chain_of(stream):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "stream.jsonl"
        path.write_text("".join(json.dumps(line) + "\n" for line in stream))
        return tile_chain.TileChain(path)


def parsed(lines):
    return [json.loads(line) for line in lines]


class TileChainTest(unittest.TestCase):
    def test_one_submission_for_neighbours_of_a_class(self):
        chain = chain_of(STREAM)
        self.assertEqual([(queue, len(block)) for queue, block in chain.chain], [("LD", 2), ("PE", 2), ("VP", 1), ("ST", 1)])
        self.assertEqual([fields["DTaddr"] for _, _, fields in parsed(chain.load_weights())[1:]], [1, 2])

    def test_a_chain_keeps_turns_of_classes(self):
        chain = chain_of(STREAM[:10] + [STREAM[10], STREAM[7]] + STREAM[10:])
        self.assertEqual([queue for queue, _ in chain.chain], ["LD", "PE", "VP", "PE", "VP", "ST"])

    def test_the_cut_has_room_for_all_runs(self):
        chain = chain_of(STREAM)
        self.assertEqual([fields["BufCut"][:3] for _, _, fields in parsed(chain.cut(4))], [[12, 11, 0], [0, 0, 0]])
        self.assertEqual([fields["BufCut"][:2] for _, _, fields in parsed(chain.cut(1))], [[3, 2], [0, 0]])

    def test_addresses_of_a_run(self):
        chain = chain_of(STREAM)
        at = 2 * 3 * 1024
        load = parsed(chain.submission(0, 2, 100, 1000))[1][2]
        self.assertEqual((load["STaddr"], load["DTaddr"]), (116, 8 + at))
        convolution = parsed(chain.submission(1, 2, 100, 1000))[0][2]
        self.assertEqual((convolution["STaddr"], convolution["SWaddr"], convolution["DTaddr"]), (at - 72, 1, at + 1024))
        vector = parsed(chain.submission(2, 2, 100, 1000))[0][2]
        self.assertEqual((vector["STaddr"], vector["STaddr1"], vector["DTaddr"]), (at + 8, at + 16, at + 24))
        store = parsed(chain.submission(3, 2, 100, 1000))[0][2]
        self.assertEqual((store["STaddr"], store["DTaddr"]), (at + 32, 1040))
        again = parsed(chain.submission(0, 0, 0, 0))[1][2]
        self.assertEqual((again["STaddr"], again["DTaddr"]), (16, 8))

    def test_tokens_go_and_batches_stay(self):
        chain = chain_of(STREAM)
        for number in range(4):
            for _, mapping, fields in parsed(chain.submission(number, 0, 0, 0)):
                self.assertEqual(fields.get("Prev_Insts", []) + fields.get("Next_Insts", []), [])
                self.assertEqual(mapping, {"tile": 1, "tiles": 2} if number == 2 else {})
        configuration = parsed(chain.submission(0, 0, 0, 0))[0][2]
        self.assertNotIn("Prev_Insts", configuration)

    def test_what_a_chain_cannot_hold_is_refused(self):
        for name in ("ldw_mov", "dt_cal", "si_mov"):
            with self.assertRaisesRegex(ValueError, f"stream.jsonl: {name}: "):
                chain_of(STREAM[:7] + [[name, {}, TOKENS]] + STREAM[7:])
        with self.assertRaisesRegex(ValueError, "core 1"):
            chain_of(STREAM[:4] + [["lda_mov", {"core": 1}, {"STaddr": 16, "DTaddr": 8, **TOKENS}]] + STREAM[5:])


if __name__ == "__main__":
    unittest.main()
