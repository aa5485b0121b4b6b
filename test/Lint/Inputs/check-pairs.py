#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""check-pairs.py FOLDER: whether `ptx-predict advise` names each pair's defect first, and prices it as its fix.

The first finding of the kernel `defect`, the summary aside, must be the rule's, and the fix's kernel must not have that
finding as its first one. The share of the time that the finding says would be saved must have the sign of the one that
the predicted time of `fixed` really saves, and its order: what remains of the time may differ by a factor of FACTOR.
What the source marks as planted must be found at its line, as planted.py says, and the fix has no warning and no error.
Prints one line a pair and model. Exit code 1 if anything is wrong.
"""

import json
import os
import subprocess
import sys

import planted

FACTOR = 2
OWN = "bottleneck"

# Pair, rule, device, and a published model that prices the defect, if one does at one of its places; our own one must
# price all but barriers, which have no price.
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
    ("pitch", "uncoalesced-access", "a100-80gb", "mwp-cwp"),
    ("chunks", "uncoalesced-access", "a100-80gb", "mwp-cwp"),
    ("vertices", "uncoalesced-access", "a100-80gb", "mwp-cwp"),
    ("swapped", "uncoalesced-access", "a100-80gb", "mwp-cwp"),
    ("wide", "bank-conflict", "a100-80gb", "mwp-cwp"),
    ("tree", "bank-conflict", "a100-80gb", "mwp-cwp"),
    ("counter", "contended-atomic", "a100-80gb", None),
    ("returned", "barrier-in-divergent-code", "a100-80gb", None),
    ("parity", "divergent-branch", "a100-80gb", "mwp-cwp"),
    ("modulo", "slow-arithmetic", "gtx-280", "mwp-cwp"),
    ("complex", "narrow-access", "a100-80gb", "mwp-cwp"),
    ("best", "register-spill", "a100-80gb", None),
]

UNPRICED = {"barrier-in-divergent-code"}


def advise(base, device, model):
    """What is said of a pair's kernels."""
    command = ["ptx-predict", "advise", base + ".ptx", "--launch=" + base + ".yaml", "--device=" + device]
    command += ["--model=" + model, "--format=json"]
    return json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout)


def first(findings):
    return next((finding for finding in findings if finding["id"] != "kernel-summary"), None)


def time_of(findings, device):
    return next(finding["values"]["time_us"][device] for finding in findings if finding["id"] == "kernel-summary")


def found(source, advice):
    """What is wrong with what is found of the things planted in a source, and of their fixes; None if nothing is."""
    findings = list(planted.from_advice(advice, source))
    for entry in planted.read(source)[1]:
        problem = planted.missing(entry, findings)
        if problem:
            return f"in place of {entry[1]} at line {entry[2]}: {problem}"
    bad = planted.alarms("fixed", findings)
    return f"the fix has {bad}" if bad else None


def check(folder, name, rule, device, model):
    """A line of the table, and what is wrong; None if nothing is."""
    base = os.path.join(folder, name)
    advice = advise(base, device, model)
    kernels = {kernel["name"]: kernel["findings"] for kernel in advice["kernels"]}
    before, after = (time_of(kernels[kernel], device) for kernel in ("defect", "fixed"))
    saved = 1 - after / before
    finding, other = first(kernels["defect"]), first(kernels["fixed"])
    line = f"{name:<11} {rule:<25} {device:<10} {model:<10} {before:>8.2f} us {after:>8.2f} us  saved {saved:>4.0%}"
    if finding is None or finding["id"] != rule:
        return line, f"the first finding is {finding and finding['id']}"
    if other is not None and other["id"] == rule:
        return line, "the fix has the same finding"
    problem = found(base + ".cu", advice) if model == OWN else None
    if problem or rule in UNPRICED:
        return line + ", said", problem
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
        for model in filter(None, (OWN, published)):
            line, problem = check(sys.argv[1], name, rule, device, model)
            print(line + (f"  WRONG: {problem}" if problem else ""))
            failed |= problem is not None
    return failed


if __name__ == "__main__":
    sys.exit(main())
