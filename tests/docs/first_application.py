#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Does what README.md says under "Your first application", in a folder outside of the tree: builds the program with CMake and runs it under QEMU.
Only the places of what `make demo` has built are replaced.

    first_application.py ROOT COX QEMU MODEL TARGET_BUILD
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

EXPECTED = "ok: copied by the accelerator\n"
SKIPPED = 77


def section(page, title):
    """The commands in the section's first block."""
    text = re.search(rf"^## {title}\n(.*?)(?=^## )", page, re.MULTILINE | re.DOTALL).group(1)
    return re.search(r"^```\n(.*?)^```$", text, re.MULTILINE | re.DOTALL).group(1)


def replaced(commands, words):
    for word, other in words.items():
        if word not in commands:
            sys.exit(f"README.md does not say {word} any more")
        commands = commands.replace(word, str(other))
    return commands


def main():
    root, cox, qemu, model, target = (Path(path) for path in sys.argv[1:])
    missing = [str(path) for path in (cox, qemu, model, target / "lib/libcox_firmware.a") if not path.exists()]
    missing += [tool for tool in ("arm-none-eabi-gcc", "ninja") if shutil.which(tool) is None]
    if missing:
        print(f"skipped: no {', '.join(missing)}")
        sys.exit(SKIPPED)
    page = (root / "README.md").read_text()
    task = re.search(r"^cat > first.jsonl.*?^END\n", section(page, "Your first task"), re.MULTILINE | re.DOTALL).group(0)
    application = replaced(
        section(page, "Your first application"),
        {
            "export COXSWAIN=$PWD": f"export COXSWAIN={root}",
            "cmake --install build/qemu-npu-soc": f"cmake --install {target}",
            "build/host/bin/cox as": f"{cox} as",
            "$COXSWAIN/build/qemu/bin/qemu-system-arm": qemu,
            "$COXSWAIN/build/host/lib/libcox_model.so": model,
        },
    )
    with tempfile.TemporaryDirectory() as folder:
        shell = Path(folder) / "shell"
        shell.mkdir()
        # A compiler cache may help the build; it changes nothing else.
        done = subprocess.run(["bash", "-euc", task + application], cwd=shell, env=os.environ | {"HOME": folder, "CCACHE_DIR": ccache_folder()}, capture_output=True, text=True, check=False)
    print(done.stdout + done.stderr)
    if done.returncode != 0 or not done.stdout.replace("\r", "").endswith(EXPECTED):
        sys.exit(f"exit status {done.returncode}, expected 0 and at the end: {EXPECTED}")


def ccache_folder():
    """The folder of the user's compiler cache, which is not under the test's HOME."""
    default = Path.home() / ".ccache"
    return os.environ.get("CCACHE_DIR", str(default if default.exists() else Path.home() / ".cache/ccache"))


if __name__ == "__main__":
    main()
