#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""damage.py put FILE OFFSET HEX RESULT: writes FILE with other bytes at an offset.
damage.py many FOLDER NUMBER FILE...: writes NUMBER damaged copies of the files into FOLDER, always the same, and lists each
with `ptx-predict objects`, a hundred in a run. Fails if a run ends by a signal or a message names no place.
"""

import os
import random
import re
import subprocess
import sys


def damaged(data, dice):
    data = bytearray(data)
    for _ in range(dice.choice((1, 1, 2, 4, 16))):
        if not data:
            break
        at = dice.randrange(len(data))
        what = dice.randrange(6)
        if what == 0:
            data[at] = dice.randrange(256)
        elif what == 1:
            data[at] ^= 1 << dice.randrange(8)
        elif what == 2:
            size = dice.choice((2, 4, 8))
            value = dice.choice((0, 1, 0x7F, 0xFF, 0xFFFF, 0x7FFFFFFF, 0xFFFFFFFF, len(data), 2**63, 2**64 - 1)) % 2 ** (8 * size)
            data[at : at + size] = value.to_bytes(size, "little")
        elif what == 3 and len(data) > 64:
            del data[at:]
        elif what == 4:
            data[at:at] = bytes(dice.randrange(256) for _ in range(dice.choice((1, 8, 64))))
        else:
            other = dice.randrange(len(data))
            data[at : at + 16] = data[other : other + 16]
    return bytes(data)


def put(name, offset, text, result):
    with open(name, "rb") as file:
        data = bytearray(file.read())
    new = bytes.fromhex(text)
    data[int(offset) : int(offset) + len(new)] = new
    with open(result, "wb") as file:
        file.write(data)


def many(folder, number, *names):
    os.makedirs(folder, exist_ok=True)
    dice = random.Random(30)
    originals = []
    for name in names:
        with open(name, "rb") as file:
            originals.append(file.read())
    number, refused = int(number), 0
    for first in range(0, number, 100):
        paths = []
        for n in range(first, min(first + 100, number)):
            paths.append(os.path.join(folder, f"{n}.bin"))
            with open(paths[-1], "wb") as file:
                file.write(damaged(dice.choice(originals), dice))
        ran = subprocess.run(["ptx-predict", "objects", "--format=json", *paths], capture_output=True)
        if ran.returncode not in (0, 2):
            sys.exit(f"error: exit code {ran.returncode} of {paths[0]} and those behind it: {ran.stderr[-2000:].decode()}")
        messages = [line for line in ran.stderr.decode().split("\n") if ": error: " in line]
        for line in messages:
            if not re.search(r"offset 0x|section|index|neither a cubin|a damaged archive|not shown", line):
                sys.exit(f"error: no place in: {line}")
        refused += len({line.split(": error: ")[0] for line in messages})
        for path in paths:
            os.remove(path)
    print(f"{number} damaged files, {refused} refused")


{"put": put, "many": many}[sys.argv[1]](*sys.argv[2:])
