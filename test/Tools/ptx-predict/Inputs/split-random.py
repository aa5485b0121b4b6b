# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""split-random.py FILE.json: compares the answers of `ptx-predict split` with 1,000 random splits each, by its own numbers.

A share s of a device takes fixed_us + s * (work_us + transfer_us), and all that have one draw their power until the last
is done, the others their idle power. Prints how many kernels were compared, and those of which another split is better.
"""

import json
import random
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    answer = json.load(file)
random.seed(35)
better, compared = [], 0
for kernel in answer["kernels"]:
    sides = kernel["devices"]

    def cost(shares):
        time = max(d["fixed_us"] + s * (d["work_us"] + d["transfer_us"]) for d, s in zip(sides, shares) if s > 0)
        power = sum(d["power_w"] if s > 0 else d.get("idle_w", 0) for d, s in zip(sides, shares))
        return time if answer["by"] == "time" else time * power

    best = cost(kernel["best"]["shares"])
    said = kernel["best"]["time_us"] if answer["by"] == "time" else kernel["best"]["energy_j"] * 1e6
    if abs(best - said) > 1e-9 * said:
        better.append(f"{kernel['kernel']}: {said} is said to be what {best} is")
    for _ in range(1000):
        parts = [random.random() * random.choice((0, 1, 1)) for _ in sides]
        total = sum(parts)
        if total > 0 and cost([p / total for p in parts]) < best * (1 - 1e-12):
            better.append(f"{kernel['kernel']}: better with {[p / total for p in parts]}")
            break
    compared += 1
for text in better:
    print(text)
print(f"{compared} kernels, {len(better)} with a better split")
