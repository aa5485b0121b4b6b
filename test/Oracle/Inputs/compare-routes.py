#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""compare-routes.py ROOT SCRATCH [--page=FILE | --update=FILE] [SOURCE...]

Compiles the kernels of ROOT with clang, without a CUDA toolkit, and compares what is found of the LLVM IR with what is
found of the PTX that LLVM's back end makes of it (--compare=ir,ptx). Those of test/accuracy are run by the emulator as
well, both ways. Fails where

- the instruction mixes of a kernel differ by more than TOLERANCE,
- a trip count, or the requests, sectors, lines or wavefronts of an access, that both ways know differ,
- the runs leave other bytes in a buffer, or move other memory,

and EXPLAINED does not say why; and where the page FILE is not what is written of all this. --update writes it.
"""

import collections
import concurrent.futures
import glob
import hashlib
import json
import os
import re
import subprocess
import sys

import oracle

FOLDERS = [
    # sources, launch files, whether these are small enough to be run
    ("docs/examples", None, False),
    ("test/accuracy/kernels", "test/accuracy/launch", True),
    ("test/thesis/kernels", "test/thesis/launch", False),
    ("test/thesis/casestudy", None, False),
    ("test/measured/kernels", None, False),
    ("test/Lint/Inputs/pairs", None, False),
]
# What needs more of the toolkit's headers than docs/examples/device.h declares: clang does not compile it here, so it is not
# compared. Of test/measured that is all that uses f16, tensor maps, or atomics and loads that device.h lacks.
NEEDS_TOOLKIT = {
    "test/accuracy/kernels/blackscholes.cu": "erfcf",
    "test/accuracy/kernels/dp4a.cu": "__dp4a",
    "test/accuracy/kernels/linkedlist.cu": "malloc",
    "test/accuracy/kernels/matmul_tensor.cu": "cuda_fp16.h, mma.h",
    "test/accuracy/kernels/matmul_wmma.cu": "mma.h",
    "test/accuracy/kernels/printf.cu": "printf",
    "test/accuracy/kernels/softmax.cu": "expf",
    "test/measured/kernels/attention_mma.cu": "cuda_fp16.h",
    "test/measured/kernels/attention_wgmma.cu": "cuda_fp16.h",
    "test/measured/kernels/bound.cu": "sincosf",
    "test/measured/kernels/contention.cu": "atomicInc, __ldcg, atomicAdd of double",
    "test/measured/kernels/gemms.cu": "cuda_fp16.h",
    "test/measured/kernels/lookback.cu": "__ldcg, __nanosleep, atomicExch, atomicCAS",
    "test/measured/kernels/pipeline_copies.cu": "__grid_constant__",
    "test/measured/kernels/pipeline_mma.cu": "cuda_bf16.h, cuda_fp16.h",
    "test/measured/kernels/pipeline_wgmma.cu": "cuda_fp16.h",
    "test/measured/kernels/rows.cu": "cuda_fp16.h",
    "test/Lint/Inputs/pairs/gauss.cu": "exp",
}
FLAGS = ["-nocudainc", "-nocudalib", "-std=c++17", "-w"]
# The most by which the mixes may differ: the sum of the differences of all classes, in instructions of the PTX.
TOLERANCE = 0.10
# Why numbers differ, by source and kernel (glob), with the sign that stands in the page.
ASSUMED = ("Data decide how often these loops run. Each way assumes it, and the back end laid them out differently: its copies of a "
           "block after several others (tail duplication) are counted separately.")
SUNK = "The back end computes an address in the only branch that needs it (machine sinking), the IR before the branch."
EXPLAINED = {
    ("accuracy/kernels/bfs.cu", "*"): ASSUMED,
    ("accuracy/kernels/spmv.cu", "*"): ASSUMED,
    ("accuracy/kernels/reduce.cu", "*"): SUNK,
    ("accuracy/kernels/scan.cu", "scanTree"): SUNK,
    ("accuracy/kernels/bitonic.cu", "*"): "The back end tests a bit with a shift and a mask, the IR with a mask and a comparison.",
    ("accuracy/kernels/mandelbrot.cu", "*"): "The back end subtracts where the IR adds what it has negated, and writes copies for both ways before a branch, not after it.",
    ("accuracy/kernels/randomwalk.cu", "*"): "The back end decides a switch by a tree, the IR by one comparison after the other.",
    ("accuracy/kernels/recursion.cu", "*"): "The back end makes one more copy of the results and arguments of a call.",
    ("measured/kernels/unequal.cu", "unequalOne"): "The back end selects the address of a parameter and loads it, where the IR selects "
    "between two parameters. What is loaded may be anything, so the PTX is assumed to enter the loops, and the IR is not.",
    ("Lint/Inputs/pairs/bytes.cu", "fixed"): "The back end converts bytes from 32-bit registers, the IR from 16-bit ones, which are masked before.",
    ("Lint/Inputs/pairs/best.cu", "defect"): ASSUMED,
    ("Lint/Inputs/pairs/best.cu", "fixed"): "The IR copies loop-carried values after the branch, in a block of its own; the back end copies them before it, and one value not at all.",
    ("Lint/Inputs/pairs/modulo.cu", "defect"): "The back end moves a conversion out of the loop, and has one jump less in it.",
}


class Failure(Exception):
    pass


def run(command):
    result = subprocess.run(command, capture_output=True, encoding="utf-8")
    if result.returncode != 0:
        raise Failure(f"{' '.join(command)}\n{result.stderr}")
    return result.stdout


def flags(root):
    return ["--", *FLAGS, "-include", os.path.join(root, "docs/examples/device.h")]


def value(pair, way):
    return pair.get(way, {}).get("value") or 0


class Kernel:
    """What the two ways find of one kernel."""

    def __init__(self, source, found):
        self.source, self.name = source, found["name"]
        self.short = re.sub(r"\(.*", "", found["demangled"] or self.name)
        self.short = re.sub(r"^.* ", "", re.sub(r"<.*", "", self.short))
        self.ir, self.ptx = (value(found["instructions"], w) for w in ("ir", "ptx"))
        moved = sum(abs(value(p, "ir") - value(p, "ptx")) for p in found["by_class"].values())
        self.mix = moved / self.ptx
        self.classes = {c: value(p, "ir") - value(p, "ptx") for c, p in found["by_class"].items()
                        if abs(value(p, "ir") - value(p, "ptx")) > 1e-9}
        self.loops = [loop["trip_count"].get("agrees") for loop in found["loops"]]
        self.unmatched = sum(len(loop["trip_count"].keys() & {"ir", "ptx"}) != 2 for loop in found["loops"])
        self.memory = [access.get("agrees") for access in found["memory"]]
        self.differing = [access for access in found["memory"] if access.get("agrees") is False]
        self.runs = None  # whether results and memory of the runs are the same; None without a launch

    def problems(self):
        if self.mix > TOLERANCE:
            yield f"the mixes differ by {self.mix:.1%}: {self.classes}"
        if False in self.loops:
            yield "trip counts differ"
        for access in self.differing:
            numbers = {k: (value(access[k], "ir"), value(access[k], "ptx")) for k in
                       ("requests", "sectors", "lines", "wavefronts") if k in access}
            yield f"{access.get('source')} {access['space']} {access['access']}: {numbers}"
        if self.runs:
            yield from self.runs


def compare(root, source, launch):
    command = ["ptx-predict", os.path.join(root, source), "--compare=ir,ptx", "--format=json", "-j1"]
    if launch:
        command.append("--launch=" + launch)
    found = json.loads(run(command + flags(root)))
    return [Kernel(source, kernel) for kernel in found["kernels"]]


def moved_memory(kernel):
    """Requests, sectors and wavefronts of a run, by space and kind."""
    sums = collections.Counter()
    for access in kernel["characteristics"]["memory"]:
        requests = access["requests"]["value"]
        key = access["space"] + " " + access["access"]
        sums[key, "requests"] += requests
        for what in ("sectors", "wavefronts"):
            per = access.get(what + "_per_request")
            if per:
                sums[key, what] += requests * per["value"]
    return {key: round(number, 6) for key, number in sums.items() if number}


def emulate(root, source, launch, kernel, scratch):
    """The differences between the runs of the two ways."""
    with open(launch, encoding="utf-8") as text:
        entry = re.search(rf"- kernel: ['\"]?{re.escape(kernel.short)}\b.*?(?=\n  - kernel|\Z)", text.read(), re.S)
    if not entry:
        return None
    buffers = re.findall(r"^      (\w+): \{type", entry[0], re.M)
    found = []
    for way in ("ir", "ptx"):
        files = [os.path.join(scratch, f"{os.path.basename(source)}.{kernel.short}.{b}.{way}") for b in buffers]
        command = ["ptx-predict", "emulate", os.path.join(root, source), "--launch=" + launch, "-j1",
                   "--kernel=" + kernel.name, "--format=json"]
        command += [f"--dump-buffer={b}={f}" for b, f in zip(buffers, files)]
        if way == "ptx":
            command.append("--lower=ptx")
        report = json.loads(run(command + flags(root)))
        contents = {}
        for buffer, file in zip(buffers, files):
            with open(file, "rb") as data:
                contents[buffer] = hashlib.sha256(data.read()).hexdigest()
        found.append((contents, moved_memory(report["kernels"][0])))
    (contents, memory), (other_contents, other_memory) = found
    problems = [f"the runs leave other bytes in '{b}'" for b in buffers if contents[b] != other_contents[b]]
    problems += [f"the runs' {what} of {key}: {memory.get((key, what), 0)}, {other_memory.get((key, what), 0)}"
                 for key, what in sorted(memory.keys() | other_memory.keys())
                 if memory.get((key, what), 0) != other_memory.get((key, what), 0)]
    return problems


def work(root, source, launches, is_run, scratch):
    launch = None
    if launches:
        file = os.path.join(root, launches, os.path.basename(source)[:-3] + ".yaml")
        launch = file if os.path.exists(file) else None
    kernels = compare(root, source, launch)
    if launch and is_run:
        for kernel in kernels:
            try:
                kernel.runs = emulate(root, source, launch, kernel, scratch)
            except Failure as failure:
                kernel.runs = [f"a run fails: {failure}"]
    return kernels


def explanation(kernel):
    for (source, name), text in EXPLAINED.items():
        if kernel.source.endswith(source) and name in ("*", kernel.short):
            return text
    return None


def tally(agreements):
    known = [a for a in agreements if a is not None]
    if not agreements:
        return ""
    return f"{sum(known)} of {len(known)}" + (f", {len(agreements) - len(known)} open" if None in agreements else "")


def write_page(kernels):
    lines = [
        "# LLVM IR and its PTX",
        "",
        "Every kernel of the project that compiles with clang and [device.h](../examples/device.h), read in two ways: as the LLVM IR that clang",
        "writes, and as the PTX that LLVM's back end makes of it ([`--compare=ir,ptx`](../commands/Predict.md#llvm-ir)). *Mix* is the difference of the instruction",
        f"mixes: the sum over the classes, as a share of the PTX's instructions; at most {TOLERANCE:.0%} is within tolerance. *Trip counts* and *accesses* say",
        "how many numbers that both ways know are equal (for accesses requests, sectors, lines and wavefronts), and how many one of them leaves open.",
        "*Runs* are those of the [emulator](../commands/Emulate.md), for the [accuracy kernels](AccuracyKernels.md): `same` means the same bytes in every buffer and the same",
        "requests, sectors and wavefronts in every space. A test writes this page, and fails if it would change or if a disagreement",
        "has no explanation (`test/Oracle`).",
        "",
    ]
    over = sorted((k.mix for k in kernels), reverse=True)
    same = sum(k.mix == 0 for k in kernels)
    mean = sum(over) / len(over)
    known_loops = [a for k in kernels for a in k.loops if a is not None]
    known_memory = [a for k in kernels for a in k.memory if a is not None]
    runs = [k.runs for k in kernels if k.runs is not None]
    lines += [
        f"{same} of {len(kernels)} kernels have the same mix; the mean difference is {mean:.1%}, the largest {over[0]:.1%}. "
        f"{sum(known_loops)} of {len(known_loops)} trip counts",
        f"and {sum(known_memory)} of {len(known_memory)} accesses that both ways know are equal, and so are {sum(not r for r in runs)} of {len(runs)} runs.",
        "",
        "| file | kernel | instructions: IR | PTX | mix | trip counts | accesses | runs | |",
        "| --- | --- | --: | --: | --: | --- | --- | --- | --- |",
    ]
    notes = []
    for kernel in kernels:
        note = ""
        if any(True for _ in kernel.problems()):
            text = explanation(kernel) or "unexplained"
            if text not in notes:
                notes.append(text)
            note = f"({notes.index(text) + 1})"
        runs = "" if kernel.runs is None else "differ" if kernel.runs else "same"
        name = os.path.basename(kernel.source)
        lines.append(f"| `{name}` | `{kernel.short}` | {kernel.ir:,.6g} | {kernel.ptx:,.6g} | {kernel.mix:.1%} | "
                     f"{tally(kernel.loops)} | {tally(kernel.memory)} | {runs} | {note} |")
    if notes:
        lines.append("")
        lines += [f"{number}. {text}" for number, text in enumerate(notes, 1)]
    lines += ["", "Left out, for they need headers of a toolkit: " +
              ", ".join(f"`{os.path.basename(s)}` ({why})" for s, why in NEEDS_TOOLKIT.items()) + "."]
    return "\n".join(lines) + "\n"


def main():
    options = oracle.parse_options("root", "scratch", files="sources")

    jobs = []
    for folder, launches, is_run in FOLDERS:
        for file in sorted(glob.glob(os.path.join(options.root, folder, "*.cu"))):
            source = os.path.relpath(file, options.root)
            if source not in NEEDS_TOOLKIT and (not options.sources or source in options.sources):
                jobs.append((options.root, source, launches, is_run, options.scratch))
    failed = False
    kernels = []
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for (_, source, *_), future in [(job, pool.submit(work, *job)) for job in jobs]:
            try:
                kernels += future.result()
            except Failure as failure:
                print(f"{source}: {failure}")
                failed = True
    for kernel in kernels:
        problems = list(kernel.problems())
        if problems and not explanation(kernel):
            failed = True
            for problem in problems:
                print(f"{kernel.source}: {kernel.short}: {problem}")
    if options.sources:
        return failed
    for problem in oracle.check_page(write_page(kernels), options):
        print(problem)
        failed = True
    return failed


if __name__ == "__main__":
    sys.exit(main())
