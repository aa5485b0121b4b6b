# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What is planted in the kernels of a CUDA source, and whether findings name it.

A line with `// planted: RULE` must have a finding of that rule in the kernel that it stands in (`RULE in KERNEL`: in
that one), which is a warning or an error but for rules that only make notes, or where the mark ends with `(little)`:
what costs less than 5 % is a note. No kernel whose name ends with `fixed` or `Fixed` may have a warning or an error.
"""

import collections
import os
import re

# Lines of the source: that of the place, and those that it was inlined at.
Finding = collections.namedtuple("Finding", "kernel rule severity lines")

NOTES = {"low-occupancy", "tail-effect", "serial-recurrence", "low-memory-parallelism", "read-only-path"}
# Of the kernel as a whole, whose place in PTX and IR is that of its head there.
OF_KERNELS = {"low-occupancy", "tail-effect"}


def read(path):
    """The names of a source's kernels; of what is planted kernel, rule, line and whether it may be a note."""
    kernel, kernels, planted = None, [], []
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            head = re.search(r"__global__.* void (\w+)\(", line)
            if head:
                kernel = head[1]
                kernels.append(kernel)
            mark = re.search(r"// planted: ([\w-]+)(?: in (\w+))?( \(little\))?", line)
            if mark:
                planted.append((mark[2] or kernel, mark[1], number, bool(mark[3]) or mark[1] in NOTES))
    return kernels, planted


def from_advice(advice, source):
    """The findings of `advise --format=json` and their lines in a source."""
    name = os.path.basename(source)
    for kernel in advice["kernels"]:
        for finding in kernel["findings"]:
            at = finding["location"]
            places = ["{path}:{line}:{column}".format(**at)] + at["inlined_at"]
            lines = [int(place.rsplit(":", 2)[1]) for place in places if os.path.basename(place.rsplit(":", 2)[0]) == name]
            yield Finding(kernel["name"], finding["id"], finding["severity"], lines)


def missing(planted, findings):
    """What is wrong with the findings of something planted; empty if nothing is."""
    kernel, rule, number, may_be_note = planted
    there = [f for f in findings if f.kernel == kernel and f.rule == rule]
    here = [f for f in there if number in f.lines or rule in OF_KERNELS and not f.lines]
    if not here:
        return f"{rule} at {[f.lines for f in there]}"
    loud = any(f.severity in ("warning", "error") for f in here)
    return "" if loud or may_be_note else f"a {here[0].severity}"


def alarms(kernel, findings):
    """The warnings and errors of a kernel: rule and lines."""
    return [(f.rule, f.lines) for f in findings if f.kernel == kernel and f.severity in ("warning", "error")]


def judge(source, findings):
    """Prints a line for each thing planted and each fixed kernel of a source; how many are wrong."""
    kernels, planted = read(source)
    findings, wrong = list(findings), 0
    for entry in planted:
        problem = missing(entry, findings)
        wrong += bool(problem)
        print(f"{entry[0]}: {entry[1]} at line {entry[2]}:", f"WRONG: {problem}" if problem else "found")
    for kernel in kernels:
        if kernel.lower().endswith("fixed"):
            bad = alarms(kernel, findings)
            wrong += bool(bad)
            print(f"{kernel}:", f"WRONG: {bad}" if bad else "clean")
    return wrong if planted else 1
