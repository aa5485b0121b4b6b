#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""check-planted.py SOURCE RECORDS: whether remarks name what is planted in the kernels of a source.

A line with `// planted: RULE` must have a remark of that rule in the kernel that it stands in (`RULE in KERNEL`: in that one),
and no kernel whose name ends with Fixed may have a remark that is a warning or an error. RECORDS is a folder with YAML files of remarks.
Prints a line for each of both; exit 1 if one is wrong.
"""

import os
import re
import sys


def remarks(folder):
    """Function, rule, line and severity of each remark."""
    for name in sorted(os.listdir(folder)):
        with open(os.path.join(folder, name), encoding="utf-8") as file:
            for text in file.read().split("--- !")[1:]:
                fields = {}
                for key in ("Function", "Line", "Id", "Severity"):
                    found = re.search(r"\b%s:\s+'?([\w.-]+)" % key, text)
                    fields[key] = found[1] if found else ""
                yield fields


def main():
    source, records = sys.argv[1], list(remarks(sys.argv[2]))
    kernel, kernels, planted = None, [], []
    with open(source, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            head = re.search(r"__global__.* void (\w+)\(", line)
            if head:
                kernel = head[1]
                kernels.append(kernel)
            mark = re.search(r"// planted: ([\w-]+)(?: in (\w+))?", line)
            if mark:
                planted.append((mark[2] or kernel, mark[1], number))
    wrong = 0
    for kernel, rule, number in planted:
        there = [r for r in records if r["Function"] == kernel and r["Id"] == rule]
        good = any(r["Line"] == str(number) for r in there)
        wrong += not good
        print(f"{kernel}: {rule} at line {number}:", "found" if good else f"WRONG: {[r['Line'] for r in there]}")
    for kernel in kernels:
        if kernel.endswith("Fixed"):
            bad = [r for r in records if r["Function"] == kernel and r["Severity"] not in ("note", "")]
            wrong += bool(bad)
            print(f"{kernel}:", f"WRONG: {[(r['Id'], r['Line']) for r in bad]}" if bad else "clean")
    return 1 if wrong or not planted else 0


if __name__ == "__main__":
    sys.exit(main())
