#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""same-counts.py A B: fails unless the known counts of two --dump=characteristics are the same, line by line."""

import re
import sys

COUNT = re.compile(r"^ +[a-z-]*[a-z_0-9]+: \{value: .*, status: known\}$")


def counts(path):
    with open(path, encoding="utf-8") as file:
        # What only one of both knows is left out.
        text = re.sub(r"^  branches:\n(    .*\n)*", "", file.read(), flags=re.M)
        text = re.sub(r"^  (footprint|locality):\n(    .*\n)*", "", text, flags=re.M)
        return [line for line in text.splitlines() if line.startswith("  ") and ": {value" in line]


def main():
    a, b = counts(sys.argv[1]), counts(sys.argv[2])
    compared = 0
    if len(a) != len(b):
        sys.exit(f"{len(a)} counts against {len(b)}")
    for x, y in zip(a, b):
        if not COUNT.match(x) or not COUNT.match(y):
            continue
        compared += 1
        if x != y:
            sys.exit(f"{x}\n{y}")
    if compared < 30:
        sys.exit(f"only {compared} counts are known in both")


main()
