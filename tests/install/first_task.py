# SPDX-License-Identifier: MIT
"""README.md's first task, for tests of an installed cox."""
import re
import shlex
import shutil
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SKIPPED = 77


def commands(cox, board):
    """The commands of README.md, "Your first task", as text for bash; `cox` is the command that they call."""
    page = (ROOT / "README.md").read_text()
    section = re.search(r"^## Your first task\n(.*?)(?=^## )", page, re.MULTILINE | re.DOTALL).group(1)
    text = re.search(r"^```\n(.*?)^```$", section, re.MULTILINE | re.DOTALL).group(1)
    for word in ("build/host/bin/cox check", "build/host/bin/cox run"):
        assert word in text, f"README.md does not say {word} any more"
    text = text.replace("build/host/bin/cox run", f"build/host/bin/cox run --board {board}")
    return text.replace("build/host/bin/cox", str(cox))


def run(cox, board, folder, environment=None):
    """Runs the task in `folder`. Returns an error text, or an empty one."""
    folder.mkdir(parents=True, exist_ok=True)
    done = subprocess.run(["bash", "-euc", commands(shlex.quote(str(cox)), board)], cwd=folder, env=environment, capture_output=True, text=True, check=False)
    return "" if done.returncode == 0 else f"{board}: exit status {done.returncode}\n{done.stdout}{done.stderr}"


def install(build, prefix):
    """Installs the component cox of the build to a new folder."""
    shutil.rmtree(prefix, ignore_errors=True)
    subprocess.run(["cmake", "--install", str(build), "--prefix", str(prefix), "--component", "cox"], check=True, stdout=subprocess.DEVNULL)
