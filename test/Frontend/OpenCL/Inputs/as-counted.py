#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""as-counted.py EMULATION.json PREDICTION.json KERNEL...: fails unless all numbers that a run of each kernel counted are known
to the prediction and the same; says how many there are."""

import json
import sys


def kernels(path):
    with open(path, encoding="utf-8") as file:
        return {kernel["name"]: kernel["characteristics"] for kernel in json.load(file)["kernels"]}


def compare(counted, found, place, wrong):
    """How many numbers are compared."""
    if isinstance(counted, dict) and "status" in counted and "value" in counted:
        if found["status"] != "known" or abs(found["value"] - counted["value"]) > 1e-9 * max(1, abs(counted["value"])):
            wrong.append(f"{place}: {found} where {counted} was counted")
        return 1
    pairs = []
    if isinstance(counted, dict):
        pairs = [(key, counted[key], found[key]) for key in counted.keys() & found.keys()]
    elif isinstance(counted, list):
        if len(counted) != len(found):
            wrong.append(f"{place}: {len(found)} where {len(counted)} were counted")
        pairs = [(number, *both) for number, both in enumerate(zip(counted, found))]
    return sum(compare(a, b, f"{place}.{key}", wrong) for key, a, b in pairs)


def main():
    counted, found = kernels(sys.argv[1]), kernels(sys.argv[2])
    wrong = []
    for name in sys.argv[3:]:
        number = compare(counted[name], found[name], name, wrong)
        print(f"{name}: {number} numbers")
        if number < 15:
            wrong.append(f"{name}: too few")
    if wrong:
        sys.exit("\n".join(wrong))


main()
