# SPDX-License-Identifier: MIT
"""A program of trials that does what a test wants, under the name of a real one."""
import json
import os
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT / "python"), str(ROOT / "tests/python")]
sys.dont_write_bytecode = True

try:
    import distributed  # noqa: F401
except ImportError:
    print("skipped: needs python3-distributed")
    sys.exit(77)

from processes import command_lines  # noqa: E402

# What seeds do: {"wrong": {SEED: SENTENCE}, "crash": [SEED], "hang": [SEED], "after": [SEED]}; "after": a crash unless it is the first seed.
# An input has the lines value=0 to value=19, and fails as its seed does if it has value=3 and a value of at least 11.
_PROGRAM = """#!{python}
import json, os, signal, sys, time
plan = json.loads(os.environ["FAKE_PLAN"])
def act(seed, first, sentence=True):
    if seed in plan.get("crash", []) or (seed in plan.get("after", []) and not first):
        print("assertion failed", file=sys.stderr, flush=True)
        os.kill(os.getpid(), signal.SIGABRT)
    if seed in plan.get("hang", []):
        time.sleep(1000)
    return plan.get("wrong", {{}}).get(str(seed), "")
words = dict(zip(sys.argv[1::2], sys.argv[2::2])) if sys.argv[1] != "--trials" else dict(zip(sys.argv[2::2], sys.argv[3::2]))
if sys.argv[1] == "--trials":
    first = int(words["--first"])
    for seed in range(first, first + int(words["--count"])):
        with open(plan["log"], "a") as log:
            log.write(f"{{seed}}\\n")
        what = act(seed, seed == first)
        cells = [["flip", "mx", "retried" if seed % 2 else "corrected"]]
        print(json.dumps({{"seed": seed, "passed": not what, "what": what, "coverage": cells}}), flush=True)
elif "--write" in words:
    with open(words["--write"], "w") as file:
        file.write(f"# a comment\\n! seed {{words['--seed']}}\\n" + "".join(f"value={{i}}\\n" for i in range(20)))
else:
    lines = [line.strip() for line in open(words["--input"])]
    seed = int(next(line for line in lines if line.startswith("! seed")).split()[2])
    values = [int(line.split("=")[1]) for line in lines if line.startswith("value=")]
    if 3 not in values or not any(value >= 11 for value in values):
        sys.exit(0 if 3 in values else 3)
    what = act(seed, True)
    print(what)
    sys.exit(1 if what else 0)
"""


def write_program(folder: pathlib.Path, name: str) -> pathlib.Path:
    folder.mkdir(parents=True, exist_ok=True)
    program = folder / name
    program.write_text(_PROGRAM.format(python=sys.executable))
    program.chmod(0o755)
    return program


def set_plan(folder: pathlib.Path, **plan: object) -> None:
    os.environ["FAKE_PLAN"] = json.dumps({"log": str(folder / "log"), **plan})


def seeds_run(folder: pathlib.Path) -> list[int]:
    log = folder / "log"
    return [int(line) for line in log.read_text().split()] if log.exists() else []


def processes_of(folder):
    """Command lines of the running processes that name the folder."""
    return [line for line in command_lines() if str(folder) in line]
