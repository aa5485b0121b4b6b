# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Times that Triton's autotuner measures, as a dataset that `ptx-predict validate` compares with predictions."""

from __future__ import annotations

import csv
import json
import math
import os
import warnings

from .. import keeping
from . import _device, _launch
from ._calls import Call, base, described, forget, note, noted
from ._package import triton, version

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from types import TracebackType
    from typing import Any

#: Columns of the table. Times are in ms, as Triton's benchmark returns them.
_COLUMNS = ("kernel", "device", "arguments", "config", "code", "launch", "time_ms", "low_ms", "high_ms")


def listen(dataset: str | os.PathLike[str], *tuners: Any, device: str | None = None, options: Mapping[str, Any] | None = None) -> Listener:
    """Writes what Triton's autotuner measures from now on into `dataset`, a YAML file for `ptx-predict validate`, until it is closed.

    Beside `NAME.yaml` come a table `NAME.csv` and a folder `NAME` with the PTX and the launch of each configuration. A dataset of that name
    grows. Triton's listener is told of the kernel and the times, not of the arguments: these are known of kernels under
    `ptx_predict.triton.autotune` or with a `prune` of it; other tuners are named here. `device` and `options` are those of `predict`.
    ImportError if this Triton has no listener.
    """
    return Listener(dataset, *tuners, device=device, options=options)


class Listener:
    """Listens until `close()`, or until the end of a `with`."""

    def __init__(self, dataset: str | os.PathLike[str], *tuners: Any, device: str | None = None, options: Mapping[str, Any] | None = None) -> None:
        knobs: Any = getattr(triton.knobs, "autotuning", None)
        if not hasattr(knobs, "listener"):
            raise ImportError(f"triton {version()} has no knobs.autotuning.listener", name="triton")
        #: The dataset's path.
        self.path = os.fspath(dataset)
        #: Rows that were written.
        self.rows = 0
        self._facts = _device.facts(device, options)
        self._stem = os.path.splitext(self.path)[0]
        self._kernels, self._number = self._there()
        self._knobs = knobs
        self._before: Any = knobs.listener
        self._hooks: list[tuple[Any, Any]] = []
        for tuner in tuners:
            self._hook(tuner)
        knobs.listener = self

    def __enter__(self) -> Listener:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Gives Triton's listener and the tuners back as they were."""
        if self._knobs.listener is self:
            self._knobs.listener = self._before
        while self._hooks:
            tuner, hook = self._hooks.pop()
            tuner.early_config_prune = hook
        forget()

    def __call__(self, **told: Any) -> None:
        """What Triton calls: `(fn, key, best_config, configs_timings, duration, cache_hit)`. What goes wrong is a warning."""
        try:
            self._record(told["fn"], told["configs_timings"])
        except Exception as error:
            warnings.warn(f"times that Triton {version()} measured are not in {self.path}: {keeping.reason(error)}", keeping.KeepingWarning, 2)
        if self._before is not None:
            self._before(**told)

    def _hook(self, tuner: Any) -> None:
        """Has the tuner say which call it tunes: its hook is asked with the arguments."""
        if not hasattr(tuner, "early_config_prune") or not hasattr(tuner, "fn"):
            raise TypeError(f"a tuner is a kernel under triton.autotune, not {type(tuner).__name__}")
        hook: Any = tuner.early_config_prune
        fn: Any = tuner.fn

        def noting(*args: Any, **kwargs: Any) -> Any:
            if len(args) == 2 and isinstance(args[1], dict):
                note(Call(fn, args[1], kwargs))
            return args[0] if hook is None else hook(*args, **kwargs)

        self._hooks.append((tuner, hook))
        tuner.early_config_prune = noting

    def _there(self) -> tuple[list[str], int]:
        """Kernels of the table that is there already, and its rows. ValueError if it is none of ours."""
        try:
            with open(self._stem + ".csv", encoding="utf-8", newline="") as file:
                rows = list(csv.reader(file))
        except (FileNotFoundError, NotADirectoryError):
            return [], 0
        if not rows or tuple(rows[0]) != _COLUMNS:
            raise ValueError(f"{self._stem}.csv is there and no table of measured times")
        return list(dict.fromkeys(row[0] for row in rows[1:])), len(rows) - 1

    def _record(self, fn: Any, timings: Mapping[Any, Any]) -> None:
        name = str(base(fn).__name__)
        call = noted(fn)
        if call is None:
            raise ValueError(f"the arguments of {name} are not known: name its tuner, as in listen(…, {name})")
        os.makedirs(self._stem, exist_ok=True)
        rows: list[tuple[object, ...]] = []
        for config, times in timings.items():
            numbers = [float(time) for time in times] if isinstance(times, (list, tuple)) else [float(times)]
            if numbers and math.isfinite(numbers[0]) and numbers[0] > 0:
                rows.append(self._row(name, call, config, numbers))
        if not rows:
            return
        fresh = not os.path.exists(self._stem + ".csv")
        with open(self._stem + ".csv", "a", encoding="utf-8", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            if fresh:
                writer.writerow(_COLUMNS)
            writer.writerows(rows)
        self.rows += len(rows)
        if name not in self._kernels:
            self._kernels.append(name)
        self._write()

    def _row(self, name: str, call: Call, config: Any, times: list[float]) -> tuple[object, ...]:
        """Writes a configuration's PTX and launch; returns its row."""
        compiled = call.compile(config.all_kwargs(), self._facts.arch, getattr(config, "pre_hook", None))
        grid = _launch.extents(call.grid, compiled.arguments)
        self._number += 1
        folder, stem = os.path.basename(self._stem), f"{name}-{self._number:05}"
        for ending, text in ((".ptx", compiled.ptx), (".yaml", json.dumps({"launches": [_launch.launch(compiled, grid)]}, indent=1) + "\n")):
            with open(os.path.join(self._stem, stem + ending), "w", encoding="utf-8") as file:
                file.write(str(text))
        median, low, high = times[0], times[min(1, len(times) - 1)], times[-1]
        return name, self._facts.name, described(call.named), str(config), f"{folder}/{stem}.ptx", f"{folder}/{stem}.yaml", median, low, high

    def _write(self) -> None:
        """The dataset, for the kernels and devices of its table."""
        with open(self._stem + ".csv", encoding="utf-8", newline="") as file:
            devices = list(dict.fromkeys(row["device"] for row in csv.DictReader(file)))
        title = os.path.basename(self._stem)
        dataset = {
            "schema": "ptx-predict/dataset",
            "version": 1,
            "name": title,
            "title": "Configurations that Triton's autotuner measured",
            "source": f"triton {version()}, its benchmark: median, 20 % and 80 % quantile",
            "csv": os.path.basename(self._stem) + ".csv",
            "devices": {"column": "device", "names": {device: device for device in devices}},
            "time_us": "time_ms * 1000",
            "set": ["kernel", "device", "arguments"],
            "kernels": [
                {"where": {"kernel": kernel}, "name": kernel, "code": "{code}", "kernel": "*", "launch": "{launch}"} for kernel in self._kernels
            ],
        }
        with open(self.path, "w", encoding="utf-8") as file:
            file.writelines(f"{key}: {json.dumps(value)}\n" for key, value in dataset.items())
