#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""footprints.py ACCURACY SCRATCH [--page=FILE | --update=FILE] [KERNEL-FILE...]

Footprints found statically against those of the emulator, for the kernels of ACCURACY/ptx at the launches of ACCURACY/launch and at
two smaller sizes. Fails where a number that is called known is not the one that was counted, where another one was counted outside
of the bounds that are given, and where the page FILE is not what is written of all this; --update writes it.
"""

import collections
import glob
import importlib.util
import os
import sys

import oracle
from oracle import row

SPEC = importlib.util.spec_from_file_location("known_counts", os.path.join(os.path.dirname(__file__), "known-counts.py"))
counts = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(counts)

SCOPES = {"block_bytes": "a block", "grid_bytes": "the grid", "grid_read_bytes": "read", "grid_written_bytes": "written"}


class Kernel:
    """The footprints of one kernel at all sizes."""

    def __init__(self, file, name):
        self.file, self.name = file, name
        self.numbers = collections.Counter()  # by status, and whether they are equal
        self.differ, self.beyond = [], []
        self.counted, self.said = {}, {}  # at the full size

    def compare(self, size, counted, said):
        if size == 1:
            self.counted, self.said = counted, said
        for scope in SCOPES:
            number, estimate = counted[scope]["value"], said[scope]
            near = 1e-9 * max(1, number)
            status, value = estimate["status"], estimate["value"]
            is_equal = abs(number - value) <= near
            self.numbers[status, is_equal] += 1
            where = f"{self.file} x {size}: {self.name}: {scope}"
            if status == "known":
                if not is_equal:
                    self.differ.append(f"{where}: {value}, but {number} were touched")
                continue
            high = float("inf") if estimate["high"] is None else estimate["high"]
            if not estimate["low"] - near <= number <= high + near:
                self.beyond.append(f"{where}: from {estimate['low']} to {high}, but {number} were touched")

    def count(self, *statuses, equal=(True, False)):
        return sum(n for (status, is_equal), n in self.numbers.items() if status in statuses and is_equal in equal)


def compare_file(ptx, accuracy, scratch):
    name = os.path.basename(ptx).removesuffix(".ptx")
    base = f"{accuracy}/launch/{name.split('.')[0]}.yaml"
    kernels = {}
    for size in counts.SIZES:
        launch = f"--launch={base if size == 1 else counts.smaller(base, size, scratch)}"
        # One thread: what malloc gives depends on who asks first.
        oracle.run("emulate", "-j1", ptx, launch, "--format=json", "-o", f"{scratch}/counted.json")
        oracle.run(ptx, launch, "--format=json", "-o", f"{scratch}/static.json")
        estimates = counts.load(f"{scratch}/static.json")
        for kernel, one in counts.load(f"{scratch}/counted.json").items():
            found = kernels.setdefault(kernel, Kernel(name, kernel))
            found.compare(size, one["characteristics"]["footprint"], estimates[kernel]["characteristics"]["footprint"])
    return list(kernels.values())


def number(value):
    return f"{value:,.0f}" if value == int(value) else f"{value:,.1f}"


def page(kernels):
    cell = lambda n: f"{n:,}" if n else ""
    known_all = [k for k in kernels if k.count("assumed", "estimated", "unknown") == 0]
    text = f"""# Footprints

The bytes of global memory that a mean block and the grid touch, read and write, each counted once: found
[statically](../internals/Analysis.md#locality-locality), without running anything, against the counts of the [emulator](../commands/Emulate.md), for each kernel
of [AccuracyKernels](AccuracyKernels.md) at its launch and at the two smaller sizes of [KnownCounts](KnownCounts.md). A *known* number
must equal the counted one. The bounds of the others must contain it; *equal* says how many of them equal it. A test compares the
numbers, writes this page and fails if it would change (`test/Oracle`).

All footprints of {len(known_all)} of {len(kernels)} kernels are known.

"""
    text += row("file", "kernel", "a block", "the grid", "read", "written", "known", "differ", "not known", "equal", "beyond bounds")
    text += row("---", "---", *["--:"] * 9)
    for k in kernels:
        bytes_ = [number(k.counted[s]["value"]) for s in SCOPES]
        others = ("assumed", "estimated", "unknown")
        text += row(f"`{k.file}`", f"`{k.name}`", *bytes_, cell(k.count("known")), str(len(k.differ)), cell(k.count(*others)),
                    cell(k.count(*others, equal=(True,))), str(len(k.beyond)))
    total = lambda of: f"**{sum(of(k) for k in kernels):,}**"
    text += row("**all**", "", "", "", "", "", total(lambda k: k.count("known")), total(lambda k: len(k.differ)),
                total(lambda k: k.count("assumed", "estimated", "unknown")),
                total(lambda k: k.count("assumed", "estimated", "unknown", equal=(True,))), total(lambda k: len(k.beyond)))
    text += "\n## What is open\n\nAt the full size: what was counted, what was taken for it, and its bounds.\n\n"
    text += row("file", "kernel", "bytes", "counted", "taken", "at least", "at most", "status")
    text += row("---", "---", "---", "--:", "--:", "--:", "--:", "---")
    for k in kernels:
        for scope, title in SCOPES.items():
            if (said := k.said[scope])["status"] != "known":
                high = "" if said["high"] is None else number(said["high"])
                text += row(f"`{k.file}`", f"`{k.name}`", title, number(k.counted[scope]["value"]), number(said["value"]), number(said["low"]), high, said["status"])
    return text


def main():
    options = oracle.parse_options("accuracy", "scratch", files="files")
    kernels = []
    for ptx in sorted(glob.glob(f"{options.accuracy}/ptx/*.ptx")):
        if not options.files or os.path.basename(ptx).removesuffix(".ptx") in options.files:
            kernels += compare_file(ptx, options.accuracy, options.scratch)
    wrong = [w for k in kernels for w in k.differ + k.beyond]
    text = page(kernels)
    wrong += oracle.check_page(text, options)
    print(sum(sum(k.numbers.values()) for k in kernels), "footprints were compared")
    sys.exit("\n".join(wrong) or 0)


main()
