# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The kernel that Kernel Tuner tunes: its code and its launch at a configuration."""

from __future__ import annotations

import os

from .. import devices, nvrtc
from .. import predict as _predict
from .._arguments import merged, scalars
from .._code import Code
from ..keeping import Refused
from ._package import inner, member

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from ..estimate import Estimate

#: Tunable parameters that Kernel Tuner hands to the driver, and the options that say the same.
_CLOCKS = {"nvml_gr_clock": "core_mhz", "nvml_mem_clock": "mem_mhz", "nvml_pwr_limit": "power_limit"}
_LANGUAGES = ("CUDA", "CUPY", "NVCUDA", "PYCUDA")


class Launch:
    """Grid and block of a configuration, and the values of the kernel's arguments that are numbers."""

    __slots__ = ("args", "block", "dynamic_smem", "grid")

    def __init__(self, grid: tuple[int, ...], block: tuple[int, ...], args: dict[str, int | float], dynamic_smem: int | None) -> None:
        self.grid = grid
        self.block = block
        self.args = args
        #: Bytes; None if Kernel Tuner was told of none.
        self.dynamic_smem = dynamic_smem


class Kernel:
    """What `tune_kernel` was called with, as its runner has it."""

    def __init__(self, runner: Any, compiler_options: Sequence[str] | None) -> None:
        """OtherHooks if the runner has something else."""
        self._source: Any = member(runner, "kernel_source", "runner")
        self._options: Any = member(runner, "kernel_options", "runner")
        self._block_and_grid: Any = inner("util", "setup_block_and_grid")
        self._shared: Any = inner("util", "get_smem_args")
        self._arguments: Any = inner("core", "_preprocess_gpu_arguments")
        self._block_names: Any = inner("util", "default_block_size_names")
        member(self._source, "prepare_list_of_files", "KernelSource")
        backend = getattr(getattr(runner, "dev", None), "dev", None)
        given = compiler_options if compiler_options is not None else getattr(backend, "compiler_options", None)
        #: What of them libnvrtc takes: it has no levels of optimisation.
        self._compiler_options = [option for option in given or () if not option.startswith("-O")]

    def launch(self, params: Mapping[str, Any]) -> Launch:
        """The launch of a configuration."""
        options = self._options
        names = options.block_size_names or self._block_names
        divisors = (options.grid_div_x, options.grid_div_y, options.grid_div_z)
        block, grid = self._block_and_grid(options.problem_size, divisors, params, names)
        shared = None if options.smem_args is None else self._shared(options.smem_args, params).get("size")
        args = scalars(self._arguments(options.arguments or [], params))
        return Launch(tuple(map(int, grid)), tuple(map(int, block)), args, None if shared is None else int(shared))

    def code(self, params: Mapping[str, Any], launch: Launch, device: str, device_file: object) -> tuple[Code, str | None]:
        """PTX of a configuration, compiled for the device by libnvrtc, and the kernel's name in it."""
        language = str(self._source.lang)
        if language.upper() not in _LANGUAGES:
            raise ValueError(f"the kernel is in {language}; code= says how it becomes PTX")
        names = self._options.block_size_names or self._block_names
        name, text, files = self._source.prepare_list_of_files(self._options.kernel_name, params, launch.grid, launch.block, names)
        try:
            return nvrtc.compiled(
                text, name, options=self._compiler_options, path=self._path(), device=device, device_file=device_file
            )
        finally:
            for path in files.values():
                os.remove(path)

    def _path(self) -> str:
        """What the source is called in findings."""
        first: Any = self._source.kernel_sources[0]
        if callable(first):
            return "kernel.cu"
        text = os.fsdecode(first)
        return text if "\n" not in text and os.path.exists(text) else "kernel.cu"


class Predictor:
    """Predicts configurations of a kernel on a device."""

    def __init__(self, kernel: Kernel, device: str, code: Any, options: Mapping[str, Any]) -> None:
        """`code` and the values of `options` may be functions of a configuration. ValueError for an unknown device."""
        self._kernel = kernel
        self._device = device
        self._code = code
        self._options = options
        file = options.get("device_file")
        data = devices(device, **({} if file is None else {"device_file": file})).data["devices"][0]
        self._threads = int(data["limits"]["max_threads_per_block"]["value"])

    def __call__(self, params: Mapping[str, Any]) -> Estimate | None:
        """The predicted time, µs. Refused if the device cannot hold the configuration; whatever compiling and predicting raise."""
        launch = self._kernel.launch(params)
        threads = launch.block[0] * launch.block[1] * launch.block[2]
        if threads > self._threads:
            raise Refused(f"{threads} threads a block are more than the {self._threads} of {self._device}")
        given: dict[str, Any] = {"grid": launch.grid, "block": launch.block, "device": self._device}
        if launch.dynamic_smem is not None:
            given["dynamic_smem"] = launch.dynamic_smem
        given.update((option, params[name]) for name, option in _CLOCKS.items() if name in params)
        given.update((name, value(params) if callable(value) else value) for name, value in self._options.items())
        if self._code is None:
            file, name = self._kernel.code(params, launch, self._device, given.get("device_file"))
            given.setdefault("kernel", name)
        else:
            made = self._code(params)
            file = Code(made) if isinstance(made, bytes) or (isinstance(made, str) and "\n" in made) else made
        prediction = _predict(file, **merged(launch.args, given)).prediction
        # Registers are estimated: what does not fit by them may fit.
        if prediction.time_us is None and prediction.occupancy.blocks_per_sm == 0 and prediction.occupancy.limiter != "registers":
            notes = prediction.applicability.notes
            raise Refused(str(notes[0]) if notes else f"{self._device} cannot hold it")
        return prediction.time_us
