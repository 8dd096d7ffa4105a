#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`cox lower` as a command: its files, its messages and its exit status (docs/cox.md, Exit status)."""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

from random_networks import ROOT

DIGITS = ROOT / "examples/digits/network.json"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cox", required=True)
    arguments = parser.parse_args()
    failures = []

    def expect(what, words, status, *said):
        result = subprocess.run([arguments.cox, "lower", *map(str, words)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        missing = [text for text in said if text not in result.stdout]
        if result.returncode != status or missing:
            failures.append(f"{what}: exit status {result.returncode}, {status} expected; not said: {missing}; said: {result.stdout}")

    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        expect("digits", [DIGITS, "-o", folder / "digits.jsonl"], 0, "8 layers, ", " cycles by the time model")
        for line in (folder / "digits.jsonl").read_text().splitlines():
            json.loads(line)
        bindings = json.loads((folder / "digits.bindings.json").read_text())
        if [tensor["name"] for tensor in bindings["tensors"]] != ["image", "logits"]:
            failures.append(f"tensors: {bindings['tensors']}")
        if (folder / "digits.weights.bin").stat().st_size != bindings["windows"][1]["size"]:
            failures.append("the weights do not fill their window")

        expect("help", ["--help"], 0, "Example:", "cox lower examples/digits/network.json -o digits.jsonl")
        expect("no output", [DIGITS], 2, "--output")
        expect("batch and cores", [DIGITS, "-o", folder / "four.jsonl", "--batch", 4, "--cores", 2, "--divide", "images"], 0, "2 cores, divided by images: ")
        bindings = json.loads((folder / "four.bindings.json").read_text())
        if [tensor["shape"][0] for tensor in bindings["tensors"]] != [4, 4]:
            failures.append(f"a batch of four has tensors of {bindings['tensors']}")
        expect("uneven", [DIGITS, "-o", folder / "x.jsonl", "--batch", 3, "--cores", 2, "--divide", "images"], 3, "batch: 3 images cannot be divided among 2 cores")
        for option, value in (("--batch", 0), ("--batch", 257), ("--cores", 5), ("--divide", "columns"), ("--l2-kib", 0), ("--l2-kib", 8193)):
            expect(f"{option} {value}", [DIGITS, "-o", folder / "x.jsonl", option, value], 2, option)
        small = "--option", "geometry.l2_mib=1"
        expect("all of a small L2", [DIGITS, "-o", folder / "small.jsonl", *small, "--l2-kib", 1024], 0, "8 layers, ")
        expect("more than a small L2", [DIGITS, "-o", folder / "x.jsonl", *small, "--l2-kib", 1025], 2, "--l2-kib 1025: the device has 1024")
        expect("a small WL0", [DIGITS, "-o", folder / "x.jsonl", "--option", "geometry.wl0_units=10"], 3, "do not fit half of the weight buffer, 320 bytes")
        expect("no geometry", [DIGITS, "-o", folder / "x.jsonl", "--option", "path=fast"], 2, "--option path: only geometry.NAME=VALUE")
        expect("no such network", [folder / "absent.json", "-o", folder / "x.jsonl"], 3, "absent.json")
        broken = json.loads(DIGITS.read_text())
        broken["layers"][1]["operation"] = "deconvolution"
        (folder / "broken.json").write_text(json.dumps(broken))
        expect("bad network", [folder / "broken.json", "-o", folder / "x.jsonl"], 3, "broken.json: layer conv1: operation: unknown operation 'deconvolution'")
        expect("no such folder", [DIGITS, "-o", folder / "nowhere/x.jsonl"], 5, "nowhere/x")
        if list(folder.glob("x.*")):
            failures.append("a refused network left files behind")
    sys.exit("\n".join(failures) if failures else 0)


if __name__ == "__main__":
    main()
