# SPDX-License-Identifier: MIT
"""Fetches source packages of the distribution, for the scripts of this folder that build something from one.

A package is fetched with an apt state of our own: the machine's sources, lists and caches are read, never written. apt checks what it fetches:
the archive's signature covers the hashes of the package's files.
"""

import glob
import os
import re
import shutil
import subprocess


class BuildError(Exception):
    """An error with its cause and remedy, for the user."""


def run(command, log, what, hint, **options):
    """Runs a command with its output in a log file. On failure shows the end of the log."""
    with open(log, "ab") as out:
        out.write(("$ " + " ".join(command) + "\n").encode())
        out.flush()
        try:
            status = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT, **options).returncode
        except FileNotFoundError:
            raise BuildError(f"{what}: there is no '{command[0]}' on this machine. {hint}") from None
    if status != 0:
        with open(log, errors="replace") as text:
            tail = "".join("    " + line for line in text.readlines()[-15:])
        raise BuildError(f"{what} failed (exit status {status}). {hint}\n{tail}    (all of it: {log})")


def codename():
    with open("/etc/os-release") as text:
        for line in text:
            if line.startswith("VERSION_CODENAME="):
                return line.split("=", 1)[1].strip().strip('"')
    raise BuildError("/etc/os-release names no VERSION_CODENAME: this recipe wants Debian")


def deb822_stanzas(path):
    with open(path, errors="replace") as text:
        lines = [line.rstrip("\n") for line in text if not line.startswith("#")]
    stanza, field = {}, None
    for line in lines + [""]:
        if not line.strip():
            if stanza:
                yield stanza
            stanza, field = {}, None
        elif line[0] in " \t" and field:
            stanza[field] += "\n" + line
        elif ":" in line:
            name, value = line.split(":", 1)
            field = name.strip().lower()
            stanza[field] = value.strip()


def one_line_stanzas(path):
    pattern = re.compile(r"^deb(?:-src)?\s+(?:\[([^\]]*)\]\s+)?(\S+)\s+(\S+)((?:\s+[^\s#]+)*)")
    with open(path, errors="replace") as text:
        for line in text:
            match = pattern.match(line.strip())
            if match:
                options, uri, suite, components = match.groups()
                stanza = {"types": "deb", "uris": uri, "suites": suite, "components": components.strip()}
                for option in (options or "").split():
                    name, _, value = option.partition("=")
                    stanza[name.lower()] = value.replace(",", " ")
                yield stanza


def source_stanzas(apt_folder, release):
    """Returns deb-src stanzas for this release's archive, its updates and its security archive, from the computer's own sources."""
    suites = {release, release + "-updates", release + "-security"}
    parts = sorted(glob.glob(os.path.join(apt_folder, "sources.list.d", "*")))
    for path in [os.path.join(apt_folder, "sources.list")] + parts:
        if not os.path.isfile(path):
            continue
        reader = deb822_stanzas if path.endswith(".sources") else one_line_stanzas if path.endswith(".list") else None
        for stanza in reader(path) if reader else ():
            wanted = [suite for suite in stanza.get("suites", "").split() if suite in suites]
            if wanted and "main" in stanza.get("components", "").split() and stanza.get("enabled", "yes").lower() != "no":
                kept = {"Types": "deb-src", "URIs": stanza["uris"], "Suites": " ".join(wanted), "Components": "main"}
                for name in ("Signed-By", "Trusted"):
                    if name.lower() in stanza:
                        kept[name] = stanza[name.lower()]
                yield "".join(f"{name}: {value}\n" for name, value in kept.items())


class SourcePackage:
    """A source package: `name` in the archive, `title` for messages. `state` is a folder for apt and for what it fetches, `packages` are
    what unpacking and building need, and `say` prints progress."""

    def __init__(self, name, title, state, packages, say):
        self.name = name
        self.title = title
        self.state = state
        self.packages = packages
        self.say = say

    def fetch(self, apt_folder):
        """Downloads the package; returns the path of its .dsc."""
        for folder in ("lists/partial", "cache/archives/partial", "parts", "download"):
            os.makedirs(os.path.join(self.state, folder), exist_ok=True)
        release = codename()
        stanzas = list(dict.fromkeys(source_stanzas(apt_folder, release)))
        if not stanzas:
            raise BuildError(f"no 'deb' source of {release} with component main under {apt_folder}: nothing to derive a deb-src from")
        sources = os.path.join(self.state, f"{self.name}.sources")
        with open(sources, "w") as out:
            out.write("\n".join(stanzas))
        apt = ["apt-get", "-q"]
        for setting in (
            f"Dir::Etc::SourceList={sources}",
            f"Dir::Etc::SourceParts={self.state}/parts",
            f"Dir::State={self.state}",
            f"Dir::State::Lists={self.state}/lists",
            f"Dir::Cache={self.state}/cache",
            f"APT::Sandbox::User={'root' if os.getuid() == 0 else ''}",
            "Acquire::Languages=none",
            "Acquire::Retries=3",
            # Disable the computer's hooks (package file indexes, desktop notifications), which must not run for a private apt state.
            "APT::Update::Post-Invoke-Success::=true",
        ):
            apt += ["-o", setting]
        log = os.path.join(self.state, "apt.log")
        download = os.path.join(self.state, "download")
        hint = f"The {self.title} source package comes from the machine's own Debian archive: is the network, or a mirror, reachable?"
        self.say(f"fetching the {self.title} source package of {release}")
        run(apt + ["update"], log, "reading the archive's index", hint)
        run(apt + ["--download-only", "source", self.name], log, f"fetching the {self.title} source package", hint, cwd=download)
        found = sorted(glob.glob(os.path.join(download, f"{self.name}_*.dsc")), key=os.path.getmtime)
        if not found:
            raise BuildError(f"apt-get fetched no source package of {self.title}. {hint}")
        return found[-1]

    def unpack(self, tree, apt_folder, version_of, series, why):
        """Fetches the package and unpacks it to `tree`, unless `tree` exists. `version_of` returns the version in an unpacked folder, which
        must be `series` or begin with it and a dot; `why` says who needs it."""
        if os.path.isdir(tree):
            return
        description = self.fetch(apt_folder)
        fresh = os.path.join(self.state, "unpacked")
        shutil.rmtree(fresh, ignore_errors=True)
        self.say("unpacking " + os.path.basename(description))
        log = os.path.join(self.state, "unpack.log")
        # apt has checked the package against the hashes of the signed index. --no-check: the uploader's own key may be unknown here.
        run(["dpkg-source", "--no-check", "-x", description, fresh], log, "unpacking", f"Packages that are needed: {self.packages}")
        version = version_of(fresh)
        if version != series and not version.startswith(series + "."):
            raise BuildError(f"the distribution's {self.title} is {version}; {why} {series} (Debian 12)")
        os.rename(fresh, tree)
