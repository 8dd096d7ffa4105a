# SPDX-License-Identifier: MIT
"""The picture of a run."""
from __future__ import annotations

import os
import pathlib
from typing import Union


class Timeline:
    """A timeline as SVG. A notebook shows it (docs/tracing.md, The picture)."""

    def __init__(self, svg: str) -> None:
        self.svg = svg

    def save(self, path: Union[str, "os.PathLike[str]"]) -> None:
        """Writes the picture to a file, ``.svg``."""
        pathlib.Path(path).write_text(self.svg)

    def _repr_svg_(self) -> str:
        return self.svg

    def __repr__(self) -> str:
        return f"<Timeline: {len(self.svg):,} bytes of SVG; save(\"x.svg\") writes it>"
