#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks the built site: each link inside of it has a page and, if it names one, a heading; each picture, script and style sheet is there.

mkdocs checks only links between Markdown pages, and no anchors. Exit status 1 if a link is broken.
"""
import argparse
import html.parser
import pathlib
import re
import sys
import urllib.parse

PLACES = {("a", "href"), ("link", "href"), ("img", "src"), ("script", "src"), ("iframe", "src"), ("area", "href"), ("source", "src"), ("object", "data")}

# Browsers know "top". Doxygen links a heading that it leaves out if all classes below it are private.
DOXYGENS = {"top", "nested-classes"}


class Page(html.parser.HTMLParser):
    def __init__(self, path):
        super().__init__()
        self.links, self.anchors = set(), set()
        self.feed(path.read_text(errors="replace"))

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name == "id" or (tag == "a" and name == "name"):
                self.anchors.add(value)
            elif (tag, name) in PLACES and value:
                self.links.add(value)


def broken(root, path, page, pages):
    for link in sorted(page.links):
        if re.match(r"[a-z]+:|//", link):
            continue
        file, _, fragment = link.partition("#")
        file = urllib.parse.unquote(file.partition("?")[0])
        to = (root / file.lstrip("/") if file.startswith("/") else path.parent / file).resolve() if file else path
        if to.is_dir():
            to /= "index.html"
        if root not in to.parents:
            yield f"{link}: leads out of the site"
        elif not to.is_file():
            yield f"{link}: there is no such file"
        elif fragment and to in pages and urllib.parse.unquote(fragment) not in pages[to].anchors | DOXYGENS:
            yield f"{link}: the page has no such heading"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("site", type=pathlib.Path)
    root = parser.parse_args().site.resolve()
    pages = {path: Page(path) for path in sorted(root.rglob("*.html"))}
    if root / "index.html" not in pages:
        print(f"{root}: there is no site; make it with `make site`", file=sys.stderr)
        return 1
    links = sum(len(page.links) for page in pages.values())
    complaints = [f"{path.relative_to(root)}: {why}" for path, page in pages.items() for why in broken(root, path, page, pages)]
    print("\n".join(complaints[:100]) or f"site: {links:,} links of {len(pages):,} pages lead somewhere", file=sys.stderr if complaints else sys.stdout)
    if complaints:
        print(f"site: {len(complaints)} broken links", file=sys.stderr)
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
