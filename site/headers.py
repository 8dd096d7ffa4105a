#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Copies the public headers to a folder in the form that Doxygen reads, below coxswain/ as users include them.

- The header's first comment becomes the description of the file.
- The declarations belong to a group for the language and the layer.
- Comments in front of declarations, and behind members, of a C header become comments for Doxygen.
- Words that Doxygen would read as a command or as HTML become plain words.
"""
import argparse
import pathlib
import re
import shutil

ROOT = pathlib.Path(__file__).resolve().parent.parent
LAYERS = {  # titles; a layer without one keeps its name
    "base": "Basics: status, version",
    "device": "Registers",
    "hal": "HAL",
    "firmware": "Firmware: tasks and jobs",
    "host": "Host library",
    "isa": "Instruction sets",
    "kernels": "Kernels",
    "tflite": "TensorFlow Lite",
}
MAIN_PAGE = """/** @mainpage
 * The public headers, included as `coxswain/LAYER/FILE.h`: [all interfaces by subject](modules.html), [files](files.html).
 *
 * The [pages of Coxswain](../index.html) begin with examples.
 */
"""


def installed_layers():
    """The layers of COX_INSTALLED_LAYERS."""
    text = (ROOT / "toolchain/cmake/CoxLayer.cmake").read_text()
    return re.search(r"set\(COX_INSTALLED_LAYERS ([^)]*)\)", text)[1].split()


def plain(comment):
    comment = re.sub(r"(?<![`\\<])<(?=[\w/])", r"\\<", comment)
    return re.sub(r"(?<![\w`\\])([@#])(?=[a-z])", r"\\\1", comment)


def described(text, path):
    """The text with its first comment behind the licence line as the description of the file."""
    licence, _, rest = text.partition("\n")
    if rest.startswith("//"):
        comment = re.match(r"(?://.*\n)+", rest)[0]
        return "/// @file\n" + re.sub(r"(?m)^//", "///", comment) + rest[len(comment) :]
    if rest.startswith("/*"):
        return "/**\n * @file\n *" + rest[2:]
    return f"{licence}\n/** @file */\n{rest}"


def c_comments(text):
    """A comment of C behind code belongs to the code before it, any other to the code behind it."""
    text = re.sub(r"(?m)^([ \t]*)/\*(?=[ \n])", r"\1/**", text)
    return re.sub(r"(?m)^([ \t]*[^\s/*].*?)/\*(?= )", r"\1/**<", text)


def grouped(text, group):
    """The text with everything behind its first lines of #include in the group."""
    lines = text.split("\n")
    at, depth, guards, comment = 0, 0, 0, False
    for number, line in enumerate(lines):
        directive = re.match(r"\s*#\s*(\w+)(.*)", line)
        if directive:
            word, rest = directive.groups()
            depth += word.startswith("if") - (word == "endif")
            if word == "define" and re.fullmatch(r" \w+_H_?", rest):
                guards = 1
            # An opening between #if and #endif would depend on a macro.
            if depth == guards:
                at = number + 1
            continue
        code = re.sub(r"/\*.*?\*/|//.*", "", line).strip()
        comment = (comment or code.startswith("/*")) and not code.endswith("*/")
        if code and not comment and not code.endswith("*/") and depth == guards:
            break
    opening = ["/**", f" * @addtogroup {group}", " * @{", " */"]
    return "\n".join([*lines[:at], *opening, *lines[at:], "/** @} */", ""])


def copy(path, to):
    """Returns the header's group."""
    text = path.read_text()
    layer = path.relative_to(ROOT).parts[0]
    is_c = 'extern "C"' in text and "namespace cox" not in text
    text = described(text, path)
    if is_c:
        text = c_comments(text)
    text = re.sub(r"(?m)(///?<?|^[ \t]*/?\*\*?<?)(?![ \t]*@file)([ \t].*)$", lambda found: found[1] + plain(found[2]), text)
    to.parent.mkdir(parents=True, exist_ok=True)
    group = f"{'c' if is_c else 'cpp'}_{layer}"
    to.write_text(grouped(text, group))
    return group


def headings(layers, groups):
    """The headings of the reference."""
    text = MAIN_PAGE
    for key, language in (("c", "C"), ("cpp", "C++")):
        text += f"/** @defgroup {key} {language} interfaces */\n"
        for layer in layers:
            if f"{key}_{layer}" in groups:
                text += f"/** @defgroup {key}_{layer} {LAYERS.get(layer, layer)} ({language})\n * @ingroup {key}\n */\n"
    return text


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path, help="folder to make anew")
    folder = parser.parse_args().folder
    shutil.rmtree(folder, ignore_errors=True)
    layers = installed_layers()
    folder.mkdir(parents=True)
    headers = [header for layer in layers for header in sorted((ROOT / layer).rglob("*.h"))]
    groups = {copy(header, folder / "coxswain" / header.relative_to(ROOT)) for header in headers}
    (folder / "groups.dox").write_text(headings(layers, groups))


if __name__ == "__main__":
    main()
