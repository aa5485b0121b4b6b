#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""check-order.py JSON: whether the rows of the first model come with the largest disagreement first, each as its ratio says."""

import json
import math
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    dataset = json.load(file)["datasets"][0]
model = dataset["worst"][0]["model"]
rows = [row for row in dataset["worst"] if row["model"] == model]
off = [abs(math.log(row["ratio"])) for row in rows]
for row in rows:
    if not math.isclose(row["predicted_us"]["value"] / row["measured_us"], row["ratio"], rel_tol=1e-12):
        sys.exit(f"{row['kernel']}: ratio {row['ratio']}")
if off != sorted(off, reverse=True):
    sys.exit(f"not in order: {off}")
print(f"{len(rows)} kernels of {model}, largest disagreement first")
