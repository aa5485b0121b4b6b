# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The package kernel_tuner, as far as this one uses it."""

from __future__ import annotations

import importlib

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

#: What was read and tested: the version whose inner functions are called here.
TESTED = "1.5"

try:
    kernel_tuner: Any = importlib.import_module("kernel_tuner")
except ModuleNotFoundError as _error:
    if _error.name != "kernel_tuner":
        raise
    raise ImportError(f"ptx_predict.kernel_tuner needs the package kernel_tuner: pip install 'kernel_tuner=={TESTED}.*'") from None


class OtherHooks(ImportError):
    """This Kernel Tuner lacks something that is used here, and what."""

    def __init__(self, what: str) -> None:
        super().__init__(f"kernel_tuner {version()} has no {what}; {TESTED} has")


def version() -> str:
    """Of the Kernel Tuner that is installed: "1.5.0"."""
    return str(getattr(kernel_tuner, "__version__", "of unknown version"))


def inner(module: str, name: str) -> Any:
    """A function of one of its modules. OtherHooks if it is not there."""
    try:
        return getattr(importlib.import_module(f"kernel_tuner.{module}"), name)
    except (ImportError, AttributeError):
        raise OtherHooks(f"{module}.{name}") from None


def member(owner: object, name: str, what: str) -> Any:
    """`owner.name`; OtherHooks if it is not there, where `what` says what the owner is."""
    try:
        return getattr(owner, name)
    except AttributeError:
        raise OtherHooks(f"{what}.{name}") from None
