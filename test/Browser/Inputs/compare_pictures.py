#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""compare_pictures.py NEW KEPT: whether two folders have the same pictures by name and size, none of them empty or large.

Fonts differ between machines, so that what is drawn may not be compared by its points.
"""

import collections
import os
import struct
import sys
import zlib

MAX_BYTES = 200_000


def look(path):
    """Width, height and the share of the commonest line of points."""
    with open(path, "rb") as file:
        data = file.read()
    assert data[:8] == b"\x89PNG\r\n\x1a\n", path
    at, packed, size = 8, b"", None
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at : at + 8])
        body = data[at + 8 : at + 8 + length]
        if kind == b"IHDR":
            size = struct.unpack(">II", body[:8])
        elif kind == b"IDAT":
            packed += body
        at += 12 + length
    raw = zlib.decompress(packed)
    row = len(raw) // size[1]
    lines = collections.Counter(raw[i * row + 1 : (i + 1) * row] for i in range(size[1]))
    return size, lines.most_common(1)[0][1] / size[1]


New, Kept = sys.argv[1:]
Names = sorted(os.listdir(New))
if Names != sorted(os.listdir(Kept)):
    sys.exit(f"error: {Names} are made, {sorted(os.listdir(Kept))} kept")
for Name in Names:
    (Size, Blank), (KeptSize, KeptBlank) = (look(os.path.join(F, Name)) for F in (New, Kept))
    if Size != KeptSize:
        sys.exit(f"error: {Name} is {Size}, the kept one {KeptSize}: run tools/dev/screenshots docs/images")
    if max(Blank, KeptBlank) > 0.6:
        sys.exit(f"error: {Name} is empty")
    if os.path.getsize(os.path.join(Kept, Name)) > MAX_BYTES:
        sys.exit(f"error: {Name} has more than {MAX_BYTES} bytes")
print(f"{len(Names)} pictures of the same sizes")
