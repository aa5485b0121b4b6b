# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""highest-clock.py FREE.json GIVEN.json: what the highest clock that a board offers does to a prediction.

FREE is of a board that chooses its clock, and GIVEN the same with the highest clock given.
"""

import json
import sys

kernels = [json.load(open(path, encoding="utf-8"))["kernels"][0] for path in sys.argv[1:]]
free, given = (kernel["predictions"][0] for kernel in kernels)
clock = free["core_clock"]
assert "core_clock" not in given
assert clock["boost_mhz"] < clock["high_mhz"] == given["core_mhz"], clock
assert free["core_mhz"] <= clock["boost_mhz"], clock
# The range reaches down to that of the highest clock, and the value is that of the other one.
assert free["time_us"]["low"] == given["time_us"]["low"] < given["time_us"]["value"] < free["time_us"]["value"]
assert abs(free["cycles"]["low"] / (free["time_us"]["low"] * free["core_mhz"]) - 1) < 1e-6, free
assert free["energy_j"]["low"] > free["power_w"]["low"] * free["time_us"]["low"] * 1e-6, free

assumed = {
    "what": f"highest core clock in MHz, of {free['device']}",
    "value": clock["high_mhz"],
    "option": "--core-mhz=N",
}
assert assumed in kernels[0]["assumptions"], kernels[0]["assumptions"]
assert not any("core clock" in a["what"] for a in kernels[1]["assumptions"]), kernels[1]["assumptions"]
