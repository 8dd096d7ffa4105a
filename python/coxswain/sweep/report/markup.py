# SPDX-License-Identifier: MIT
"""Elements of HTML and SVG as text. Whatever is not Markup is escaped, so no name of a task can become an element or an attribute."""
from __future__ import annotations

import html
from typing import Iterable, Union

Attribute = Union[str, float, int, bool, None]
_VOID = ("br", "input", "meta")


class Markup(str):
    """Text in which special characters are escaped already."""


def escape(text: object) -> Markup:
    return text if isinstance(text, Markup) else Markup(html.escape(str(text), quote=True))


def join(parts: Iterable[object], between: str = "") -> Markup:
    return Markup(between.join(escape(part) for part in parts))


def element(name: str, /, *children: object, **attributes: Attribute) -> Markup:
    """Returns `<name attributes>children</name>`.

    An underscore in an attribute's name stands for a hyphen; one at the end is left out (`class_`). Attributes that are None or False are
    left out; True gives an attribute without a value.
    """
    text = "".join(_attribute(key, value) for key, value in attributes.items() if value is not None and value is not False)
    if name in _VOID:
        return Markup(f"<{name}{text}>")
    return Markup(f"<{name}{text}>{join(children)}</{name}>")


def number(value: float) -> str:
    """A coordinate: tenths of a pixel are enough."""
    return f"{value:.1f}".removesuffix(".0")


def _attribute(key: str, value: Attribute) -> str:
    name = key.rstrip("_").replace("_", "-")
    if value is True:
        return f" {name}"
    return f' {name}="{escape(number(value) if isinstance(value, float) else value)}"'
