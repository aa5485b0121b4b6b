# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Predictions for Kernel Tuner: the strategy `Predicted` runs the configurations that are predicted to be fast, best first, and no others.

    from ptx_predict.kernel_tuner import Predicted, PredictionObserver
    strategy = Predicted(keep=0.1)
    tune_kernel(…, strategy=strategy, observers=[PredictionObserver(strategy)])

Tested with Kernel Tuner 1.5.
"""

from __future__ import annotations

from ._observer import PredictionObserver
from ._strategy import Predicted

__all__ = ["Predicted", "PredictionObserver"]
