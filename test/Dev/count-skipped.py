#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Says in one line how many tests of a run were skipped, and what they need that the machine does not have.

    count-skipped.py FOLDER

FOLDER holds the results as JUnit XML: ctest's own, lit's of each area and GoogleTest's of each program. The reason is lit's
list of missing features; elsewhere, what stands after `needs` in the message, or in the output of a test of ctest's own.
"""

import glob
import os
import re
import sys
import xml.etree.ElementTree as xml

REASON = re.compile(r"\b(?:Missing required feature\(s\):|needs) ([\w+.-]+(?:, [\w+.-]+)*)")


def skipped(folder):
    """The name of each test that was skipped, and what it says of the reason."""
    for path in sorted(glob.glob(os.path.join(folder, "*.xml"))):
        for case in xml.parse(path).iter("testcase"):
            for mark in case.iter("skipped"):
                if case.get("status") == "notrun" and not mark.get("message").startswith("SKIP_"):
                    continue  # ctest has failed, and says why
                yield case.get("name"), "\n".join([mark.get("message") or "", case.findtext("system-out") or ""])


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: count-skipped.py FOLDER")
    if not glob.glob(os.path.join(sys.argv[1], "*.xml")):
        return  # nothing was run
    count, needs = 0, set()
    for name, text in skipped(sys.argv[1]):
        count += 1
        reason = REASON.search(text)
        needs.update(reason[1].split(", ") if reason else [f"what {name} does not say"])
    if count:
        print(f"{count} test{'s' if count > 1 else ''} skipped: need{'' if count > 1 else 's'} {', '.join(sorted(needs))}")
    else:
        print("no tests skipped")


if __name__ == "__main__":
    main()
