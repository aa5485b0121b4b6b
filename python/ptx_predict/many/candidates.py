# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What can be a candidate, and what tells one from another."""

from __future__ import annotations

import functools
import os

from .._code import Code

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from typing import Any, TypeAlias

    #: A path, code in memory, or a function that makes code where it is called, each alone or in a pair with options of its own.
    Made: TypeAlias = "str | bytes | os.PathLike[str] | Code"
    Bare: TypeAlias = "str | os.PathLike[str] | Code | Callable[[], Made | tuple[Made, Mapping[str, object]]]"
    Candidate: TypeAlias = "Bare | tuple[Bare, Mapping[str, object]]"

#: Files of a folder that are candidates, as the command takes them.
CODE = (".ptx", ".cubin", ".fatbin")


def split(candidate: object) -> tuple[Any, Mapping[str, object]]:
    """The code and its own options. TypeError for what is no candidate."""
    own: Mapping[str, object] = {}
    if isinstance(candidate, tuple):
        if len(candidate) != 2 or not hasattr(candidate[1], "keys"):
            raise TypeError("a candidate with options of its own is a pair: the code, and a dict of options")
        candidate, own = candidate
    if isinstance(candidate, (str, os.PathLike, Code)) or callable(candidate):
        return candidate, own
    raise TypeError(f"a candidate is a path, a ptx_predict.Code or a function that makes code, not {type(candidate).__name__}")


def expand(candidates: Iterable[Candidate]) -> Iterator[Candidate]:
    """The candidates one after the other: in place of a folder the code in it, by name. OSError if a folder cannot be read; ValueError if
    it has none."""
    for candidate in candidates:
        bare, own = split(candidate)
        if isinstance(bare, (str, os.PathLike)) and not os.path.splitext(bare)[1] and os.path.isdir(bare):
            folder = os.fspath(bare)
            names = sorted(entry.name for entry in os.scandir(folder) if os.path.splitext(entry.name)[1] in CODE)
            if not names:
                raise ValueError(f"{folder}: there is no *.ptx, *.cubin or *.fatbin in this folder")
            for name in names:
                path = os.path.join(folder, name)
                yield (path, own) if own else path
        else:
            yield candidate


def name(bare: object, index: int) -> str:
    """What messages call a candidate; the rows' `file` of code that a function makes without a name."""
    if isinstance(bare, Code):
        return bare.name
    if isinstance(bare, (str, os.PathLike)):
        return os.fsdecode(bare)
    return f"candidate-{index}.ptx"


def _function(of: Any) -> str:
    if isinstance(of, functools.partial):
        return f"{_function(of.func)} {_value(of.args)} {_value(of.keywords)}"
    module, qualified = getattr(of, "__module__", None), getattr(of, "__qualname__", None)
    if module and qualified:
        return f"{module}.{qualified}"
    return f"{type(of).__module__}.{type(of).__qualname__} {_value(vars(of) if hasattr(of, '__dict__') else ())}"


def _value(of: Any) -> str:
    """`of` as a text that is the same in every process."""
    if isinstance(of, dict) or hasattr(of, "keys"):
        return "{" + ", ".join(f"{key!r}: {_value(of[key])}" for key in sorted(of, key=str)) + "}"
    if isinstance(of, (list, tuple)):
        return "(" + ", ".join(_value(part) for part in of) + ")"
    if isinstance(of, (str, bytes, int, float, bool, type(None))):
        return repr(of)
    return identity(of) if isinstance(of, (Code, os.PathLike)) or callable(of) else f"{type(of).__module__}.{type(of).__qualname__}"


def identity(candidate: object) -> str:
    """What tells this candidate from others in every process: path, options, a digest of code in memory, a function with its arguments. It
    knows neither what is in a file nor what a function does."""
    import hashlib

    if isinstance(candidate, tuple):
        return f"{identity(candidate[0])} {_value(candidate[1])}"
    if isinstance(candidate, Code):
        return f"code {candidate.name} {hashlib.blake2b(candidate.data, digest_size=16).hexdigest()}"
    if isinstance(candidate, (str, os.PathLike)):
        return f"path {os.fsdecode(candidate)}"
    return f"function {_function(candidate)}"
