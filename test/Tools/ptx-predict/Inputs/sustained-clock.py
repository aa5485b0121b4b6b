# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""sustained-clock.py LIMITED.json BOOST.json: what a limit of power does to a prediction."""

import json
import sys

limited, boost = (json.load(open(p, encoding="utf-8"))["kernels"][0]["predictions"][0] for p in sys.argv[1:])
clock = limited["core_clock"]
assert "core_clock" not in boost
assert clock["limited_by"] == "power" and clock["power_limit_w"] == 100, clock
assert clock["low_mhz"] <= limited["core_mhz"] <= clock["high_mhz"] <= clock["boost_mhz"] == boost["core_mhz"], clock
assert clock["low_mhz"] < limited["core_mhz"] < boost["core_mhz"], clock
assert boost["power_w"]["value"] > 100 and 99.5 < limited["power_w"]["value"] <= 100 == limited["power_w"]["high"], limited
assert abs(sum(u["watts"] for u in limited["power_units"]) - limited["power_w"]["value"]) < 0.01
for key in ("value", "high"):
    assert limited["time_us"][key] > boost["time_us"][key], key
assert limited["time_us"]["low"] >= boost["time_us"]["low"]
for key in ("value", "low", "high"):  # one in the other's unit
    assert abs(limited["cycles"][key] / (limited["time_us"][key] * limited["core_mhz"]) - 1) < 1e-6, key
