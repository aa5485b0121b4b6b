#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""sum_executed.py OUTLINE: of each listing of a page, as check_page.py prints it, the sum of what its lines execute."""

import sys

Sums, Name, Inside = {}, None, False
for Line in open(sys.argv[1], encoding="utf-8"):
    Kind, _, Text = Line.rstrip("\n").partition(" ")
    if Kind == "summary":
        Name, Inside = Text, False
    elif Kind == "tr" and Text.startswith("line | executed |"):
        Inside = True
        Sums[Name] = 0.0
    elif Kind == "tr" and Inside:
        Cells = [C.strip() for C in Text.split("|")]
        Sums[Name] += float(Cells[1] or 0) if len(Cells) > 2 else 0
for Name, Sum in Sums.items():
    print(Name, f"{Sum:g}")
