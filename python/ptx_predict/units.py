# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Units of the numbers in results, by the ends of their keys, and numbers with them."""

from __future__ import annotations

#: The end of a key and the unit of its numbers.
_UNITS = {"us": "us", "s": "s", "w": "W", "j": "J", "mhz": "MHz", "bytes": "B", "c": "C"}
#: What is shown of a unit: from how many of it another one is used, how many of it that one is, and its name. Largest first.
_SCALES = {
    "us": ((1e6, 1e6, "s"), (1e3, 1e3, "ms"), (0.0, 1.0, "us")),
    "J": ((1.0, 1.0, "J"), (1e-3, 1e-3, "mJ"), (0.0, 1e-6, "uJ")),
}


def unit(key: str) -> str:
    """The unit of the numbers of `key`, such as "us" of "time_us" and "B" of "bytes"; empty if they are counts or shares."""
    end = key.rpartition("_")[2]
    return _UNITS.get(end, "") if end != key or end == "bytes" else ""


def digits(value: float) -> str:
    """Four significant digits, whole numbers below 10^9 in full, as the command prints numbers: "12.35", "24301"."""
    if value != value or value in (float("inf"), float("-inf")):
        return "-"
    if value == int(value) and abs(value) < 1e9:
        return str(int(value))
    short = float(f"{value:.4g}")
    if 1e-5 <= abs(short) < 1e16:
        text = f"{short:.12f}" if abs(short) < 1e4 else f"{short:.0f}"
        return text.rstrip("0").rstrip(".") if "." in text else text
    return f"{short:.4g}"


def show(value: float, key: str) -> str:
    """`value` of `key` with its unit, as the command prints it: "9.6 us" of 9.6 and "time_us", "12.3 ms" of 12300."""
    name = unit(key)
    for least, factor, shown in _SCALES.get(name, ()):
        if abs(value) >= least:
            return f"{digits(value / factor)} {shown}"
    return digits(value) + (f" {name}" if name else "")
