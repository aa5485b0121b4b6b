# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The device that kernels are compiled and predicted for, and what a block may have on it."""

from __future__ import annotations

from .. import Code, devices, predict
from ..keeping import Refused
from ._package import inner, triton

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from ._compile import Compiled

#: Columns of tensor memory that an SM has.
_TENSOR_MEMORY = 512
#: Bytes between which the shared memory of any block's limit lies: another number has another unit.
_SHARED = (16 << 10, 4 << 20)
_known: dict[tuple[str, str], Facts] = {}


class Facts:
    """Of a device: its name, its architecture (90 for sm_90), and limits of a block."""

    __slots__ = ("arch", "name", "shared", "threads")

    def __init__(self, name: str, arch: int, shared: int, threads: int) -> None:
        self.name = name
        self.arch = arch
        #: Bytes of shared memory, with the opt-in.
        self.shared = shared
        self.threads = threads


def facts(device: str | None, options: Mapping[str, Any] | None = None) -> Facts:
    """Those of a device by name; of None that of Triton's driver. ValueError if there is none of that name, or no driver to ask."""
    name = driver_device() if device is None else device
    if name is None:
        raise ValueError("Triton has no GPU to ask: say device=, such as device='h100'")
    file = (options or {}).get("device_file")
    key = (str(name), repr(file))
    if key not in _known:
        data = devices(str(name), device_file=file).data["devices"][0]
        limits: dict[str, Any] = data["limits"]
        shared = limits.get("shared_per_block_optin") or limits["shared_per_block"]
        if not _SHARED[0] <= shared["value"] <= _SHARED[1]:
            raise ValueError(f"{name}: {shared['value']} bytes of shared memory a block seem to have another unit")
        arch = int(str(data["compute_capability"]).replace(".", ""))
        _known[key] = Facts(str(data["name"]), arch, int(shared["value"]), int(limits["max_threads_per_block"]["value"]))
    return _known[key]


def check_holds(compiled: Compiled, device: Facts) -> None:
    """Refused, with the reason, if the device cannot hold a block of the kernel: what its metadata says for sure, nothing that is estimated."""
    metadata = compiled.metadata
    shared, threads = int(metadata.get("shared") or 0), 32 * int(metadata["num_warps"])
    if shared > device.shared:
        raise Refused(f"{shared} bytes of shared memory a block are {shared - device.shared} more than the {device.shared} of {device.name}")
    if threads > device.threads:
        raise Refused(f"{threads} threads a block are more than the {device.threads} of {device.name}")
    columns = int(metadata.get("tmem_size") or 0)
    if columns > _TENSOR_MEMORY:
        raise Refused(f"{columns} columns of tensor memory are more than the {_TENSOR_MEMORY} of an SM")


def driver_arch() -> int | None:
    """The architecture of the GPU that Triton's driver has; None if there is none."""
    try:
        target = triton.runtime.driver.active.get_current_target()
        return int(target.arch) if target.backend == "cuda" else None
    except Exception:  # no driver, none that is active, a driver without a device
        return None


def driver_device() -> str | None:
    """The GPU that Triton's driver has: its name, if PyTorch says it, or else the device that stands for its architecture; None without one."""
    import sys

    arch = driver_arch()
    if arch is None:
        return None
    torch: Any = sys.modules.get("torch")
    try:
        return str(torch.cuda.get_device_name(torch.cuda.current_device()))
    except Exception:  # no PyTorch, or one without CUDA
        return _stands_for(arch)


def _stands_for(arch: int) -> str:
    """The device that predictions take for code of an architecture."""
    code = Code(f".version 9.0\n.target sm_{arch}\n.address_size 64\n.visible .entry k() {{ ret; }}\n", "k.ptx")
    return str(predict(code).data["kernels"][0]["predictions"][0]["device"])


def static_assertion(error: BaseException) -> bool:
    """Whether Triton refuses the kernel itself: tl.static_assert."""
    return isinstance(error, inner("triton.compiler.errors", "CompileTimeAssertionFailure"))
