"""Checks the multiply-adds of the only kernel of a report: those by type and by
shape add up to all of them, and those of all warps to the given number."""
import json
import math
import sys

kernel = json.load(open(sys.argv[1], encoding="utf-8"))["kernels"][0]
found = kernel["characteristics"]
total = found["tensor_macs"]["value"]
by_type = sum(e["value"] for e in found["tensor_macs_by_type"].values())
by_shape = sum(w["macs"]["value"] for w in found["tensor_work"])
assert by_type == total, (by_type, total)
assert by_shape == total, (by_shape, total)
for work in found["tensor_work"]:
    assert work["type"] in found["tensor_macs_by_type"], work
launch = kernel["launch"]
warps = math.prod(launch["grid"]) * -(-math.prod(launch["block"]) // 32)
assert total * warps == float(sys.argv[2]), (total * warps, sys.argv[2])
