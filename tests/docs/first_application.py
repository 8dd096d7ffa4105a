#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Does what README.md says under "Your first application", in a folder outside of the tree: builds the program with CMake and runs it under QEMU.
Only the places of what `make demo` has built are replaced.

    first_application.py ROOT COX QEMU MODEL TARGET_BUILD
"""
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
import page  # noqa: E402

EXPECTED = "ok: copied by the accelerator\n"
SKIPPED = 77


def main():
    root, cox, qemu, model, target = (Path(path) for path in sys.argv[1:])
    missing = [str(path) for path in (cox, qemu, model, target / "lib/libcox_firmware.a") if not path.exists()]
    missing += [tool for tool in ("arm-none-eabi-gcc", "ninja") if shutil.which(tool) is None]
    if missing:
        print(f"skipped: no {', '.join(missing)}")
        sys.exit(SKIPPED)
    readme = (root / "README.md").read_text()
    task = page.file_in(page.blocks(readme, "Your first task")[0], "first.jsonl")
    application = page.replaced(
        page.blocks(readme, "Your first application")[0],
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
        (shell / "first.jsonl").write_text(task)
        done = subprocess.run(["bash", "-euc", application], cwd=shell, env=page.environment(folder), capture_output=True, text=True, check=False)
    print(done.stdout + done.stderr)
    if done.returncode != 0 or not done.stdout.replace("\r", "").endswith(EXPECTED):
        sys.exit(f"exit status {done.returncode}, expected 0 and at the end: {EXPECTED}")


if __name__ == "__main__":
    main()
