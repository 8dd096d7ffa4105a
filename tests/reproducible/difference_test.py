#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The words for the first difference of two files (difference.py), on a shared library and archives that the test makes itself."""
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
import difference  # noqa: E402


class Differences(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))

    def compiled(self, text, *options):
        (self.folder / "file.c").write_text(f'const char *where(void) {{ return "{text}"; }}\n')
        subprocess.run(["cc", "-c", "file.c", "-o", "file.o", *options], cwd=self.folder, check=True)
        return (self.folder / "file.o").read_bytes()

    def archive(self, *options):
        shutil.copy(self.folder / "file.o", self.folder / "a_member_with_a_long_name.o")
        (self.folder / "lib.a").unlink(missing_ok=True)
        subprocess.run(["ar", "rc" + "".join(options), "lib.a", "a_member_with_a_long_name.o"], cwd=self.folder, check=True)
        return (self.folder / "lib.a").read_bytes()

    def test_equal(self):
        self.assertIsNone(difference.first(self.compiled("x"), self.compiled("x")))

    def test_sections(self):
        found = difference.first(self.compiled("/tmp/one/file"), self.compiled("/tmp/two/file"))
        self.assertRegex(found, r'^section \.rodata.*, byte 0x5: "/tmp/one/file" and "/tmp/two/file"$')

    def test_debugging_information(self):
        # The order of the strings in the section depends on all of them, so the folders have the same names each time.
        one, other = (self.compiled("x", "-g", f"-ffile-prefix-map={self.folder}={place}") for place in ("/one/folder", "/two/folder"))
        self.assertRegex(difference.first(one, other), r'^section \.debug_line_str, byte .*: "/one/folder" and "/two/folder"$')

    def test_members(self):
        self.compiled("one")
        one = self.archive()
        self.compiled("two")
        self.assertRegex(difference.first(one, self.archive()), r'^member a_member_with_a_long_name\.o, section \.rodata.*: "one" and "two"$')

    def test_times_of_members(self):
        self.compiled("one")
        self.assertRegex(difference.first(self.archive("D"), self.archive("U")), r"^member of symbols \(time, owner, mode\), byte ")

    def test_other_bytes(self):
        self.assertEqual(difference.first(b"0123 abcd", b"0123 abce"), 'byte 0x8: "0123 abcd" and "0123 abce"')
        self.assertEqual(difference.first(b"\0\1\2", b"\0\1\2\3"), "3 bytes and 4 bytes")
        self.assertEqual(difference.first(b"\0\1\2", b"\0\1\3"), 'byte 0x2: 02 and 03')


if __name__ == "__main__":
    unittest.main()
