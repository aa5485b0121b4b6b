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


def cases(folder):
    for path in sorted(glob.glob(os.path.join(folder, "*.xml"))):
        yield from xml.parse(path).iter("testcase")


def why_skipped(case):
    """What a test that was skipped says of the reason; None of one that was not."""
    mark = case.find("skipped")
    if mark is None:
        return None
    message = mark.get("message") or ""
    if case.get("status") == "notrun" and not message.startswith("SKIP_"):
        return None  # ctest has failed, and says why
    return message + "\n" + (case.findtext("system-out") or "")


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: count-skipped.py FOLDER")
    run, count, needs = 0, 0, set()
    for case in cases(sys.argv[1]):
        run += 1
        why = why_skipped(case)
        if why is None:
            continue
        count += 1
        reason = REASON.search(why)
        needs.update(reason[1].split(", ") if reason else [f"what {case.get('name')} does not say"])
    if not run:
        return
    if count:
        print(f"{count} test{'s' if count > 1 else ''} skipped: need{'' if count > 1 else 's'} {', '.join(sorted(needs))}")
    else:
        print("no tests skipped")


if __name__ == "__main__":
    main()
