#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""check_sliders.py PAGE LINES: whether the points of a page's sliders say what the lines of --quiet say, in the same order.
"""

import json
import re
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    blocks = re.findall(r'<script type="application/json">(.*?)</script>', file.read(), re.S)
with open(sys.argv[2], encoding="utf-8") as file:
    lines = file.read().splitlines()
points = []
for block in blocks:
    data = json.loads(block)
    number = 1
    for axis in data["axes"]:
        print("axis", axis["name"], " ".join(axis["values"]))
        number *= len(axis["values"])
    for series in data["series"]:
        if len(series["points"]) != number:
            sys.exit(f"{series['name']} has {len(series['points'])} points of {number}")
        points += series["points"]
if len(points) != len(lines):
    sys.exit(f"{len(points)} points, {len(lines)} lines")
for point, line in zip(points, lines):
    time, by = line.split("  ")[-2:]
    if not point.startswith(f"{time}, limited by {by}, "):
        sys.exit(f"the page says {point}, and the command {line}")
print(len(points), "points")
