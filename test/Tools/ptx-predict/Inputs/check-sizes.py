#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""check-sizes.py GOLDEN.csv SWEEP.csv: times of Gajger's application by size agree to 1e-9, all of them."""

import csv
import sys

SYSTEMS = {"GTX_970": "gajger-gtx-970", "GTX_TITAN_X": "gajger-titan-x"}
with open(sys.argv[1], encoding="utf-8") as file:
    rows = csv.DictReader(line for line in file if not line.startswith("#"))
    wanted = {(SYSTEMS[row["device"]], float(row["N"])): float(row["app_s"]) for row in rows}
with open(sys.argv[2], encoding="utf-8") as file:
    found = {(row["system"], float(row["N"])): float(row["seconds"]) for row in csv.DictReader(file)}
if len(wanted) != 26 or wanted.keys() != found.keys():
    sys.exit(f"{len(found)} points where there are {len(wanted)}")
for key, seconds in wanted.items():
    if abs(found[key] / seconds - 1) > 1e-9:
        sys.exit(f"{key}: {found[key]} s where {seconds} s were expected")
