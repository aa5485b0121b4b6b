#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes the inputs of test/accuracy that no fill describes, beside itself."""
import os
import random
import struct

Folder = os.path.dirname(os.path.abspath(__file__))


def write(name, code, values):
    with open(os.path.join(Folder, name), "wb") as f:
        f.write(struct.pack("<%d%s" % (len(values), code), *values))


def starts(lengths):
    sums = [0]
    for length in lengths:
        sums.append(sums[-1] + length)
    return sums


# Rows of very different length, some empty: what a sparse matrix has.
generator = random.Random(1)
lengths = [min(int(generator.expovariate(1 / 9)), 75) for _ in range(501)]
lengths[7] = 0
lengths[500] = 33
rows = starts(lengths)
write("spmv-starts.u32", "I", rows)

# A graph of 1003 vertices, and the levels of those within two steps of vertex
# 0, as a search would have left them.
degrees = [generator.randrange(0, 9) for _ in range(1003)]
degrees[0] = 8
first = starts(degrees)
neighbours = [generator.randrange(1003) for _ in range(first[-1])]
levels = [-1] * 1003
levels[0] = 0
for level in range(2):
    for v in range(1003):
        if levels[v] == level:
            for u in neighbours[first[v] : first[v + 1]]:
                if levels[u] < 0:
                    levels[u] = level + 1
write("bfs-starts.u32", "I", first)
write("bfs-neighbours.u32", "I", neighbours)
write("bfs-levels.s32", "i", levels)

print("spmv: %d entries; bfs: %d neighbours" % (rows[-1], first[-1]))
