# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""compare-known.py COMMAND FILE.ptx LAUNCH.yaml [OPTION...]

Predicts FILE.ptx at its launches, with each OPTION, and emulates it; prints each number that the prediction calls known and the run contradicts,
and how many there were. Exits with 1 if there was one.
"""
import json
import subprocess
import sys

command, code, launch, *options = sys.argv[1:]


def read(*arguments):
    run = subprocess.run([command, *arguments, "--launch=" + launch, "--format=json"],
                         stdout=subprocess.PIPE, check=True)
    return {k["name"]: k["characteristics"] for k in json.loads(run.stdout)["kernels"]}


predicted, counted = read(code, *options), read("emulate", code)
known = wrong = kernels = 0


def compare(where, row, real):
    global known, wrong
    for key, estimate in row.items():
        if not isinstance(estimate, dict) or estimate.get("status") != "known" or key not in real:
            continue
        known += 1
        value, there = estimate["value"], real[key]["value"]
        if abs(value - there) > 1e-9 * max(1, abs(there)):
            wrong += 1
            print(f"{where}: {key} {value}, but {there} in the run")


for name, run in counted.items():
    kernels += 1
    compare(f"{name}, footprint", predicted[name].get("footprint", {}), run.get("footprint", {}))
    for part in ["blocks", "loops", "branches", "memory"]:
        rows = predicted[name][part]
        if len(rows) != len(run[part]):
            sys.exit(f"{name}: other {part} in the run")
        for row, real in zip(rows, run[part]):
            compare(f"{name}, line {row['line']}", row, real)
print(f"{kernels} kernels, {known} known numbers, {wrong} others than the run's")
sys.exit(wrong != 0)
