#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""cox keygen, sign, verify and run of signed images: what they write, what they refuse, and that OpenSSL agrees.

With --board qemu: the firmware image that has the tests' key. Ends with status 77 (skipped) if QEMU or that image is not built.
With --board build: coxswain.elf as docs/signing.md builds it, with COX_SIGNING_KEYS.
"""
import argparse
import hashlib
import os
import pathlib
import shutil
import stat
import struct
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "tests"))
sys.path.insert(0, str(ROOT / "tests/tools/run"))
sys.dont_write_bytecode = True

import boot  # noqa: E402
from stream_programs import BLOCK_BYTES, BLOCKS, SUM, SUM_BINDINGS, Cox  # noqa: E402

HEADER, SIGNATURE = 64, 64
TEST_KEY = ROOT / "tests/target/signing/test.pem"


def make_task(cox):
    """Makes sum.cxt, the image of a small program, and x.bin, its input."""
    cox.write("sum.mx", SUM)
    cox.write("sum.bindings.json", SUM_BINDINGS)
    cox("as", "sum.mx", "-o", "sum.cxt")
    (cox.folder / "x.bin").write_bytes(bytes(BLOCKS * BLOCK_BYTES))


def changed(folder, name, to, offset, bit=0):
    data = bytearray((folder / name).read_bytes())
    data[offset] ^= 1 << bit
    (folder / to).write_bytes(data)


def check_files(cox):
    """The bytes of docs/signing.md."""
    cox("keygen", "-o", "key.pem")
    mode = stat.S_IMODE(os.stat(cox.folder / "key.pem").st_mode)
    assert mode & 0o077 == 0, f"others read the private key: {mode:o}"
    cox("keygen", "-o", "key.pem", status=5, says="key.pem: is there already")
    cox("sign", "sum.cxt", "--key", "key.pem", "--version", "7", "-o", "sum.signed")
    cox("sign", "sum.cxt", "--key", "key.pem", "--version", "7", "-o", "again.signed")
    image, payload = (cox.folder / "sum.signed").read_bytes(), (cox.folder / "sum.cxt").read_bytes()
    assert image == (cox.folder / "again.signed").read_bytes(), "a signature is always the same"
    assert struct.unpack("<4s7I", image[:32]) == (b"CXS1", 1, 1, 7, len(payload), 0, 0, 0)
    assert image[HEADER:-SIGNATURE] == payload
    key = image[32:HEADER].hex()
    says = f"a signed image, {len(image)} bytes; cox run, cox check, cox dis and cox verify take it\n"
    says += f"  signed as version 7 by key {key}, not checked here; cox verify checks it\n  name "
    cox("info", "sum.signed", says=says)
    cox("info", "sum.signed", "--json", says=f'"signed": {{\n    "version": 7,\n    "key": "{key}"\n  }}')
    (cox.folder / "short.signed").write_bytes(image[:-1])
    cox("info", "short.signed", status=3, says="short.signed: image_truncated: ")
    return image


def check_openssl(cox, image):
    """OpenSSL reads the keys, verifies the signature, and makes keys and signatures that cox takes."""
    openssl = shutil.which("openssl")
    if openssl is None:
        print("OpenSSL is not installed: not compared")
        return

    def run(*words, data=None):
        return subprocess.run([openssl, *words], cwd=cox.folder, input=data, check=True, capture_output=True).stdout

    der = run("pkey", "-pubin", "-in", "key.pub.pem", "-outform", "DER")
    assert der == run("pkey", "-in", "key.pem", "-pubout", "-outform", "DER")
    assert hashlib.sha256(der).digest() == image[32:HEADER]
    (cox.folder / "signed.bytes").write_bytes(image[:-SIGNATURE])
    number = [b"\x02" + bytes([len(n)]) + n for n in (trimmed(image[-64:-32]), trimmed(image[-32:]))]
    (cox.folder / "signature.der").write_bytes(b"\x30" + bytes([len(b"".join(number))]) + b"".join(number))
    assert b"Verified OK" in run("dgst", "-sha256", "-verify", "key.pub.pem", "-signature", "signature.der", "signed.bytes")
    # Keys of OpenSSL in both forms.
    (cox.folder / "other.pem").write_bytes(run("genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256"))
    (cox.folder / "sec1.pem").write_bytes(run("ec", "-in", "other.pem"))
    (cox.folder / "other.pub.pem").write_bytes(run("pkey", "-in", "other.pem", "-pubout"))
    for key in ("other.pem", "sec1.pem"):
        cox("sign", "sum.cxt", "--key", key, "--version", "1", "-o", "other.signed")
        cox("verify", "other.signed", "--key", "other.pub.pem", says="The signature is right.")
    # Files that hold no key of this curve, or no key that can be read.
    (cox.folder / "p384.pem").write_bytes(run("genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-384"))
    (cox.folder / "p384.pub.pem").write_bytes(run("pkey", "-in", "p384.pem", "-pubout"))
    (cox.folder / "locked.pem").write_bytes(run("pkcs8", "-topk8", "-in", "other.pem", "-passout", "pass:secret"))
    sign = ("sign", "sum.cxt", "--version", "1", "-o", "no.signed", "--key")
    cox(*sign, "p384.pem", status=3, says="p384.pem: is no key of the curve P-256; cox keygen makes one")
    cox(*sign, "locked.pem", status=3, says="locked.pem: is encrypted; openssl pkey")
    cox("verify", "sum.signed", "--key", "p384.pub.pem", status=3, says="p384.pub.pem: is no key of the curve P-256")


def trimmed(number):
    """The content of a DER INTEGER."""
    number = number.lstrip(b"\0") or b"\0"
    return number if number[0] < 0x80 else b"\0" + number


def check_refusals(cox):
    folder = cox.folder
    verify = ("verify", "--key", "key.pub.pem")
    cox(*verify, "sum.signed", says="The signature is right.")
    cox(*verify, "sum.signed", "--minimum", "7", says="version: 7")
    cox(*verify, "sum.signed", "--minimum", "8", status=1, says="sum.signed: rolled_back: it has version 7, and --minimum is 8")
    cox(*verify, "sum.cxt", status=3, says="sum.cxt: is no signed image; cox sign makes one")
    cox("keygen", "-o", "second.pem")
    cox("verify", "sum.signed", "--key", "second.pub.pem", status=1, says="sum.signed: unknown_key: none of the keys")
    cox("verify", "sum.signed", "--key", "second.pub.pem", "--key", "key.pub.pem", says="The signature is right.")
    size = (folder / "sum.signed").stat().st_size
    for offset in (12, 100, size - 1):
        changed(folder, "sum.signed", "bad.signed", offset)
        cox(*verify, "bad.signed", status=1, says="bad.signed: bad_signature: the image is not the one that was signed; cox sign signs it again")
    (folder / "short.signed").write_bytes((folder / "sum.signed").read_bytes()[:-1])
    cox(*verify, "short.signed", status=3, says=f"short.signed: image_truncated: the signed image has {size - 1} of {size} bytes")
    (folder / "long.signed").write_bytes((folder / "sum.signed").read_bytes() + b"x")
    cox(*verify, "long.signed", status=3, says="long.signed: image_malformed: 1 bytes after the signature")
    changed(folder, "sum.signed", "bad.signed", 4)
    cox(*verify, "bad.signed", status=3, says="bad.signed: image_version: layout 0 of signed images; this tool reads 1")
    sign = ("sign", "--version", "1", "-o", "no.signed")
    cox(*sign, "sum.signed", "--key", "key.pem", status=3, says="sum.signed: is signed already")
    cox(*sign, "sum.mx", "--key", "key.pem", status=3, says="cox as makes a task image")
    cox(*sign, "sum.cxt", "--key", "key.pub.pem", status=3, says="key.pub.pem: is no PEM file with a private key; cox keygen makes a pair")
    cox(*sign, "sum.cxt", "--key", "none.pem", status=3, says="none.pem")
    assert not (folder / "no.signed").exists()


def check_runs(cox):
    """The firmware in this process."""
    run = ("run", "--board", "native", "--in", "x=x.bin", "--quiet", "--out")
    cox("run", "sum.cxt", "--board", "native", "--in", "x=x.bin", "--out", "y=plain.bin", "--quiet")
    cox(*run, "y=y.bin", "--keys", "key.pub.pem", "sum.signed")
    assert (cox.folder / "y.bin").read_bytes() == (cox.folder / "plain.bin").read_bytes()
    cox(*run, "y=y.bin", "sum.signed", status=1, says="unsupported: the firmware has no keys for signed images")
    cox(*run, "y=y.bin", "--keys", "key.pub.pem", "sum.cxt", status=1, says="image_unsigned: the firmware takes signed images only; cox sign signs it")
    cox(*run, "y=y.bin", "--keys", "second.pub.pem", "sum.signed", status=1, says="unknown_key: the firmware does not have the key")
    changed(cox.folder, "sum.signed", "bad.signed", (cox.folder / "sum.signed").stat().st_size - 1)
    cox(*run, "y=y.bin", "--keys", "key.pub.pem", "bad.signed", status=1, says="bad_signature: the image is not the one that was signed")
    cox("run", "sum.signed", "--keys", "key.pub.pem", "--in", "x=x.bin", status=2, says="--keys: a firmware image has its keys in it")
    cox("check", "sum.signed")
    cox("dis", "sum.signed", "-o", "back.mx")
    assert "ELADD" in (cox.folder / "back.mx").read_text()


def check_keys_script(folder):
    """toolchain/signing-keys, which puts keys into a firmware image."""

    def fails(*words):
        done = subprocess.run([sys.executable, ROOT / "toolchain/signing-keys", *words], cwd=folder, capture_output=True, text=True, check=False)
        assert done.returncode == 1, words
        return done.stderr

    subprocess.run([sys.executable, ROOT / "toolchain/signing-keys", "--minimum", "4", "-o", "keys.cpp", "key.pub.pem", "second.pub.pem"], cwd=folder, check=True)
    assert (folder / "keys.cpp").read_text().count(", 4U},") == 2
    assert "a private key stays out of firmware" in fails("-o", "no.cpp", "key.pem")
    assert "none.pem: No such file" in fails("-o", "no.cpp", "none.pem")
    assert "at most 8" in fails("-o", "no.cpp", *["key.pub.pem"] * 9)
    assert "it should be a number" in fails("--minimum", "-1", "-o", "no.cpp", "key.pub.pem")
    if (folder / "p384.pub.pem").exists():
        assert "is no key of the curve P-256" in fails("-o", "no.cpp", "p384.pub.pem")
    assert not (folder / "no.cpp").exists()


def check_firmware(cox):
    """The firmware image with the tests' key under QEMU; it takes versions from 3 on."""
    image = pathlib.Path(os.environ["COX_TARGET_BUILD"]) / "bin/coxswain-signed.elf"
    for needed in (image, os.environ["COX_QEMU"]):
        if not os.path.exists(needed):
            print(f"skipped: {needed} is not there; make target and make qemu make them")
            sys.exit(boot.SKIPPED)
    os.environ["COX_FIRMWARE"] = str(image)
    console = boot.console_of("signing_selftest.elf", 100)
    assert "FAILED" not in console
    check_image(cox, image, str(TEST_KEY))


def check_image(cox, image, key):
    """A firmware image that takes tasks of version 3 and higher that are signed with this key."""
    run = ("run", "--in", "x=x.bin", "--quiet", "--out", "y=y.bin", "--image", str(image))
    cox("run", "sum.cxt", "--board", "native", "--in", "x=x.bin", "--out", "y=plain.bin", "--quiet")
    cox("sign", "sum.cxt", "--key", key, "--version", "3", "-o", "sum.signed")
    cox(*run, "sum.signed")
    assert (cox.folder / "y.bin").read_bytes() == (cox.folder / "plain.bin").read_bytes()
    cox("sign", "sum.cxt", "--key", key, "--version", "2", "-o", "old.signed")
    cox(*run, "old.signed", status=1, says="rolled_back: the image has version 2, and the firmware takes 3 or higher of this key")
    changed(cox.folder, "sum.signed", "bad.signed", (cox.folder / "sum.signed").stat().st_size - 1)
    cox(*run, "bad.signed", status=1, says="bad_signature: the image is not the one that was signed")
    cox(*run, "sum.cxt", status=1, says="image_unsigned: the firmware takes signed images only")
    cox("keygen", "-o", "other.pem")
    cox("sign", "sum.cxt", "--key", "other.pem", "--version", "9", "-o", "other.signed")
    cox(*run, "other.signed", status=1, says="unknown_key: the firmware does not have the key")


def check_own_build(cox):
    """coxswain.elf of a build with COX_SIGNING_KEYS and COX_SIGNING_MINIMUM."""
    bearssl = ROOT / "build/bearssl-src"
    missing = [str(path) for path in (bearssl, pathlib.Path(os.environ["COX_QEMU"])) if not path.exists()]
    missing += [tool for tool in ("cmake", "ninja", "arm-none-eabi-gcc") if shutil.which(tool) is None]
    if missing:
        print(f"skipped: no {', '.join(missing)}")
        sys.exit(boot.SKIPPED)
    cox("keygen", "-o", "key.pem")
    build = cox.folder / "build"
    options = ["-DCMAKE_BUILD_TYPE=Release", f"-DCMAKE_TOOLCHAIN_FILE={ROOT}/toolchain/arm-none-eabi.cmake", "-DCOX_BOARD=qemu-npu-soc",
               "-DCOX_ONLY=base;device;isa;hal;firmware;boards", "-DCOX_JUMBO=ON", "-DCOX_JUMBO_LAYERS=isa;hal;firmware",
               f"-DCOX_BEARSSL_DIR={bearssl}", f"-DCOX_SIGNING_KEYS={cox.folder}/key.pub.pem", "-DCOX_SIGNING_MINIMUM=3"]
    for command in (["cmake", "-G", "Ninja", "-S", ROOT, "-B", build, *options], ["ninja", "-C", build, "coxswain.elf"]):
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        if done.returncode != 0:
            sys.exit(f"{command}: exit status {done.returncode}\n{done.stdout}")
    image = build / "bin/coxswain.elf"
    cox("info", str(image), says=", signed jobs")
    check_image(cox, image, "key.pem")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cox", required=True)
    parser.add_argument("--board", default="native")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        cox = Cox(arguments.cox, folder)
        make_task(cox)
        if arguments.board in ("qemu", "build"):
            check_firmware(cox) if arguments.board == "qemu" else check_own_build(cox)
            return
        image = check_files(cox)
        check_openssl(cox, image)
        check_refusals(cox)
        check_runs(cox)
        check_keys_script(folder)


if __name__ == "__main__":
    main()
