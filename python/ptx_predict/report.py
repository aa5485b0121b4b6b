# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The reports of subcommands and the objects that only they have, with the keys of docs/schemas. A key that may be absent is None then."""

from __future__ import annotations

from .kinds import Assumption, Diagnostic, Finding, Input, Kernel, Launch, Location, Occupancy, Prediction, the_only
from .node import Node
from ._report import Report

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal, Optional

__all__ = [
    "Advice",
    "AdvisedKernel",
    "ClocksReport",
    "Device",
    "DevicesReport",
    "DiffReport",
    "EmulatedKernel",
    "Emulation",
    "Kernel",
    "KernelDiff",
    "LintFinding",
    "LintReport",
    "LintSummary",
    "OccupancyReport",
    "OccupancyResult",
    "Prediction",
    "Predictions",
    "Problem",
    "Report",
    "Verdict",
]



class Predictions(Report):
    """Of `predict`."""

    __slots__ = ()
    _kinds = {"inputs": Input, "kernels": Kernel, "diagnostics": Diagnostic}

    inputs: list[Input]
    premises: list[str]
    kernels: list[Kernel]
    diagnostics: list[Diagnostic]

    @property
    def kernel(self) -> Kernel:
        """The only kernel. ValueError if there are more or none."""
        every = self.kernels
        return the_only("kernels", every, [kernel.name for kernel in every])

    @property
    def prediction(self) -> Prediction:
        """The only prediction of the only kernel. ValueError if there are more or none."""
        return self.kernel.prediction


class AdvisedKernel(Node):
    """A kernel with what slows it down. `suggestions` are for each device."""

    __slots__ = ()
    _kinds = {"launch": Launch, "findings": Finding, "assumptions": Assumption}

    name: str
    demangled: str
    input: int
    line: int
    launch: Launch
    findings: list[Finding]
    suggestions: list[Node]
    assumptions: list[Assumption]


class Advice(Report):
    """Of `advise`."""

    __slots__ = ()
    _kinds = {"inputs": Input, "kernels": AdvisedKernel, "diagnostics": Diagnostic}

    inputs: list[Input]
    premises: list[str]
    kernels: list[AdvisedKernel]
    diagnostics: list[Diagnostic]


class LintFinding(Finding):
    """A finding with what a check needs. `input` is the number of its file in `inputs`; `fails`: it makes the run's code 1."""

    __slots__ = ()

    input: int
    fingerprint: str
    state: Literal["new", "known", "suppressed"]
    suppression: Optional[Node]
    fails: bool
    same_as: int
    source_text: Optional[str]
    input_text: Optional[str]


class LintSummary(Node):
    """Numbers of findings; `failing` are those that make the run's code 1."""

    __slots__ = ()

    errors: int
    warnings: int
    notes: int
    known: int
    suppressed: int
    gone: int
    failing: int


class LintReport(Report):
    """Of `lint`."""

    __slots__ = ()
    _kinds = {"summary": LintSummary, "findings": LintFinding, "diagnostics": Diagnostic}

    baseline: bool
    summary: LintSummary
    inputs: list[Node]
    findings: list[LintFinding]
    diagnostics: list[Diagnostic]


class Verdict(Node):
    """What a comparison comes to."""

    __slots__ = ()

    matters: bool
    compared: int
    changed: int
    over_limit: bool
    failing_finding: bool
    worst: Optional[Node]


class KernelDiff(Node):
    """A kernel in both builds; `devices` has its times and limiters, `values` its counts."""

    __slots__ = ()

    base: Node
    head: Node
    paired_by: str
    similarity: float
    matters: bool
    other_launch: bool
    values: Node
    by_class: Node
    devices: list[Node]
    findings: list[Node]


class DiffReport(Report):
    """Of `diff`."""

    __slots__ = ()
    _kinds = {"verdict": Verdict, "kernels": KernelDiff, "diagnostics": Diagnostic}

    options: Node
    verdict: Verdict
    base: Node
    head: Node
    kernels: list[KernelDiff]
    added: list[Node]
    removed: list[Node]
    diagnostics: list[Diagnostic]


class Problem(Node):
    """A race, an access out of bounds or another fault of a run."""

    __slots__ = ()
    _kinds = {"location": Location}

    id: str
    message: str
    location: Location
    line: Optional[int]
    other: Optional[Node]


class EmulatedKernel(Node):
    """A kernel's run on the CPU."""

    __slots__ = ()
    _kinds = {"launch": Launch, "problems": Problem, "fault": Problem, "assumptions": Assumption}

    name: str
    demangled: str
    input: int
    line: int
    launch: Launch
    run: Node
    characteristics: Optional[Node]
    problems: list[Problem]
    clean: Optional[list[str]]
    fault: Optional[Problem]
    buffers: list[Node]
    assumptions: list[Assumption]


class Emulation(Report):
    """Of `emulate`."""

    __slots__ = ()
    _kinds = {"inputs": Input, "kernels": EmulatedKernel, "diagnostics": Diagnostic}

    inputs: list[Input]
    kernels: list[EmulatedKernel]
    diagnostics: list[Diagnostic]


class OccupancyResult(Node):
    """A block on a device: what limits it, and what would change that."""

    __slots__ = ()
    _kinds = {"occupancy": Occupancy, "assumptions": Assumption}

    device: str
    kernel: Optional[Node]
    block: list[int]
    cluster: list[int]
    resources: Node
    occupancy: Occupancy
    limits: Node
    headroom: Optional[Node]
    next_step: Optional[Node]
    most_clusters: Optional[int]
    notes: list[str]
    assumptions: list[Assumption]
    curves: Node


class OccupancyReport(Report):
    """Of `occupancy`, whose JSON has one result or a list of them."""

    __slots__ = ()
    _kinds = {"diagnostics": Diagnostic}

    diagnostics: list[Diagnostic]

    @property
    def results(self) -> list[OccupancyResult]:
        """All results."""
        return [OccupancyResult(result) for result in self.data.get("results", [self.data])]

    @property
    def result(self) -> OccupancyResult:
        """The only result. ValueError if there are more or none."""
        every = self.results
        return the_only("results", every, [result.device for result in every])


class Device(Node):
    """A GPU as its device file describes it: in each section, numbers with their sources."""

    __slots__ = ()

    name: str
    description: str
    aliases: Optional[list[str]]
    inherits: Optional[str]
    kind: Optional[str]
    compute_capability: Optional[str]
    access_rule: Optional[str]
    limits: Node
    clocks: Node
    pipes: Node
    latencies: Node
    memory: Node
    power: Optional[Node]
    models: Optional[Node]


class DevicesReport(Report):
    """Of `devices`."""

    __slots__ = ()
    _kinds = {"devices": Device}

    devices: list[Device]


class ClocksReport(Report):
    """Of `clocks`."""

    __slots__ = ()
    _kinds = {"diagnostics": Diagnostic}

    device: str
    model: str
    by: str
    power_cap_w: Optional[float]
    slowdown: Optional[float]
    scaling: Optional[Node]
    clocks_assumed: bool
    premises: list[str]
    kernels: list[Node]
    together: Optional[Node]
    diagnostics: list[Diagnostic]
