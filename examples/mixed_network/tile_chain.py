# SPDX-License-Identifier: MIT
"""A stream of `cox lower` as submissions of an xDSA program, in which Prev_Insts and Next_Insts have no effect.

The order of lines in a stream is one that its tokens permit. So the instructions of one class that stand side by side become a submission, and
each submission waits for the one before it. Several runs of the stream, with maps of their own in L2, can then overlap. Weights are loaded once.

A run may leave out a configuration that the step before it in the same class has set. So between two runs of a step, each other step of its class
must run once, as in the stream.
"""
import copy
import json

QUEUES = {"ct": "CT", "lda": "LD", "lw": "LW", "pe": "PE", "vp": "VP", "sta": "ST"}
# Fields that are addresses of maps in L2.
MAPS = {"lda_mov": ["DTaddr"], "sta_mov": ["STaddr"], "pe_conv": ["STaddr", "DTaddr"], "vp_self": ["STaddr", "STaddr1", "DTaddr"], "vp_pool": ["STaddr", "DTaddr"]}
BLOCK = 1024  # bytes of L2


class TileChain:
    """`chain` is a list of (class, instructions), each a submission. Raises ValueError for a stream that is no such chain on one core."""

    def __init__(self, path):
        self.chain, self._cuts, self._weights = [], [], []
        for line in path.read_text().splitlines():
            instruction = json.loads(line)
            name, mapping, _ = instruction
            queue = QUEUES.get(name.split("_")[0])
            if queue is None:
                raise ValueError(f"{path}: {name}: a chain has no place for it")
            if mapping.get("core", 0) != 0:
                raise ValueError(f"{path}: {name}: it runs on core {mapping['core']}")
            if queue == "CT":
                self._cuts += [instruction] if name == "ct_bc" else []
            elif queue == "LW":
                self._weights.append(instruction)
            elif self.chain and self.chain[-1][0] == queue:
                self.chain[-1][1].append(instruction)
            else:
                self.chain.append((queue, [instruction]))
        self._blocks = self._cuts[0][2]["BufCut"][0]  # that the maps of a run take

    def cut(self, runs):
        """Lines of CT that cut L2 for the maps of so many runs."""
        cuts = copy.deepcopy(self._cuts)
        cuts[0][2]["BufCut"][:2] = [runs * self._blocks, runs * self._blocks - 1]
        return lines(cuts)

    def load_weights(self):
        """Lines of LW that load all weights."""
        return lines(self._weights)

    def submission(self, number, place, source, destination):
        """Lines of a submission for the run with the maps in place `place` of L2. `source` and `destination` are added to addresses in DRAM."""
        instructions = copy.deepcopy(self.chain[number][1])
        for name, _, fields in instructions:
            for field in MAPS.get(name, []):
                fields[field] += place * self._blocks * BLOCK
            if name == "lda_mov":
                fields["STaddr"] += source
            if name == "sta_mov":
                fields["DTaddr"] += destination
        return lines(instructions)


def lines(instructions):
    """Instructions as text, without their tokens. Their places in a batch stay."""
    text = []
    for name, mapping, fields in instructions:
        fields = {key: [] if key in ("Prev_Insts", "Next_Insts") else value for key, value in fields.items()}
        text.append(json.dumps([name, {key: mapping[key] for key in ("tile", "tiles") if "tiles" in mapping}, fields]))
    return text
