# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Triton's kernels, predicted before they are assembled, and its autotuner with fewer configurations to run. Needs the package triton.

Kernels are compiled as far as PTX, for any architecture, without a driver, a GPU or ptxas. docs/guide/PythonTriton.md has examples.
"""

from __future__ import annotations

from ._arguments import Tensor
from ._compile import Compiled, compile
from ._listen import Listener, listen
from ._predict import predict
from ._prune import autotune, prune

__all__ = ["Compiled", "Listener", "Tensor", "autotune", "compile", "listen", "predict", "prune"]
