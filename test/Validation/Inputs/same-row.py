#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""same-row.py ROWS.csv LINE ONE.csv: whether the predictions of a measured row are those of a report of one launch."""

import csv
import sys


def read(path):
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


BASELINES = ("roofline", "device median")  # which only a validation has
rows = {r["model"]: r for r in read(sys.argv[1]) if r["line"] == sys.argv[2] and r["model"] not in BASELINES}
one = {row["model"]: row for row in read(sys.argv[3])}
assert len(one) > 1 and rows.keys() == one.keys(), (rows.keys(), one.keys())
assert sum(bool(row["time_us"]) for row in rows.values()) > 1, rows
for model, row in rows.items():
    for column in ["time_us", "time_us_low", "time_us_high", "limiter", "power_w"]:
        assert row[column] == one[model][column], (model, column, row[column], one[model][column])
