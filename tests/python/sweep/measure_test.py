#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What a worker does with a point: checks of revision and files, digests, and images that points share."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import threading
import unittest
from unittest import mock

from sweep_support import COX, DIGITS, ROOT

from coxswain.sweep import images
from coxswain.sweep.inputs import digest_of
from coxswain.sweep.measure import measure
from coxswain.sweep.steps import Refused, Step, StepFailed
from coxswain.work import build_beyond

os.environ["COXSWAIN_COX"] = COX
REVISION = subprocess.run([COX, "--version"], capture_output=True, text=True, check=True).stdout.strip()


class Folder(unittest.TestCase):
    def setUp(self):
        self._folder = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self._folder.name)

    def tearDown(self):
        self._folder.cleanup()


class Digests(Folder):
    def test_weights_that_a_network_names_count(self):
        shutil.copytree(DIGITS.parent, self.folder / "digits")
        network = self.folder / "digits/network.json"
        before = digest_of(network)
        weights = sorted((self.folder / "digits/weights").glob("*.bin"))
        for file in weights:
            content = bytearray(file.read_bytes())
            content[-1] ^= 1
            file.write_bytes(content)
            self.assertNotEqual(digest_of(network), before, file)
            content[-1] ^= 1
            file.write_bytes(content)
            self.assertEqual(digest_of(network), before, file)
        self.assertGreater(len(weights), 2)

    def test_bindings_beside_a_stream_and_their_constants_count(self):
        (self.folder / "a.jsonl").write_text("stream")
        seen = [digest_of(self.folder / "a.jsonl")]
        for name, text in (("a.bindings.json", '{"constants": [{"file": "c.bin"}]}'), ("c.bin", "1"), ("c.bin", "2"), ("a.jsonl", "streams")):
            (self.folder / name).write_text(text)
            seen.append(digest_of(self.folder / "a.jsonl"))
        self.assertEqual(len(set(seen)), len(seen))

    def test_names_of_networks_and_files_may_be_any(self):
        place = self.folder / ("long" * 50) / ("long" * 50)
        place.mkdir(parents=True)
        (place / "w.bin").write_text("1")
        network = self.folder / "network.txt"
        network.write_text('{"layers": [{"weights": "%s"}], "title": "%s"}' % (place / "w.bin", "\u00e4" * 200))
        before = digest_of(network)
        (place / "w.bin").write_text("2")
        self.assertNotEqual(digest_of(network), before)

    def test_the_place_of_a_file_does_not_count(self):
        for name in ("one", "two"):
            (self.folder / name).mkdir()
            (self.folder / name / "a.cxt").write_text("image")
        self.assertEqual(digest_of(self.folder / "one/a.cxt"), digest_of(self.folder / "two/a.cxt"))


class Measure(Folder):
    def payload(self, **members):
        good = {"kind": "network", "file": str(DIGITS), "digests": {"file": digest_of(DIGITS)}, "lower": [], "device": [], "run": ["--board", "native"],
                "files": {}, "inputs": {}, "expected": {}, "revision": REVISION, "build": build_beyond(COX, REVISION), "seconds": 60}  # fmt: skip
        return {**good, **members}

    def test_a_point(self):
        outcome = measure(self.payload())
        self.assertGreater(outcome["values"]["metrics"]["cycles"], 1000)
        self.assertEqual(outcome["values"]["metrics"]["macs"], outcome["values"]["statistics"]["multiply_accumulates"])

    def test_a_worker_of_another_revision_fails_the_point(self):
        outcome = measure(self.payload(revision="cox 9.9.9"))
        self.assertEqual(outcome["status"], "failed")
        self.assertIn(REVISION, outcome["message"])
        self.assertIn("cox 9.9.9", outcome["message"])

    def test_files_that_changed_or_are_missing_fail_the_point(self):
        self.assertIn("has changed since the sweep began", measure(self.payload(digests={"file": "0"}))["message"])
        self.assertIn("at the same paths", measure(self.payload(file=str(self.folder / "absent.json")))["message"])
        (self.folder / "in").write_bytes(bytes(128))
        outcome = measure(self.payload(inputs={"image": str(self.folder / "in")}, digests={"file": digest_of(DIGITS), "in image": "0"}))
        self.assertEqual(outcome["status"], "failed")
        self.assertIn("has changed since the sweep began", outcome["message"])
        for members, digest in (({"files": {"faults": str(self.folder / "in")}}, "faults"), ({"expected": {"logits": str(self.folder / "in")}}, "expected logits")):
            outcome = measure(self.payload(**members, digests={"file": digest_of(DIGITS), digest: "0"}))
            self.assertEqual(outcome["status"], "failed")
            self.assertIn("has changed since the sweep began", outcome["message"])
        missing = measure(self.payload(files={"faults": str(self.folder / "absent")}, digests={"file": digest_of(DIGITS), "faults": "0"}))
        self.assertEqual(missing["status"], "failed")
        self.assertIn("at the same paths", missing["message"])

    def test_a_worker_of_another_build_fails_the_point(self):
        program = self.folder / "cox"
        program.write_text("#!/bin/sh\necho cox 1, revision 2-dirty\n")
        program.chmod(0o755)
        payload = self.payload(revision="cox 1, revision 2-dirty", build=build_beyond(program, "2-dirty"), kind="program")
        with mock.patch.dict(os.environ, {"COXSWAIN_COX": str(program)}):
            self.assertNotIn("another build", measure(payload)["message"])
            program.write_text("#!/bin/sh\necho cox 1, revision 2-dirty # changed\n")
            self.assertIn("another build of cox 1, revision 2-dirty", measure(payload)["message"])
            program.write_text("#!/bin/sh\nexit 1\n")
            self.assertIn("does not say its version", measure(payload)["message"])
        self.assertEqual(build_beyond(program, "2"), "")

    def test_what_cox_refuses_is_refused_with_its_words(self):
        outcome = measure(self.payload(device=["--option", "geometry.wl0_units=1"]))
        self.assertEqual(outcome["status"], "refused")
        self.assertIn("layer conv1", outcome["message"])
        self.assertNotIn("coxswain-images", outcome["message"])

    def test_a_crash_fails(self):
        crash = self.folder / "crash"
        crash.write_text("#!/bin/sh\nkill -SEGV $$\n")
        crash.chmod(0o755)
        with self.assertRaisesRegex(StepFailed, "cox run ended with signal 11"):
            Step(str(crash), 10).run(["run"])


class FakeStep:
    """Writes the files that `cox lower` and `cox as` would, and counts."""

    def __init__(self, refuse=False):
        self.calls, self.refuse = [], refuse

    def run(self, arguments):
        self.calls.append(arguments[0])
        if self.refuse:
            raise Refused("too small")
        pathlib.Path(arguments[arguments.index("-o") + 1]).write_text(arguments[0])


class Images(unittest.TestCase):
    def setUp(self):
        self.images = images._Images()

    def get(self, step, number):
        return self.images.get(step, DIGITS, {"digests": {"file": str(number)}, "lower": [], "device": [], "revision": "r", "build": ""})

    def test_images_of_a_process_that_was_killed_are_removed(self):
        with tempfile.TemporaryDirectory() as folder:
            code = "import os, signal; from coxswain.sweep import images; images._Images(); os.kill(os.getpid(), signal.SIGKILL)"
            environment = {**os.environ, "TMPDIR": folder, "PYTHONPATH": str(ROOT / "python")}
            subprocess.run([sys.executable, "-c", code], env=environment, check=False)
            (left,) = pathlib.Path(folder).iterdir()
            with mock.patch.object(tempfile, "tempdir", folder):
                used, other = images._Images(), images._Images()
            self.assertEqual(set(pathlib.Path(folder).iterdir()), {used._folder, other._folder})
            self.assertNotIn(left, (used._folder, other._folder))

    def test_points_with_the_same_lowering_share_an_image(self):
        step = FakeStep()
        for _ in range(3):
            with self.get(step, 1) as image:
                self.assertEqual(image.read_text(), "as")
        self.assertEqual(step.calls, ["lower", "as"])
        with self.get(step, 2):
            pass
        self.assertEqual(step.calls, ["lower", "as"] * 2)

    def test_threads_that_need_the_same_image_wait_for_one_of_them(self):
        step = FakeStep()
        barrier = threading.Barrier(8)

        def use():
            barrier.wait()
            with self.get(step, 1) as image:
                image.read_text()

        threads = [threading.Thread(target=use) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(step.calls, ["lower", "as"])

    def test_a_refusal_is_kept(self):
        step = FakeStep(refuse=True)
        for _ in range(2):
            with self.assertRaisesRegex(Refused, "too small"), self.get(step, 1):
                pass
        self.assertEqual(step.calls, ["lower"])

    def test_old_images_go_unless_they_are_in_use(self):
        step = FakeStep()
        with self.get(step, 0) as used:
            paths = []
            for number in range(1, images._MOST_IMAGES + 4):
                with self.get(step, number) as image:
                    paths.append(image)
            self.assertTrue(used.exists())
        self.assertFalse(paths[0].exists())
        self.assertTrue(paths[-1].exists())
        self.assertEqual(sum(path.exists() for path in paths), images._MOST_IMAGES + 1)


if __name__ == "__main__":
    unittest.main()
