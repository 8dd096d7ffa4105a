# SPDX-License-Identifier: MIT
"""What tests take from the pages: the commands and files in their blocks."""
import os
import re
import sys
from pathlib import Path


def section(page, title):
    """The text of a section, without those that follow it."""
    found = re.search(rf"^## {re.escape(title)}\n(.*?)(?=^## |\Z)", page, re.MULTILINE | re.DOTALL)
    if not found:
        sys.exit(f'the page has no section "{title}" any more')
    return found.group(1)


def blocks(page, title, language=""):
    """The blocks of a section that are written in a language; without one, these are commands and what they print."""
    found = re.findall(r"^```(\w*)\n(.*?)^```$", section(page, title), re.MULTILINE | re.DOTALL)
    return [text for written_in, text in found if written_in == language]


def file_in(commands, name):
    """The file that commands write with `cat > NAME <<'END'`."""
    return re.search(rf"^cat > {re.escape(name)} <<'END'\n(.*?)^END$", commands, re.MULTILINE | re.DOTALL).group(1)


def replaced(commands, words):
    """The commands with other places. Each word must be there."""
    for word, other in words.items():
        if word not in commands:
            sys.exit(f"the page does not say {word} any more")
        commands = commands.replace(word, str(other))
    return commands


def environment(home):
    """The environment of commands whose HOME is a folder of the test. They may use the user's compiler cache, which changes only the time."""
    default = Path.home() / ".ccache"
    cache = os.environ.get("CCACHE_DIR", str(default if default.exists() else Path.home() / ".cache/ccache"))
    return os.environ | {"HOME": str(home), "CCACHE_DIR": cache}
