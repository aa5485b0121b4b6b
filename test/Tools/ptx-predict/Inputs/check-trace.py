#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""check-trace.py TRACE.json RUN.json: the timeline of a scenario holds what its report says.

No two spans of an exclusive part overlap, and spans add up to the busy times of the report. Of a link that is shared that is
the time in which anything flows.
"""

import json
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    events = json.load(file)["traceEvents"]
with open(sys.argv[2], encoding="utf-8") as file:
    run = json.load(file)
names = {(e["pid"], e["tid"]): e["args"]["name"] for e in events if e["ph"] == "M" and e["name"] == "thread_name"}
spans = {}
for e in events:
    if e["ph"] == "X":
        spans.setdefault(names[e["pid"], e["tid"]], []).append((e["ts"] * 1e-6, (e["ts"] + e["dur"]) * 1e-6))
checked = 0
for resource in run["resources"]:
    own = sorted(spans[resource["name"]])
    busy, until, overlaps = 0.0, 0.0, 0
    for start, end in own:
        overlaps += start < until - 1e-9
        busy += max(0.0, end - max(start, until))
        until = max(until, end)
    exclusive = resource["places"] == 1 and "copies" in resource["name"] + "kernels" and "flat" not in resource["name"]
    if exclusive and overlaps:
        sys.exit(f"{resource['name']}: {overlaps} spans overlap")
    if abs(busy - resource["busy_seconds"]) > 1e-9:
        sys.exit(f"{resource['name']}: spans of {busy} s, but busy for {resource['busy_seconds']} s")
    checked += 1
if checked < 6:
    sys.exit("there is nothing to check")
