#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""check-worst.py JSON SARIF: whether the results that SARIF leaves out are the least bad of the findings that JSON has.

Worse is what is new rather than known or suppressed, then what is more severe, then what would save more.
"""

import json
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    findings = json.load(file)["findings"]
with open(sys.argv[2], encoding="utf-8") as file:
    results = json.load(file)["runs"][0]["results"]


def badness(finding):
    state = ["suppressed", "known", "new"].index(finding["state"])
    level = ["note", "warning", "error"].index(finding["severity"])
    return state, level, max(finding.get("gain", {}).values(), default=0)


there = [result["partialFingerprints"]["ptxPredict/v1"] for result in results]
kept = [finding for finding in findings if finding["fingerprint"] in set(there)]
left = [finding for finding in findings if finding["fingerprint"] not in set(there)]
if [finding["fingerprint"] for finding in kept] != there:
    sys.exit("the results are not in the order of the findings")
if max(map(badness, left)) > min(map(badness, kept)):
    sys.exit(f"left out: {max(map(badness, left))}, there: {min(map(badness, kept))}")
print(f"{len(left)} of {len(findings)} left out, none worse than what is there")
