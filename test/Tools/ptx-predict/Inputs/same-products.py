"""same-products.py RUN PREDICTION MACS: the multiply-adds of matrices of a run of
one kernel are MACS in all, and those of a prediction of the same launch: equal
where that calls them known, else within its bounds."""
import json
import math
import sys

run, said = (json.load(open(path, encoding="utf-8"))["kernels"][0] for path in sys.argv[1:3])
counted, said = run["characteristics"], said["characteristics"]
total = counted["tensor_macs"]
assert total["status"] == "known", total
assert total["value"] * run["run"]["warps"] == float(sys.argv[3]), total["value"] * run["run"]["warps"]
assert math.fsum(e["value"] for e in counted["tensor_macs_by_type"].values()) == total["value"]
assert math.fsum(w["macs"]["value"] for w in counted["tensor_work"]) == total["value"]
if said["tensor_macs"]["status"] == "known":
    for key in ("tensor_macs", "tensor_macs_by_type", "tensor_work"):
        assert counted[key] == said[key], (counted[key], said[key])
else:
    assert said["tensor_macs"]["low"] <= total["value"] <= said["tensor_macs"]["high"], said["tensor_macs"]
