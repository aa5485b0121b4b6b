#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""measured-kernels.py PTX-PREDICT FOLDER SCRATCH

Runs kernels of test/measured on the emulator, at small sizes and with its check, and compares what they leave with what
their algorithm says. FOLDER holds their PTX; SCRATCH is for files. Prints a line for each kernel; exits with 1 if one is
wrong, if one is left out of a file that has cases, or if the emulator found something.

Only files that Cases names are run. Nothing here says what the kernels of the others should compute: these are listed as
unchecked, and whether their results are right is not tested by this script.
"""

import array
import itertools
import math
import os
import re
import subprocess
import sys

MASK = 2**64 - 1
CODES = {"f32": "f", "f64": "d", "u32": "I"}


def fill(count, seed, low, high):
    """What docs/formats/LaunchFile.md says of `random`."""
    for i in range(count):
        x = (seed + (i + 1) * 0x9E3779B97F4A7C15) & MASK
        x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9 & MASK
        x = (x ^ (x >> 27)) * 0x94D049BB133111EB & MASK
        yield low + (high - low) * (((x ^ (x >> 31)) >> 11) * 2.0**-53)


class Buffer:
    def __init__(self, kind, count, seed, low=-1, high=1):
        self.kind, self.count, self.seed, self.low, self.high = kind, count, seed, low, high
        values = fill(count, seed, low, high)
        if kind == "u32":
            values = (math.floor(value) for value in values)
        self.values = array.array(CODES[kind], values)

    def text(self):
        fill = f"{{random: {self.seed}, low: {self.low}, high: {self.high}}}"
        return f"{{type: {self.kind}, count: {self.count}, fill: {fill}}}"


def multiply(a, b, m, n, k):
    columns = [b[x : n * k : n] for x in range(n)]
    for y in range(m):
        row = a[y * k : (y + 1) * k]
        for column in columns:
            yield sum(map(float.__mul__, row, column))


class Cases:
    """Each case: file, kernel, grid, block, arguments (names of buffers, or numbers), buffers, what must be found, tolerance."""

    def __iter__(self):
        yield from self.sgemm()
        yield from self.streams()
        yield from self.samples()

    @staticmethod
    def sgemm():
        m, n, k, alpha, beta = 256, 128, 32, 1.5, 0.5
        a, b, c = Buffer("f32", m * k, 1), Buffer("f32", k * n, 2), Buffer("f32", m * n, 3)
        want = [alpha * sum_ + beta * old for sum_, old in zip(multiply(a.values, b.values, m, n, k), c.values)]
        for kernel, tile, block in [
            ("Naive", 32, "32x32"),
            ("Tiled", 32, "1024"),
            ("Column", 64, "512"),
            ("Square", 128, "256"),
            ("Registers", 128, "256"),
            ("Vector", 128, "256"),
            ("Double", 128, "256"),
        ]:
            grid = f"{n // tile}x{m // tile}"
            args = [m, n, k, alpha, "a", "b", beta, "c"]
            yield "sgemm", f"sgemm{kernel}", grid, block, args, {"a": a, "b": b, "c": c}, {"c": want}, 1e-5

    @staticmethod
    def streams():
        n = 1000
        a, b, c, d = (Buffer("f64", n, seed) for seed in range(1, 5))
        first, second, third = a.values, b.values, c.values
        wanted = {
            "streamInit": [0.23] * n,
            "streamRead": list(first),
            "streamScale": [value * 1.2 for value in second],
            "streamTriad": [value * 1.2 + other for value, other in zip(second, third)],
            "streamStencil3": list(first),
            "streamStencil5": list(first),
        }
        for i in range(1, n - 1):
            wanted["streamStencil3"][i] = 0.5 * second[i - 1] - second[i] + 0.5 * second[i + 1]
        for i in range(2, n - 2):
            near = 0.25 * second[i - 2] + 0.25 * second[i - 1] - second[i]
            wanted["streamStencil5"][i] = near + 0.5 * second[i + 1] + 0.5 * second[i + 2]
        for kernel, want in wanted.items():
            args = ["a", "b", "c", "d", n, 0]
            yield "stream", kernel, "11", "96", args, {"a": a, "b": b, "c": c, "d": d}, {"a": want}, 1e-12

    def samples(self):
        n = 1000
        a, b, out = Buffer("f32", n, 1), Buffer("f32", n, 2), Buffer("f32", n, 3)
        want = [x + y for x, y in zip(a.values, b.values)]
        yield "samples", "sampleVectorAdd", "4", "256", ["a", "b", "out", n], {"a": a, "b": b, "out": out}, {"out": want}, 1e-6
        yield self.options()
        n = 64
        a, b, c = Buffer("f32", n * n, 1), Buffer("f32", n * n, 2), Buffer("f32", n * n, 3)
        want = list(multiply(a.values, b.values, n, n, n))
        for kernel in ["sampleMatmulGlobal", "sampleMatmulShared"]:
            yield "samples", kernel, "2x2", "32x32", ["c", "a", "b", n, n], {"a": a, "b": b, "c": c}, {"c": want}, 1e-5
        width, height = 48, 32
        a, out = Buffer("f32", width * height, 1), Buffer("f32", width * height, 2)
        want = [a.values[y * width + x] for x in range(width) for y in range(height)]
        yield "samples", "sampleTranspose", "3x2", "16x16", ["out", "a", width, height], {"a": a, "out": out}, {"out": want}, 0
        yield self.products()
        yield self.histogram()
        yield self.rows()
        yield self.sort()
        yield self.scan()
        sums, offsets = Buffer("u32", 3072, 1, 0, 1000), Buffer("u32", 3, 2, 0, 1000)
        want = [value + offsets.values[i // 1024] for i, value in enumerate(sums.values)]
        buffers = {"sums": sums, "offsets": offsets}
        yield "samples", "sampleScanUpdate", "3", "256", ["sums", "offsets"], buffers, {"sums": want}, 0

    @staticmethod
    def options():
        n, rate, volatility = 500, 0.02, 0.3
        spot, strike, years = Buffer("f32", n, 1, 5, 30), Buffer("f32", n, 2, 1, 100), Buffer("f32", n, 3, 0.25, 10)
        call, put = Buffer("f32", n, 4), Buffer("f32", n, 5)
        calls, puts = [], []
        for s, k, t in zip(spot.values, strike.values, years.values):
            d1 = (math.log(s / k) + (rate + volatility**2 / 2) * t) / (volatility * math.sqrt(t))
            n1, n2 = (math.erfc(-d / math.sqrt(2)) / 2 for d in (d1, d1 - volatility * math.sqrt(t)))
            discounted = k * math.exp(-rate * t)
            calls.append(s * n1 - discounted * n2)
            puts.append(discounted * (1 - n2) - s * (1 - n1))
        buffers = {"spot": spot, "strike": strike, "years": years, "call": call, "put": put}
        args = ["call", "put", "spot", "strike", "years", rate, volatility, n]
        return "samples", "sampleBlackScholes", "4", "128", args, buffers, {"call": calls, "put": puts}, 1e-4

    @staticmethod
    def products():
        vectors, elements = 5, 2100
        a, b = Buffer("f32", vectors * elements, 1), Buffer("f32", vectors * elements, 2)
        out = Buffer("f32", vectors, 3)
        rows = [slice(v * elements, (v + 1) * elements) for v in range(vectors)]
        want = [sum(x * y for x, y in zip(a.values[row], b.values[row])) for row in rows]
        args = ["out", "a", "b", vectors, elements]
        return "samples", "sampleScalarProducts", "2", "256", args, {"a": a, "b": b, "out": out}, {"out": want}, 1e-5

    @staticmethod
    def histogram():
        words, blocks = 2000, 3
        data, partial = Buffer("u32", words, 1, 0, 2**32), Buffer("u32", blocks * 256, 2, 0, 1)
        want = [0] * (blocks * 256)
        for i, word in enumerate(data.values):
            for byte in word.to_bytes(4, "little"):
                want[i // 192 % blocks * 256 + byte] += 1
        args = ["partial", "data", words]
        return "samples", "sampleHistogram", str(blocks), "192", args, {"data": data, "partial": partial}, {"partial": want}, 0

    @staticmethod
    def rows():
        width, height, radius = 256, 8, 8
        source, out = Buffer("f32", width * height, 1), Buffer("f32", width * height, 2)
        taps = [0.0078125, 0.015625, 0.0234375, 0.03125, 0.0625, 0.09375, 0.125, 0.1875, 0.25]
        taps += [0.1796875, 0.125, 0.09375, 0.0625, 0.03125, 0.0234375, 0.015625, 0.0078125]
        want = []
        for y, x in itertools.product(range(height), range(width)):
            near = range(max(x - radius, 0), min(x + radius + 1, width))
            want.append(sum(taps[radius - (i - x)] * source.values[y * width + i] for i in near))
        args = ["out", "in", width, height, width]
        return "samples", "sampleConvolutionRows", "2x2", "16x4", args, {"in": source, "out": out}, {"out": want}, 1e-6

    @staticmethod
    def sort():
        keys, values = Buffer("u32", 2048, 1, 0, 2**32), Buffer("u32", 2048, 2, 0, 2**32)
        outkeys, outvalues = Buffer("u32", 2048, 3, 0, 1), Buffer("u32", 2048, 4, 0, 1)
        pairs = list(zip(keys.values, values.values))
        assert len(set(keys.values)) == len(pairs)  # so that there is one right order
        want = sorted(pairs[:1024], reverse=True) + sorted(pairs[1024:])
        found = {"outkeys": [key for key, _ in want], "outvalues": [value for _, value in want]}
        buffers = {"keys": keys, "values": values, "outkeys": outkeys, "outvalues": outvalues}
        args = ["outkeys", "outvalues", "keys", "values"]
        return "samples", "sampleBitonicSort", "2", "512", args, buffers, found, 0

    @staticmethod
    def scan():
        source, out = Buffer("u32", 2048, 1, 0, 1000), Buffer("u32", 2048, 2, 0, 1)
        want = []
        for begin in (0, 1024):
            want += [0, *itertools.accumulate(source.values[begin : begin + 1023])]
        return "samples", "sampleScan", "2", "256", ["out", "in", 1024], {"in": source, "out": out}, {"out": want}, 0


def run(command, folder, scratch, case):
    file, kernel, grid, block, args, buffers, wanted, tolerance = case
    launch = os.path.join(scratch, f"{kernel}.yaml")
    values = (f"{{buffer: {arg}}}" if isinstance(arg, str) else arg for arg in args)
    with open(launch, "w", encoding="utf-8") as out:
        out.write(f"launches:\n  - kernel: {kernel}\n    grid: {grid}\n    block: {block}\n")
        out.write("    args: {" + ", ".join(f"{i}: {value}" for i, value in enumerate(values)) + "}\n    buffers:\n")
        out.writelines(f"      {name}: {buffer.text()}\n" for name, buffer in buffers.items())
    dumps = {name: os.path.join(scratch, f"{kernel}.{name}.bin") for name in wanted}
    options = [f"--dump-buffer={name}={path}" for name, path in dumps.items()]
    ptx = os.path.join(folder, f"{file}.ptx")
    done = subprocess.run(
        [command, "emulate", ptx, f"--kernel={kernel}", f"--launch={launch}", "--check", "--quiet", "-j1", *options],
        capture_output=True,
        encoding="utf-8",
    )
    if done.returncode or done.stderr:
        return f"exit code {done.returncode}: {done.stderr.strip()}"
    for name, path in dumps.items():
        found = array.array(CODES[buffers[name].kind])
        with open(path, "rb") as data:
            found.frombytes(data.read())
        if len(found) != len(wanted[name]):
            return f"{name} has {len(found)} elements, not {len(wanted[name])}"
        for i, (got, want) in enumerate(zip(found, wanted[name])):
            if not abs(got - want) <= tolerance * max(1, abs(want)):
                return f"{name}[{i}] is {got}, not {want}"
    return ""


def main():
    command, folder, scratch = sys.argv[1:]
    os.makedirs(scratch, exist_ok=True)
    cases = list(Cases())
    checked = {f"{case[0]}.ptx" for case in cases}
    left = set()
    for name in sorted(checked):
        with open(os.path.join(folder, name), encoding="utf-8") as file:
            left |= set(re.findall(r"\.entry (\w+)", file.read()))
    good = True
    for case in cases:
        problem = run(command, folder, scratch, case)
        print(f"{case[1]}: {problem or 'right'}")
        good &= not problem
        left.discard(case[1])
    for kernel in sorted(left):
        print(f"{kernel}: not run")
    for name in sorted(set(os.listdir(folder)) - checked):
        print(f"{name}: unchecked, without cases")
    return 0 if good and not left else 1


if __name__ == "__main__":
    sys.exit(main())
