#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""known-counts.py ACCURACY SCRATCH [KERNEL-FILE...]: the static analysis against the emulator.

Runs the kernels of ACCURACY/ptx at the launches of ACCURACY/launch, and with smaller arguments, and fails where a number
that the static analysis calls known is not the one that was counted, where a run does not compute what the launch file
expects, or where a prediction from the run's profile has other counts than the run.
"""

import glob
import json
import os
import re
import subprocess
import sys

# What differs, by file, place and key, and why.
EXCEPTIONS = {
    # Each fragment's rows are fetched by several requests.
    ("matmul_wmma", "requests"),
    # Operations on an mbarrier are no requests of the emulator.
    ("mbarrier", "requests"),
}


# Of the whole numbers among the arguments, beside all of them.
SIZES = (0.61, 0.27)


def run(*command, may_fail=False):
    done = subprocess.run(["ptx-predict", *command], capture_output=True, text=True, check=False)
    if done.returncode != 0 and not may_fail:
        sys.exit(f"ptx-predict {' '.join(command)}: exit code {done.returncode}\n{done.stderr}")
    return done.returncode == 0


def smaller(path, size, scratch):
    """The launch file with smaller whole numbers as arguments, beside the files that it names."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    text = re.sub(r"^( +\d+: )(\d{2,})$", lambda m: m[1] + str(int(int(m[2]) * size)), text, flags=re.MULTILINE)
    folder = os.path.abspath(os.path.dirname(path))
    text = re.sub(r"file: ([^,}]+)", lambda m: f"file: {os.path.join(folder, m[1])}", text)
    with open(f"{scratch}/smaller.yaml", "w", encoding="utf-8") as file:
        file.write(text)
    return f"--launch={scratch}/smaller.yaml"


def load(path):
    with open(path, encoding="utf-8") as file:
        return {k["name"]: k["characteristics"] for k in json.load(file)["kernels"]}


def differences(file, path, counted, known):
    """The places below `path` at which `known` holds another known number than `counted`."""
    key = path.rsplit(".", maxsplit=1)[-1].split("[")[0]
    if isinstance(counted, dict) and "status" in counted:
        if known.get("status") != "known":
            return []
        COMPARED.append(path)
        near = abs(counted["value"] - known["value"]) <= 1e-9 * max(1, abs(counted["value"]))
        return [] if near or (file, key) in EXCEPTIONS else [f"{path}: {known['value']}, but {counted['value']} ran"]
    found = []
    if isinstance(counted, dict):
        for name in counted.keys() & known.keys():
            found += differences(file, f"{path}.{name}", counted[name], known[name])
    elif isinstance(counted, list) and key != "inlined_at":
        for one, other in zip(counted, known):
            found += differences(file, f"{path}[line {one['line']}]", one, other)
    return found


def lost(path, kernel):
    """Whether instructions that were executed are missing in the mean over the warps."""
    functions = kernel["counts"]["functions"]
    executions = sum(i["executions"] for f in functions for i in f["instructions"])
    mean = kernel["characteristics"]["instructions"]["value"]
    return [] if abs(mean * kernel["run"]["warps"] - executions) < 0.5 else [f"{path}: {executions} executions, {mean} a warp"]


COMPARED = []


def main():
    accuracy, scratch, *files = sys.argv[1:]
    os.makedirs(scratch, exist_ok=True)
    counted, profile, static, measured = (f"{scratch}/{n}.json" for n in ("counted", "profile", "static", "measured"))
    wrong = []
    for ptx in sorted(glob.glob(f"{accuracy}/ptx/*.ptx")):
        name = os.path.basename(ptx).removesuffix(".ptx")
        if files and name not in files:
            continue
        launch = f"--launch={accuracy}/launch/{name.split('.')[0]}.yaml"
        run("emulate", ptx, launch, "--format=json", "-o", counted, f"--profile-out={profile}")
        run(ptx, launch, "--format=json", "-o", static)
        run(ptx, f"--profile={profile}", "--format=json", "-o", measured)
        runs, estimates, predictions = load(counted), load(static), load(measured)
        with open(profile, encoding="utf-8") as file:
            for kernel in json.load(file)["kernels"]:
                wrong += lost(f"{name}: {kernel['name']}", kernel)
        for size in SIZES:
            less = smaller(f"{accuracy}/launch/{name.split('.')[0]}.yaml", size, scratch)
            # With an argument too small for its buffers' layout a kernel may go astray.
            if run("emulate", ptx, less, "--format=json", "-o", counted, "--max-instructions=4M", may_fail=True):
                run(ptx, less, "--format=json", "-o", static)
                estimated = load(static)
                for kernel, counts in load(counted).items():
                    wrong += differences(name.split(".")[0], f"{name} x {size}: {kernel}", counts, estimated[kernel])
        for kernel, counts in runs.items():
            wrong += differences(name.split(".")[0], f"{name}: {kernel}", counts, estimates[kernel])
            for key in ("instructions", "by_class", "blocks", "loops", "branches", "footprint"):
                if counts[key] != predictions[kernel][key]:
                    wrong.append(f"{name}: {kernel}: {key} differ in the prediction from the profile")
    if len(COMPARED) < 20 * (len(files) or 30):
        wrong.append(f"only {len(COMPARED)} numbers were compared")
    print(len(COMPARED), "numbers were compared")
    sys.exit("\n".join(wrong) or 0)


main()
