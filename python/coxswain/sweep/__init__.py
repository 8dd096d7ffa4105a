# SPDX-License-Identifier: MIT
"""Runs a task on many geometries, and shows which ones pay (docs/sweep.md)."""
