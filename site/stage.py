#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Copies the project's pages and what they link to a folder from which mkdocs builds the site.

Pages keep their paths, so their links are valid on GitHub and on the site. Two kinds of link have no page: one to a folder without README.md,
and one to a source file. Each gets a page here that shows the files. The navigation follows the table "Where to read on" of README.md.
"""
import argparse
import pathlib
import re
import shutil
import subprocess

import yaml

ROOT = pathlib.Path(__file__).resolve().parent.parent
NOT_PAGES = re.compile(r"\.prose\.md$")  # parts of docs/isa/*.md
LINK = re.compile(r"(!?\[[^\]]*\])\(([^)\s]+)\)")
CODE = re.compile(r"(^```.*?^```|`[^`\n]*\]\([^`\n]*`)", re.DOTALL | re.MULTILINE)
PICTURES = {".svg", ".png", ".jpg"}
LANGUAGES = {".c": "c", ".h": "c++", ".cpp": "c++", ".py": "python", ".txt": "cmake", ".json": "json", "": "text"}
LARGEST_SOURCE = 40_000  # bytes; longer files are named, not shown
REFERENCE = "reference.md"


def tracked(*patterns):
    found = subprocess.run(["git", "ls-files", "-co", "--exclude-standard", "--", *patterns], cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True)
    return sorted(set(found.stdout.splitlines()))


class Stage:
    def __init__(self, folder):
        self.folder = folder
        self.pages = [page for page in tracked("*.md") if not NOT_PAGES.search(page)]
        self.made = set()  # paths below self.folder, of files that pages link

    def write(self, path, text):
        to = self.folder / path
        to.parent.mkdir(parents=True, exist_ok=True)
        to.write_text(text)

    def page(self, path):
        # Links in code are not links, so only the parts between code are changed.
        parts = CODE.split((ROOT / path).read_text())
        parts[::2] = [LINK.sub(lambda link: f"{link[1]}({self.target(path, link[2])})", part) for part in parts[::2]]
        text = "".join(parts)
        # GitHub takes a list directly behind a paragraph as a list. Python's Markdown needs an empty line between them.
        self.write(path, separate_lists(text))

    def target(self, page, link):
        """The target of a link on the site."""
        path, hash_sign, fragment = link.partition("#")
        if not path or re.match(r"\w+:", link):
            return link
        linked = (ROOT / page).parent / path
        relative = linked.resolve().relative_to(ROOT)
        if linked.is_dir():
            path = path.rstrip("/") + "/README.md"
            if not (linked / "README.md").is_file():
                self.show_folder(relative)
        elif relative.suffix in PICTURES:
            self.copy(relative)
        elif relative.suffix != ".md":
            path += ".md"
            self.show_source(relative)
        return path + hash_sign + fragment

    def copy(self, path):
        to = self.folder / path
        to.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / path, to)

    def is_new(self, path):
        new = path not in self.made
        self.made.add(path)
        return new

    def show_source(self, path):
        if self.is_new(path):
            self.write(f"{path}.md", f"# {path}\n\n{source(path)}")

    def show_folder(self, path):
        if not self.is_new(path):
            return
        files = [pathlib.Path(file) for file in tracked(f"{path}/*") if "/" not in file[len(str(path)) + 1 :]]
        listing = "".join(f"## {file.name}\n\n{source(file)}\n" for file in files)
        self.write(f"{path}/README.md", f"# {path}\n\n{listing}")


def source(path):
    text = (ROOT / path).read_bytes()
    if len(text) > LARGEST_SOURCE or b"\0" in text:
        return f"{len(text):,} bytes, not shown here.\n"
    language = LANGUAGES.get(path.suffix, "text")
    if text.startswith(b"#!/usr/bin/env python"):
        language = "python"
    if text.startswith((b"#!/usr/bin/env bash", b"#!/bin/sh")):
        language = "bash"
    return f"````{language}\n{text.decode()}\n````\n"


def separate_lists(text):
    lines, out, fenced = text.split("\n"), [], False
    item = re.compile(r"\s*(?:[-*+]|\d+\.) ")
    for line in lines:
        fenced ^= line.lstrip().startswith("```")
        before = out[-1] if out else ""
        if not fenced and item.match(line) and before.strip() and not item.match(before) and not before.startswith((" ", "|", "#", "```")):
            out.append("")
        out.append(line)
    return "\n".join(out)


def audiences():
    """(audience, [(title, page)]) of each row of README's table."""
    readme = (ROOT / "README.md").read_text()
    table = readme[readme.index("## Where to read on") :]
    for row in re.findall(r"^\| (.+?) \| (.+) \|$", table, re.MULTILINE)[1:]:
        title = re.sub(r"[`*]", "", row[0])
        yield title[0].upper() + title[1:], [(text.strip("[]"), link.partition("#")[0]) for text, link in LINK.findall(row[1])]


def title_of(page):
    found = re.search(r"^# (.+)$", (ROOT / page).read_text(), re.MULTILINE)
    return found[1].replace("`", "") if found else page


def navigation(stage):
    """Each page stands below the first audience of README's table that names it. The page of an audience lists all that README names."""
    nav, placed = [{"Start": "README.md"}], {"README.md"}
    for audience, links in audiences():
        pages = []
        for text, link in links:
            if (ROOT / link).is_dir():
                link = f"{link.rstrip('/')}/README.md"
            # A link whose text is a path says less than the page's title.
            is_path = "/" in text or text.endswith(".md")
            title = title_of(link) if is_path and (ROOT / link).is_file() else text[0].upper() + text[1:]
            if link not in placed:
                pages.append({title: link})
            placed.add(link)
        if pages:
            nav.append({audience: pages})
    others = [{title_of(page): page} for page in stage.pages if page not in placed]
    nav.append({"Further pages": others})
    nav.append({"C, C++ and Python reference": [{"API reference": REFERENCE}]})
    return nav


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path, help="folder to make anew")
    parser.add_argument("site", type=pathlib.Path, help="where mkdocs is to write the site")
    arguments = parser.parse_args()
    shutil.rmtree(arguments.folder, ignore_errors=True)
    stage = Stage(arguments.folder / "pages")
    for page in stage.pages:
        stage.page(page)
    shutil.copyfile(ROOT / "site/site.css", stage.folder / "site.css")
    shutil.copyfile(ROOT / "site/reference.in", stage.folder / REFERENCE)
    shutil.copyfile(ROOT / "LICENSE", stage.folder / "LICENSE")
    added = {"docs_dir": "pages", "site_dir": str(arguments.site.resolve()), "nav": navigation(stage)}
    settings = (ROOT / "site/mkdocs.yml").read_text() + yaml.safe_dump(added, sort_keys=False, allow_unicode=True)
    (arguments.folder / "mkdocs.yml").write_text(settings)


if __name__ == "__main__":
    main()
