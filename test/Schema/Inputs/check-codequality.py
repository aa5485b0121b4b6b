#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""check-codequality.py REPORT: checks what `lint --format=codequality` writes against what GitLab asks of a Code Quality report.

That is the keys that GitLab reads and their types, the five severities, a fingerprint that stands once, and a path that does not
begin with "./". Prints how many violations there are of each severity; exits with 1 and one line a mistake otherwise.
"""

import collections
import json
import sys

from validate import unique

SEVERITIES = ["info", "minor", "major", "critical", "blocker"]
found = []


def wrong(place, text):
    found.append(f"{place}: {text}")


def text_of(value, key, place):
    if not isinstance(value.get(key), str) or not value[key].strip():
        wrong(place, f"no {key}")
        return ""
    return value[key]


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        report = json.load(file, object_pairs_hook=unique)
    if not isinstance(report, list):
        sys.exit("$: no array")
    prints, counts = collections.Counter(), collections.Counter()
    for number, violation in enumerate(report):
        place = f"$[{number}]"
        if set(violation) != {"description", "check_name", "fingerprint", "severity", "location"}:
            wrong(place, f"keys {sorted(violation)}")
            continue
        text_of(violation, "description", place)
        text_of(violation, "check_name", place)
        prints[text_of(violation, "fingerprint", place)] += 1
        if violation["severity"] not in SEVERITIES:
            wrong(place, f"severity {violation['severity']!r}")
        counts[violation["severity"]] += 1
        location = violation["location"]
        if text_of(location, "path", place).startswith("./"):
            wrong(place, "a path that begins with ./")
        line = location.get("lines", {}).get("begin")
        if not isinstance(line, int) or isinstance(line, bool) or line < 1:
            wrong(place, f"line {line!r}")
    for fingerprint, count in prints.items():
        if count > 1:
            wrong(fingerprint, f"stands {count} times")
    if found:
        print("\n".join(found))
        sys.exit(1)
    by_severity = ", ".join(f"{counts[severity]} {severity}" for severity in reversed(SEVERITIES) if counts[severity])
    print(f"{len(report)} violations" + (f": {by_severity}" if by_severity else ""))


main()
