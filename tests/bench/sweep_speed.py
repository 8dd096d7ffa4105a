# SPDX-License-Identifier: MIT
"""What `cox sweep` costs beside the same commands by hand, how it scales, and the memory of a long plan."""
import dataclasses
import os
import pathlib
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "python"))

NETWORK = ROOT / "examples/digits/network.json"
IMAGE_BYTES = 128
POINTS = 1000
WORKERS_A_CORE = 2  # a point spends some of its time between its processes
CORES = 2
PLANNED = 100_000
SLEEP, SLEEPS = 0.1, 50  # seconds of an item, items of a worker
WORKERS = (1, 2, 4, 8)


@dataclasses.dataclass
class Figures:
    runs_per_second: float  # on two cores
    by_hand: float  # runs a second, one after another
    overhead_ms: float  # of a run, beside the same run by hand
    efficiency: dict  # workers: share of the ideal speed, with items that sleep
    planned_mib: float  # largest resident set of a sweep of PLANNED points


def sweep_file(folder, points, extra=""):
    path = folder / f"digits{points}.toml"
    path.write_text(f'[sweep]\nmetrics = ["cycles"]\n[tasks.digits]\nnetwork = "{NETWORK}"\n[axes]\ndoorbell_latency = {{ from = 0, to = {points - 1}, step = 1 }}\n{extra}')
    return path


def timed(command, folder):
    begin = time.perf_counter()
    subprocess.run(list(map(str, command)), cwd=folder, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - begin


def swept(cox, folder, path, workers):
    """Seconds of a sweep from the start of the command to its end."""
    results = folder / "speed.results"
    for left in folder.glob("speed.results*"):
        left.unlink()
    return timed(["taskset", "-c", f"0-{CORES - 1}", cox, "sweep", path, "-o", results, "--workers", workers, "-q"], folder)


def by_hand(cox, folder, latencies):
    """Seconds of the same runs as a shell script."""
    (folder / "image").write_bytes(bytes(IMAGE_BYTES))
    lines = ["set -e"]
    for latency in latencies:
        device = f"--option geometry.doorbell_latency={latency}"
        lines += [f"{cox} lower {NETWORK} -o hand.jsonl {device} > /dev/null", f"{cox} as hand.jsonl -o hand.cxt {device} > /dev/null",
                  f"{cox} run hand.cxt --board native --in image=image --stats hand.json --quiet {device}"]  # fmt: skip
    (folder / "hand.sh").write_text("\n".join(lines) + "\n")
    return timed(["sh", "hand.sh"], folder)


def sleep_item(payload):
    time.sleep(payload["seconds"])
    return {}


def efficiencies():
    from coxswain.work import Engine, WorkItem, key_of, run_items

    found = {}
    for workers in WORKERS:
        items = [WorkItem(key_of({"n": n, "w": workers}), {"seconds": SLEEP, "n": n}) for n in range(SLEEPS * workers)]
        with Engine.open(None, workers) as engine:
            begin = time.perf_counter()
            run_items(items, sleep_item, engine, lambda item, outcome: None)
            found[workers] = SLEEP * SLEEPS / (time.perf_counter() - begin)
    return found


def planned_mib(cox, folder):
    """`--no-run` makes all items, looks for their results, and makes the table."""
    command = [str(cox), "sweep", str(sweep_file(folder, PLANNED)), "--no-run", "--table", "planned.csv", "-q"]
    process = subprocess.Popen(command, cwd=folder)
    _, status, usage = os.wait4(process.pid, 0)
    if status != 0 or sum(1 for _ in (folder / "planned.csv").open()) != PLANNED + 1:
        sys.exit(f"sweep_speed: a plan of {PLANNED} points failed")
    return usage.ru_maxrss / 1024


def measure(cox):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        path = sweep_file(folder, POINTS)
        # By hand, swept, by hand: a machine that slows down meanwhile does not favour one of them.
        half = POINTS // 2
        hand = by_hand(cox, folder, range(half))
        two = swept(cox, folder, path, CORES * WORKERS_A_CORE)
        one = swept(cox, folder, path, 1)
        hand += by_hand(cox, folder, range(half, POINTS))
        return Figures(POINTS / two, POINTS / hand, 1000 * (one - hand) / POINTS, efficiencies(), planned_mib(cox, folder))


if __name__ == "__main__":
    print(measure(pathlib.Path(sys.argv[1]).resolve()))
