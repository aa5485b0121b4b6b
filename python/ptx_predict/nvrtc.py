# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""CUDA C++ in a string, compiled by libnvrtc and predicted; also `cupy.RawKernel`. Needs no GPU, driver or nvcc.

libnvrtc comes with a CUDA toolkit or with the wheel nvidia-cuda-nvrtc (nvidia-cuda-nvrtc-cu12).
"""

from __future__ import annotations

import os

from . import predict as _predict
from ._architectures import capability, nearest
from ._arguments import merged, scalars
from ._code import Code
from ._libnvrtc import CompileError, load
from .errors import Message, PTXError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any, Protocol, Union

    from .errors import Severity
    from .report import Predictions

    class RawKernel(Protocol):
        """What `predict` reads of a `cupy.RawKernel`."""

        @property
        def code(self) -> Any: ...
        @property
        def options(self) -> Any: ...
        @property
        def name(self) -> Any: ...

    Source = Union[str, bytes, RawKernel]

__all__ = ["compile", "predict"]


def predict(
    source: Source,
    *,
    name: str | None = None,
    options: Iterable[str] = (),
    path: str = "kernel.cu",
    headers: Mapping[str, str] | None = None,
    args: Sequence[object] = (),
    **more: Any,
) -> Predictions:
    """Predicts the kernels of CUDA C++.

    `source` is a text, or an object with `code`, `options` and `name`, such as a `cupy.RawKernel`. `name` is the kernel to predict, as C++
    names it: "axpy", "reduce<float, 256>"; all kernels without it. `options` are the compiler's. Findings name lines of the text as lines of
    `path`. `headers` are texts of files that the source includes. `args` are the arguments of a call, of which numbers tell loops and
    accesses their lengths; arrays are passed over. `more` are the options of `ptx_predict.predict`: device, grid, block, dynamic_smem, arg, …

    PTXError for wrong source, with path, line and the compiler's message; ValueError for an option or a name that is not there; ImportError
    if libnvrtc is missing.
    """
    if not isinstance(source, (str, bytes)):
        options = [*(source.options or ()), *options]
        name = name or source.name
        if source.code is None:  # of a file that is compiled already
            return _predict(_file(source), **merged(scalars(args), {"kernel": name, **more}))
        source = source.code
    assert isinstance(source, (str, bytes))
    device, device_file = more.get("device"), more.get("device_file")
    code, mangled = _compiled(source, name, options, path, headers, capability(device, device_file))
    chosen = {"kernel": mangled, **more} if mangled else more
    return _predict(code, **merged(scalars(args), chosen))


def compile(
    source: str | bytes,
    *,
    options: Iterable[str] = (),
    path: str = "kernel.cu",
    headers: Mapping[str, str] | None = None,
    device: str | None = None,
    name: str | None = None,
) -> Code:
    """PTX of CUDA C++ for `device`, or what `options` say, with the lines of its source. Of a template, `name` says which one.

    Older devices than the compiler knows get the code for the oldest that it knows. Errors as of `predict`.
    """
    return _compiled(source, name, options, path, headers, capability(device))[0]


def compiled(
    source: str, name: str, *, options: Iterable[str], path: str, device: str, device_file: object = None
) -> tuple[Code, str | None]:
    """PTX of the kernel `name` for `device`, and its mangled name; for tuners. Errors as of `predict`."""
    return _compiled(source, name, options, path, None, capability(device, device_file))


def _file(kernel: Any) -> str:
    file = getattr(kernel, "file_path", None)
    if not file:
        raise ValueError("this kernel has neither code nor a file")
    return os.fsdecode(file)


def _compiled(
    source: str | bytes,
    name: str | None,
    options: Iterable[str],
    path: str,
    headers: Mapping[str, str] | None,
    wanted: tuple[int, int] | None,
) -> tuple[Code, str | None]:
    """The PTX, and the mangled name of the kernel `name`."""
    text = source.decode() if isinstance(source, bytes) else source
    library = load()
    given = list(options)
    if not _says(given, "-arch", "--gpu-architecture") and wanted:
        major, minor = nearest(wanted, library.architectures())
        given.append(f"--gpu-architecture=compute_{major}{minor}")
    if not _says(given, "-lineinfo", "--generate-line-info", "-G", "--device-debug"):
        given.append("--generate-line-info")
    given += [f"--include-path={folder}" for folder in _includes(library.path)]
    expressions = [name] if name and not name.startswith("_Z") else []
    try:
        ptx, lowered = library.ptx(text, path, given, headers or {}, expressions)
    except CompileError as error:
        raise _error(error.log, text, path, name) from None
    return Code(_own_path(ptx, path), os.path.splitext(path)[0] + ".ptx"), lowered[0] if lowered else name


def _says(options: Sequence[str], *names: str) -> bool:
    return any(option.partition("=")[0] in names for option in options)


def _includes(library: str) -> list[str]:
    """Where the headers of this library's toolkit are: those of half precision and others that it does not hold itself."""
    lib = os.path.dirname(os.path.realpath(library))
    roots = [os.path.dirname(lib), os.path.join(os.path.dirname(os.path.dirname(lib)), "cuda_runtime"), lib.partition("/targets/")[0]]
    folders = [os.path.join(root, "include") for root in roots]
    return [folder for folder in dict.fromkeys(folders) if os.path.exists(os.path.join(folder, "cuda_fp16.h"))]


def _own_path(ptx: bytes, path: str) -> bytes:
    """Without the folder of this process before the name of a text, which is no file there."""
    if os.path.isabs(path):
        return ptx
    return ptx.replace(b'"' + os.path.join(os.getcwd(), path).encode() + b'"', b'"' + path.encode() + b'"')


def _error(log: str, text: str, path: str, name: str | None) -> ValueError:
    """What the compiler refused: a PTXError of the source, or a ValueError of an option or a name."""
    messages = _messages(log, text, path)
    first = next((message for message in messages if message.severity == "error"), None)
    if first is None:
        return ValueError(log.strip())
    if name and first.path == "__nv_name_map":  # where libnvrtc looks the name up
        import difflib
        import re

        kernels = re.findall(r"__global__[^;{]*?(\w+)\s*\([^()]*\)\s*\{", text)
        near = difflib.get_close_matches(name.partition("<")[0], kernels, 1)
        return ValueError(f"{path} has no kernel '{name}': {first.text}" + (f"; did you mean '{near[0]}'?" if near else ""))
    return PTXError(messages)


def _messages(log: str, text: str, path: str) -> list[Message]:
    """The compiler's log, message by message, in the form of the command's."""
    import re

    start = re.compile(r"(.+?)\((\d+)\): (?:catastrophic )?(error|warning|remark)(?: #\S+)?: (.*)")
    lines = text.splitlines()
    result: list[Message] = []
    for line in log.splitlines():
        match = start.fullmatch(line)
        if match:
            file, row, kind, what = match.groups()
            severity: Severity = "error" if kind == "error" else "warning" if kind == "warning" else "note"
            result.append(Message(severity, file, int(row), 0, what, f"{file}:{row}: {severity}: {what}\n"))
        elif result and line.strip() == "^" and result[-1].path == path and result[-1].line <= len(lines):
            last = result[-1]
            last.column = line.index("^") - 1  # the compiler shows lines two columns in
            number = f"{last.line:5}"
            code = lines[last.line - 1]
            gap = " " * len(number)
            last.shown = f"{path}:{last.line}:{last.column}: {last.severity}: {last.text}\n{number} | {code}\n{gap} | {' ' * (last.column - 1)}^\n"
    return result
