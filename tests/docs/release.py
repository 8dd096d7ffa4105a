#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks that base/version.h, the Python package and the top heading of CHANGELOG.md have the same version, and that headings fall and have dates."""
import pathlib
import re
import sys


def main():
    root = pathlib.Path(sys.argv[1])
    version = ".".join(re.findall(r"^#define COX_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)$", (root / "base/version.h").read_text(), re.MULTILINE))
    python = re.search(r'^VERSION = "(.*)"$', (root / "python/coxswain/_version.py").read_text(), re.MULTILINE)[1]
    headings = re.findall(r"^## (.*)$", (root / "CHANGELOG.md").read_text(), re.MULTILINE)
    complaints = []
    if python != version:
        complaints.append(f"python/coxswain/_version.py: {python}, but base/version.h has {version}")
    versions = []
    for number, heading in enumerate(headings):
        found = re.fullmatch(r"(\d+)\.(\d+)\.(\d+) - (\d{4}-\d\d-\d\d|not released)", heading)
        if not found or (found[4] == "not released" and number > 0):
            complaints.append(f"CHANGELOG.md: '## {heading}' should be '## MAJOR.MINOR.PATCH - YYYY-MM-DD'")
        else:
            versions.append(tuple(map(int, found.groups()[:3])))
    if versions != sorted(set(versions), reverse=True):
        complaints.append("CHANGELOG.md: the versions should fall from top to bottom")
    if not versions or ".".join(map(str, versions[0])) != version:
        complaints.append(f"CHANGELOG.md: the top version should be {version}, that of base/version.h")
    print("\n".join(complaints) or f"version {version}")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
