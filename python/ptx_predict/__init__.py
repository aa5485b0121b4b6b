# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How long GPU kernels take, what limits them, and what would change that, from their code and without a GPU.

    import ptx_predict as pp
    report = pp.predict("kernel.ptx", device="h100-sxm", grid=(64, 64), block=256, arg={"n": 1024})
    print(report.prediction.time_us)

The functions are the subcommands of the command ptx-predict. Files are paths, or `Code`s in memory. Keyword arguments are the command's options
with `_` in place of `-`: True is a flag, False and None are nothing, a tuple is one value such as a shape, a list repeats the option, a dict
repeats it as NAME=VALUE. An option whose name is a keyword of Python ends in `_`: `lambda_`. `progress=True` shows a bar where tqdm is installed.

Wrong options are a ValueError, wrong inputs a PTXError, files that cannot be read an OSError.
"""

from __future__ import annotations

from . import _run
from ._code import Code
from ._tables import Table
from ._version import __version__
from .errors import Message, PTXError
from .estimate import Estimate
from .report import Advice, ClocksReport, DevicesReport, DiffReport, Emulation, LintReport, OccupancyReport, Predictions, Report

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from os import PathLike
    from typing import Any, overload

    from typing_extensions import Unpack

    from . import _signatures as s
    from ._run import Input
    from .many.candidates import Candidate
    from .many.executors import Given
    from .many.ranking import Ranking
    from .progress import Asked
else:

    def overload(function):
        return function


__all__ = [
    "Code",
    "Estimate",
    "Message",
    "PTXError",
    "Report",
    "Table",
    "__version__",
    "advise",
    "clocks",
    "devices",
    "diff",
    "emulate",
    "lint",
    "occupancy",
    "predict",
    "rank",
    "run",
    "text",
]


def predict(*files: Input, progress: Asked = False, **options: Unpack[s.PredictOptions]) -> Predictions:
    """Predicts every kernel of every file: how long it takes, what limits it, and what that rests on (docs/commands/Predict.md).

    The options that matter most are device, grid, block, arg, dynamic_smem, kernel, launch, registers, via and model.
    """
    return _run.execute(Predictions, "predict", files, options, progress)


def advise(*files: Input, progress: Asked = False, **options: Unpack[s.AdviseOptions]) -> Advice:
    """What slows kernels down, what a fix would save, and how to fix it (docs/commands/Advise.md)."""
    return _run.execute(Advice, "advise", files, options, progress)


def lint(*files: Input, progress: Asked = False, **options: Unpack[s.LintOptions]) -> LintReport:
    """The same as a check: `report.found` says whether a new finding is as severe as `fail_on` (docs/commands/Lint.md)."""
    return _run.execute(LintReport, "lint", files, options, progress)


def diff(*files: Input, progress: Asked = False, **options: Unpack[s.DiffOptions]) -> DiffReport:
    """Compares two builds, `diff(base, head)`; `report.found` says whether it got worse than allowed (docs/commands/Diff.md)."""
    return _run.execute(DiffReport, "diff", files, options, progress)


def emulate(*files: Input, progress: Asked = False, **options: Unpack[s.EmulateOptions]) -> Emulation:
    """Runs kernels on the CPU: results, counts, races; `report.found` says whether there is a problem (docs/commands/Emulate.md)."""
    return _run.execute(Emulation, "emulate", files, options, progress)


def occupancy(*files: Input, progress: Asked = False, **options: Unpack[s.OccupancyOptions]) -> OccupancyReport:
    """How many blocks an SM holds, of kernels in files or of a block that the options describe (docs/commands/Occupancy.md)."""
    return _run.execute(OccupancyReport, "occupancy", files, options, progress)


def devices(*names: str, progress: Asked = False, **options: Unpack[s.DevicesOptions]) -> DevicesReport:
    """All GPUs that predictions know, or those of these names, with the source of every number."""
    return _run.execute(DevicesReport, "devices", names, options, progress)


def clocks(*files: Input, progress: Asked = False, **options: Unpack[s.ClocksOptions]) -> ClocksReport:
    """The clocks that kernels should run at (docs/commands/Clocks.md)."""
    return _run.execute(ClocksReport, "clocks", files, options, progress)


@overload  # the first that fits counts
def rank(*candidates: Input | Iterable[Input], progress: Asked = False, **options: Unpack[s.RankOptions]) -> Table: ...  # type: ignore[overload-overlap]
@overload
def rank(
    *candidates: Iterable[Candidate],
    executor: Given = None,
    chunk: int | None = None,
    window: int | None = None,
    out: str | PathLike[str] | None = None,
    messages: str | PathLike[str] | None = None,
    resume: bool = True,
    remakes: int = 1,
    progress: Asked = False,
    **options: Unpack[s.RankOptions],
) -> Ranking: ...
def rank(*candidates: Any, progress: Asked = False, **options: Any) -> Table | Ranking:
    """Sorts kernels at their launches by predicted time (docs/commands/Rank.md): the rows of the command's CSV as columns.

    Candidates are files, folders, launch files and `Code`s, one by one or as one iterable. `top` is "all" if it is not given.
    With an executor or an output, or with functions among the candidates that make their code when it is needed, this is `ptx_predict.many.rank`,
    which takes any number of candidates.
    """
    given: Any = candidates[0] if len(candidates) == 1 and not _is_input(candidates[0]) else candidates
    if not _OF_MANY.intersection(options):
        given = list(given)
        if all(_is_input(candidate) for candidate in given):
            return _run.tabulated("rank", given, {"top": "all", **options}, progress)
    from . import many

    return many.rank(given, progress=progress, **options)


#: What only many.rank takes.
_OF_MANY = frozenset(("executor", "chunk", "window", "out", "messages", "resume", "remakes"))


def _is_input(what: object) -> bool:
    return isinstance(what, (str, Code)) or hasattr(what, "__fspath__")


def run(subcommand: str, *files: Input, progress: Asked = False, **options: object) -> Report:
    """Any subcommand that writes JSON, such as "scenario", "split", "validate", "transfer" and "systems"."""
    return _run.execute(Report, subcommand, files, options, progress)


def text(subcommand: str, *files: Input, **options: object) -> str:
    """What a subcommand prints, also one that has no other form, such as "calibrate" and "explain", and with the option `dump`."""
    return _run.printed(subcommand, files, options, None)
