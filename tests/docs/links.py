#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks that each link of the documents has a target (file, picture or heading), and that each page that a source file cites exists.

A citation is `docs/<page>.md`, or `docs/<page>.md, Heading` at the end of a parenthesis. `Heading` must be a heading of the page, or its beginning.
"""
import pathlib
import re
import sys

SOURCES = {".cpp", ".h", ".c", ".py", ".cmake", ".fbs", ".svd", ".jinja"}
LEFT_OUT = {"build", ".git"}

LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")
CITATION = re.compile(r"\bdocs/([\w./-]+\.md)(?:, ([A-Z][^(),;:]*)\))?")
HEADING = re.compile(r"^#+ +(.*?) *$", re.MULTILINE)


def files(root, suffixes):
    for path in sorted(root.rglob("*")):
        parts = path.relative_to(root).parts
        if path.suffix in suffixes and path.is_file() and not LEFT_OUT.intersection(parts):
            yield path


def prose(text):
    """The text without code, in which brackets have another meaning."""
    return re.sub(r"`[^`\n]*`", "", re.sub(r"^```.*?^```", "", text, flags=re.DOTALL | re.MULTILINE))


def headings(page):
    return [heading.replace("`", "") for heading in HEADING.findall(prose(page.read_text()))]


def anchor(heading):
    return re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")


def broken_links(page):
    for target in LINK.findall(prose(page.read_text())):
        if re.match(r"\w+:", target):
            continue
        path, _, fragment = target.partition("#")
        linked = (page.parent / path) if path else page
        if not linked.exists():
            yield f"{target}: there is no such file"
        elif fragment and fragment not in map(anchor, headings(linked)):
            yield f"{target}: the page has no such heading"


def broken_citations(source, root):
    # A citation may continue in the next line of a comment.
    text = re.sub(r"\n\s*(?:///?<?|\*|#)? *", " ", source.read_text(errors="replace"))
    for name, heading in CITATION.findall(text):
        page = root / "docs" / name
        if not page.exists():
            yield f"docs/{name}: there is no such page"
        elif heading and not any(known.lower().startswith(heading.lower()) for known in headings(page)):
            yield f"docs/{name}, {heading}: the page has no such heading"


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    complaints = [f"{page.relative_to(root)}: {why}" for page in files(root, {".md"}) for why in broken_links(page)]
    complaints += [f"{source.relative_to(root)}: {why}" for source in files(root, SOURCES) for why in broken_citations(source, root)]
    print("\n".join(complaints) or "every link and every citation leads somewhere")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
