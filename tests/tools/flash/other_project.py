#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Images of other projects (coxswain_add_image) say what they are, as Coxswain's own do (docs/flashing.md).

    other_project.py Subdirectory|Installed [TEST]

Environment: COX, COX_TARGET_BUILD (for Installed), COX_BUILD_COMPILER_LAUNCHER (may be empty). Ends with status 77 (skipped) without the
compiler or that build.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]
COX, TARGET_BUILD, LAUNCHER = (os.environ.get(name, "") for name in ("COX", "COX_TARGET_BUILD", "COX_BUILD_COMPILER_LAUNCHER"))
OURS = ".".join(re.findall(r"#define COX_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)", (ROOT / "base/version.h").read_text()))


def run(*words, folder=None, status=0):
    pipes = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
    done = subprocess.run([str(word) for word in words], cwd=folder, text=True, check=False, **pipes)
    if done.returncode != status:
        raise AssertionError(f"{words}: exit status {done.returncode}, not {status}\n{done.stdout}")
    return done.stdout


class Project(unittest.TestCase):
    """A project with one image. COXSWAIN is how it gets Coxswain."""

    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory(prefix="coxswain-other-")))
        (self.folder / "main.c").write_text("int main(void) { return 0; }\n")

    def configure(self, *options, version=" VERSION 2.3.4", status=0):
        (self.folder / "CMakeLists.txt").write_text(
            f"cmake_minimum_required(VERSION 3.23)\nproject(other{version} LANGUAGES C CXX ASM)\n{self.COXSWAIN}\n"
            "coxswain_add_image(thermostat SOURCES main.c)\n"
        )
        own = [f"-DCMAKE_{language}_COMPILER_LAUNCHER={LAUNCHER}" for language in ("C", "CXX") if LAUNCHER]
        own += [f"-DCMAKE_TOOLCHAIN_FILE={ROOT}/toolchain/arm-none-eabi.cmake", "-DCMAKE_BUILD_TYPE=Release", "-DCOX_COMPONENTS=board"]
        return run("cmake", "-G", "Ninja", "-S", self.folder, "-B", self.folder / "build", *own, *self.OPTIONS, *options, status=status)

    def build(self):
        """Builds the image. Returns what its three files say of themselves."""
        run("ninja", "-C", self.folder / "build", "thermostat")
        said = set()
        for ending in (".elf", ".hex", ".bin"):
            lines = run(COX, "info", self.folder / f"build/thermostat{ending}").splitlines()
            said.add(tuple(line.strip() for line in lines[1:3]))
        self.assertEqual(len(said), 1, said)
        self.assertTrue((self.folder / "build/thermostat.map").exists())
        self.assertFalse((self.folder / "build/thermostat.elf.map").exists())
        return said.pop()


class Subdirectory(Project):
    COXSWAIN = f'add_subdirectory("{ROOT}" coxswain)'
    OPTIONS = ()

    def test_record(self):
        self.configure("-DCOX_BOARD=qemu-npu-soc")
        version, build = self.build()
        self.assertEqual(version, "thermostat 2.3.4, revision unknown, board qemu-npu-soc")
        self.assertRegex(build, r"^build [0-9a-f]{40}, MVE$")
        # The revision is that of the project with the image.
        run("git", "init", "-q", folder=self.folder)
        run("git", "add", "CMakeLists.txt", folder=self.folder)
        run("git", "-c", "user.name=test", "-c", "user.email=test@localhost", "commit", "-q", "-m", "first", folder=self.folder)
        revision = run("git", "rev-parse", "--short=12", "HEAD", folder=self.folder).strip()
        again, other_build = self.build()
        self.assertEqual(again, f"thermostat 2.3.4, revision {revision}, board qemu-npu-soc")
        self.assertNotEqual(build, other_build)
        # A project without a version has Coxswain's.
        self.configure("-DCOX_REVISION=text", version="")
        self.assertEqual(self.build()[0], f"thermostat {OURS}, revision text, board qemu-npu-soc")
        # With room for a bootloader's header, the image can be signed, as the version that it has.
        self.configure("-DCOX_IMAGE_HEADER=0x400", "-DCOX_IMAGE_SLOT=0x10000", version=" VERSION 7")
        self.build()
        run(COX, "image-key", "key.pem", folder=self.folder)
        run(COX, "image-sign", "build/thermostat.elf", "--key", "key.pem", "-o", "signed.bin", folder=self.folder)
        self.assertIn("version 7.0.0", run(COX, "image-verify", "signed.bin", "--key", "key.pub.pem", folder=self.folder))

    def test_a_version_that_does_not_fit(self):
        printed = self.configure("-DCOX_BOARD=qemu-npu-soc", version=" VERSION 1.65536.0", status=1)
        message = "cox_image(thermostat): the project's version 1.65536.0 does not fit the version record"
        self.assertIn(message, re.sub(r"\s+", " ", printed))


class Installed(Project):
    COXSWAIN = "find_package(coxswain REQUIRED COMPONENTS board)"

    def test_record(self):
        prefix = self.folder / "prefix"
        run("cmake", "--install", TARGET_BUILD, "--prefix", prefix, "--component", "development")
        self.OPTIONS = (f"-DCMAKE_PREFIX_PATH={prefix}",)
        board = self.folder / "my-board"
        shutil.copytree(ROOT / "examples/out_of_tree/board", board)
        self.configure(f"-DCOX_BOARD_DIR={board}/")
        version, build = self.build()
        self.assertEqual(version, "thermostat 2.3.4, revision unknown, board my-board")
        self.assertRegex(build, r"^build [0-9a-f]{40}, MVE$")
        # The board's own word about the caches (docs/startup.md).
        with (board / "board.h").open("a") as header:
            header.write("#define BOARD_CACHES 1\n")
        self.assertRegex(self.build()[1], r"^build [0-9a-f]{40}, MVE, caches$")


if __name__ == "__main__":
    needed = [COX] + ([os.path.join(TARGET_BUILD, "lib/libcox_firmware.a")] if "Installed" in sys.argv[1] else [])
    missing = [path for path in needed if not os.path.exists(path)]
    missing += [tool for tool in ("arm-none-eabi-gcc", "ninja", "git") if shutil.which(tool) is None]
    if missing:
        print(f"skipped: no {', '.join(missing)}")
        sys.exit(77)
    unittest.main()
