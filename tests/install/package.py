#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Builds the Debian package, installs it in a clean root, runs README.md's first task there natively and under QEMU, and removes it again.

    package.py BUILD FOLDER

The clean root is made by debootstrap from the archive of this computer's own apt sources. The test skips, and says why, if it does not run as
root, or if debootstrap or the archive is missing.
"""
import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import first_task

sys.path.insert(0, str(first_task.ROOT / "toolchain"))
import debian_source  # noqa: E402

# Folders that may hold files of a package. /etc, /var and /tmp have files of apt and dpkg themselves.
WATCHED = ("usr", "opt", "bin", "lib", "root")
TASK = "root/task"


def skip(why):
    print(f"skipped: {why}")
    sys.exit(first_task.SKIPPED)


def run(*command, **options):
    """Runs a command; ends the test with its output if it fails."""
    done = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", check=False, **options)
    if done.returncode != 0:
        sys.exit(f"{shlex.join(str(word) for word in command)}: exit status {done.returncode}\n{done.stdout}")
    return done.stdout


def build_package(build, folder):
    package_folder = folder / "packages"
    shutil.rmtree(package_folder, ignore_errors=True)
    run("cpack", "-G", "DEB", "-B", package_folder, cwd=build)
    packages = sorted(package_folder.glob("coxswain_*.deb"))
    assert len(packages) == 1, packages
    print(f"{packages[0].name}: {packages[0].stat().st_size:,} bytes")
    return packages[0]


def check_package(package):
    files = run("dpkg-deb", "-c", package)
    missing = [file for file in ("/usr/lib/coxswain/qemu-system-arm", "/usr/lib/coxswain/boards/qemu-npu-soc/coxswain.elf") if file not in files]
    if missing:
        skip(f"the builds beside this one have no {', '.join(missing)}: make qemu target")
    depends = run("dpkg-deb", "-f", package, "Depends")
    for library in ("libc6", "libglib2.0-0", "libfmt9", "libstdc++6"):
        assert library in depends, f"no dependency on {library}: {depends}"
    if shutil.which("lintian") is None:
        print("lintian is missing, so it does not look at the package")
    else:
        run("lintian", "--allow-root", "--fail-on", "error,warning", package)


def archive():
    """Returns the address of this computer's archive of Debian."""
    release = debian_source.codename()
    for stanza in debian_source.source_stanzas("/etc/apt", release):
        fields = dict(line.split(": ", 1) for line in stanza.splitlines())
        if release in fields["Suites"].split():
            return release, fields["URIs"].split()[0]
    skip(f"/etc/apt has no archive of {release}")


def make_root(root):
    if os.getuid() != 0:
        skip("a clean root needs the rights of root")
    if shutil.which("debootstrap") is None:
        skip("debootstrap is missing: apt-get install debootstrap")
    release, mirror = archive()
    done = subprocess.run(["debootstrap", "--variant=minbase", release, root, mirror], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if done.returncode != 0:
        skip("debootstrap cannot make a clean root:\n" + done.stdout[-2000:])


def within(root, command):
    """Runs a command for bash in the root, with /proc, which is unmounted at the end of the command."""
    inside = f"mount -t proc proc {shlex.quote(str(root))}/proc && exec chroot {shlex.quote(str(root))} /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive bash -euc {shlex.quote(command)}"
    return run("unshare", "--mount", "sh", "-c", inside)


def listing(root):
    return {os.path.join(folder, name) for top in WATCHED for folder, folders, files in os.walk(root / top) for name in folders + files}


def use(root):
    for board in ("native", "qemu"):
        shutil.rmtree(root / TASK, ignore_errors=True)
        (root / TASK).mkdir()
        said = within(root, f"cd /{TASK}\n{first_task.commands('cox', board)}")
        print(f"--board {board}: {said.splitlines()[-1]}")
        assert (root / TASK / "in.bin").read_bytes() == (root / TASK / "out.bin").read_bytes()
    shutil.rmtree(root / TASK)


def main():
    build, folder = (Path(path).resolve() for path in sys.argv[1:])
    folder.mkdir(parents=True, exist_ok=True)
    package = build_package(build, folder)
    check_package(package)
    root = folder / "root"
    shutil.rmtree(root, ignore_errors=True)
    try:
        make_root(root)
        within(root, "apt-get -q update")
        before = listing(root)
        shutil.copy(package, root / "tmp/coxswain.deb")
        within(root, "apt-get -q -y --no-install-recommends install /tmp/coxswain.deb")
        use(root)
        within(root, "apt-get -q -y purge coxswain && ! ls /usr/lib/coxswain /usr/share/coxswain 2> /dev/null && ! command -v cox && apt-get -q -y autoremove --purge")
        left = sorted(listing(root) - before)
        assert not left, f"these stay after removal: {left[:20]}"
    finally:
        shutil.rmtree(root, ignore_errors=True)
    print("installed, used and removed; nothing stays")


if __name__ == "__main__":
    main()
