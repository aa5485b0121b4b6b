# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The observer: the prediction beside the measurement, in Kernel Tuner's output and cache."""

from __future__ import annotations

from ._package import inner

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ._strategy import Predicted

    class _BenchmarkObserver:
        """Kernel Tuner's, as far as it is used here."""

else:
    _BenchmarkObserver = inner("observers", "BenchmarkObserver")


class PredictionObserver(_BenchmarkObserver):
    """For `observers=` of Kernel Tuner's `tune_kernel`, with the strategy that predicts.

    Each configuration gets `predicted_time`, `predicted_low` and `predicted_high`, in ms as its `time`, unless it could not be predicted.
    Kernel Tuner calls no observers in simulation mode; there only the results of `tune_kernel` have them.
    """

    def __init__(self, strategy: Predicted) -> None:
        self._strategy = strategy
        self._params: dict[str, Any] = {}

    def register_configuration(self, params: dict[str, Any]) -> None:
        """Called before a configuration is measured."""
        self._params = params

    def get_results(self) -> dict[str, float]:
        """Called after it is measured; what it returns goes into the result."""
        return self._strategy.beside(self._params)
