#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`cox image-key`, `image-sign`, `image-verify` and `info`, called as a user does, with an image that the test makes itself."""
import base64
import hashlib
import os
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
import ed25519  # noqa: E402

COX = os.environ["COX"]
HEADER = 0x400
# The first key pair of RFC 8032, section 7.1.
SEED = bytes.fromhex("9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60")
PUBLIC = bytes.fromhex("d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a")
PUBLIC_DER = bytes.fromhex("302a300506032b6570032100") + PUBLIC  # RFC 8410


def pem(kind, der):
    return f"-----BEGIN {kind}-----\n{base64.b64encode(der).decode()}\n-----END {kind}-----\n"


def record(header=HEADER, layout=1):
    texts = [text.encode().ljust(32, b"\0") for text in ("sample", "0123456789ab", "some-board")]
    return b"coxswain.version" + struct.pack("<HHHHHHI", layout, 128, 1, 2, 3, header, 6) + b"".join(texts)


def image(**fields):
    note = struct.pack("<III4s", 4, 20, 3, b"GNU\0") + bytes(range(20))
    return struct.pack("<II", 0x20010000, 0x541) + bytes(312) + record(**fields) + note + bytes(range(256)) * 8


def signed(contents, version=(1, 2, 3, 0), counter=None):
    """A signed image by the layout of MCUboot's design document."""
    protected = b"" if counter is None else struct.pack("<HHHHI", 0x6908, 12, 0x50, 4, counter)
    header = struct.pack("<IIHHIIBBHII", 0x96F3B83D, 0, HEADER, len(protected), len(contents), 0, *version, 0)
    covered = header.ljust(HEADER, b"\xff") + contents + protected
    digest = hashlib.sha256(covered).digest()
    tlvs = b""
    for kind, value in ((0x10, digest), (0x01, hashlib.sha256(PUBLIC_DER).digest()), (0x24, ed25519.sign(SEED, digest))):
        tlvs += struct.pack("<HH", kind, len(value)) + value
    return covered + struct.pack("<HH", 0x6907, 4 + len(tlvs)) + tlvs


class Images(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.write("key.pem", pem("PRIVATE KEY", bytes.fromhex("302e020100300506032b657004220420") + SEED).encode())
        self.write("public.pem", pem("PUBLIC KEY", PUBLIC_DER).encode())
        self.write("image.bin", image())

    def write(self, name, data):
        (self.folder / name).write_bytes(data)

    def read(self, name):
        return (self.folder / name).read_bytes()

    def cox(self, status, pattern, *words):
        done = subprocess.run([COX, *words], cwd=self.folder, capture_output=True, text=True, check=False)
        output = done.stdout + done.stderr
        self.assertEqual(done.returncode, status, output)
        self.assertTrue(re.search(pattern, output), output)
        return output

    def verify(self, status, pattern, data, *options):
        self.write("tried.bin", data)
        return self.cox(status, pattern, "image-verify", "tried.bin", "--key", "public.pem", *options)

    def test_the_test_itself(self):
        self.assertEqual(ed25519.public_key(SEED), PUBLIC)
        self.assertEqual(ed25519.sign(SEED, b"").hex()[:32], "e5564300c360ac729086e2cc806e828a")

    def test_bytes_are_those_of_the_document(self):
        self.cox(0, "", "image-sign", "image.bin", "--key", "key.pem", "-o", "out.bin")
        self.assertEqual(self.read("out.bin"), signed(image()))
        self.cox(0, "", "image-sign", "image.bin", "--key", "key.pem", "--version", "2.0.65535+7", "--security-counter", "9", "-o", "out.bin")
        self.assertEqual(self.read("out.bin"), signed(image(), (2, 0, 65535, 7), 9))
        self.cox(0, "", "image-sign", "image.bin", "--key", "key.pem", "--security-counter", "auto", "-o", "out.bin")
        self.assertEqual(self.read("out.bin"), signed(image(), counter=0x01020003))

    def test_slot(self):
        sign = ["image-sign", "image.bin", "--key", "key.pem", "-o", "out.bin", "--slot-size", "0x2000"]
        self.cox(0, "", *sign, "--pad")
        out = self.read("out.bin")
        body = signed(image())
        self.assertEqual(out, (body.ljust(0x2000 - 16, b"\xff") + bytes.fromhex("77c295f360d2ef7f3552500f2cb67980")))
        self.verify(0, "version 1.2.3", out)
        self.cox(0, "", *sign, "--confirm")
        confirmed = self.read("out.bin")
        self.assertEqual([i - 0x2000 for i in range(0x2000) if confirmed[i] != out[i]], [-24])
        self.verify(0, "version 1.2.3", confirmed)
        self.verify(3, "neither erased flash nor", out[: len(body)] + b"\x12" + out[len(body) + 1 :])
        self.cox(1, "but the slot has only 4096", "image-sign", "image.bin", "--key", "key.pem", "-o", "o.bin", "--slot-size", "0x1000", "--align", "8")
        self.cox(2, "--pad: the size of the slot is missing", "image-sign", "image.bin", "--key", "key.pem", "-o", "o.bin", "--pad")

    def test_flipped_bits(self):
        good = signed(image(), counter=9)
        self.verify(0, "version 1.2.3, security counter 9: signed by public.pem", good)
        end = HEADER + len(image())
        tlvs = end + 12
        for place, pattern in (
            (0, "not a signed image"),
            (4, "header, the image or the protected TLVs were changed since they were signed"),
            (8, "truncated, or its header was changed|there should be the"),
            (12, "truncated, or its header was changed|there should be the"),
            (20, "header, the image or the protected TLVs were changed"),
            (100, "header, the image or the protected TLVs were changed"),
            (HEADER + 4, "header, the image or the protected TLVs were changed"),
            (end - 1, "header, the image or the protected TLVs were changed"),
            (end, "there should be the protected TLVs"),
            (end + 8, "header, the image or the protected TLVs were changed"),
            (tlvs, "there should be the TLVs"),
            (tlvs + 4, "no SHA-256 TLV"),
            (tlvs + 8, "the SHA-256 TLV was changed"),
            (tlvs + 44, "the key hash TLV was changed"),
            (tlvs + 80, "the signature is wrong"),
            (len(good) - 1, "the signature is wrong"),
        ):
            with self.subTest(place=place):
                bad = bytearray(good)
                bad[place] ^= 1
                output = self.verify(3 if "should be" in pattern or "not a signed" in pattern else 1, pattern, bytes(bad))
                self.assertNotIn("signed by public.pem", output)

    def test_every_byte_counts(self):
        """A flipped bit anywhere in header, TLVs or a part of the image is found by some check."""
        good = signed(image(), counter=9)
        end = HEADER + len(image())
        for place in [*range(0, 32, 3), *range(end, len(good), 11)]:
            bad = bytearray(good)
            bad[place] ^= 0x10
            self.write("tried.bin", bytes(bad))
            done = subprocess.run([COX, "image-verify", "tried.bin", "--key", "public.pem"], cwd=self.folder, capture_output=True, check=False)
            self.assertIn(done.returncode, (1, 3), place)

    def test_truncated(self):
        good = signed(image(), counter=9)
        for size in (4, 31, HEADER, HEADER + 100, HEADER + len(image()), HEADER + len(image()) + 3, len(good) - 100, len(good) - 1):
            with self.subTest(size=size):
                self.verify(3, "truncated", good[:size])

    def test_rolled_back(self):
        good = signed(image(), counter=9)
        self.verify(0, "", good, "--at-least", "1.2.3", "--counter-at-least", "9")
        self.verify(1, r"rolled back: the image has version 1\.2\.3, and at least 1\.2\.4", good, "--at-least", "1.2.4")
        self.verify(1, "rolled back: the image has security counter 9, and at least 10", good, "--counter-at-least", "10")
        self.verify(1, "no security counter", signed(image()), "--counter-at-least", "1")
        self.verify(2, "--at-least: '1.2' is not a version", good, "--at-least", "1.2")

    def test_keys(self):
        for kind in ("ed25519", "ecdsa-p256"):
            self.cox(0, "", "image-key", f"{kind}.pem", "--type", kind)
            self.assertEqual((self.folder / f"{kind}.pem").stat().st_mode & 0o777, 0o600)
            self.cox(0, "", "image-sign", "image.bin", "--key", f"{kind}.pem", "-o", f"{kind}.bin")
            self.cox(0, "signed by", "image-verify", f"{kind}.bin", "--key", f"{kind}.pub.pem")
            self.cox(5, "never overwritten", "image-key", f"{kind}.pem")
        self.check_ecdsa_with_openssl()
        self.cox(1, "signature by ecdsa-p256, but public.pem is a key for ed25519", "image-verify", "ecdsa-p256.bin", "--key", "public.pem")
        self.cox(1, "signed with another key than public.pem", "image-verify", "ed25519.bin", "--key", "public.pem")
        bad = bytearray(self.read("ecdsa-p256.bin"))
        bad[-1] ^= 1
        self.write("bad.bin", bytes(bad))
        self.cox(1, "the signature is wrong", "image-verify", "bad.bin", "--key", "ecdsa-p256.pub.pem")
        self.cox(3, "no private key in PEM form", "image-sign", "image.bin", "--key", "public.pem", "-o", "o.bin")
        self.cox(3, "no public key in PEM form", "image-verify", "ed25519.bin", "--key", "image.bin")

    def check_ecdsa_with_openssl(self):
        """The TLVs of an ECDSA signature, taken apart here and verified by OpenSSL."""
        data = self.read("ecdsa-p256.bin")
        body = HEADER + len(image())
        self.assertEqual(struct.unpack_from("<HH", data, body), (0x6907, len(data) - body))
        at, tlvs = body + 4, {}
        while at < len(data):
            kind, size = struct.unpack_from("<HH", data, at)
            tlvs[kind] = data[at + 4 : at + 4 + size]
            at += 4 + size
        self.assertEqual(list(tlvs), [0x10, 0x01, 0x22])
        self.assertEqual(tlvs[0x10], hashlib.sha256(data[:body]).digest())
        der = base64.b64decode("".join(self.read("ecdsa-p256.pub.pem").decode().split("-----")[2].split()))
        self.assertEqual(tlvs[0x01], hashlib.sha256(der).digest())
        if shutil.which("openssl") is None:
            return
        self.write("body", data[:body])
        self.write("signature", tlvs[0x22])
        verify = ["openssl", "dgst", "-sha256", "-verify", "ecdsa-p256.pub.pem", "-signature", "signature"]
        for name, status in (("body", 0), ("image.bin", 1)):
            done = subprocess.run([*verify, name], cwd=self.folder, capture_output=True, check=False)
            self.assertEqual(done.returncode, status, done.stdout)

    def test_refused_to_sign(self):
        self.write("flat.bin", image(header=0))
        self.cox(1, "linked without room for a header; link it with COX_IMAGE_HEADER", "image-sign", "flat.bin", "--key", "key.pem", "-o", "o.bin")
        self.cox(1, "was linked for a header of 1024 bytes, not 512", "image-sign", "image.bin", "--key", "key.pem", "-o", "o.bin", "--header-size", "512")
        self.write("plain.bin", bytes(64))
        self.cox(1, "no version record; say with --header-size", "image-sign", "plain.bin", "--key", "key.pem", "-o", "o.bin")
        self.write("signed.bin", signed(image()))
        self.cox(1, "signed already", "image-sign", "signed.bin", "--key", "key.pem", "-o", "o.bin")
        self.cox(1, "does not say at which address", "image-sign", "image.bin", "--key", "key.pem", "-o", "o.hex")

    def test_info(self):
        lines = "sample 1.2.3, revision 0123456789ab, board some-board\n  build 000102.*, stream jobs, MVE\n"
        self.cox(0, lines, "info", "image.bin")
        self.write("signed.bin", signed(image(), counter=9))
        self.cox(0, "(?s)signed image.*" + lines + ".*version 1.2.3, security counter 9, header of 1024", "info", "signed.bin")
        self.cox(0, '"security_counter": 9', "info", "--json", "signed.bin")
        self.write("odd.bin", image().replace(b"sample\0", b"s\xffm\x1ble\0"))
        self.cox(0, r"s\?m\?le 1\.2\.3", "info", "odd.bin")
        self.cox(0, r'"name": "s\?m\?le"', "info", "--json", "odd.bin")
        self.write("new.bin", image(layout=2))
        self.cox(3, "layout 2, and this cox knows only 1; use a newer cox", "info", "new.bin")
        self.write("text.hex", b":0400000001020304F2\n")
        self.cox(3, "no line that ends it; it is truncated", "info", "text.hex")
        self.write("text.hex", b":0400000001020304F3\n:00000001FF\n")
        self.cox(3, "text.hex:1: the line's check sum is wrong", "info", "text.hex")
        self.cox(3, "not for a 32-bit little-endian Arm core", "info", COX)
        self.write("other.bin", b"something else")
        self.cox(3, "not a file that cox knows", "info", "other.bin")


if __name__ == "__main__":
    unittest.main()
