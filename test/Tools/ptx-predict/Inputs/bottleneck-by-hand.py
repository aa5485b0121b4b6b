# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Works predictions of the model bottleneck out again, as docs/models/Bottleneck.md has its equations, from what their terms ask and are given.

    bottleneck-by-hand.py < PREDICTIONS.json
"""

import json
import math
import sys

GPU = {"l2", "dram", "atomic", "dispatch"}
BANDWIDTH = {"l2_to_sm", "l2", "dram"}
LIMITERS = {
    "issue": "issue", "fp32": "compute", "int": "compute", "int_multiply": "compute", "fp16": "compute", "fp64": "compute",
    "sfu": "compute", "tensor": "compute", "texture": "texture", "load_store": "load-store", "shared": "shared-memory",
    "barrier": "barrier", "l2_to_sm": "l2-bandwidth", "l2": "l2-bandwidth", "dram": "memory-bandwidth", "atomic": "atomics",
    "dispatch": "launch",
}  # fmt: skip


def smooth(p, times):
    times = [t for t in times if t > 0]
    return sum(t**p for t in times) ** (1 / p) if times else 0


def whole(x, rounds):
    return x + (math.ceil(x - 1e-9) - x) / max(1, math.floor(rounds - 1e-9)) ** 2


def work_out(t):
    """The results and the resources' times."""
    names = [n[2:] for n in t if n.startswith("N_")]
    per_sm = t["Blocks"] / t["Active_SMs"]
    resident = max(1, min(t["Resident_blocks"], math.ceil(per_sm - 1e-9)))
    busy = whole(per_sm, per_sm / resident)
    rounds = max(1, whole(busy / resident, busy / resident))

    def meet(work, path):
        """What a block's other warps add to the path of one that meets them, of all warps' work."""
        others = work * (1 - 1 / t["Warps_per_block"])
        own = path * (1 - t["Memory_path"] / t["N_latency"]) if t["N_latency"] else path
        return (1 - t["Copied"]) * others + t["Copied"] * min(others, max(0, work - own))

    def times_of(demand):
        """What each resource takes for the launch, Meeting_cycles and Copy_wait."""
        takes = {n: demand[n] / t["R_" + n] if t["R_" + n] else 0 for n in names}
        times = {n: takes[n] * t["Warps_per_block"] * (t["Blocks"] if n in GPU else busy) for n in names if n != "latency"}
        meeting, copies, path = 0, 0, takes["latency"]
        of_sm = [times["issue"] + times.get("barrier", 0)] + [times[n] for n in times if n not in GPU | {"issue"}]
        if times.get("barrier", 0) > 0 and path > 0:
            meeting = meet(max(of_sm) / busy, path)
        if t["Copy_steps"] > 0 and path > 0:
            round_ = ((t["Copy_steps"] - 1) * t["Copy_latency"] + max(path, max(of_sm) / busy)) / t["Copy_stages"]
            copies = t["Copy_latency"] + max(0, round_ - path - meeting)
        times["latency"] = rounds * (path + meeting + copies)
        return times, meeting, copies

    p, m = t["Exponent"], t["Memory_exponent"]

    def join(times):
        """T_bandwidth, T_memory, what issue takes with barriers, and Full_cycles."""
        bandwidth = smooth(p, [times[n] for n in times if n in BANDWIDTH])
        memory = smooth(m, [bandwidth, times["latency"]])
        issued = times["issue"] + times.get("barrier", 0)
        return bandwidth, memory, issued, smooth(p, [memory, issued] + [times[n] for n in times if n not in BANDWIDTH | {"latency", "issue", "barrier"}])

    times, meeting, copies = times_of({n: t["N_" + n] for n in names})
    mean = join(times)[3]
    drain = 0.75 * (1 - 1 / max(1, math.floor(busy / resident - 1e-9)) ** 2) * times["latency"] / rounds
    start = 0
    heaviest, blocks, warps = t["Heaviest_blocks"], t["Blocks"], t["Warps_per_block"]
    if 0 < heaviest < blocks:
        together = min(resident, busy)
        here = min(max(1, heaviest / t["Active_SMs"]), together)
        ended = max(0, t["Heaviest_before"] + 1 - together * t["Active_SMs"])
        start = ended / blocks
        asks = {n: t.get("H_" + n, 0) for n in names}
        other = {n: max(0, blocks * t["N_" + n] - heaviest * asks[n]) / (blocks - heaviest) for n in names}
        heavy = min(ended, max(0, heaviest - here * t["Active_SMs"]))
        before, _, _ = times_of({n: (heavy * asks[n] + (ended - heavy) * other[n]) / ended if ended else 0 for n in names})
        one = {n: asks[n] / t["R_" + n] * (1 if n == "latency" else warps) for n in names if n not in GPU and t["R_" + n]}
        meets = 0
        if one.get("barrier", 0) > 0:
            meets = meet(max([one["issue"] + one["barrier"]] + [one[n] for n in one if n not in ("issue", "latency")]), one["latency"])
        for n in one:
            if one[n] == 0:
                continue
            if n == "latency":
                beside = one[n] + meets
            else:
                beside = here * one[n] + (together - here) * other[n] * warps / t["R_" + n]
            times[n] = max(times[n], start * before[n] + beside)
    bandwidth, memory, issued, cycles = join(times)
    if 0 < heaviest < blocks:
        drain = min(drain, max(0, mean + drain - cycles))
    results = {"Busy_blocks": busy, "Rounds": rounds, "Heaviest_start": start, "Meeting_cycles": meeting, "Copy_wait": copies, "T_bandwidth": bandwidth,
               "T_memory": memory, "Drain_cycles": drain, "Exec_cycles": cycles + drain}  # fmt: skip
    for n in times:
        results["T_" + n] = times[n]
        share = (memory / cycles) ** p
        if n == "latency":
            share *= (times[n] / memory) ** m
        elif n in BANDWIDTH:
            share *= (bandwidth / memory) ** m * (times[n] / bandwidth) ** p
        elif n in ("issue", "barrier"):
            share = (issued / cycles) ** p * times[n] / issued
        else:
            share = (times[n] / cycles) ** p
        results["Share_" + n] = (share * cycles + (drain if n == "latency" else 0)) / (cycles + drain)
    return results, times


checked = 0
for kernel in json.load(sys.stdin)["kernels"]:
    for prediction in kernel["predictions"]:
        terms = prediction["terms"]
        results, times = work_out(terms)
        for name, value in results.items():
            if not math.isclose(value, terms[name], rel_tol=1e-9, abs_tol=1e-12):
                sys.exit(f"{kernel['name']} on {prediction['device']}: {name} is {value} by hand, not {terms[name]}")
            checked += 1
        time = results["Exec_cycles"] / (terms["Freq"] * 1000) + terms["Start_us"]
        if not math.isclose(time, prediction["time_us"]["value"], rel_tol=1e-9):
            sys.exit(f"{kernel['name']}: {time} us by hand, not {prediction['time_us']['value']}")
        if not math.isclose(sum(v for n, v in results.items() if n.startswith("Share_")), 1, rel_tol=1e-9):
            sys.exit(f"{kernel['name']}: shares are not 1 together")
        times["latency"] -= results["Rounds"] * results["Meeting_cycles"]
        most = max(times, key=times.get)
        if most != "latency" and prediction["limiter"] != LIMITERS[most]:
            sys.exit(f"{kernel['name']}: {most} takes longest, {prediction['limiter']} is said to")
        print(kernel["name"], prediction["device"], prediction["limiter"])
print(checked, "terms agree")
