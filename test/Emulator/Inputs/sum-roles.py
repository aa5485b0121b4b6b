# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Says whether the warps of all roles together execute what the emulator counted, where all blocks are alike.

    sum-roles.py PREDICTIONS.json PROFILE.json
"""

import json
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    predicted = json.load(file)["kernels"]
with open(sys.argv[2], encoding="utf-8") as file:
    counted = {k["name"]: k["characteristics"] for k in json.load(file)["kernels"]}
for kernel in predicted:
    roles = kernel["characteristics"]["roles"]
    warps = lambda role: sum(w["number"] for w in role["warps"])
    total = sum(warps(r) for r in roles)
    here = lambda key: sum(warps(r) * r[key]["value"] for r in roles) / total
    assert all(r["instructions"]["status"] == "known" for r in roles), kernel["name"]
    run = counted[kernel["name"]]
    stores = sum(m["requests"]["value"] for m in run["memory"] if m["access"] == "store" and m["space"] == "global")
    same = abs(here("instructions") - run["instructions"]["value"]) < 1e-6 and abs(here("stores") - stores) < 1e-6
    print(kernel["name"], len(roles), "roles", "as counted" if same else f"{here('instructions')} {run['instructions']} {here('stores')} {stores}")
