"""Writes the data files of contents.yaml beside itself."""

import pathlib
import random
import struct


def write(name, values, code):
    path = pathlib.Path(__file__).parent / name
    path.write_bytes(struct.pack(f"<{len(values)}{code}", *values))


def main():
    numbers = random.Random(1)
    starts = [0]
    for row in range(240):
        length = 40 if row % 97 == 5 else numbers.choice((0, 1, 3, 5, 7, 12))
        starts.append(min(starts[-1] + length, 1600))
    write("contents-starts.u32", starts, "I")
    tiles, lists = list(range(100)), [[] for _ in range(16)]
    numbers.shuffle(tiles)
    for tile in tiles:
        lists[numbers.choice([n for n in range(16) if len(lists[n]) < 7])].append(tile)
    write("contents-list.s32", [t for l in lists for t in l + [-1] * (8 - len(l))], "i")
    segments = []
    for _ in range(24):
        first = numbers.randrange(7000)
        segments += [first, first + numbers.choice((0, 5, 64, 100, 333, 900))]
    write("contents-segments.s32", segments, "i")


if __name__ == "__main__":
    main()
