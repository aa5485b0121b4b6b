#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""counts.py <EMULATION.json: instructions, blocks, loops and branches of its kernels, one a line."""

import json
import sys


def show(estimate):
    assert estimate["status"] == "known"
    return f"{estimate['value']:g}"


for kernel in json.load(sys.stdin)["kernels"]:
    counts = kernel["characteristics"]
    print("instructions", show(counts["instructions"]))
    for block in counts["blocks"]:
        name = block["label"] or "-"
        print("block", *([block["function"]] if "function" in block else []), name, "line", block["line"], show(block["frequency"]))
    for loop in counts["loops"]:
        print("loop", loop["header"], "depth", loop["depth"], "trip_count", show(loop["trip_count"]))
    for branch in counts["branches"]:
        taken, divergent = show(branch["taken_fraction"]), show(branch["divergent_fraction"])
        print("branch line", branch["line"], "taken", taken, "divergent", divergent)
