#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Assembles, prints and checks echo programs with `cox`. A `cox` that does not have the engine must refuse them."""
import pathlib
import subprocess
import sys
import tempfile

PROGRAM = "COPY Bytes=64 Source=0x60000000 Destination=0x60001000\nFAIL\nHANG\n"


def main():
    with_echo, without = sys.argv[1:3]
    failures = []

    def expect(condition, what):
        if not condition:
            failures.append(what)

    def call(cox, *words):
        done = subprocess.run([cox, *map(str, words)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        print(f"$ cox {' '.join(map(str, words))}\n{done.stdout}", end="")
        return done

    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        text, program, printed, again = folder / "a.echo", folder / "a.echos", folder / "b.echo", folder / "b.echos"
        text.write_text(PROGRAM)
        expect(call(with_echo, "as", text, "-o", program).returncode == 0, "as")
        expect(program.read_bytes()[:12] == bytes.fromhex("014000000000006000100060"), "the bytes of COPY")
        expect(program.stat().st_size == 48, "the length")
        expect(call(with_echo, "dis", program, "-o", printed).returncode == 0, "dis")
        expect(call(with_echo, "as", printed, "-o", again).returncode == 0 and again.read_bytes() == program.read_bytes(), "text and back")
        checked = call(with_echo, "check", program)
        expect(checked.returncode != 0 and "FAIL" in checked.stdout, "check names the instruction that the engine refuses")
        text.write_text("COPY Bytes=64 Source=0x60000000 Destination=0x60001000\n")
        expect(call(with_echo, "check", text).returncode == 0, "check of a good one")
        text.write_text("COPY Byte=64 Source=0x60000000 Destination=0x60001000\n")
        refused = call(with_echo, "as", text, "-o", again)
        expect(refused.returncode != 0 and 'did you mean "Bytes"' in refused.stdout, "did you mean")
        expect(call(without, "dis", "--isa", "echo", program, "-o", printed).returncode != 0, "a cox without the engine refuses its name")
    print("\n".join(f"failed: {what}" for what in failures) or "all is as expected")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
