#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Builds copies of the sources in two folders of different name and depth, and compares what they give, byte for byte.

    reproducible.py ROOT image|cox

image: the firmware image and a kernel library for the board qemu-npu-soc. cox: the command and the accelerator's model. Ends with status 77
(skipped) without the compilers.
"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
import difference  # noqa: E402

SKIPPED = 77
CASES = {
    "image": (
        ["-DCMAKE_TOOLCHAIN_FILE={source}/toolchain/arm-none-eabi.cmake", "-DCOX_BOARD=qemu-npu-soc"],
        ["coxswain.elf", "cox_kernels_mx"],
        ["bin/coxswain.elf", "bin/coxswain.hex", "bin/coxswain.bin", "bin/coxswain.map", "lib/libcox_kernels_mx.a"],
    ),
    "cox": ([], ["cox", "cox_model"], ["bin/cox", "lib/libcox_model.so", "lib/libcox_firmware.a"]),
}


def run(*words, **options):
    pipes = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
    done = subprocess.run([str(word) for word in words], text=True, check=False, **pipes, **options)
    if done.returncode != 0:
        sys.exit(f"{' '.join(str(word) for word in words)}: exit status {done.returncode}\n{done.stdout[-4000:]}")
    return done.stdout


def files_of(root):
    """The files of the working tree, or of a source archive."""
    if (root / ".git").exists():
        names = run("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", cwd=root).split("\0")
        return [name for name in names if name and (root / name).is_file()]
    names = [path.relative_to(root) for path in sorted(root.rglob("*")) if path.is_file()]
    return [str(name) for name in names if name.parts[0] != "build"]


def copy(root, folder):
    for name in files_of(root):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(root / name, folder / name)


def build(root, source, folder, options, targets, environment):
    """Builds with the options of a release. A compiler cache would give the second build the first one's objects, so it is off."""
    options = [option.format(source=source) for option in options]
    bearssl = root / "build/bearssl-src"
    options += ["-DCMAKE_BUILD_TYPE=Release", "-DCOX_PRECOMPILE=OFF", "-DCOX_JUMBO=ON", "-DCOX_REVISION=0123456789ab"]
    options += [f"-DCOX_BEARSSL_DIR={bearssl}"]
    run("cmake", "-G", "Ninja", "-S", source, "-B", folder, *options, env=environment)
    run("ninja", "-C", folder, *targets, env=environment)


def main():
    root, case = pathlib.Path(sys.argv[1]), sys.argv[2]
    options, targets, results = CASES[case]
    compiler = "arm-none-eabi-g++" if case == "image" else "g++"
    for tool in ("cmake", "ninja", "flatc", compiler):
        if shutil.which(tool) is None:
            print(f"skipped: no {tool}")
            sys.exit(SKIPPED)
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("CMAKE_", "CCACHE_", "COX_"))}
    environment |= {"CCACHE_DISABLE": "1"}
    with tempfile.TemporaryDirectory() as name:
        one, other = pathlib.Path(name, "one"), pathlib.Path(name, "another/folder/deeper.down")
        builds = one / "build" / case, pathlib.Path(name, "results")
        for source in (one, other):  # before the builds, which take long, so that no change of the sources comes between
            copy(root, source)
        for source, folder, zone in ((one, builds[0], "UTC"), (other, builds[1], "Asia/Tokyo")):
            build(root, source, folder, options, targets, environment | {"TZ": zone})
        wrong = []
        for result in results:
            found = difference.first(*((folder / result).read_bytes() for folder in builds))
            if found:
                wrong.append(f"{result}: {found}")
            else:
                print(f"{result}: the same {(builds[0] / result).stat().st_size} bytes")
    if wrong:
        sys.exit("\n".join(wrong))


if __name__ == "__main__":
    main()
