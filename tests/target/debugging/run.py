#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The recipes of docs/flashing.md for gdb and OpenOCD, and the command `svd` (toolchain/debug/svd.py).

    run.py Recipe|Registers|OpenOcd

CMakeLists.txt has the environment variables. Ends with status 77 (skipped) if a program of the case is missing.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import threading
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]
PAGE = (ROOT / "docs/flashing.md").read_text()
GDB, OPENOCD, QEMU, MODEL = (os.environ.get(name, "") for name in ("COX_GDB", "COX_OPENOCD", "COX_QEMU", "COX_MODEL"))
FIRMWARE = os.path.join(os.environ.get("COX_TARGET_BUILD", ""), "bin/coxswain.elf")
SECONDS = 60  # no run here takes nearly as long
NEEDED = {"Recipe": (GDB, QEMU, MODEL, FIRMWARE), "Registers": (GDB,), "OpenOcd": (OPENOCD,)}


def run(words):
    """Exit status and output of a program."""
    pipes = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
    done = subprocess.run(words, cwd=ROOT, text=True, timeout=SECONDS, check=False, **pipes)
    return done.returncode, done.stdout


def gdb(*commands, image=None):
    words = [GDB, "-nx", "-batch"] + ([image] if image else [])
    for command in commands:
        words += ["-ex", command]
    return run(words)[1]


class Recipe(unittest.TestCase):
    def test_the_page(self):
        """Runs the commands of the page on the firmware under QEMU, which waits before its first instruction."""
        block = re.search(r"^```\n\$ gdb-multiarch (\S+)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
        commands = re.findall(r"^\(gdb\) (.*)$", block.group(2), re.MULTILINE)
        printed = [line for line in block.group(2).splitlines() if not line.startswith("(gdb)")]
        self.assertEqual(block.group(1), "build/qemu-npu-soc/bin/coxswain.elf")
        self.assertGreater(len(printed), 2)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "gdb")
            command = [QEMU, "-machine", f"npu-soc,model={MODEL}", "-icount", "shift=1,sleep=off", "-kernel", FIRMWARE, "-display", "none"]
            command += ["-monitor", "none", "-serial", "null", "-S", "-gdb", f"unix:{path},server=on,wait=off"]
            with subprocess.Popen(command, stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as qemu:
                limit = threading.Timer(SECONDS, qemu.kill)
                limit.start()
                while not os.path.exists(path) and qemu.poll() is None:
                    time.sleep(0.05)
                said = gdb(*[each.replace(":3333", path) for each in commands], "info source", image=FIRMWARE)
                limit.cancel()
                qemu.kill()
        for line in printed:
            self.assertIn(line, said)
        self.assertRegex(said, r"(?m)^Loading section \.vectors")
        self.assertRegex(said, r"Breakpoint 1, .*firmware_main \(\)")
        self.assertRegex(said, r"#1 .* main \(\)|#0 .*firmware_main \(\)")


class Registers(unittest.TestCase):
    SOURCE, LOAD = "source toolchain/debug/svd.py", "svd load device/npu.svd"

    def test_lists(self):
        said = gdb(self.SOURCE, self.LOAD + " npu=0x44000000", "svd", "svd NPU")
        self.assertRegex(said, r"(?m)^NPU +0x44000000  Accelerator")
        self.assertRegex(said, r"(?m)^COX_DMA +0x40014000  ")
        registers = dict(reversed(line.split()[:2]) for line in said.splitlines() if line.startswith("0x"))
        header = (ROOT / "docs/registers.md").read_text()
        self.assertEqual(registers["VERSION"], "0x44000004")
        self.assertIn("VERSION", header)
        self.assertEqual(int(registers["CQ[3].TAIL"], 0) - int(registers["CQ[0].TAIL"], 0), 3 * 0x20)

    def test_reads(self):
        """A file of the test describes bytes of an array in a program on the host."""
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            (folder / "program.c").write_text("unsigned registers[4] = {0x12345678, 0xA5};\nint main(void) { return 0; }\n")
            subprocess.run(["cc", "-g", "-static", "-o", "program", "program.c"], cwd=folder, check=True)
            address = re.search(r"0x[0-9a-f]+", gdb("print &registers", image=folder / "program")).group()
            (folder / "test.svd").write_text(f"""<device><peripherals>
<peripheral><name>P</name><baseAddress>{address}</baseAddress><registers>
<register><name>A</name><description>The first. More.</description><addressOffset>0</addressOffset><fields>
<field><name>LOW</name><bitOffset>0</bitOffset><bitWidth>4</bitWidth></field>
<field><name>HIGH</name><bitOffset>28</bitOffset><bitWidth>4</bitWidth><enumeratedValues>
<enumeratedValue><name>one</name><value>1</value></enumeratedValue></enumeratedValues></field></fields></register>
<cluster><name>C%s</name><dim>2</dim><dimIncrement>4</dimIncrement><addressOffset>0</addressOffset>
<register><name>B</name><addressOffset>0</addressOffset></register></cluster>
<register><name>W</name><addressOffset>8</addressOffset><access>write-only</access></register>
</registers></peripheral></peripherals></device>""")
            said = gdb(self.SOURCE, f"svd load {folder}/test.svd", "svd P A", "svd p c1.b", "svd P W", image=folder / "program")
        self.assertRegex(said, rf"(?m)^P.A at {int(address, 0):#010x}: 0x12345678  The first$")
        self.assertRegex(said, r"(?m)^  \[3:0\] +LOW +0x8  $")
        self.assertRegex(said, r"(?m)^  \[31:28\] HIGH +0x1 \(one\)  $")
        self.assertIn("P.C1.B at " + f"{int(address, 0) + 4:#010x}: 0x000000a5", said)
        self.assertRegex(said, r"svd: P\.W at 0x[0-9a-f]+ is write-only")

    def test_refused(self):
        for commands, message in (
            (("svd NPU",), "svd: no file is loaded: svd load device/npu.svd"),
            (("svd load none.svd",), "svd: none.svd: .*No such file"),
            (("svd load README.md",), "svd: README.md: not well-formed"),
            ((self.LOAD + " NPU",), "svd: NPU: write PERIPHERAL=ADDRESS, such as NPU=0x44000000"),
            ((self.LOAD, "svd NPV"), "svd: there is no peripheral NPV; did you mean NPU"),
            ((self.LOAD, "svd NPU VERSOIN"), "svd: there is no register of NPU VERSOIN; did you mean VERSION"),
            ((self.LOAD, "svd NPU VERSION 1"), "svd: at most a peripheral and a register"),
        ):
            with self.subTest(commands):
                self.assertRegex(gdb(self.SOURCE, *commands), message)


class OpenOcd(unittest.TestCase):
    def run_openocd(self, *words):
        status, said = run([OPENOCD, *words, "-c", "shutdown"])
        self.assertEqual(status, 0, said)
        return said

    def test_the_file(self):
        file = re.search(r"^openocd -f (\S+)$", PAGE, re.MULTILINE).group(1)
        show = "echo [target names]; echo [npu_soc.cpu cget -work-area-phys]; echo [transport select]; echo [adapter speed]"
        self.assertRegex(self.run_openocd("-f", file, "-c", show), r"(?s)npu_soc\.cpu\n.*(536870912|0x20000000)\n.*swd\n.*1000")

    def test_variables(self):
        """Each variable of the page replaces the file's value."""
        variables = re.findall(r"`([A-Z_]+)`", re.search(r"^\| variable \|.*?\n\n", PAGE, re.MULTILINE | re.DOTALL).group())
        values = {"ADAPTER": "jlink", "SPEED": "123", "AP": "1", "WORK_AREA": "0x21000000", "WORK_AREA_SIZE": "0x1000"}
        self.assertEqual(sorted(variables), sorted(values))
        settings = [word for name, value in values.items() for word in ("-c", f"set {name} {value}")]
        show = "echo [adapter name]; echo [adapter speed]"
        show += "".join(f"; echo [npu_soc.cpu cget -{name}]" for name in ("work-area-phys", "work-area-size", "ap-num"))
        said = self.run_openocd(*settings, "-f", "toolchain/debug/openocd.cfg", "-c", show)
        self.assertRegex(said, r"(?s)jlink.*\b123\b.*(0x21000000|553648128).*(0x1000|4096).*\b1\b")


if __name__ == "__main__":
    for needed in NEEDED[sys.argv[1]]:
        if not os.path.exists(needed):
            print(f"skipped: '{needed}' is not there")
            sys.exit(77)
    unittest.main()
