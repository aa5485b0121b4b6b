#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""matmul-case-study.py THESIS GOLDEN SCRATCH [--page=FILE | --update=FILE]

The matrix multiplications of THESIS/casestudy over sizes of the block, and the kernels of THESIS/ptx/chases.ptx over warps of an SM,
predicted by throughput, beside what the thesis prints (CSV files of GOLDEN). Fails where

- the gap between the bounds (all found in L1, all in device memory) closes for the naive kernel, or does not close for the tiled one,
- the tiled kernel's category with everything in device memory does not get better with the block, or the naive one's does,
- the cores or the better number of warps of the kernels of figure 117 are not the printed ones,
- the page FILE is not what is written of all this; --update writes it.
"""

import os
import sys

import oracle
from oracle import row, rows_of, run

BLOCKS = ["4x4", "8x8", "16x16", "32x32"]
DEVICES = ["gtx-580", "v100"]
KERNELS = {"naive": "matmulNaive", "tiled": "matmulTiled"}
# Thesis, 5.4.2: the text's ranks of categories, 1 the best; those that it does not name share a place.
RANKS = {10: 1, 9: 2, 5: 3, 4: 4, 2: 5, 3: 5, 7: 5, 8: 5, 1: 6, 6: 6}
# Rows of table 13, and the sizes that its damaged labels may mean.
TABLE13 = {1: ("naive", ["4x4"]), 2: ("naive", ["16x16", "32x32"]), 3: ("tiled", ["4x4"]), 4: ("tiled", ["16x16"]), 5: ("tiled", ["32x32"])}

HEAD = """# Case study: matrix multiplication

Section 5.6 of S. Hong's thesis applies its [throughput model](../models/Throughput.md) to two matrix multiplications on a GTX 580: a naive one, in which each thread
reads a row and a column, and one that keeps tiles of the block's size in shared memory. Two bounds enclose the effect of caches: everything hits in L1
(then only computation counts), or everything comes from device memory. The thesis finds that the gap between them does not depend on the naive kernel's block:
only another algorithm helps. A larger tile means fewer loads and more computation per warp, so that the tiled kernel's gap shrinks and caches matter little.

This page has kernels of our own with these algorithms (`test/thesis/casestudy/matmul.cu`, compiled by nvcc 13.0 for sm_75), 1024 rows, predicted from the PTX alone. The
thesis prints neither the code of its kernels nor their counts. A test predicts, checks the statements of this page, writes it and fails if it would change
(`test/Oracle`). One of the commands that it runs:

```text
ptx-predict test/thesis/casestudy/matmul.ptx --kernel=matmulTiled --device=gtx-580 --model=throughput --grid=64,64 --block=16,16 --arg=3=1024 --sweep=block=4x4,8x8,16x16,32x32
```

*In L1* and *device memory* are the bounds in GFLOP/s (`Perf_L1`, `Perf_all_DRAM`); *mostly* has nine of ten requests in device memory (`Perf_mostly_DRAM`), and *predicted*
the hit rates that the analysis finds (`Perf`). *Gap* is the quotient of the bounds. Requests are those of a warp to device memory, computation is the cycles of a
warp between two waits for memory (`EffComp`), categories are those of
[the model](../models/Throughput.md#categories), and cores are those that use up the bandwidth.

"""


def table(scratch, *command):
    path = f"{scratch}/table.csv"
    run(*command, "--format=csv", "-o", path)
    return rows_of(path)


def golden(folder, name):
    return rows_of(f"{folder}/{name}")


def number(value):
    return f"{float(value):.4g}"


def whole(line, term):
    return int(float(line[term]))


def gap(line):
    return float(line["Perf_L1"]) / float(line["Perf_all_DRAM"])


def sweep_blocks(thesis, scratch, device, kernel):
    lines = table(scratch, f"{thesis}/casestudy/matmul.ptx", f"--kernel={kernel}", f"--device={device}", "--model=throughput", "--grid=64,64", "--block=16,16", "--arg=3=1024",
                  f"--sweep=block={','.join(BLOCKS)}")
    return dict(zip(BLOCKS, lines))


def check_study(device, naive, tiled, wrong):
    """What the thesis says of both, as far as it does not depend on its kernels' counts."""
    gaps = [gap(tiled[b]) for b in BLOCKS]
    if gaps != sorted(gaps, reverse=True) or gaps[0] < 1.5 or gaps[-1] > 1.05:
        wrong.append(f"{device}: the tiled kernel's gap does not close: {gaps}")
    if min(gap(naive[b]) for b in BLOCKS) < 3:
        wrong.append(f"{device}: the naive kernel's gap closes")
    if len({naive[b]["Perf_L1"] for b in BLOCKS[1:]}) != 1:
        wrong.append(f"{device}: the naive kernel's bound of L1 depends on the block")
    for terms in ("mem_insts", "fp_fused_insts", "int_insts"):
        if len({naive[b][terms] for b in BLOCKS}) != 1:
            wrong.append(f"{device}: the naive kernel's {terms} depend on the block")
    loads, computation = [[float(tiled[b][t]) for b in BLOCKS] for t in ("mem_insts", "EffComp")]
    if loads != sorted(loads, reverse=True) or computation != sorted(computation):
        wrong.append(f"{device}: the tiled kernel has not fewer loads and more computation between them with larger tiles")
    ranks = [RANKS[whole(tiled[b], "Category_all_DRAM")] for b in BLOCKS]
    if ranks != sorted(ranks, reverse=True) or ranks[-1] != 1:
        wrong.append(f"{device}: the tiled kernel's categories do not get better: ranks {ranks}")
    if any(RANKS[whole(naive[b], "Category_all_DRAM")] < 5 for b in BLOCKS):
        wrong.append(f"{device}: the naive kernel's category gets better")


def study(device, sweeps):
    text = f"## On {device}\n\n"
    text += row("kernel", "block", "warps", "requests", "computation", "in L1", "predicted", "mostly", "device memory", "gap", "categories: predicted", "mostly", "device memory", "cores then")
    text += row("---", "---", *["--:"] * 12)
    for name, lines in sweeps.items():
        for block, line in lines.items():
            text += row(name, block, whole(line, "N"), number(line["mem_insts"]), number(line["EffComp"]), number(line["Perf_L1"]), number(line["Perf"]), number(line["Perf_mostly_DRAM"]),
                        number(line["Perf_all_DRAM"]), f"{gap(line):.2f}", whole(line, "Category"), whole(line, "Category_mostly_DRAM"), whole(line, "Category_all_DRAM"),
                        whole(line, "Advice_cores_all_DRAM"))
    return text + "\n"


NOTES = """The naive kernel has the same mix of instructions, and the same bound of L1, for every block (a block of 4x4 threads leaves half of its one warp idle); its gap stays above 3.
Its lower bound depends on how many lines a warp touches, which the thesis leaves out: with 4 rows of the block in a warp a request for
elements of A touches 4 lines of 128 bytes on the GTX 580, and with one row a single one. With the 32-byte sectors of the V100 the gap is nearly the same for all sizes. The tiled kernel's
gap closes, and its category becomes 10. The tile's arrays are those of the largest block, 8 KiB, so that 6 and not 8 of the smallest blocks fit on an SM.

"""


def compare_table13(folder, sweeps):
    text = """## Table 13

Cores of the GTX 580 that the thesis predicts for these kernels with its earlier model and with the throughput model, beside ours with all requests in L1,
with nine of ten in device memory, and with all in device memory. Labels of the table are damaged (2 to 5 are read as its text suggests). Its *DRAM* means that
some of the loads hit, with shares that are not printed.

"""
    text += row("kernel", "block", "earlier: L1", "DRAM", "printed: L1", "DRAM", "all DRAM", "ours: L1", "mostly", "all")
    text += row("---", "---", *["--:"] * 8)
    for printed in golden(folder, "hong_t13_core_predictions.csv"):
        name, blocks = TABLE13[int(printed["row"])]
        ours = [sweeps[name][b] for b in blocks]
        said = lambda term: " or ".join(str(whole(o, term)) for o in ours)
        text += row(name, " or ".join(blocks), *(printed[c] for c in ("p_model_l1", "p_model_dram", "n_model_l1", "n_model_dram", "n_model_all_dram")), "16", said("Advice_cores_mostly_DRAM"),
                    said("Advice_cores_all_DRAM"))
    return text + """
The earlier model's 11 is 16 cores over the quotient of 32 demanded requests and the 21.35 that table 14's bandwidth and latency serve, rounded up; a test has it
(`test/unit/Model/ThroughputTest.cpp`). The throughput model's numbers depend on counts that are not printed. Our tiled kernel has more instructions between its loads than machine code of
2011, in which a multiply-add reads an operand from shared memory itself. So it demands less, and no large block reaches the bandwidth.

"""


def compare_chases(thesis, folder, scratch, wrong):
    text = """## Kernels of figure 117

The five small kernels of [ThesisKernels](ThesisKernels.md), with the counts of a [run](../commands/Emulate.md) (their addresses depend on loaded data), and the cores of section 5.5.1. These
follow only if 36 to 38 requests of an SM use up the bandwidth, while table 14 gives 21.35; `test/thesis/gtx-580-ch5.yaml` has a pair of bandwidth and latency that gives 36.51. Only this constant is
fitted; demand, memory-level strength and the warps that hide the latency come from our PTX. With the printed (70), in which no other warp hides an instruction's latency, the cores do not
follow (`--published`).

"""
    profile = f"{scratch}/chases.profile.json"
    launch = f"--launch={thesis}/launch/chases.yaml"
    run("emulate", f"{thesis}/ptx/chases.ptx", launch, f"--profile-out={profile}", "-o", os.devnull)
    lines = table(scratch, f"{thesis}/ptx/chases.ptx", launch, f"--profile={profile}", f"--device-file={thesis}/gtx-580-ch5.yaml", "--device=gtx-580-ch5", "--model=throughput",
                  "--sweep=warps=8,16,24,32")
    ours = {(r["kernel"].removeprefix("chase"), whole(r, "N")): r for r in lines}
    printed = {}
    for r in golden(folder, "hong_optimal_cores.csv"):
        if r["model"] == "throughput":
            printed[r["bench"], int(r["N"])] = int(r["predicted_cores"])
    text += row("kernel", "warps", "MSTR", "that hide the latency", "demand", "supply", "category", "cores printed", "ours", "better warps")
    text += row("---", *["--:"] * 9)
    for key, line in ours.items():
        cores = whole(line, "Advice_cores")
        if printed.get(key, cores) != cores:
            wrong.append(f"{key}: {cores} cores, but {printed[key]} are printed")
        if key in (("Dmadd", 32), ("Dotp", 32)) and whole(line, "Advice_N") != 18:
            wrong.append(f"{key}: {line['Advice_N']} warps are better, but 18 are printed")
        text += row(*key, line["MSTR"], number(line["MWP_App_InfiN"]), number(line["MWP_App"]), number(line["MWP_BW"]), whole(line, "Category"), printed.get(key, ""), cores, whole(line, "Advice_N"))
    if not set(printed) <= set(ours) or len(ours) != 20:
        wrong.append(f"kernels of figure 117: {sorted(ours)}")
    return text


def main():
    options = oracle.parse_options("thesis", "golden", "scratch")
    wrong = []
    sweeps = {d: {name: sweep_blocks(options.thesis, options.scratch, d, kernel) for name, kernel in KERNELS.items()} for d in DEVICES}
    text = HEAD
    for device, of_device in sweeps.items():
        check_study(device, of_device["naive"], of_device["tiled"], wrong)
        text += study(device, of_device)
    text += NOTES + compare_table13(options.golden, sweeps["gtx-580"]) + compare_chases(options.thesis, options.golden, options.scratch, wrong)
    wrong += oracle.check_page(text, options)
    sys.exit("\n".join(wrong) or 0)


main()
