# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""tensor-cores.py FOLDER: writes the inputs of tensor-cores.yaml and what its kernels must make of them."""
import os
import struct
import sys

M, N, K = 256, 128, 320
folder = sys.argv[1]
os.makedirs(folder, exist_ok=True)


def write(name, data):
    with open(os.path.join(folder, name), "wb") as file:
        file.write(data)


def bfloats(rows):
    return b"".join(struct.pack(f"<{len(r)}f", *r)[i + 2 : i + 4] for r in rows for i in range(0, 4 * len(r), 4))


a = [[(i * 7 + k * 3) % 11 - 5 for k in range(K)] for i in range(M)]
b = [[(j * 5 + k * 2) % 9 - 4 for k in range(K)] for j in range(N)]
c = [[sum(x * y for x, y in zip(row, column)) for column in b] for row in a]
write("a.bin", bfloats(a))
write("b.bin", bfloats(b))
write("c.bin", b"".join(struct.pack(f"<{N}f", *row) for row in c))
