#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Classifies the held-out digits on the accelerator in one boot of the firmware, and compares every output byte with reference.py."""
import argparse
import json
import pathlib
import subprocess
import sys
import time

import numpy as np

import reference

FOLDER = pathlib.Path(__file__).resolve().parent
ROOT = FOLDER.parent.parent
SHADES = " ░▒▓█"
BARS = 30


class Terminal:
    """Colours, if standard output is a terminal."""

    def __init__(self):
        self.coloured = sys.stdout.isatty()

    def paint(self, text, code):
        return f"\033[{code}m{text}\033[0m" if self.coloured else text

    def title(self, text):
        print("\n" + self.paint(text, "1"), flush=True)

    def step(self, text):
        print(f"  {self.paint('·', '36')} {text}", flush=True)

    def passed(self, text):
        print(f"  {self.paint('✓', '32')} {text}", flush=True)

    def failed(self, text):
        print(f"  {self.paint('✗', '31')} {text}", flush=True)


def call(terminal, command, stderr=None):
    """Runs a command of cox. If the command fails, its own message gives the reason."""
    shown = " ".join(str(part) for part in command)
    result = subprocess.run([str(part) for part in command], stdout=subprocess.PIPE, stderr=stderr, text=True)
    if result.returncode != 0:
        sys.stderr.write((result.stdout or "") + (result.stderr or ""))
        terminal.failed(f"exit status {result.returncode}: {shown}")
        sys.exit(1)
    return result


def show_console(terminal, text):
    """Prints what the firmware wrote to the console."""
    for line in text.splitlines():
        print("    " + terminal.paint(line, "2"))


def draw(images, labels, answers):
    """Draws some images side by side in shades of grey."""
    for row in range(images.shape[1]):
        print("    " + "   ".join("".join(SHADES[int(value * 4)] * 2 for value in image[row, :, 0]) for image in images))
    width = 2 * images.shape[2]
    print("    " + "   ".join(f"is {label}, said {answer}".center(width) for label, answer in zip(labels, answers)))


def relative(path):
    path = pathlib.Path(path)
    return path.relative_to(ROOT) if path.is_relative_to(ROOT) else path


def print_utilisation(terminal, statistics):
    terminal.title("Engines, over all images and the time between them")
    for name, queue in statistics["queues"].items():
        if queue["instructions"]:
            bar = "█" * round(queue["utilisation"] * BARS)
            print(f"    {name}  {bar:<{BARS}} {100 * queue['utilisation']:5.1f} %  {queue['instructions']:8,} instructions  {queue['bytes']:12,} bytes of DRAM")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cox", type=pathlib.Path, default=ROOT / "build/host/bin/cox", help="the cox command (default: %(default)s)")
    parser.add_argument("--board", choices=("qemu", "native"), default="qemu")
    parser.add_argument("--out", type=pathlib.Path, default=ROOT / "build/demo", help="folder of results (default: %(default)s)")
    parser.add_argument("--soak", type=int, metavar="N", help="so many inferences instead, going round the images")
    arguments = parser.parse_args()
    terminal = Terminal()
    out = arguments.out.resolve()
    out.mkdir(parents=True, exist_ok=True)

    network = reference.Network.read(FOLDER / "network.json")
    images = reference.read_images(network, FOLDER / "images.bin")
    labels = np.fromfile(FOLDER / "labels.bin", np.uint8)
    order = np.arange(arguments.soak or len(images)) % len(images)
    images[order].tofile(out / "images.bin")

    terminal.title("The task")
    task = out / "digits.cxt"
    terminal.step(call(terminal, [arguments.cox, "lower", FOLDER / "network.json", "-o", out / "digits.jsonl"]).stdout.strip())
    call(terminal, [arguments.cox, "as", out / "digits.jsonl", "-o", task])
    call(terminal, [arguments.cox, "check", "--strict", task])
    terminal.passed("assembled, verified, no hazard")

    where = "under QEMU, in one boot" if arguments.board == "qemu" else "in one host process"
    terminal.title(f"{len(order)} images {where}")
    started = time.monotonic()
    # A soak takes long, so a progress bar is shown during the run instead of the firmware's console after it.
    console = not arguments.soak
    ran = call(
        terminal,
        [arguments.cox, "run", task, "--quiet", "--board", arguments.board]
        + (["--verbose"] if console else [])
        + ["--in", f"image={out / 'images.bin'}", "--out", f"logits={out / 'logits.bin'}"]
        + ["--stats", out / "statistics.json", "--trace", out / "trace.json", "--svg", out / "timeline.svg", "--events", out / "events.csv"],
        stderr=subprocess.PIPE if console else None,
    )
    if console:
        show_console(terminal, ran.stderr)
    statistics = json.loads((out / "statistics.json").read_text())
    terminal.step(f"{time.monotonic() - started:.1f} s on this machine, {statistics['end_cycle'] / 1e6:.2f} ms on the device")

    logits = np.fromfile(out / "logits.bin", "<f2").reshape(len(order), -1)
    expected = reference.evaluate(network, images)[network.output["layer"]].reshape(len(images), -1)
    differing = int(np.count_nonzero((logits.view(np.uint8) != expected[order].view(np.uint8)).any(axis=1)))
    answers = logits.argmax(axis=1)
    accuracy = float(np.mean(answers == labels[order]))
    explained = reference.compare_with_unquantised(network, images, expected)
    draw(images[:5], labels[:5], answers[:5])
    if differing:
        terminal.failed(f"{differing} images differ from the scalar reference")
    else:
        terminal.passed(f"every byte of {logits.nbytes:,} equal to the scalar reference")
    terminal.passed(f"{100 * accuracy:.2f} % right; the network before quantisation: {100 * np.mean(explained['unquantised'].argmax(1) == labels):.2f} %")
    terminal.step(f"logits at most {explained['largest']:.3f} from floating point, {100 * explained['share_of_limit']:.0f} % of what quantisation explains")

    cycles = float(np.mean([run["end_cycle"] - run["start_cycle"] for run in statistics["runs"]]))
    control = statistics["control_core_instructions"]
    each = None if control is None else control / statistics["accelerator_instructions"]
    result = {
        "images": len(order),
        "accuracy": accuracy,
        "cycles_per_image": cycles,
        "control_core_instructions_per_accelerator_instruction": each,
        "differing_images": differing,
        "end_cycle": statistics["end_cycle"],
        "accelerator_instructions": statistics["accelerator_instructions"],
        "control_core_instructions": control,
        "largest_difference_from_floating_point": float(explained["largest"]),
    }
    (out / "result.json").write_text(json.dumps(result, indent=1) + "\n")

    print_utilisation(terminal, statistics)
    terminal.title("Figures")
    print(f"    {cycles:,.0f} cycles an image")
    if each is not None:
        print(f"    {each:.1f} instructions of the control core for each instruction of the accelerator")
    print(f"    the timeline of the first image: {relative(out / 'timeline.svg')}, and {relative(out / 'trace.json')} for ui.perfetto.dev")
    print(f"    these figures: {relative(out / 'result.json')}; the task: {relative(out / 'digits.jsonl')}\n")
    sys.exit(1 if differing or explained["share_of_limit"] > 1 else 0)


if __name__ == "__main__":
    main()
