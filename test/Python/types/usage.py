# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A program that uses the package with types. test_types.py checks it, and that each line that ends in `# wrong` is one."""

from __future__ import annotations

from pathlib import Path
from typing import Optional

import ptx_predict as pp
from ptx_predict.kinds import Kernel, Prediction


def fastest(path: Path, device: str, registers: Optional[int]) -> tuple[float, str]:
    """The least time among blocks, and its limiter."""
    report = pp.predict(path, device=device, sweep={"block": [64, 128, 256]}, registers=registers, arg={"n": 1024}, progress=False)
    kernel: Kernel = report.kernel
    best: Optional[Prediction] = None
    for prediction in kernel.predictions:
        if prediction.time_us is not None and (best is None or best.time_us is None or prediction.time_us < best.time_us):
            best = prediction
    if best is None or best.time_us is None:
        return 0.0, "nothing"
    assert best.occupancy.warps_per_sm > 0
    return best.time_us.value, best.limiter or ""


def findings(paths: list[str]) -> list[str]:
    """What lint says."""
    report = pp.lint(*paths, device=["v100", "t4"], fail_on="error", grid=(64, 64), launch=pp.Code("launches: []", "launch.yaml"))
    return [f"{f.location.path}:{f.location.line}: {f.message}" for f in report.findings if f.fails] if report.found else []


def ranked(paths: list[str]) -> list[float | str]:
    """Columns of a ranking."""
    table = pp.rank(paths, device="v100", top=3)
    times = table.columns["time_us"]
    return [*times, table[0]["kernel"]]


def many(paths: list[str]) -> None:
    """The same over an executor."""
    pp.rank(paths, device="v100", out="rows.csv").best(3)


def wrong() -> None:
    """Mistakes that a type checker sees."""
    pp.predict("a.ptx", devise="v100")  # wrong
    pp.predict("a.ptx", grid={"x": 1})  # wrong
    pp.predict("a.ptx", mwp_case="litteral")  # wrong
    pp.predict(3)  # wrong
    pp.lint("a.ptx", sweep={"block": [1]})  # wrong
    pp.predict("a.ptx").prediction.time_us.value  # wrong
    pp.predict("a.ptx").kernel.launch.grid.x  # wrong
    pp.Code(3)  # wrong
    pp.rank(["a.ptx"], devices="v100")  # wrong
