#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""toolchain/debian_source.py and fetch-bearssl: the origin of their sources, and what they do with archives that this test makes."""
import hashlib
import os
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "toolchain"))
sys.dont_write_bytecode = True

import debian_source  # noqa: E402

SECONDS = 60


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as out:
        out.write(text)


class Stanzas(unittest.TestCase):
    def stanzas(self, **files):
        with tempfile.TemporaryDirectory() as folder:
            for name, text in files.items():
                write(os.path.join(folder, name if name == "sources.list" else os.path.join("sources.list.d", name)), text)
            return list(debian_source.source_stanzas(folder, "bookworm"))

    def test_deb822(self):
        text = (
            "# a comment\nTypes: deb deb-src\nURIs: http://mirror/debian\nSuites: bookworm bookworm-updates bookworm-backports\n"
            "Components: main contrib\nSigned-By: /usr/share/keyrings/debian.gpg\n\n"
            "Enabled: no\nTypes: deb\nURIs: http://off/debian\nSuites: bookworm\nComponents: main\n"
        )
        expected = (
            "Types: deb-src\nURIs: http://mirror/debian\nSuites: bookworm bookworm-updates\nComponents: main\n"
            "Signed-By: /usr/share/keyrings/debian.gpg\n"
        )
        self.assertEqual(self.stanzas(**{"debian.sources": text}), [expected])

    def test_one_line(self):
        text = (
            "deb [arch=amd64 signed-by=/a.gpg] http://mirror/debian bookworm main contrib # comment\n"
            "# deb http://off/debian bookworm main\ndeb http://other/x cloud-sdk-bookworm main\ndeb-src http://mirror/security bookworm-security main\n"
        )
        expected = [
            "Types: deb-src\nURIs: http://mirror/debian\nSuites: bookworm\nComponents: main\nSigned-By: /a.gpg\n",
            "Types: deb-src\nURIs: http://mirror/security\nSuites: bookworm-security\nComponents: main\n",
        ]
        self.assertEqual(self.stanzas(**{"sources.list": text}), expected)


class Archive(unittest.TestCase):
    """A source package `bearssl` of this test's, in an archive on disk."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.build = os.path.join(self.folder, "build")

    def add_package(self, version="0.6+dfsg.1-3", spoil=False):
        """Makes the archive. `spoil`: the file in the pool is not the one that the index describes."""
        tree = os.path.join(self.folder, "made", "bearssl")
        write(os.path.join(tree, "debian/control"), "Source: bearssl\nMaintainer: A <a@b.c>\n\nPackage: bearssl\nArchitecture: any\nDescription: x\n")
        changelog = f"bearssl ({version}) unstable; urgency=low\n\n  * x\n\n -- A <a@b.c>  Thu, 01 Jan 2026 00:00:00 +0000\n"
        write(os.path.join(tree, "debian/changelog"), changelog)
        write(os.path.join(tree, "debian/source/format"), "1.0\n")
        write(os.path.join(tree, "src/inner.h"), "/* of the test */\n")
        command = ["dpkg-source", "--build", "bearssl"]
        subprocess.run(command, cwd=os.path.dirname(tree), check=True, capture_output=True, timeout=SECONDS)
        pool = os.path.join(self.folder, "archive", "pool")
        os.makedirs(pool)
        entries = []
        for name in sorted(os.listdir(os.path.dirname(tree))):
            path = os.path.join(os.path.dirname(tree), name)
            if not os.path.isfile(path):
                continue
            with open(path, "rb") as file:
                content = file.read()
            entries.append((hashlib.sha256(content).hexdigest(), len(content), name))
            if spoil and name.endswith(".tar.gz"):
                content = content[:-1] + bytes([content[-1] ^ 1])
            with open(os.path.join(pool, name), "wb") as out:
                out.write(content)
        listed = "".join(f"\n {digest} {size} {name}" for digest, size, name in entries)
        index = f"Package: bearssl\nBinary: bearssl\nVersion: {version}\nFormat: 1.0\nDirectory: pool\nChecksums-Sha256:{listed}\n\n"
        suite = os.path.join(self.folder, "archive", "dists", debian_source.codename())
        write(os.path.join(suite, "main/source/Sources"), index)
        digest = hashlib.sha256(index.encode()).hexdigest()
        release = f"Codename: {debian_source.codename()}\nSHA256:\n {digest} {len(index)} main/source/Sources\n"
        write(os.path.join(suite, "Release"), release)

    def fetch(self, options="[trusted=yes] "):
        write(os.path.join(self.folder, "apt/sources.list"), f"deb {options}file:{self.folder}/archive {debian_source.codename()} main\n")
        return self.fetch_from(os.path.join(self.folder, "apt"))

    def fetch_from(self, apt):
        command = [sys.executable, os.path.join(ROOT, "toolchain/fetch-bearssl"), "--build-dir", self.build, "--apt-dir", apt]
        return subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=False)

    def unpacked(self):
        return os.path.exists(os.path.join(self.build, "bearssl-src/src/inner.h"))

    def test_fetched_once(self):
        self.add_package()
        done = self.fetch()
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertTrue(self.unpacked())
        again = self.fetch_from(os.path.join(self.folder, "no/such"))
        self.assertEqual((again.returncode, again.stdout, again.stderr), (0, "", ""))

    def test_changed_file(self):
        self.add_package(spoil=True)
        done = self.fetch()
        self.assertEqual(done.returncode, 1)
        self.assertIn("fetching the BearSSL source package failed", done.stderr)
        self.assertFalse(self.unpacked())

    def test_unsigned_archive(self):
        self.add_package()
        done = self.fetch(options="")
        self.assertEqual(done.returncode, 1)
        self.assertIn("is not signed", done.stderr)
        self.assertFalse(self.unpacked())

    def test_other_version(self):
        self.add_package(version="1.0-1")
        done = self.fetch()
        self.assertEqual(done.returncode, 1)
        self.assertIn("the distribution's BearSSL is 1.0; firmware/signature is written for 0.6 (Debian 12)", done.stderr)
        self.assertFalse(self.unpacked())

    def test_no_sources(self):
        done = self.fetch_from(self.folder)
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, "^fetch-bearssl: error: no 'deb' source of .* nothing to derive a deb-src from")

    def test_archive_that_is_not_there(self):
        done = self.fetch()
        self.assertEqual(done.returncode, 1)
        self.assertIn("reading the archive's index failed", done.stderr)
        self.assertIn("is the network, or a mirror, reachable?", done.stderr)


if __name__ == "__main__":
    unittest.main()
