# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The package triton, as far as this one uses it."""

from __future__ import annotations

import importlib

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType
    from typing import Any

#: What was read and tested: the version of triton whose inner functions are called here.
TESTED = "3.9"


def module(name: str) -> ModuleType:
    """A module of triton's. ImportError that says what to install, or which version has it."""
    try:
        found = importlib.import_module(name)
        if name != "triton" or found.__file__ is not None:
            return found
        error = ModuleNotFoundError(name=name)  # only a folder of that name
    except ModuleNotFoundError as missing:
        error = missing
    if error.name == "triton":
        raise ImportError(f"ptx_predict.triton needs the package triton: pip install 'triton=={TESTED}.*'", name="triton") from None
    raise ImportError(f"triton {version()} has no {name}; {TESTED} has: pip install 'triton=={TESTED}.*'", name=name) from None


def inner(where: str, name: str) -> Any:
    """A function or class of one of triton's modules that is not part of its documentation."""
    try:
        return getattr(module(where), name)
    except AttributeError:
        raise ImportError(f"triton {version()} has no {where}.{name}; {TESTED} has: pip install 'triton=={TESTED}.*'", name=where) from None


def version() -> str:
    """Of the triton that is installed: "3.9.0"."""
    return str(getattr(importlib.import_module("triton"), "__version__", "of unknown version"))


def compiles_in_threads() -> bool:
    """Whether this triton's compiler may run in several threads at once, as its own asynchronous compilation does."""
    try:
        module("triton.runtime._async_compile")
        return True
    except ImportError:
        return False


triton: Any = module("triton")
