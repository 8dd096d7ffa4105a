# SPDX-License-Identifier: MIT
"""The report of a sweep: one HTML file with table and plots, which opens without a network (docs/sweep.md, The report)."""
from .page import write_report

__all__ = ["write_report"]
