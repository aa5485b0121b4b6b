# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""compare-compilers.py COMMAND LAUNCH.yaml ONE.ptx OTHER.ptx [KERNEL...]

Predicts what two compilers made of one source, and compares the instructions, the requests to global memory and the sectors of a warp: they shall
be within a factor of 1.3. The code of each KERNEL may differ by more in instructions, as one compiler unrolls its loops and the other one does
not, and must. What buffers hold is left out of the launch: the counts that it decides are compared with a run elsewhere. Exits with 1 if something is
not so.
"""
import json
import re
import subprocess
import sys
import tempfile

command, launch, one, other, *unlike = sys.argv[1:]
FACTOR = 1.3


with open(launch, encoding="utf-8") as file:
    sizes_alone = re.sub(r", fill: (\{[^}]*\}|\w+)", "", file.read())


def read(code):
    with tempfile.NamedTemporaryFile("w", suffix=".yaml", encoding="utf-8") as file:
        file.write(sizes_alone)
        file.flush()
        run = subprocess.run([command, code, "--launch=" + file.name, "--format=json"], stdout=subprocess.PIPE, check=True)
    return {k["name"]: k["characteristics"] for k in json.loads(run.stdout)["kernels"]}


def numbers(kernel):
    rows = [m for m in kernel["memory"] if m["space"] == "global"]
    requests = [m["requests"]["value"] for m in rows]
    sectors = [n * m["sectors_per_request"]["value"] for n, m in zip(requests, rows)]
    return {"instructions": kernel["instructions"]["value"], "requests": sum(requests), "sectors": sum(sectors)}


wrong, most = [], 1
first, second = read(one), read(other)
for name, kernel in first.items():
    a, b = numbers(kernel), numbers(second[name])
    for key, value in a.items():
        factor = max(value, b[key]) / min(value, b[key])
        may = key == "instructions" and name in unlike
        if (factor > FACTOR) != may:
            wrong.append(f"{name}: {value:g} {key} and {b[key]:g}, a factor of {factor:.2f}")
        if not may:
            most = max(most, factor)
print(*wrong, f"{len(first)} kernels, {len(unlike)} unlike, {len(wrong)} wrong", sep="\n")
print(f"the largest factor is {most:.2f}")
sys.exit(len(wrong) != 0)
