#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""check-pairs.py FOLDER: whether `ptx-predict advise` names each pair's defect first, and prices it as its fix.

The first finding of the kernel `defect`, the summary aside, must be the rule's, and the fix's kernel must not have that
finding as its first one. The share of the time that the finding says would be saved must have the sign of the one that
the predicted time of `fixed` really saves, and its order: what remains of the time may differ by a factor of FACTOR.
Prints one line a pair. Exit code 1 if anything is wrong.
"""

import json
import os
import subprocess
import sys

FACTOR = 2

# Pair, rule, device, and a published model that prices the defect; our own one must price all of them.
PAIRS = [
    ("strided", "uncoalesced-access", "a100-80gb", "mwp-cwp"),
    ("structures", "uncoalesced-access", "a100-80gb", "mwp-cwp"),
    ("transpose", "uncoalesced-access", "a100-80gb", "mwp-cwp"),
    ("banks", "bank-conflict", "a100-80gb", "mwp-cwp"),
    ("divergence", "divergent-branch", "a100-80gb", "mwp-cwp"),
    ("doubles", "double-promotion", "rtx-3090", "mwp-cwp"),
    ("gauss", "double-promotion", "rtx-3090", "mwp-cwp"),
    ("root", "double-promotion", "rtx-3090", "mwp-cwp"),
    ("clip", "double-promotion", "rtx-3090", "mwp-cwp"),
    ("accumulator", "slow-arithmetic", "rtx-3090", "mwp-cwp"),
    ("members", "narrow-access", "a100-80gb", "mwp-cwp"),
    ("bytes", "narrow-access", "gtx-280", "mwp-cwp"),
    ("window", "read-only-path", "gtx-1080-ti", "throughput"),
    ("division", "slow-arithmetic", "gtx-280", "mwp-cwp"),
    ("localarray", "register-spill", "rtx-3090", "mwp-cwp"),
    ("occupancy", "low-occupancy", "a100-80gb", "mwp-cwp"),
    ("blocks", "tail-effect", "a100-80gb", "mwp-cwp"),
    ("inflight", "low-memory-parallelism", "a100-80gb", "throughput"),
    ("chain", "serial-recurrence", "a100-80gb", "throughput"),
]


def advise(folder, name, device, model):
    """Kernel: its findings, best first."""
    base = os.path.join(folder, name)
    command = ["ptx-predict", "advise", base + ".ptx", "--launch=" + base + ".yaml", "--device=" + device]
    command += ["--model=" + model, "--format=json"]
    result = subprocess.run(command, stdout=subprocess.PIPE, check=True)
    return {kernel["name"]: kernel["findings"] for kernel in json.loads(result.stdout)["kernels"]}


def first(findings):
    return next((finding for finding in findings if finding["id"] != "kernel-summary"), None)


def time_of(findings, device):
    return next(finding["values"]["time_us"][device] for finding in findings if finding["id"] == "kernel-summary")


def check(folder, name, rule, device, model):
    """A line of the table, and what is wrong; None if nothing is."""
    kernels = advise(folder, name, device, model)
    before, after = (time_of(kernels[kernel], device) for kernel in ("defect", "fixed"))
    saved = 1 - after / before
    finding, other = first(kernels["defect"]), first(kernels["fixed"])
    line = f"{name:<11} {rule:<22} {device:<10} {model:<10} {before:>8.2f} us {after:>8.2f} us  saved {saved:>4.0%}"
    if finding is None or finding["id"] != rule:
        return line, f"the first finding is {finding and finding['id']}"
    if other is not None and other["id"] == rule:
        return line, "the fix has the same finding"
    if device not in finding.get("gain", {}):
        return line, "the finding has no gain"
    gain = finding["gain"][device]
    line += f", said {gain:>4.0%}"
    if gain <= 0 or saved <= 0:
        return line, "nothing is saved"
    ratio = (1 - gain) / (1 - saved)
    if not 1 / FACTOR <= ratio <= FACTOR:
        return line, f"what remains of the time differs by a factor of {ratio:.2f}"
    return line, None


def main():
    failed = False
    for name, rule, device, published in PAIRS:
        for model in ("bottleneck", published):
            line, problem = check(sys.argv[1], name, rule, device, model)
            print(line + (f"  WRONG: {problem}" if problem else ""))
            failed |= problem is not None
    return failed


if __name__ == "__main__":
    sys.exit(main())
