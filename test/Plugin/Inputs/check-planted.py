#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""check-planted.py SOURCE FINDINGS: whether findings name what is planted in the kernels of a source.

FINDINGS is a folder with YAML files of remarks, or what `ptx-predict advise --format=json` wrote. What is planted and what
is wrong says planted.py of the linter's tests. Prints a line for each; exit 1 if one is wrong.
"""

import json
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "Lint", "Inputs"))
import planted


def remarks(folder):
    """The findings of a folder's remarks."""
    for name in sorted(os.listdir(folder)):
        with open(os.path.join(folder, name), encoding="utf-8") as file:
            for text in file.read().split("--- !")[1:]:
                fields = {}
                for key in ("Function", "Line", "Id", "Severity"):
                    found = re.search(r"\b%s:\s+'?([\w.-]+)" % key, text)
                    fields[key] = found[1] if found else ""
                lines = [int(fields["Line"] or 0)]
                yield planted.Finding(fields["Function"], fields["Id"], fields["Severity"], lines)


def main():
    source, path = sys.argv[1:]
    if os.path.isdir(path):
        findings = remarks(path)
    else:
        with open(path, encoding="utf-8") as file:
            findings = planted.from_advice(json.load(file), source)
    return 1 if planted.judge(source, findings) else 0


if __name__ == "__main__":
    sys.exit(main())
