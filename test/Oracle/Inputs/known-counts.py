#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""known-counts.py ACCURACY SCRATCH [--page=FILE | --update=FILE] [KERNEL-FILE...]

The static analysis against the emulator: runs the kernels of ACCURACY/ptx at the launches of ACCURACY/launch and at two
smaller sizes, and fails where

- a number that the analysis calls known is not the one that was counted,
- another number was counted outside of the bounds that the analysis gives,
- the same of what it says where the launch does not tell what is in the buffers,
- something is left open though no condition and no address depends on anything but code, launch and arguments,
- a run does not compute what the launch file expects, or a prediction from its profile has other counts than the run,
- the page FILE is not what is written of all this; --update writes it.
"""

import collections
import glob
import json
import os
import re
import sys

import oracle
from oracle import row, run

# The whole numbers of two digits and more among the arguments are multiplied by these.
SIZES = (1, 0.61, 0.27)
# In these files they stay multiples of that, as the kernels want them.
MULTIPLES = {"matmul_tensor": 16, "matmul_wmma": 16}

# What conditions and addresses are open for, as the dumps name it.
REASONS = {
    "load": "loaded data",
    "atomic": "results of atomics",
    "lanes": "votes and shuffles",
    "call": "what a call returns",
    "argument": "arguments of a function that calls itself",
    "float": "floating-point results",
    "special": "clocks and the like",
    "loop": "what changes from iteration to iteration",
    "merge": "a merge of paths",
    "large": "too large an expression",
    "undefined": "what nothing defines",
    "other": "what is not modelled",
}
OPEN = re.compile(r"\b(" + "|".join(REASONS) + r")\(")

# Kinds of numbers in the order of the page, by key.
KINDS = {
    "instructions": "instructions",
    "by_class": "instructions of a class",
    "frequency": "block frequencies",
    "trip_count": "trip counts",
    "executions": "executions of loops and branches",
    "tensor_macs": "multiply-adds of matrices",
    "tensor_macs_by_type": "the same of a type",
    "tensor_work": "the same of a shape",
    "taken_fraction": "branches: share taken",
    "divergent_fraction": "branches: share that splits a warp",
    "requests": "requests",
    "active_lanes": "lanes a request",
    "sectors_per_request": "sectors a request",
    "lines_per_request": "lines a request",
    "wavefronts_per_request": "wavefronts a request",
    "transactions_per_request": "transactions by older rules",
}
PER_REQUEST = {"active_lanes", "sectors_per_request", "lines_per_request", "wavefronts_per_request", "transactions_per_request"}
STATUSES = ("known", "assumed", "estimated", "unknown")
COSTS = PER_REQUEST - {"active_lanes"}
# What tells multiply-adds of matrices apart.
SHAPE = ("type", "m", "n", "k", "sms")
# Either side alone has these.
ONLY_COUNTED = {"lanes", "unique_bytes", "footprint"}
ONLY_STATIC = {"trip_count_symbolic", "lane_stride_symbolic", "loop", "recurrence", "ilp", "dep", "mstr", "memory_parallelism", "round_trips",
               "shared_round_trips", "critical_path", "locality", "imbalance", "heaviest_blocks", "roles", "mbarriers", "pipelines", "by_work", "block_barriers", "block_stride_bytes", "warp_stride_bytes", "addresses_per_request",
               "hottest_requests", "hottest_lanes", "spread_bytes", "atomic_passes_per_request", "merged", "waits"}


def smaller(path, size, scratch):
    """The launch file with smaller whole numbers as arguments, beside the files that it names."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    step = MULTIPLES.get(os.path.basename(path).removesuffix(".yaml"), 1)
    less = lambda m: m[1] + str(int(int(m[2]) * size) // step * step)
    text = re.sub(r"^( +\d+: )(\d{2,})$", less, text, flags=re.MULTILINE)
    folder = os.path.abspath(os.path.dirname(path))
    text = re.sub(r"file: ([^,}]+)", lambda m: f"file: {os.path.join(folder, m[1])}", text)
    with open(f"{scratch}/smaller.yaml", "w", encoding="utf-8") as file:
        file.write(text)
    return f"{scratch}/smaller.yaml"


def without_data(path, scratch):
    """The launch file without what its buffers hold."""
    with open(path, encoding="utf-8") as file:
        text = re.sub(r", fill: ({[^}]*}|\w+)", "", file.read())
    with open(f"{scratch}/without-data.yaml", "w", encoding="utf-8") as file:
        file.write(text)
    return f"{scratch}/without-data.yaml"


def load(path):
    with open(path, encoding="utf-8") as file:
        return {k["name"]: k for k in json.load(file)["kernels"]}


class Kernel:
    """What was compared of one kernel, over all sizes."""

    def __init__(self, file, name):
        self.file, self.name, self.launch = file, name, ""
        self.numbers = collections.Counter()  # by kind and status
        self.wrong = []  # known, but not so
        self.broken = []  # beyond their bounds
        self.lines = collections.defaultdict(set)  # of what is not known, by list
        self.has_estimates = False
        self.reasons = collections.defaultdict(set)  # lines by list and reason

    def count(self, status=None):
        return sum(n for (_, s), n in self.numbers.items() if status in (None, s))

    def compare(self, where, key, counted, said, requests=1):
        """A number and what was counted; `said` is None where the analysis has none."""
        status = said["status"] if said else "unknown"
        self.numbers[key, status] += 1
        self.has_estimates |= key == "instructions" and status == "estimated"
        if not said or (key in PER_REQUEST and requests == 0):
            return status  # the mean over no requests is anything
        near = 1e-9 * max(1, abs(counted))
        if status == "known":
            if abs(counted - said["value"]) > near:
                self.wrong.append(f"{where}: {said['value']}, but {counted} ran")
        else:
            high = float("inf") if said["high"] is None else said["high"]
            if not said["low"] - near <= counted <= high + near:
                self.broken.append(f"{where}: from {said['low']} to {high}, but {counted} ran")
        return status

    def walk(self, where, counted, said, listed=None, key="", requests=1):
        """Compares all numbers below a place that both have."""
        if isinstance(counted, dict) and "status" in counted:
            if self.compare(where, key, counted["value"], said, requests) != "known" and listed:
                self.lines["costs" if key in COSTS else listed[0]].add(listed[1])
        elif isinstance(counted, dict):
            for name in said.keys() - counted.keys() - ONLY_STATIC:
                self.wrong.append(f"{where}: {name} was not counted")
            if "requests" in counted:
                requests = counted["requests"]["value"]
            for name in counted.keys() - ONLY_COUNTED:
                below = key if key in KINDS else name
                self.walk(f"{where}.{name}", counted[name], said.get(name), listed, below, requests)
            if counted.get("lanes"):
                self.meet(where, counted, said)
        elif key == "tensor_work":
            shapes, others = ({tuple(w[n] for n in SHAPE): w["macs"] for w in side} for side in (counted, said))
            for shape, macs in shapes.items():
                self.compare(f"{where} {shape}", key, macs["value"], others.get(shape))
            for shape in others.keys() - shapes.keys():
                self.compare(f"{where} {shape}", key, 0, others[shape])
        elif isinstance(counted, list) and key != "inlined_at":
            if [one["line"] for one in counted] != [one["line"] for one in said]:
                self.wrong.append(f"{where}: other lines")
            for one, other in zip(counted, said):
                self.walk(f"{where}[line {one['line']}]", one, other, (key, one["line"]), "", 1)

    def meet(self, where, counted, said):
        """What a run does not count of lanes that meet has bounds in what it counts. These are no numbers of the page."""
        lanes, unique = counted["lanes"], counted.get("unique_bytes")
        sectors = counted.get("sectors_per_request", {"value": 1})["value"]  # each is one pass or more
        limits = {"atomic_passes_per_request": (sectors, counted["active_lanes"]["value"])}
        if unique and counted["space"] == "global":  # of others no addresses are counted, but lanes
            addresses = unique / counted["bytes_per_lane"]  # there are more if they overlap
            limits |= {"spread_bytes": (unique, unique), "hottest_lanes": (lanes / addresses, lanes), "hottest_requests": (1, lanes)}
        for name, (least, most) in limits.items():
            if name not in said:
                continue
            is_known = said[name]["status"] == "known"
            low, high = (said[name]["value"],) * 2 if is_known else (said[name]["low"], said[name]["high"])
            near = 1e-9 * max(1, most)
            if low > most + near or (high is not None and high < least - near):
                to = self.wrong if is_known else self.broken
                to.append(f"{where}.{name}: from {low} to {high}, but from {least} to {most} ran")

    def explain(self, dump):
        """Why lines are open: what their own conditions and addresses depend on."""
        records = [(r[0], dict(p.split("=", 1) for p in r[1:] if "=" in p)) for r in map(str.split, dump) if r]
        why = {(kind, int(r["line"])): r["why"] for kind, r in records if r.get("why", "-") != "-"}
        for kind, r in records:
            if kind == "branch" and r["decided"] == "no" and r["why"] != "-" and int(r["line"]) in self.lines["branches"]:
                self.reasons["branches", r["why"]].add(int(r["line"]))
        for line in dump:
            at = re.match(r"  line (\d+): .*? at (.*)", line)
            if at and OPEN.search(at[2]) and int(at[1]) in self.lines["costs"] and ("access", int(at[1])) in why:
                self.reasons["addresses", why["access", int(at[1])]].add(int(at[1]))

    def check(self):
        if not self.reasons and not self.has_estimates and self.count("known") != self.count():
            open_lines = {key: sorted(lines) for key, lines in self.lines.items() if lines}
            return [f"nothing but the launch decides, but {self.count() - self.count('known')} numbers are open: {open_lines}"]
        return []


def lost(path, kernel):
    """Whether instructions that were executed are missing in the mean over the warps."""
    functions = kernel["counts"]["functions"]
    executions = sum(i["executions"] for f in functions for i in f["instructions"])
    mean = kernel["characteristics"]["instructions"]["value"]
    return [] if abs(mean * kernel["run"]["warps"] - executions) < 0.5 else [f"{path}: {executions} executions, {mean} a warp"]


def sections(dump):
    """The lines of dumps by kernel, those of the functions that it calls with it."""
    found, lines = {}, []
    for line in dump.splitlines():
        if header := re.match(r"kernel (\S+):", line):
            lines = found.setdefault(header[1], [])
        lines.append(line)
    return found


def compare_file(ptx, accuracy, scratch):
    """The kernels of a file, and what is wrong beside their numbers."""
    name = os.path.basename(ptx).removesuffix(".ptx")
    base = f"{accuracy}/launch/{name.split('.')[0]}.yaml"
    counted, profile, static, measured, blind = (f"{scratch}/{n}.json" for n in ("counted", "profile", "static", "measured", "blind"))
    kernels, wrong = {}, []
    for size in SIZES:
        path = base if size == 1 else smaller(base, size, scratch)
        launch = f"--launch={path}"
        run("emulate", ptx, launch, "--format=json", "-o", counted, f"--profile-out={profile}")
        run(ptx, launch, "--format=json", "-o", static)
        dumps = sections(run(ptx, launch, *(f"--dump={d}" for d in ("values", "uniformity", "memory"))))
        run(ptx, f"--launch={without_data(path, scratch)}", "--format=json", "-o", blind)
        runs, estimates, without = load(counted), load(static), load(blind)
        for kernel, one in runs.items():
            row = kernels.setdefault(kernel, Kernel(name, kernel))
            row.walk(f"{name} x {size}: {kernel}", one["characteristics"], estimates[kernel]["characteristics"])
            row.explain(dumps[kernel])
            other = Kernel(name, kernel)
            other.walk(f"{name} x {size} without data: {kernel}", one["characteristics"], without[kernel]["characteristics"])
            wrong += other.wrong + other.broken
        if size != 1:
            continue
        run(ptx, f"--profile={profile}", "--format=json", "-o", measured)
        predictions = load(measured)
        for kernel, one in load(profile).items():
            wrong += lost(f"{name}: {kernel}", one)
        for one in predictions.values():
            for loop in one["characteristics"]["loops"]:
                loop.pop("recurrence", None)  # no count
        for kernel, one in runs.items():
            extents = ("x".join(str(n) for n in one["launch"][key]) for key in ("grid", "block"))
            kernels[kernel].launch = ", ".join(re.sub(r"(x1)+$", "", e) for e in extents)
            for key in ("instructions", "by_class", "blocks", "loops", "branches", "footprint"):
                if one["characteristics"][key] != predictions[kernel]["characteristics"][key]:
                    wrong.append(f"{name}: {kernel}: {key} differ in the prediction from the profile")
    return list(kernels.values()), wrong


def numbered(lines):
    shown = sorted(lines)[:6]
    more = len(lines) - len(shown)
    return ", ".join(map(str, shown)) + (f" and {more} more" if more else "")


def page(kernels):
    cell = lambda n: f"{n:,}" if n else ""
    split = lambda of: (of("known"), of("assumed") + of("estimated"), of("unknown"))
    known_all = [k for k in kernels if not k.reasons and not k.has_estimates]
    others = [k for k in kernels if k.reasons or k.has_estimates]
    text = f"""# Known counts

Static counts, made without running anything, against the counts of the [emulator](../commands/Emulate.md): each kernel of
[AccuracyKernels](AccuracyKernels.md) at its launch and at two smaller sizes, at which the whole numbers among its arguments are
{' and '.join(str(s) for s in SIZES[1:])} times as large. A number is *known* if code, launch and arguments decide it, with what the launch file says
of the contents of buffers; it must then equal the counted one (relative error under 1e-9). The others are *assumed* (or estimated, if a function has no body or calls itself) or
*unknown*, with bounds that must contain the counted number. A test compares the numbers, writes this page and fails if it would
change (`test/Oracle`).

The launch alone decides control flow and addresses of {len(known_all)} of {len(kernels)} kernels: all their numbers are known.

"""
    text += row("file", "kernel", "launch", "decided by", "compared", "known", "assumed", "unknown", "differ", "beyond bounds")
    text += row("---", "---", "---", "---", "--:", "--:", "--:", "--:", "--:", "--:")
    for k in kernels:
        reasons = sorted({r for _, r in k.reasons}, key=list(REASONS).index)
        by = [REASONS[r] for r in reasons] + (["calls"] if k.has_estimates else [])
        numbers = [cell(n) for n in (k.count(), *split(k.count))]
        text += row(f"`{k.file}`", f"`{k.name}`", k.launch, ", ".join(by) or "the launch alone", *numbers, str(len(k.wrong)), str(len(k.broken)))
    total = lambda status=None: sum(k.count(status) for k in kernels)
    numbers = [f"**{n:,}**" for n in (total(), *split(total), sum(len(k.wrong) for k in kernels), sum(len(k.broken) for k in kernels))]
    text += row("**all**", "", "", "", *numbers)
    text += "\n## What is open\n\nBy the line of the PTX file. What runs after an open branch, and how often, is open with it.\n\n"
    text += row("file", "kernel", "what", "decided by", "lines")
    text += row(*["---"] * 5)
    for k in others:
        for (what, reason), lines in sorted(k.reasons.items(), key=lambda i: (i[0][0], list(REASONS).index(i[0][1]))):
            text += row(f"`{k.file}`", f"`{k.name}`", what, REASONS[reason], numbered(lines))
        if k.lines["loops"]:
            text += row(f"`{k.file}`", f"`{k.name}`", "loops", "their exits, or branches before them", numbered(k.lines["loops"]))
        if k.has_estimates:
            text += row(f"`{k.file}`", f"`{k.name}`", "calls", "a function without a body, or that calls itself", "")
    text += "\n## By kind of number\n\n"
    text += row("number", "compared", "known", "assumed", "unknown")
    text += row("---", *["--:"] * 4)
    for key, title in KINDS.items():
        of = lambda status=None, key=key: sum(n for k in kernels for (kind, s), n in k.numbers.items() if kind == key and status in (None, s))
        text += row(title, *(cell(n) for n in (of(), *split(of))))
    return text


def main():
    options = oracle.parse_options("accuracy", "scratch", files="files")
    kernels, wrong = [], []
    for ptx in sorted(glob.glob(f"{options.accuracy}/ptx/*.ptx")):
        if not options.files or os.path.basename(ptx).removesuffix(".ptx") in options.files:
            found, also = compare_file(ptx, options.accuracy, options.scratch)
            kernels += found
            wrong += also
    for k in kernels:
        wrong += k.wrong + k.broken + [f"{k.file}: {k.name}: {w}" for w in k.check()]
        wrong += [f"{k.file}: {k.name}: no kind of number: {key}" for key in {key for key, _ in k.numbers} - KINDS.keys()]
        if k.count("known") == 0:
            wrong.append(f"{k.file}: {k.name}: nothing is known")
    text = page(kernels)
    wrong += oracle.check_page(text, options)
    print(sum(k.count() for k in kernels), "numbers were compared")
    sys.exit("\n".join(wrong) or 0)


if __name__ == "__main__":
    main()
