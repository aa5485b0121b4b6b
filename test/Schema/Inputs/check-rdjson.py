#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""check-rdjson.py DOCUMENT: checks what `lint --format=rdjson` writes against the messages of reviewdog's diagnostic format.

Those are DiagnosticResult, Diagnostic, Location, Range, Position, Source and Code of its protocol buffers, whose JSON form refuses
keys that it does not know. Prints how many diagnostics there are of each severity; exits with 1 and one line a mistake otherwise.
"""

import collections
import json
import sys

from validate import unique

# Of each message the keys with their types; a name in a list is another message, and a tuple an enumeration.
MESSAGES = {
    "DiagnosticResult": {"diagnostics": ["Diagnostic"], "source": "Source", "severity": ("ERROR", "WARNING", "INFO")},
    "Diagnostic": {
        "message": str, "location": "Location", "severity": ("ERROR", "WARNING", "INFO"), "source": "Source", "code": "Code",
        "suggestions": ["Suggestion"], "originalOutput": str, "relatedLocations": ["RelatedLocation"],
    },
    "Location": {"path": str, "range": "Range"},
    "Range": {"start": "Position", "end": "Position"},
    "Position": {"line": int, "column": int},
    "Source": {"name": str, "url": str},
    "Code": {"value": str, "url": str},
}
REQUIRED = {"DiagnosticResult": ["diagnostics"], "Diagnostic": ["message", "location", "severity"], "Location": ["path"],
            "Range": ["start"], "Position": ["line"], "Source": ["name"], "Code": ["value"]}
found = []


def check(value, kind, place):
    if isinstance(kind, list):
        if not isinstance(value, list):
            found.append(f"{place}: no array")
            return
        for number, element in enumerate(value):
            check(element, kind[0], f"{place}[{number}]")
    elif isinstance(kind, tuple):
        if value not in kind:
            found.append(f"{place}: {value!r}")
    elif kind is int:
        if not isinstance(value, int) or isinstance(value, bool) or value < 1:
            found.append(f"{place}: {value!r} is no line or column")
    elif kind is str:
        if not isinstance(value, str) or not value:
            found.append(f"{place}: no text")
    elif not isinstance(value, dict):
        found.append(f"{place}: no object")
    else:
        for key in REQUIRED[kind]:
            if key not in value:
                found.append(f"{place}: no {key}")
        for key, inner in value.items():
            if key not in MESSAGES[kind]:
                found.append(f"{place}: {key} is not known")
            else:
                check(inner, MESSAGES[kind][key], f"{place}.{key}")


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        document = json.load(file, object_pairs_hook=unique)
    check(document, "DiagnosticResult", "$")
    if found:
        print("\n".join(found))
        sys.exit(1)
    counts = collections.Counter(diagnostic["severity"] for diagnostic in document["diagnostics"])
    by_severity = ", ".join(f"{counts[name]} {name}" for name in ("ERROR", "WARNING", "INFO") if counts[name])
    print(f"{len(document['diagnostics'])} diagnostics" + (f": {by_severity}" if by_severity else ""))


main()
