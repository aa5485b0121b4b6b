#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""same-predictions.py SOURCE FOLDER: predictions from characteristics files against those from the PTX.

Writes the characteristics of all examples and of all kernels of test/accuracy at their launches into FOLDER, reads them
back, and fails unless the files come out the same again and the JSON reports are equal but for the inputs' path and front
end, on all devices with all models.
"""

import json
import os
import subprocess
import sys


def run(*arguments):
    result = subprocess.run(["ptx-predict", *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8")
    if result.returncode != 0:
        sys.exit(f"{' '.join(arguments)}\n{result.stderr}")
    return result.stdout


def report(*arguments):
    """Kernels and inputs of a JSON report, each kernel with its input."""
    result = json.loads(run(*arguments, "--format=json"))
    paths = {entry["path"] for entry in result["inputs"]}
    for entry in result["inputs"]:
        del entry["path"], entry["frontend"]
    for kernel in result["kernels"]:
        kernel["input"] = result["inputs"][kernel["input"]]
        for finding in kernel["findings"]:
            if finding["location"]["path"] in paths:
                del finding["location"]["path"]
    return result["kernels"], result["premises"]


def compare(want, got):
    if len(want) != len(got) or not want:
        sys.exit(f"{len(want)} kernels of PTX, {len(got)} of characteristics")
    for a, b in zip(want, got):
        for key in sorted(set(a) | set(b)):
            if a.get(key) != b.get(key):
                sys.exit(f"{a['name']}: {key}:\n{a.get(key)}\n{b.get(key)}")


def main():
    source, folder = sys.argv[1:]
    launches = os.path.join(source, "test", "accuracy", "launch")
    cases = [[os.path.join(source, "docs", "examples", name + ".ptx")] for name in ("matmul", "reduce", "saxpy")]
    for name in sorted(os.listdir(launches)):
        ptx = os.path.join(source, "test", "accuracy", "ptx", name.replace(".yaml", ".ptx"))
        cases.append([ptx, "--launch=" + os.path.join(launches, name)])
    files, want, texts = [], [], ""
    every = ["--device=all", "--model=all"]
    for number, case in enumerate(cases):
        files.append(os.path.join(folder, f"{number}.yaml"))
        text = run(*case, "--dump=characteristics")
        texts += text
        with open(files[-1], "w", encoding="utf-8") as file:
            file.write(text)
        want += report(*case, *every)[0]
    if run(*files, "--dump=characteristics") != texts:
        sys.exit("the files are not the same when they are written again")
    compare(want, report(*files, *every)[0])
    # Without --device it is the target's.
    examples = [case[0] for case in cases[:3]]
    (want, want_premises), (got, got_premises) = report(*examples), report(*files[:3])
    compare(want, got)
    if want_premises != got_premises:
        sys.exit("premises differ")
    print(f"{len(examples)} and {len(cases)} inputs")


main()
