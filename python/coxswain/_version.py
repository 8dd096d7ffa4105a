# SPDX-License-Identifier: MIT
"""The version of Coxswain that this package belongs to."""

VERSION = "0.1.0"
