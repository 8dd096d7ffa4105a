#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The digits natively and under QEMU must give the same bytes. Ends with status 77 (skipped) if QEMU or a firmware image is not built.

    boards.py --cox COX BOARD|jobs|seeing|clock
BOARD: one run on this board. jobs: two owners side by side on two cores of the board qemu, in one boot. seeing: a run on the
board qemu, with the firmware that traces itself; checks its trace, the critical path and the statistics. clock: a slower control core on the board qemu; checks the
statistics, and the energy of a program of the PIM cores beside that of a native run.
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

DIGITS = pathlib.Path(__file__).resolve().parents[3] / "examples/digits"


def check_clock(cox, folder):
    def statistics(*words):
        cox("run", *words, "--stats", "stats.json")
        return json.loads((folder / "stats.json").read_text())

    usual, slow = (statistics("digits.cxt", "--zero-inputs", *words) for words in ([], ["--control-core-ns", 16]))
    if (usual["control_core_ns"], slow["control_core_ns"]) != (2, 16):
        sys.exit(f"control_core_ns: {usual['control_core_ns']}, {slow['control_core_ns']}")
    # The time before the first doorbell is almost all of it the control core's, and it runs the same instructions.
    if not 7.5 < slow["boot_cycles"] / usual["boot_cycles"] < 8.5 or slow["end_cycle"] <= usual["end_cycle"]:
        sys.exit(f"boot and end: {usual['boot_cycles']}, {slow['boot_cycles']}; {usual['end_cycle']}, {slow['end_cycle']}")
    if not 0 <= slow["asleep"] < usual["asleep"] < 1:
        sys.exit(f"asleep: {usual['asleep']}, {slow['asleep']}")
    (folder / "five.pim").write_text("\n".join(["nop"] * 5) + "\n")
    boards = [statistics("five.pim", "--repeat", 2, "--board", board)["energy_femtojoules"] for board in ("native", "qemu")]
    if not boards[0] or boards[0] != boards[1]:
        sys.exit(f"energy: {boards}")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cox", required=True, type=lambda path: str(pathlib.Path(path).resolve()))
    parser.add_argument("case", metavar="BOARD|jobs|seeing|clock")
    arguments = parser.parse_args()

    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)

        def cox(*words):
            result = subprocess.run([arguments.cox, *map(str, words)], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            if result.returncode == 4 and "does not exist. Build it with" in result.stdout:
                print("skipped:", result.stdout.strip())
                sys.exit(77)
            if result.returncode != 0:
                sys.exit(f"cox {' '.join(map(str, words))}: exit status {result.returncode}\n{result.stdout}")
            return result.stdout

        def same(one, other):
            if (folder / one).read_bytes() != (folder / other).read_bytes():
                sys.exit(f"{one} and {other} differ")

        cox("lower", DIGITS / "network.json", "-o", "digits.jsonl")
        cox("as", "digits.jsonl", "-o", "digits.cxt")
        images = (DIGITS / "images.bin").read_bytes()
        image_bytes = len(images) // len((DIGITS / "labels.bin").read_bytes())
        (folder / "images.bin").write_bytes(images[: 4 * image_bytes])
        cox("run", "digits.cxt", "--in", "image=images.bin", "--out", "logits=native.bin", "--board", "native")
        if len(set((folder / "native.bin").read_bytes())) < 5:
            sys.exit("the outputs are degenerate")

        if arguments.case.startswith(("qemu-", "mps3-")):
            cox("run", "digits.cxt", "--in", "image=images.bin", "--out", "logits=board.bin", "--board", arguments.case)
            same("native.bin", "board.bin")
            return
        if arguments.case == "seeing":
            cox("run", "digits.cxt", "--in", "image=images.bin", "--out", "logits=traced.bin", "--firmware-trace", "--trace", "trace.json", "--stats", "stats.json")
            same("native.bin", "traced.bin")
            stats = json.loads((folder / "stats.json").read_text())
            if not 0 <= stats["asleep"] < 1 or not 0 <= stats["clock_gated"] < 1 or stats["retries"] != 0 or stats["ecc_corrected"] != 0:
                sys.exit(f"statistics: {stats}")
            events = json.loads((folder / "trace.json").read_text())["traceEvents"]
            path = sum(round(1000 * event["dur"]) for event in events if event.get("cat") == "critical_path")
            if path != stats["runs"][0]["end_cycle"]:
                sys.exit(f"the critical path has {path} cycles, the run {stats['runs'][0]['end_cycle']}")
            noted = {event["name"].split(":")[0] for event in events if event.get("cat") == "control_core"}
            if not {"awake", "dispatch", "completion", "interrupt"} <= noted:
                sys.exit(f"the control core noted only {noted}")
            waited = {event["name"] for event in events if event.get("cat") == "wait"}
            if not {"token", "dispatch", "doorbell"} <= waited:
                sys.exit(f"waits: {waited}")
            return
        if arguments.case == "clock":
            check_clock(cox, folder)
            return
        entry = {"task": "digits.cxt", "inputs": {"image": "images.bin"}}
        jobs = [dict(entry, owner=owner, cores=[owner], share=owner + 1, outputs={"logits": f"{owner}.bin"}) for owner in (0, 1)]
        (folder / "jobs.json").write_text(json.dumps(jobs))
        cox("run", "--jobs", "jobs.json", "--stats", "stats.json")
        same("native.bin", "0.bin")
        same("native.bin", "1.bin")
        stats = json.loads((folder / "stats.json").read_text())
        if not 0 <= stats["asleep"] < 1:
            sys.exit(f"asleep: {stats['asleep']}")
        runs = [[job for job in stats["jobs"] if job["owner"] == owner] for owner in (0, 1)]
        if any(job["first_core"] != job["owner"] for job in stats["jobs"]) or [len(own) for own in runs] != [4, 4]:
            sys.exit(f"jobs: {stats['jobs']}")
        # Side by side: each owner starts before the other has ended.
        if any(runs[owner][0]["start_cycle"] >= runs[1 - owner][-1]["end_cycle"] for owner in (0, 1)):
            sys.exit(f"one after the other: {stats['jobs']}")


if __name__ == "__main__":
    main()
