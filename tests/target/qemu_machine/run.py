#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Boots the platform's self-test under QEMU and checks what it prints. CMakeLists.txt has the environment variables."""

import contextlib
import json
import os
import re
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time
import unittest

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "../../.."))
sys.path.insert(0, os.path.join(ROOT, "toolchain"))
sys.dont_write_bytecode = True

import debian_source  # noqa: E402

QEMU = os.environ.get("COX_QEMU", "")
SELFTEST = os.environ.get("COX_SELFTEST", "")
MODEL = os.environ.get("COX_FAKE_MODEL", "")
GDB = os.environ.get("COX_GDB", "")

COUNTED = ["-icount", "shift=1,sleep=off"]
SECONDS = 60  # no run here takes nearly as long


def machine(model=MODEL, options="cores 2", extra=(), more=""):
    properties = "npu-soc" + (f",model={model}" if model is not None else "") + (f",model-options={options}" if options else "") + more
    return [QEMU, "-machine", properties, "-display", "none", "-monitor", "none", "-serial", "stdio", *extra]


def selftest(letters, extra=COUNTED, options="cores 2", cwd=None):
    """One run of the self-test with semihosting: exit status, console, messages of QEMU."""
    semihosting = ["-semihosting-config", f"enable=on,arg=selftest,arg={letters}"]
    command = machine(options=options, extra=["-kernel", SELFTEST, *semihosting, *extra])
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=SECONDS, check=False, cwd=cwd)
    return done.returncode, done.stdout, done.stderr


@contextlib.contextmanager
def started(extra, more=""):
    """QEMU with its console on pipes. QEMU ends with the test. If a test waits for a line that does not come, QEMU ends after a time limit."""
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(machine(extra=extra, more=more), text=True, **pipes) as running:
        limit = threading.Timer(SECONDS, running.kill)
        limit.start()
        try:
            yield running
        finally:
            limit.cancel()
            running.kill()


class Properties(unittest.TestCase):
    """Mistyped options of QEMU, and properties that a user can inspect."""

    def refused(self, message, environment=None, **arguments):
        everything = os.environ | (environment or {})
        done = subprocess.run(machine(**arguments), stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=SECONDS, check=False, env=everything)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertRegex(done.stderr, message)

    def test_without_model(self):
        self.refused("which model.*-machine npu-soc,model=PATH", model=None)
        self.refused("which model", model="")

    def test_model_that_is_not_there(self):
        self.refused("cannot open the model '/no/such.so': No such file or directory", model="/no/such.so")

    def test_model_that_is_no_library(self):
        self.refused("cannot open the model: .*invalid ELF header", model=os.path.abspath(__file__))

    def test_library_that_is_no_model(self):
        self.refused("has no function cox_model_abi", model="/lib/x86_64-linux-gnu/libm.so.6")

    def test_model_of_another_interface_version(self):
        with open(os.path.join(ROOT, "sim/model/cox_model.h"), encoding="utf-8") as header:
            ours = int(re.search(r"#define COX_MODEL_ABI (\d+)u", header.read()).group(1))
        for other in (ours - 1, ours + 1):
            self.refused(f"has interface version {other}, this QEMU wants {ours}:", environment={"FAKE_MODEL_ABI": str(other)})

    def test_model_that_refuses_its_options(self):
        self.refused("the model refuses to start: option 'refuse' says so", options="refuse")

    def test_options_in_a_file(self):
        with tempfile.NamedTemporaryFile("w") as file:
            file.write("refuse")
            file.flush()
            self.refused("option 'refuse' says so", options="@" + file.name)
        self.refused("cannot read the model's options: .*/no/such", options="@/no/such")

    def test_model_with_too_many_cores(self):
        self.refused("the model has 7 tile cores, this board has room for 4", options="cores 7")

    def test_unknown_property(self):
        self.refused("Property 'npu-soc-machine.modle' not found", options="x,modle=y")

    def test_other_core(self):
        self.refused("the control core is a cortex-m55", extra=["-cpu", "cortex-m33"])

    def test_second_core(self):
        self.refused("max CPUs supported by machine 'npu-soc' is 1", extra=["-smp", "2"])

    def test_dram_size(self):
        for size in ("8M", "2G", "16777K"):
            self.refused("DRAM .* it must be whole MiB, from 16 MiB to 1 GiB", extra=["-m", size])

    def test_mailbox_without_its_chardev(self):
        self.refused("there is no character device 'host' .mailbox.: -chardev socket,id=host", options="x,mailbox=host")
        self.refused("npu-mailbox: cannot write the log '/no/such/log'", options="x,mailbox-log=/no/such/log")

    def test_kernel_that_is_not_there(self):
        self.refused("Could not load kernel '/no/such.elf'", extra=["-kernel", "/no/such.elf"])

    def test_qtree_and_mtree(self):
        command = [QEMU, "-machine", f"npu-soc,model={MODEL},model-options=cores 2", "-display", "none", "-S", "-monitor", "stdio"]
        commands = "info qtree\ninfo mtree -f\nquit\n"
        done = subprocess.run(command, input=commands, capture_output=True, text=True, timeout=SECONDS, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn(f'model = "{MODEL}"', done.stdout)
        self.assertIn('model-options = "cores 2"', done.stdout)
        for line in (
            "0000000000000000-00000000003fffff (prio 0, rom): npu-soc.code",
            "0000000020000000-00000000201fffff (prio 0, ram): npu-soc.sram",
            "0000000040014000-0000000040014fff (prio 0, i/o): dma.registers",
            "0000000050000000-00000000500fffff (prio 0, i/o): npu.registers",
            "0000000058800000-00000000588fffff (prio 0, ram): npu.l2.1",
            "0000000060000000-000000006fffffff (prio 0, ram): npu-soc.dram",
        ):
            self.assertIn(line, done.stdout)


class AnyBoard(unittest.TestCase):
    """The machine npu-board, which reads a board.json when it starts."""

    EXAMPLE = os.path.join(ROOT, "examples/out_of_tree/board/board.json")

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.file = os.path.join(folder.name, "board.json")

    def start(self, properties, *extra, commands=""):
        command = [QEMU, "-machine", "npu-board" + properties + f",model={MODEL}", "-display", "none", "-S", "-monitor", "stdio", *extra]
        return subprocess.run(command, input=commands, capture_output=True, text=True, timeout=SECONDS, check=False)

    def refused(self, message, part, other):
        with open(self.EXAMPLE, encoding="utf-8") as example:
            text = example.read()
        self.assertIn(part, text)
        with open(self.file, "w", encoding="utf-8") as out:
            out.write(text.replace(part, other, 1))
        done = self.start(",board-map=" + self.file)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertRegex(done.stderr, message)

    def test_memory_map(self):
        done = self.start(",board-map=" + self.EXAMPLE, commands="info mtree -f\nquit\n")
        self.assertEqual(done.returncode, 0, done.stderr)
        for line in (
            "000000000c000000-000000000c07ffff (prio 0, rom): npu-board.code",
            "0000000022000000-000000002207ffff (prio 0, ram): npu-board.sram",
            "0000000048000000-00000000480fffff (prio 0, i/o): npu.registers",
            "0000000064000000-00000000640fffff (prio 0, ram): npu.l2.0",
            "0000000080000000-0000000083ffffff (prio 0, ram): npu-board.dram",
        ):
            self.assertIn(line, done.stdout)
        for absent in ("dma.registers", "npu.probe", "npu.mailbox"):
            self.assertNotIn(absent, done.stdout)

    def test_memory_map_of_the_accelerator(self):
        with open(self.EXAMPLE, encoding="utf-8") as example:
            document = json.load(example)
        document["memory"]["sram"]["bus"] = "0x32000000"
        document["memory"]["dram"]["bus"] = "0x64000000"
        with open(self.file, "w", encoding="utf-8") as out:
            json.dump(document, out)
        done = self.start(",board-map=" + self.file, commands="info mtree -f\nquit\n")
        self.assertEqual(done.returncode, 0, done.stderr)
        core, accelerator = (re.search(rf"AS \"{name}.*?(?=FlatView|\Z)", done.stdout, re.DOTALL).group() for name in ("memory", "npu-bridge"))
        self.assertIn("0000000080000000-0000000083ffffff (prio 0, ram): npu-board.dram", core)
        for line in (
            "000000000c000000-000000000c07ffff (prio 0, rom): npu-board.code",
            "0000000032000000-000000003207ffff (prio 0, ram): npu-board.sram",
            "0000000064000000-0000000067ffffff (prio 0, ram): npu-board.dram",  # hides the L2 buffer there
        ):
            self.assertIn(line, accelerator)
        for absent in ("0000000080000000", "0000000022000000", "npu.registers", "npu.l2"):
            self.assertNotIn(absent, accelerator)

    def test_without_a_board(self):
        for properties, message in (("", "which board. Give its board.json: -machine npu-board,board-map=FILE"),
                                    (",board-map=/no/such", "cannot read the board-map: .*/no/such")):
            done = self.start(properties)
            self.assertEqual(done.returncode, 1, done.stderr)
            self.assertRegex(done.stderr, message)

    def test_size_of_dram(self):
        done = self.start(",board-map=" + self.EXAMPLE, "-m", "65M")
        self.assertRegex(done.stderr, "DRAM .-m. of 65 MiB: it must be whole MiB, from 64 MiB to 64 MiB")

    def test_mailbox_that_the_board_lacks(self):
        done = self.start(",board-map=" + self.EXAMPLE + ",mailbox=host")
        self.assertRegex(done.stderr, "this board has no mailbox: leave out mailbox=host")

    def test_board_with_too_few_cores(self):
        done = self.start(",board-map=" + self.EXAMPLE + ",model-options=cores 3")
        self.assertRegex(done.stderr, "the model has 3 tile cores, this board has room for 2")

    def test_faults_of_the_file(self):
        for message, part, other in (
            (self.file + ": not JSON: ", '"clocks"', "clocks"),
            ('"sram" must be an object', '"sram"', '"sramm"'),
            ('"base" must be a number, or a hexadecimal one as a text', '"0x22000000"', '"here"'),
            ('"base" has more than 32 bits', '"0x22000000"', '"0x122000000"'),
            ('"dram" at 0x22000000 overlaps "sram" at 0x22000000', '"0x80000000"', '"0x22000000"'),
            ('"dram" ends above the 32 bits of addresses', '"0x80000000"', '"0xfe000000"'),
            ('on the bus, "dram" at 0x22000000 overlaps "sram" at 0x22000000', '"min"', '"bus": "0x22000000", "min"'),
            ('the interrupt 48 of "uart" is none of the 48 of the NVIC', '"interrupt": 1}', '"interrupt": 48}'),
            ('"fault_interrupt" is one of them', '"fault_interrupt": 31', '"fault_interrupt": 48'),
            ('there is room for 1 to 16 tile cores', '"cores": 2', '"cores": 17'),
            ('min, default and max must be whole MiB in ascending order', '"default": "0x04000000"', '"default": "0x02000000"'),
            ('code, sram, dram and the clocks may not be 0', '"core": 200000000', '"core": 0'),
        ):
            with self.subTest(message=message):
                self.refused(message, part, other)


class Memory(unittest.TestCase):
    def test_shared_file(self):
        with tempfile.NamedTemporaryFile() as file:
            size = 64 << 20
            file.truncate(size)
            file.seek(0x100)
            file.write(struct.pack("<I", 0x12345678))
            file.flush()
            backend = f"memory-backend-file,id=dram,share=on,mem-path={file.name},size={size}"
            extra = ["-object", backend, "-machine", "memory-backend=dram", "-m", "64M", *COUNTED]
            status, console, messages = selftest("p", extra=extra)
            self.assertEqual(status, 0, messages)
            self.assertIn("64 MiB of DRAM", console)
            self.assertIn("shared dram: 0x12345678", console)
            file.seek(0x104)
            self.assertEqual(struct.unpack("<I", file.read(4))[0], 0x12345678 ^ 0xFFFFFFFF)

    def test_largest_dram(self):
        status, console, messages = selftest("d", extra=["-m", "1G", *COUNTED])
        self.assertEqual(status, 0, messages)
        self.assertIn("1024 MiB of DRAM", console)
        self.assertIn("dma past the end: ok", console)


class Platform(unittest.TestCase):
    def assert_all_ok(self, console, count):
        self.assertNotIn("FAILED", console)
        self.assertEqual(console.count(": ok"), count, console)

    def test_everything(self):
        with tempfile.TemporaryDirectory() as folder:
            status, console, messages = selftest("ikhtfdDlunvoMq", cwd=folder)
        self.assertEqual(status, 0, messages)
        self.assert_all_ok(console, 19)
        self.assertIn("npu: fake: options 'cores 2'", messages)
        self.assertIn("npu: fake: destroyed", messages)

    def test_two_runs_count_the_same(self):
        first, second = selftest("tuncq"), selftest("tuncq")
        self.assertRegex(first[1], r"counts: \d+ instructions, \d+ us, \d+ cycles")
        self.assertEqual(first, second)

    def test_without_instruction_counts(self):
        status, console, messages = selftest("ifnq", extra=[])
        self.assertEqual(status, 0, messages)
        self.assertIn("instructions: not counted", console)
        self.assertNotIn("FAILED", console)

    def test_reset(self):
        status, console, messages = selftest("rq")
        self.assertEqual(status, 0, messages)
        self.assertEqual(console.count("platform self-test"), 2)
        self.assertIn("resets: 2", console)

    def test_exit_status(self):
        self.assertEqual(selftest("Q")[0], 3)
        self.assertEqual(selftest("a")[0], 134)  # abort()

    def test_console_without_semihosting(self):
        """Types letters at the console without semihosting. The program ends with a message and a halt, and the test stops QEMU."""
        with started(["-kernel", SELFTEST, *COUNTED]) as running:
            running.stdin.write("iktO1")
            running.stdin.flush()
            console = ""
            for line in running.stdout:
                console += line
                if line == "halted\n":
                    break
            running.send_signal(signal.SIGTERM)
            messages = running.communicate(timeout=SECONDS)[1]
        self.assertIn("semihosting off", console)
        self.assert_all_ok(console, 4)
        self.assertIn("BusFault: bus error on a data access, address 0x500ffffc", console)
        self.assertTrue(console.endswith("halted\n"), console)
        self.assertIn("npu: fake: destroyed", messages)


    def test_console_reader_who_is_late(self):
        extra = ["-kernel", SELFTEST, "-semihosting-config", "enable=on,arg=selftest,arg=x", *COUNTED]
        with started(extra) as running:
            time.sleep(1)
            console, _ = running.communicate(timeout=SECONDS)
        self.assertEqual(console.splitlines()[1:], [f"line {number}" for number in range(20000)])


class Mailbox(unittest.TestCase):
    """A host at the other end of the mailbox. RING and CLEAR are the messages of boards/devices/simulated.h."""

    RING, CLEAR = b"\x01", b"\x02"

    def setUp(self):
        folder = self.enterContext(tempfile.TemporaryDirectory())
        self.path, self.log = os.path.join(folder, "host"), os.path.join(folder, "log")
        extra = ["-chardev", f"socket,id=host,path={self.path},server=on,wait=off", "-kernel", SELFTEST, *COUNTED]
        extra += ["-semihosting-config", "enable=on,arg=selftest,arg=mq"]
        self.running = self.enterContext(started(extra, f",mailbox=host,mailbox-log={self.log}"))
        self.assertIn("platform self-test", self.running.stdout.readline())
        self.assertEqual(self.running.stdout.readline(), "mailbox: waiting\n")

    def connect(self):
        host = self.enterContext(socket.socket(socket.AF_UNIX))
        host.settimeout(SECONDS)
        host.connect(self.path)
        return host

    def finish(self):
        self.assertEqual(self.running.stdout.readline(), "mailbox: ok\n")
        with open(self.log, encoding="utf-8") as file:
            lines = [line.split(",") for line in file.read().splitlines()]
        self.assertEqual(lines[0], ["cycle", "instructions", "event"])
        return [event for _, _, event in lines[1:]]

    def ring(self, host, messages=RING):
        """The first ring of the host. Returns when the control core has rung twice."""
        host.sendall(messages)
        self.assertEqual(host.recv(8), self.RING)
        self.assertEqual(self.running.stdout.readline(), "mailbox: rung\n")

    def test_rings_in_both_directions(self):
        host = self.connect()
        self.ring(host)
        host.sendall(self.CLEAR)
        self.assertEqual(host.recv(8), self.RING, "the ring between the first and its clearing")
        host.sendall(self.CLEAR + self.RING)
        events = ["host_rings", "core_clears", "core_rings", "core_rings", "host_clears", "host_clears", "host_rings", "core_clears"]
        self.assertEqual(self.finish(), events)

    def test_host_that_leaves_with_a_ring(self):
        host = self.connect()
        self.ring(host)
        host.close()
        host = self.connect()
        self.assertEqual(host.recv(8), self.RING, "a new host hears what the old one has not cleared")
        host.sendall(self.CLEAR + self.RING)
        self.finish()

    def test_bytes_that_are_no_message(self):
        host = self.connect()
        self.ring(host, b"\x00\xff" + self.RING)
        host.sendall(self.CLEAR)
        self.assertEqual(host.recv(8), self.RING)
        host.sendall(self.CLEAR + self.RING)
        self.finish()
        self.assertIn("the host sent byte 0x00, which is no message", self.running.communicate(timeout=SECONDS)[1])


class Faults(unittest.TestCase):
    def dump(self, letter, title, cfsr):
        status, console, messages = selftest(letter)
        self.assertEqual(status, 70, console + messages)
        self.assertIn("*** " + title + "\n", console)
        self.assertIn(f"cfsr={cfsr}", console)
        self.assertIn("exc_return=0x", console)
        return console, messages

    def test_register_that_does_not_exist(self):
        console, messages = self.dump("1", "BusFault: bus error on a data access, address 0x500ffffc", "0x00008200")
        self.assertIn("bus fault: write of 0x00000001 at register offset 0xffffc", messages)
        self.assertIn("npu: fake: no such register", messages)
        self.assertRegex(console, r" pc=0x0000[0-9a-f]{4} lr=0x0000[0-9a-f]{4} ")

    def test_register_by_bytes(self):
        _, messages = self.dump("2", "BusFault: bus error on a data access, address 0x50000001", "0x00008200")
        self.assertIn("registers are accessed as aligned 32-bit words", messages)

    def test_write_to_code(self):
        self.dump("3", "MemManage: MPU: data access that the memory map forbids, address 0x00000100", "0x00000082")

    def test_execution_of_data(self):
        console, _ = self.dump("4", "MemManage: MPU: instruction fetch from memory that is not executable", "0x00000001")
        self.assertRegex(console, r" pc=0x200")

    def test_stack_overflow(self):
        console, _ = self.dump("5", "UsageFault: stack overflow", "0x00100000")
        self.assertIn("lost, the stack could not take them", console)

    def test_stack_guard(self):
        self.dump("g", "MemManage: MPU: data access that the memory map forbids, address 0x20000bfc", "0x00000082")

    def test_stack_pointer_that_points_nowhere(self):
        console, _ = self.dump("s", "MemManage: MPU: data access that the memory map forbids: MPU: while entering an exception, probably a "
                               "stack overflow, address 0xaffffffc", "0x00000092")
        self.assertIn("lost, the stack could not take them", console)

    def test_address_outside_the_map(self):
        self.dump("6", "MemManage: MPU: data access that the memory map forbids, address 0xb0000000", "0x00000082")

    def test_undefined_instruction(self):
        self.dump("7", "UsageFault: undefined instruction", "0x00010000")

    def check_known_registers(self, letter):
        """Compares every register in the report with its value at the fault. Returns the console's text."""
        console, _ = self.dump(letter, "UsageFault: undefined instruction", "0x00010000")
        state, expected = 1, {}
        for name in [*(f"r{number}" for number in range(13)), "lr"]:
            state = expected[name] = (state * 1664525 + 1013904223) % 2**32
        found = {name: int(value, 16) for name, value in re.findall(r"\b(r\d+|lr)=0x([0-9a-f]{8})", console)}
        self.assertEqual({name: found.get(name) for name in expected}, expected, console)
        return console

    def test_registers_on_the_main_stack(self):
        console = self.check_known_registers("e")
        self.assertRegex(console, r"exc_return=0xffffff[abef]9")

    def test_registers_on_the_process_stack(self):
        console = self.check_known_registers("E")
        self.assertRegex(console, r"exc_return=0xffffff[abef]d")

    def test_division_by_zero(self):
        self.dump("8", "UsageFault: division by zero", "0x02000000")

    def test_interrupt_without_handler(self):
        self.dump("9", "unexpected interrupt 20", "0x00000000")

    def test_probe_register_that_does_not_exist(self):
        _, messages = self.dump("w", "BusFault: bus error on a data access, address 0x40008100", "0x00008200")
        self.assertIn("npu-probe: bus fault: read at register offset 0x100", messages)


class Recipe(unittest.TestCase):
    """toolchain/build-qemu: its message if there are no sources (tests/toolchain has more about them)."""

    def build(self, folder, apt):
        command = [sys.executable, os.path.join(ROOT, "toolchain", "build-qemu"), "--build-dir", folder, "--apt-dir", apt]
        return subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=False)

    def test_no_sources(self):
        with tempfile.TemporaryDirectory() as folder:
            done = self.build(folder, folder)
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, "^build-qemu: error: no 'deb' source of .* nothing to derive a deb-src from")

    def test_archive_that_is_not_there(self):
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, "sources.list"), "w") as out:
                out.write(f"deb [trusted=yes] file:{folder}/no/such {debian_source.codename()} main\n")
            done = self.build(folder, folder)
        self.assertEqual(done.returncode, 1)
        self.assertIn("reading the archive's index failed", done.stderr)
        self.assertIn("is the network, or a mirror, reachable?", done.stderr)


class Debugger(unittest.TestCase):
    def test_gdb(self):
        if not GDB or not os.path.exists(GDB):
            self.skipTest("there is no gdb-multiarch")
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "gdb")
            extra = ["-kernel", SELFTEST, *COUNTED, "-S", "-gdb", f"unix:{path},server=on,wait=off"]
            with started(extra) as running:
                while not os.path.exists(path):
                    self.assertIsNone(running.poll())
                steps = ["target remote " + path, "break main", "continue", "print/x *(unsigned *)0x50000000", "backtrace"]
                command = [GDB, "-nx", "-batch", SELFTEST]
                for step in steps:
                    command += ["-ex", step]
                done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=SECONDS, check=False)
        self.assertRegex(done.stdout, r"Breakpoint 1, main \(\)", done.stderr)
        self.assertIn("$1 = 0x46414b45", done.stdout)
        self.assertRegex(done.stdout, r"#0 +main \(\)")


if __name__ == "__main__":
    for needed, maker in ((QEMU, "toolchain/build-qemu"), (SELFTEST, "the preset qemu-npu-soc"), (MODEL, "the preset host")):
        if not os.path.isfile(needed):
            print(f"skipped: '{needed}' is not there; {maker} makes it")
            sys.exit(77)
    unittest.main()
