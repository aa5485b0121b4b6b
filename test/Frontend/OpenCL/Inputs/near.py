#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""near.py SHARE A.json B.json: fails unless the predicted times of the kernels of two reports differ by that share at most."""

import json
import sys


def times(path):
    with open(path, encoding="utf-8") as file:
        return {(k["name"], p["device"]): p["time_us"]["value"] for k in json.load(file)["kernels"] for p in k["predictions"]}


share, a, b = float(sys.argv[1]), times(sys.argv[2]), times(sys.argv[3])
assert a and a.keys() == b.keys(), (a.keys(), b.keys())
for key in sorted(a):
    apart = abs(a[key] - b[key]) / max(a[key], b[key])
    print(*key, f"{a[key]:.4g} {b[key]:.4g} {apart:.1%}")
    if apart > share:
        sys.exit("too far apart")
