# SPDX-License-Identifier: MIT
"""Campaigns: many seeds of random tests as work items, whose failures become small reproducers (docs/campaign.md).

`cox campaign` starts `python3 -m coxswain.campaign`. It needs Debian's python3-dask and python3-distributed.
"""
