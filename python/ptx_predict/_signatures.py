# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The options of every subcommand as keyword arguments, for type checkers and editors; nothing imports this when a program runs.

Written by test/Python/core/option_types.py from what the command's --help says.
"""

from __future__ import annotations

from collections.abc import Mapping
from os import PathLike
from typing import Literal, Optional, TypedDict, Union

from ._code import Code

#: With a suffix as the command takes it, such as "16Ki", also a text.
Number = Union[int, float, str]
Path = Union[str, PathLike[str], Code]
Paths = Union[Path, list[str], list[Path]]
Names = Union[str, list[str]]
#: (32, 8), 256, "32x8".
Shape = Union[int, str, tuple[int, ...]]
#: Several values as the command takes them, "1000:1980:490", or one by one.
Range = Union[Number, tuple[Number, ...]]
#: {"n": 1024}, {3: 1024}, "n=1024", ["n=1024", "m=8"].
Pairs = Union[str, list[str], Mapping[str, Number], Mapping[int, Number]]
#: {"block": [128, 256], "core-mhz": "1000:1980:490"}.
Sweeps = Union[str, list[str], Mapping[str, Union[Number, list[int], list[float], list[str], list[tuple[int, ...]]]]]


class PredictOptions(TypedDict, total=False):
    """Of `predict`."""

    kernel: Optional[Names]
    arch: Optional[str]
    model: Optional[Names]
    published: bool
    mwp_case: Optional[Literal["physical", "literal"]]
    lambda_: Optional[Number]
    sweep: Optional[Sweeps]
    compare: Optional[Literal["ir,ptx", "ptx,sass"]]
    launch: Optional[Path]
    grid: Optional[Shape]
    block: Optional[Shape]
    cluster: Optional[Shape]
    dynamic_smem: Optional[Number]
    arg: Optional[Pairs]
    trip_count: Optional[Pairs]
    branch_probability: Optional[Pairs]
    work: Optional[Number]
    profile: Optional[Path]
    counters: Optional[Path]
    launch_index: Optional[Number]
    measured_us: Optional[Union[Number, list[float], list[str], Mapping[str, Number]]]
    measured_at: Optional[Range]
    device: Optional[Names]
    device_file: Optional[Paths]
    clocks: Optional[Literal["sustained", "boost", "base"]]
    core_mhz: Optional[Number]
    mem_mhz: Optional[Number]
    active_sms: Optional[Number]
    power_limit: Optional[Number]
    power_model: Optional[Path]
    registers: Optional[Number]
    ptxas_info: Optional[Path]
    via: Optional[str]
    lower: Optional[Literal["ptx", "sass"]]
    compiler: Optional[str]
    flags: Optional[list[str]]
    quiet: bool
    verbose: bool
    j: Optional[Number]
    work_limit: Optional[Number]


class AdviseOptions(TypedDict, total=False):
    """Of `advise`."""

    kernel: Optional[Names]
    model: Optional[Names]
    published: bool
    mwp_case: Optional[Literal["physical", "literal"]]
    lambda_: Optional[Number]
    energy: bool
    placement: bool
    gated: bool
    launch: Optional[Path]
    grid: Optional[Shape]
    block: Optional[Shape]
    cluster: Optional[Shape]
    dynamic_smem: Optional[Number]
    arg: Optional[Pairs]
    trip_count: Optional[Pairs]
    branch_probability: Optional[Pairs]
    work: Optional[Number]
    profile: Optional[Path]
    counters: Optional[Path]
    launch_index: Optional[Number]
    device: Optional[Names]
    device_file: Optional[Paths]
    clocks: Optional[Literal["sustained", "boost", "base"]]
    core_mhz: Optional[Number]
    mem_mhz: Optional[Number]
    active_sms: Optional[Number]
    power_limit: Optional[Number]
    registers: Optional[Number]
    ptxas_info: Optional[Path]
    via: Optional[str]
    lower: Optional[Literal["ptx", "sass"]]
    compiler: Optional[str]
    flags: Optional[list[str]]
    source_root: Optional[Path]
    fail_on: Optional[Literal["never", "note", "warning", "error"]]
    quiet: bool
    verbose: bool
    j: Optional[Number]
    work_limit: Optional[Number]


class LintOptions(TypedDict, total=False):
    """Of `lint`."""

    kernel: Optional[Names]
    model: Optional[Names]
    published: bool
    mwp_case: Optional[Literal["physical", "literal"]]
    lambda_: Optional[Number]
    rules: Optional[Union[str, tuple[str, ...]]]
    list_rules: bool
    min_gain: Optional[Number]
    severity: Optional[Literal["note", "warning", "error"]]
    baseline: Optional[Path]
    write_baseline: Optional[Path]
    launch: Optional[Path]
    grid: Optional[Shape]
    block: Optional[Shape]
    cluster: Optional[Shape]
    dynamic_smem: Optional[Number]
    arg: Optional[Pairs]
    trip_count: Optional[Pairs]
    branch_probability: Optional[Pairs]
    work: Optional[Number]
    profile: Optional[Path]
    counters: Optional[Path]
    launch_index: Optional[Number]
    device: Optional[Names]
    device_file: Optional[Paths]
    clocks: Optional[Literal["sustained", "boost", "base"]]
    core_mhz: Optional[Number]
    mem_mhz: Optional[Number]
    active_sms: Optional[Number]
    power_limit: Optional[Number]
    registers: Optional[Number]
    ptxas_info: Optional[Path]
    via: Optional[str]
    lower: Optional[Literal["ptx", "sass"]]
    compiler: Optional[str]
    flags: Optional[list[str]]
    compile_commands: Optional[Path]
    query_driver: Optional[Union[str, tuple[str, ...]]]
    source_root: Optional[Path]
    config: Optional[Path]
    no_config: bool
    fail_on: Optional[Literal["never", "note", "warning", "error"]]
    quiet: bool
    verbose: bool
    j: Optional[Number]
    work_limit: Optional[Number]
    cache_dir: Optional[Path]
    no_cache: bool


class DiffOptions(TypedDict, total=False):
    """Of `diff`."""

    kernel: Optional[Names]
    model: Optional[Names]
    published: bool
    mwp_case: Optional[Literal["physical", "literal"]]
    lambda_: Optional[Number]
    git_base: Optional[str]
    max_regression: Optional[Number]
    noise: Optional[Number]
    launch: Optional[Path]
    grid: Optional[Shape]
    block: Optional[Shape]
    cluster: Optional[Shape]
    dynamic_smem: Optional[Number]
    arg: Optional[Pairs]
    trip_count: Optional[Pairs]
    branch_probability: Optional[Pairs]
    work: Optional[Number]
    device: Optional[Names]
    device_file: Optional[Paths]
    clocks: Optional[Literal["sustained", "boost", "base"]]
    core_mhz: Optional[Number]
    mem_mhz: Optional[Number]
    active_sms: Optional[Number]
    power_limit: Optional[Number]
    registers: Optional[Number]
    ptxas_info: Optional[Path]
    via: Optional[str]
    lower: Optional[Literal["ptx", "sass"]]
    compiler: Optional[str]
    flags: Optional[list[str]]
    source_root: Optional[Path]
    config: Optional[Path]
    no_config: bool
    fail_on: Optional[Literal["never", "note", "warning", "error"]]
    quiet: bool
    verbose: bool
    j: Optional[Number]
    work_limit: Optional[Number]
    cache_dir: Optional[Path]
    no_cache: bool


class EmulateOptions(TypedDict, total=False):
    """Of `emulate`."""

    kernel: Optional[Names]
    blocks: Optional[str]
    check: bool
    launch: Optional[Path]
    grid: Optional[Shape]
    block: Optional[Shape]
    cluster: Optional[Shape]
    dynamic_smem: Optional[Number]
    arg: Optional[Pairs]
    resident: Optional[Number]
    lower: Optional[Literal["ptx", "sass"]]
    compiler: Optional[str]
    flags: Optional[list[str]]
    dump_buffer: Optional[Pairs]
    profile_out: Optional[Path]
    quiet: bool
    verbose: bool
    j: Optional[Number]
    max_instructions: Optional[Number]


class OccupancyOptions(TypedDict, total=False):
    """Of `occupancy`."""

    kernel: Optional[Names]
    launch: Optional[Path]
    block: Optional[Shape]
    cluster: Optional[Shape]
    dynamic_smem: Optional[Number]
    shared: Optional[Number]
    device: Optional[Names]
    device_file: Optional[Paths]
    registers: Optional[Number]
    ptxas_info: Optional[Path]
    via: Optional[str]
    lower: Optional[Literal["ptx", "sass"]]
    compiler: Optional[str]
    flags: Optional[list[str]]
    verbose: bool


class DevicesOptions(TypedDict, total=False):
    """Of `devices`."""

    device_file: Optional[Paths]


class RankOptions(TypedDict, total=False):
    """Of `rank`."""

    kernel: Optional[Names]
    model: Optional[Names]
    published: bool
    mwp_case: Optional[Literal["physical", "literal"]]
    lambda_: Optional[Number]
    by: Optional[Literal["time", "energy"]]
    top: Optional[Number]
    launch: Optional[Paths]
    grid: Optional[Shape]
    block: Optional[Shape]
    cluster: Optional[Shape]
    dynamic_smem: Optional[Number]
    arg: Optional[Pairs]
    trip_count: Optional[Pairs]
    branch_probability: Optional[Pairs]
    work: Optional[Number]
    device: Optional[Names]
    device_file: Optional[Paths]
    clocks: Optional[Literal["sustained", "boost", "base"]]
    core_mhz: Optional[Number]
    mem_mhz: Optional[Number]
    active_sms: Optional[Number]
    power_limit: Optional[Number]
    power_model: Optional[Path]
    registers: Optional[Number]
    ptxas_info: Optional[Path]
    via: Optional[str]
    lower: Optional[Literal["ptx", "sass"]]
    compiler: Optional[str]
    flags: Optional[list[str]]
    quiet: bool
    verbose: bool
    j: Optional[Number]
    work_limit: Optional[Number]


class ClocksOptions(TypedDict, total=False):
    """Of `clocks`."""

    kernel: Optional[Names]
    model: Optional[Names]
    published: bool
    mwp_case: Optional[Literal["physical", "literal"]]
    lambda_: Optional[Number]
    by: Optional[Literal["time", "energy", "ed", "ed2", "e2d"]]
    power_cap: Optional[Number]
    slowdown: Optional[Number]
    weight: Optional[Pairs]
    scaling: Optional[Literal["model", "maxbips"]]
    static_share: Optional[Number]
    placement: bool
    gated: bool
    launch: Optional[Path]
    grid: Optional[Shape]
    block: Optional[Shape]
    cluster: Optional[Shape]
    dynamic_smem: Optional[Number]
    arg: Optional[Pairs]
    trip_count: Optional[Pairs]
    branch_probability: Optional[Pairs]
    work: Optional[Number]
    profile: Optional[Path]
    counters: Optional[Path]
    launch_index: Optional[Number]
    measured_us: Optional[Union[Number, list[float], list[str], Mapping[str, Number]]]
    measured_at: Optional[Range]
    device: Optional[str]
    device_file: Optional[Paths]
    core_mhz: Optional[Range]
    mem_mhz: Optional[Range]
    active_sms: Optional[Number]
    power_model: Optional[Path]
    registers: Optional[Number]
    ptxas_info: Optional[Path]
    via: Optional[str]
    lower: Optional[Literal["ptx", "sass"]]
    compiler: Optional[str]
    flags: Optional[list[str]]
    quiet: bool
    verbose: bool
    j: Optional[Number]
    work_limit: Optional[Number]


class SplitOptions(TypedDict, total=False):
    """Of `split`."""

    kernel: Optional[Names]
    model: Optional[str]
    published: bool
    mwp_case: Optional[Literal["physical", "literal"]]
    lambda_: Optional[Number]
    by: Optional[Literal["time", "energy"]]
    joint_power: Optional[Number]
    series: Optional[Number]
    times: Optional[Number]
    bytes_in: Optional[Number]
    bytes_out: Optional[Number]
    bytes_whole: Optional[Number]
    pinned: bool
    system: Optional[Path]
    points: Optional[Number]
    measured: Optional[Names]
    launch: Optional[Path]
    grid: Optional[Shape]
    block: Optional[Shape]
    cluster: Optional[Shape]
    dynamic_smem: Optional[Number]
    arg: Optional[Pairs]
    trip_count: Optional[Pairs]
    branch_probability: Optional[Pairs]
    work: Optional[Number]
    profile: Optional[Path]
    counters: Optional[Path]
    launch_index: Optional[Number]
    device: Optional[Names]
    device_file: Optional[Paths]
    link: Optional[Names]
    link_file: Optional[Paths]
    clocks: Optional[Literal["sustained", "boost", "base"]]
    core_mhz: Optional[Number]
    mem_mhz: Optional[Number]
    active_sms: Optional[Number]
    power_limit: Optional[Number]
    registers: Optional[Number]
    ptxas_info: Optional[Path]
    via: Optional[str]
    lower: Optional[Literal["ptx", "sass"]]
    compiler: Optional[str]
    flags: Optional[list[str]]
    quiet: bool
    verbose: bool
    j: Optional[Number]
    work_limit: Optional[Number]


class ScalingOptions(TypedDict, total=False):
    """Of `scaling`."""

    model: Optional[str]
    published: bool
    by: Optional[Literal["energy", "time"]]
    system: Optional[Path]
    set: Optional[Pairs]
    efficiency: Optional[Number]
    solve: Optional[Literal["n", "f"]]
    n: Optional[Range]
    p: Optional[Range]
    f: Optional[Range]
    no_memory_limit: bool
    device: Optional[str]
    device_file: Optional[Paths]
    link_file: Optional[Paths]
    verbose: bool
    j: Optional[Number]


class ScenarioOptions(TypedDict, total=False):
    """Of `scenario`."""

    model: Optional[str]
    sweep: Optional[Sweeps]
    code: Optional[Paths]
    system: Optional[Path]
    set: Optional[Pairs]
    points: Optional[Range]
    best: Optional[Literal["time", "energy", "ed", "e2d", "ed2"]]
    no_memory_limit: bool
    from_nsys: Optional[Path]
    measured: Optional[Path]
    device_file: Optional[Paths]
    link_file: Optional[Paths]
    trace_out: Optional[Path]
    verbose: bool
    j: Optional[Number]


class ValidateOptions(TypedDict, total=False):
    """Of `validate`."""

    model: Optional[Names]
    published: bool
    data: Optional[Path]
    code: Optional[Path]
    only: Optional[Names]
    counters_at: Optional[Range]
    worst: Optional[Number]
    without: Optional[Names]
    refit: Optional[Literal["kernel", "device", "kernel-and-device", "none"]]
    ablation: bool
    list: bool
    sets: bool
    launch: Optional[Path]
    device: Optional[str]
    device_file: Optional[Paths]
    power_model: Optional[Path]
    quiet: bool
    verbose: bool
    j: Optional[Number]


class TransferOptions(TypedDict, total=False):
    """Of `transfer`."""

    pinned: bool
    link: Optional[Names]
    link_file: Optional[Paths]


class SystemsOptions(TypedDict, total=False):
    """Of `systems`."""

    device_file: Optional[Paths]
    link_file: Optional[Paths]


class ObjectsOptions(TypedDict, total=False):
    """Of `objects`."""

    verbose: bool


class CalibrateOptions(TypedDict, total=False):
    """Of `calibrate`."""

    model: Optional[str]
    lambda_: bool
    mean: Optional[Literal["geometric", "sum"]]
    data: Optional[Path]
    code: Optional[Path]
    only: Optional[Names]
    name: Optional[str]
    power: bool
    regression: Optional[Literal["mlr", "mlr+", "ann"]]
    split: Optional[Literal["random", "kernel"]]
    folds: Optional[Number]
    seed: Optional[Number]
    trainer: Optional[Literal["levenberg-marquardt", "backprop"]]
    inputs: Optional[Literal["counted", "static"]]
    nccl: Optional[Path]
    ranks: Optional[Number]
    hops: Optional[Number]
    device: Optional[str]
    device_file: Optional[Paths]
    link: Optional[str]
    link_file: Optional[Paths]
    verbose: bool


class ExplainOptions(TypedDict, total=False):
    """Of `explain`."""

