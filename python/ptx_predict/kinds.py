# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Objects that several reports have, and those of predictions, with the keys of docs/schemas. A key that may be absent is None then."""

from __future__ import annotations

from .node import Node

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Literal, Optional, TypeVar, Union

    from .estimate import Estimate

    Severity = Literal["error", "warning", "note"]
    T = TypeVar("T")


def the_only(what: str, items: Sequence[T], names: Sequence[str]) -> T:
    """The only one of `items`, or a ValueError with their names."""
    if len(items) == 1:
        return items[0]
    listed = (": " + ", ".join(names[:8]) + (", …" if len(names) > 8 else "")) if names else ""
    raise ValueError(f"there are {len(items) or 'no'} {what}, not one{listed}")


class Input(Node):
    """A file that was read."""

    __slots__ = ()

    path: str
    frontend: str
    isa_version: Optional[str]
    target: Optional[str]


class Diagnostic(Node):
    """A message of the analysis."""

    __slots__ = ()

    severity: Severity
    path: Optional[str]
    line: Optional[int]
    column: Optional[int]
    message: str


class Assumption(Node):
    """A default that a result rests on, and the option that replaces it."""

    __slots__ = ()

    what: str
    value: Union[float, str]
    line: Optional[int]
    option: str


class Launch(Node):
    """One execution of a kernel: its grid, block and cluster along x, y and z."""

    __slots__ = ()

    grid: list[int]
    block: list[int]
    cluster: list[int]
    dynamic_shared_bytes: int


class Resources(Node):
    """What a thread and a block of a kernel need."""

    __slots__ = ()

    registers: Estimate
    spill_bytes: Optional[Estimate]
    code_bytes: Optional[int]
    static_shared_bytes: int
    local_bytes: int
    barriers: int
    param_bytes: int


class Occupancy(Node):
    """Blocks and warps that an SM holds, and what limits them."""

    __slots__ = ()

    registers: Estimate
    blocks_per_sm: int
    warps_per_sm: int
    fraction: float
    limiter: Literal["registers", "shared-memory", "threads", "blocks", "barriers"]
    ends: Optional[list[Node]]


class Location(Node):
    """A place in the source, and the line of the input that belongs to it."""

    __slots__ = ()

    path: str
    line: int
    column: int
    inlined_at: list[str]
    input_line: int


class Finding(Node):
    """A defect that a rule found. `gain` is the share of the predicted time that would be saved without it, by device."""

    __slots__ = ()
    _kinds = {"location": Location}

    id: str
    severity: Severity
    message: str
    kernel: str
    location: Location
    values: Node
    gain: Optional[Node]
    help: str


class Loop(Node):
    """A loop; `trip_count` is how often its body executes for one entry."""

    __slots__ = ()

    header: str
    line: int
    depth: int
    trip_count: Estimate
    trip_count_symbolic: Optional[str]
    executions: Estimate
    waits_for: Optional[str]
    recurrence: Optional[Node]


class Characteristics(Node):
    """All that a model knows of a kernel at a launch; its other keys are docs/schemas/prediction.schema.json's."""

    __slots__ = ()
    _kinds = {"loops": Loop}

    instructions: Estimate
    by_class: Node
    by_work: Optional[Node]
    loops: list[Loop]
    blocks: list[Node]
    memory: list[Node]
    branches: Optional[list[Node]]
    coverage: Node


class Prediction(Node):
    """What a model says of a kernel on a device. `time_us` is None if the model has no answer there: `applicability.notes` say why."""

    __slots__ = ()
    _kinds = {"launch": Launch, "occupancy": Occupancy}

    device: str
    model: str
    sweep: Optional[Node]
    launch: Optional[Launch]
    core_mhz: float
    core_clock: Optional[Node]
    mem_mhz: float
    occupancy: Occupancy
    cycles: Optional[Estimate]
    time_us: Optional[Estimate]
    limiter: Optional[str]
    limited_by: Optional[str]
    power_w: Optional[Estimate]
    energy_j: Optional[Estimate]
    scaled: Optional[Node]
    power_units: Optional[list[Node]]
    learned_power: Optional[Node]
    thermal: Optional[Node]
    terms: Optional[Node]
    caches: Optional[Node]
    warp: Optional[Node]
    confidence: Optional[Node]
    applicability: Node


class Kernel(Node):
    """A kernel at its launch. `input` is the number of its file in `inputs`."""

    __slots__ = ()
    _kinds = {
        "launch": Launch,
        "resources": Resources,
        "characteristics": Characteristics,
        "predictions": Prediction,
        "assumptions": Assumption,
        "findings": Finding,
    }

    name: str
    demangled: str
    input: int
    line: int
    launch: Launch
    profile: Optional[str]
    counters: Optional[str]
    resources: Resources
    characteristics: Characteristics
    predictions: list[Prediction]
    assumptions: list[Assumption]
    findings: list[Finding]

    @property
    def prediction(self) -> Prediction:
        """The only prediction. ValueError if there are more or none."""
        every = self.predictions
        return the_only(f"predictions of {self.name}", every, [f"{p.model} on {p.device}" for p in every])
