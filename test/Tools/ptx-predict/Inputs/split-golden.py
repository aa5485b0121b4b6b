# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""split-golden.py FOLDER: rows of hong_derived_appA.csv and hong_fig147_schedule.csv through `ptx-predict split`.

Times of devices are given, as --measured. Prints what differs by more than 1e-6, and how many rows were compared.
"""

import csv
import json
import os
import re
import subprocess
import sys


def rows(name):
    with open(os.path.join(sys.argv[1], name), encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def split(*arguments):
    """The one kernel of an answer."""
    run = subprocess.run(["ptx-predict", "split", "--format=json", *arguments], check=True, capture_output=True, text=True)
    return json.loads(run.stdout)["kernels"][0]


def numbers(text):
    """{"alpha_T": 0.5, …}"""
    return {name: float(value) for name, value in re.findall(r"(\w+)=([\d.]+)", text)}


wrong = []


def compare(what, got, want, tolerance=1e-6):
    if abs(got - want) > tolerance * max(abs(got), abs(want)):
        wrong.append(f"{what}: {got}, the file has {want}")


def compare_point(row, point):
    """The file has S, alpha_ov and E, where it has them."""
    for column, key in (("S", "speedup"), ("alpha_ov", "energy_fraction"), ("E", "efficiency")):
        if row[column]:
            compare(f"{row['id']} {column}", point[key], float(row[column]))


appendix = rows("hong_derived_appA.csv")
for row in appendix:
    given = numbers(row["inputs"])
    if row["id"].startswith("A5"):
        # (104), (107): 1000 us of CPU for all of the work at C zeta F / phi = 1; half of B is each one's.
        sides = []
        for side, phi in (("c", given["phi_c"]), ("g", given["phi_g"])):
            time = 1000 * phi / (given["C" + side] * given["z" + side] * given["F" + side])
            power = given["C" + side] * given["F" + side] ** 3 * given["l" + side]
            sides.append(f"--measured={side}={time!r},{power + given['B'] / 2!r},{given['B'] / 2!r}")
        kernel = split(*sides, "--points=21")
        share = float(row["id"].split("Dg")[1])
        point = next(p for p in kernel["points"] if abs(p["shares"][1] - share) < 1e-9)
    else:
        # (97), (98): the second device is the new setting, with all of the work.
        kernel = split("--measured=old=1000,100", f"--measured=new={1000 * given['alpha_T']!r},{100 * given['alpha_P']!r}")
        point = kernel["points"][-1]
    compare_point(row, point)

# 5.9: shares of performances that stand to each other as the predicted ones do.
schedule = rows("hong_fig147_schedule.csv")
errors = []
for row in schedule:
    cpu, gpu = float(row["model_cpu_pct"]), float(row["model_gpu_pct"])
    kernel = split(f"--measured=cpu={1e5 / cpu!r}", f"--measured=gpu={1e5 / gpu!r}")
    for side, want in zip(kernel["devices"], (cpu, gpu)):
        compare(f"row {row['row']} {side['device']}", 100 * side["share_by_performance"], 100 * want / (cpu + gpu))
        compare(f"row {row['row']} {side['device']}", side["share"], side["share_by_performance"])
    manual = float(row["manual_gpu_pct"]) / (float(row["manual_cpu_pct"]) + float(row["manual_gpu_pct"]))
    error = 100 * abs(kernel["devices"][1]["share"] - manual) / manual
    compare(f"row {row['row']} error", error, float(row["gpu_rel_err_pct"]), 1e-3)
    errors.append(error)
if abs(sum(errors) / len(errors) - 17.04) > 0.005:
    wrong.append(f"the mean error is {sum(errors) / len(errors)}, not the 17.04 % of the text")

for text in wrong:
    print(text)
print(f"{len(appendix)} and {len(schedule)} rows, {len(wrong)} wrong")
