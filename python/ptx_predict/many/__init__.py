# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rankings, clocks, validations and sweeps over many processes and machines: docs/guide/PythonMany.md."""

from __future__ import annotations

from .pieces import clocks, scenario, validate
from .rank import rank
from .ranking import Ranking, Rows
from .stream import Stopped
from .work import Problem

__all__ = ["Problem", "Ranking", "Rows", "Stopped", "clocks", "rank", "scenario", "validate"]
