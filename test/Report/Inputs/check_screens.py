#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""check_screens.py N FILE.ptx...

What every form says of each kernel's limiter must be one thing, and the screen must fit: for each N-th file asks
ptx-predict for the text, JSON, the page and the findings of advise.

- The screen of a kernel has at most 24 lines of 80 columns.
- The text's "limited by" is its first bar and JSON's limited_by; JSON's limiter belongs to the largest Share_ term.
- The page says the same in its tile and has that bar on top; so does the summary of advise.
- A mark has a cause: where a number is assumed, assumptions name options, and a mark in the text has a part "assumed".
"""

import html
import json
import re
import subprocess
import sys

COLUMNS, LINES = 80, 24
# The limiters that a resource with the largest share can have.
LIMITERS = {
    "issue": {"issue"},
    "fp32": {"compute"},
    "int": {"compute"},
    "int_multiply": {"compute"},
    "fp16": {"compute"},
    "fp64": {"compute"},
    "sfu": {"compute"},
    "tensor": {"compute"},
    "texture": {"texture"},
    "load_store": {"load-store"},
    "shared": {"shared-memory"},
    "barrier": {"barrier"},
    "l2_to_sm": {"l2-bandwidth"},
    "l2": {"l2-bandwidth"},
    "dram": {"memory-bandwidth"},
    "atomic": {"atomics"},
    "dispatch": {"launch"},
    "chain": {"memory-latency"},
    "latency": {"launch", "latency", "occupancy", "memory-latency"},
}
problems = []
kernels = 0


def run(*arguments):
    done = subprocess.run(["ptx-predict", *arguments], capture_output=True)
    return done.stdout.decode()


def statuses(value):
    """All statuses of numbers below a value of JSON."""
    if isinstance(value, dict):
        if "status" in value and "value" in value:
            yield value["status"]
        for part in value.values():
            yield from statuses(part)
    elif isinstance(value, list):
        for part in value:
            yield from statuses(part)


def check(condition, path, kernel, what):
    if not condition:
        problems.append(f"{path}: {kernel}: {what}")


def check_kernel(path, screen, kernel, section, summary):
    name = kernel["demangled"]
    lines = screen.rstrip("\n").split("\n")
    check(len(lines) <= LINES, path, name, f"{len(lines)} lines")
    for line in lines:
        check(len(line) <= COLUMNS, path, name, f"{len(line)} columns: {line}")
    prediction = kernel["predictions"][0]
    marked = re.search(r"\?[ ,():;]|\?$", screen.split("\n", 1)[1], re.M)
    assumed = "assumed" in statuses(kernel)
    check(not assumed or kernel["assumptions"], path, name, "assumed, and nothing says what")
    check(not marked or "\n  assumed  " in screen, path, name, "a mark, and nothing is assumed")
    by = prediction.get("limited_by")
    if by is None:
        return
    said = re.search(r"^  limited by (.*?)(?:, then by .*)?$", screen, re.M)
    check(said and said[1] == by, path, name, f"the text says {said and said[1]}, JSON {by}")
    shares = {k[len("Share_") :]: v for k, v in prediction["terms"].items() if k.startswith("Share_") and v}
    if not shares:
        return
    largest = max(shares.values())
    allowed = set().union(*(LIMITERS[k] for k, v in shares.items() if v == largest))
    check(prediction["limiter"] in allowed, path, name, f"limiter {prediction['limiter']} and shares {shares}")
    bar = re.search(r"^  time     (.*?)  +\d+ %", screen, re.M)
    check(bar and bar[1] == by, path, name, f"the first bar is {bar and bar[1]}, and not {by}")
    tile = re.search(r"<li><b>([^<]*)</b><span>is what limits it</span>", section)
    check(tile and html.unescape(tile[1]) == by, path, name, f"the page says {tile and tile[1]}, and not {by}")
    first = re.search(r"<title>Where the time on [^<]* goes</title>.*?<text[^>]*>([^<]*)</text>", section, re.S)
    check(first and html.unescape(first[1]) == by, path, name, f"the page's first bar is {first and first[1]}, and not {by}")
    check(f", limited by {by};" in summary, path, name, f"advise says {summary}")


def check_file(path):
    global kernels
    report = json.loads(run(path, "--format=json") or "{}")
    if not report.get("kernels"):
        return
    screens = re.split(rf"\n-{{{COLUMNS}}}\n\n", run(path))
    page = run(path, "--format=html")
    sections = dict(re.findall(r'<div id="k(\d+)">\n(.*?)</section>', page, re.S))
    advice = json.loads(run("advise", path, "--format=json"))
    if len(screens) != len(report["kernels"]):
        problems.append(f"{path}: {len(screens)} screens of {len(report['kernels'])} kernels")
        return
    for number, kernel in enumerate(report["kernels"]):
        kernels += 1
        summary = next(
            (f["message"] for f in advice["kernels"][number]["findings"] if f["id"] == "kernel-summary"), ""
        )
        if kernel["predictions"][0].get("time_us", {}).get("value"):
            check_kernel(path, screens[number], kernel, sections.get(str(number), ""), summary)


for path in sys.argv[2 :: int(sys.argv[1])]:
    check_file(path)
print(f"{kernels} kernels")
if problems:
    sys.exit("\n".join(problems))
