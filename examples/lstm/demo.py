# SPDX-License-Identifier: MIT
"""Trains an LSTM in NumPy that finds abnormal heartbeats, runs it as an xDSA program, and compares (README.md)."""
import argparse
import os
import pathlib
import sys
import time

# The matrices are small, so that threads of a BLAS library would only cost time.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np  # noqa: E402

FOLDER = pathlib.Path(__file__).resolve().parent
ROOT = FOLDER.parent.parent
sys.path.insert(0, str(FOLDER.parent / "xdsa"))
sys.dont_write_bytecode = True

import chart  # noqa: E402
import heartbeats  # noqa: E402
import lstm  # noqa: E402
import xdsa  # noqa: E402

HIDDEN, FRAMES, RECORDINGS = 32, 256, 8  # as in heartbeats.xdsa
SEED, UPDATES, BATCH, TRAINING_FRAMES, RATE = 7, 400, 16, 96, 2e-2
TEST_SEED = 1
# The unit rounds h and c to fp32 after each of 256 steps, NumPy computes in fp64. The measured difference is below 1e-6.
SCORE_BOUND = 1e-5
SMALLEST_ACCURACY = 0.98
TITLE = "An LSTM on unit 0, its scores on unit 1"


def train():
    start = time.perf_counter()
    random = np.random.default_rng(SEED)
    net = lstm.train(random, lambda: heartbeats.recordings(random, BATCH, TRAINING_FRAMES), heartbeats.FRAME, HIDDEN, UPDATES, RATE)
    print(f"trained in {time.perf_counter() - start:.1f} s")
    return net


def make_program(net, folder):
    return xdsa.Program(FOLDER / "heartbeats.xdsa", folder, {f"{name}.bin": value for name, value in net.parameters.items()})


def runs_of(frames):
    """(first, last + 1) of each run of frames that are set."""
    edges = np.flatnonzero(np.diff(np.concatenate([[0], frames.astype(int), [0]])))
    return list(zip(edges[::2], edges[1::2]))


def count_beats(alarms, labels):
    """Returns (abnormal beats, those of them with an alarm, alarms without an abnormal beat)."""
    beats = found = wrong = 0
    for recording in range(RECORDINGS):
        true, said = labels[:, recording], alarms[:, recording]
        beats += len(runs_of(true))
        found += sum(said[first:last].any() for first, last in runs_of(true))
        wrong += sum(not true[max(first - 1, 0) : last + 1].any() for first, last in runs_of(said))
    return beats, found, wrong


def draw(path, ecg, labels, scores, recording):
    samples = ecg[:, recording].ravel()
    seconds, frame = np.arange(len(samples)) / heartbeats.RATE, heartbeats.FRAME / heartbeats.RATE
    top = chart.Panel("ECG in millivolts; abnormal beats are coloured", 200, -1, 1.8, (-1, 0, 1))
    bottom = chart.Panel("probability that the frame belongs to an abnormal beat, as the unit computes it; alarm above 0.5", 110, -0.05, 1.05, (0, 0.5, 1))
    for first, last in runs_of(labels[:, recording]):
        top.band(first * frame, last * frame, "#ffd9b3")
    top.line(seconds, samples, "#1f4e9c")
    bottom.line((np.arange(FRAMES) + 1) * frame, scores[:, recording], "#b03010", 1.8)
    bottom.level(0.5, "#666")
    chart.draw(path, f"Recording {recording} of {RECORDINGS}", [top, bottom], 0, FRAMES * frame, range(9), "seconds")


def compare(net, out, boards):
    """Runs the program natively and on other boards, and draws the pictures. Returns the number of broken bounds."""
    ecg, labels = heartbeats.recordings(np.random.default_rng(TEST_SEED), RECORDINGS, FRAMES)
    program = make_program(net, out)
    print(program.check().strip())
    outputs = {"score": (np.float32, (FRAMES, RECORDINGS)), "alarm": (np.uint8, (FRAMES, RECORDINGS))}
    results = [program.run("native", {"ecg": ecg}, outputs, "--option", f"events={out / 'events'}")]
    results += [program.run(board, {"ecg": ecg}, outputs) for board in boards]
    scores, alarms = results[0]["score"], results[0]["alarm"]
    expected = net.forward(ecg.astype(np.float64))
    difference = np.abs(scores - expected).max()
    right = (alarms == labels).mean()
    beats, found, wrong = count_beats(alarms, labels)
    print(f"scores: {scores.size}, largest difference from NumPy's {difference:.1e} (bound {SCORE_BOUND:.0e})")
    print(f"frames that are judged right: {right:.2%} (bound {SMALLEST_ACCURACY:.0%})")
    print(f"abnormal beats: {beats}, found {found}; false alarms: {wrong}")
    broken = int(difference > SCORE_BOUND) + int(right < SMALLEST_ACCURACY) + int((alarms != (scores > 0.5)).any())
    for board, result in zip(boards, results[1:]):
        same = all(result[name].tobytes() == results[0][name].tobytes() for name in outputs)
        print(f"{board}: {'the same bytes' if same else 'OTHER BYTES'}")
        broken += not same
    draw(out / "lstm-heartbeats.svg", ecg, labels, scores, int(np.argmax(labels.sum(axis=0))))
    xdsa.cox("timeline", out / "events", "-o", out / "lstm-timeline.svg", "--title", TITLE)
    print(f"pictures: {out / 'lstm-heartbeats.svg'}, {out / 'lstm-timeline.svg'}")
    return broken


def main():
    parser = argparse.ArgumentParser(description="Finds abnormal heartbeats with an LSTM on the Unity units.")
    parser.add_argument("--native", action="store_true", help="only in this computer's process, not under QEMU")
    parser.add_argument("--out", type=pathlib.Path, default=ROOT / "build/lstm", help="folder for weights, program, outputs and pictures")
    arguments = parser.parse_args()
    if not arguments.native:
        xdsa.require_qemu()
    broken = compare(train(), arguments.out, [] if arguments.native else ["qemu"])
    sys.exit(1 if broken else 0)


if __name__ == "__main__":
    main()
