# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""compare-known.py COMMAND FILE.ptx LAUNCH.yaml [OPTION...]

Predicts FILE.ptx at its launches, with each OPTION, and emulates it; prints each number that the prediction calls known and the run contradicts,
or, without an OPTION that is a premise of its own, that lies outside of its bounds in the run, and how many known ones there were. Exits with 1 if
there was one to print.
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
known = wrong = beyond = kernels = 0


def compare(where, row, real):
    global known, wrong, beyond
    asked = real.get("requests", {"value": 1})["value"] != 0  # else a mean over requests is anything
    for key, estimate in row.items():
        if not isinstance(estimate, dict) or "status" not in estimate or key not in real:
            continue
        value, there = estimate["value"], real[key]["value"]
        near = 1e-9 * max(1, abs(there))
        if estimate["status"] == "known":
            known += 1
            if (asked or key == "requests") and abs(value - there) > near:
                wrong += 1
                print(f"{where}: {key} {value}, but {there} in the run")
        elif (asked or key == "requests") and not options:
            high = float("inf") if estimate["high"] is None else estimate["high"]
            if not estimate["low"] - near <= there <= high + near:
                beyond += 1
                print(f"{where}: {key} from {estimate['low']} to {high}, but {there} in the run")


for name, run in counted.items():
    kernels += 1
    compare(f"{name}, footprint", predicted[name].get("footprint", {}), run.get("footprint", {}))
    said = predicted[name]
    if "tensor_macs" in said:
        compare(f"{name}, matrices", {"all": said["tensor_macs"]}, {"all": run["tensor_macs"]})
        compare(f"{name}, matrices", said["tensor_macs_by_type"], run["tensor_macs_by_type"])
        shapes, real = (
            {" ".join(str(w[n]) for n in ("type", "m", "n", "k", "sms")): w["macs"] for w in side["tensor_work"]}
            for side in (said, run)
        )
        compare(f"{name}, matrices", shapes, real)
        if all(w["status"] == "known" for w in shapes.values()) and shapes.keys() != real.keys():
            sys.exit(f"{name}: other shapes in the run")
    for part in ["blocks", "loops", "branches", "memory"]:
        rows = predicted[name][part]
        if len(rows) != len(run[part]):
            sys.exit(f"{name}: other {part} in the run")
        for row, real in zip(rows, run[part]):
            compare(f"{name}, line {row['line']}", row, real)
print(f"{kernels} kernels, {known} known numbers, {wrong} others than the run's")
sys.exit(wrong + beyond != 0)
