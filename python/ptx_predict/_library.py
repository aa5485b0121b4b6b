# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs of libptxpredict.so in this process, by include/ptxpredict-c/ptxpredict.h."""

from __future__ import annotations

import os
from ctypes import CDLL, CFUNCTYPE, POINTER, Structure, byref, c_char_p, c_double, c_int, c_size_t, c_uint32, c_uint64, c_void_p, string_at

from . import _outcome
from ._code import Code
from ._outcome import Outcome
from ._version import __version__
from .errors import Message

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import Any

    from ._outcome import Columns
    from .errors import Severity

__all__ = ["Code", "Outcome", "run"]

#: PTXPREDICT_C_INTERFACE of the header that this module was written by.
INTERFACE = 1
NAME = "libptxpredict.so"
_SEVERITIES: tuple[Severity, Severity, Severity] = ("note", "warning", "error")


class _Message(Structure):
    _fields_ = [
        ("severity", c_int),
        ("path", c_char_p),
        ("line", c_uint32),
        ("column", c_uint32),
        ("text", c_char_p),
        ("shown", c_char_p),
    ]


_Progress = CFUNCTYPE(None, c_void_p, c_uint64, c_uint64)

#: What each function returns and takes.
_SIGNATURES = (
    ("Interface", c_uint32, ()),
    ("Version", c_char_p, ()),
    ("RunCreate", c_void_p, (c_char_p,)),
    ("RunDispose", None, (c_void_p,)),
    ("RunAddOption", c_int, (c_void_p, c_char_p, c_char_p)),
    ("RunAddFile", c_int, (c_void_p, c_char_p)),
    ("RunAddText", c_int, (c_void_p, c_char_p, c_char_p, c_size_t)),
    ("RunAddNamedText", c_int, (c_void_p, c_char_p, c_char_p, c_size_t)),
    ("RunSetProgress", c_int, (c_void_p, _Progress, c_void_p)),
    ("RunExecute", c_int, (c_void_p,)),
    ("RunOutput", c_void_p, (c_void_p, POINTER(c_size_t))),
    ("RunNumMessages", c_size_t, (c_void_p,)),
    ("RunMessage", c_int, (c_void_p, c_size_t, POINTER(_Message))),
    ("RunNumRows", c_size_t, (c_void_p,)),
    ("RunNumColumns", c_size_t, (c_void_p,)),
    ("RunColumnName", c_char_p, (c_void_p, c_size_t)),
    ("RunColumnNumbers", POINTER(c_double), (c_void_p, c_size_t)),
    ("RunColumnTexts", POINTER(c_char_p), (c_void_p, c_size_t)),
)


def place() -> str:
    """The path of the library: in this folder, as $PTX_PREDICT_LIBRARY says, or in a source tree's build. ImportError if there is none."""
    folder = os.path.dirname(os.path.abspath(__file__))
    asked = os.environ.get("PTX_PREDICT_LIBRARY", "")
    built = os.path.join(os.path.dirname(os.path.dirname(folder)), "build", "release", "lib", NAME)
    for path in (os.path.join(folder, NAME), asked, built):
        if path and os.path.exists(path):
            return path
    also = f", and '{asked}' of $PTX_PREDICT_LIBRARY is not there" if asked else ""
    raise ImportError(f"{NAME} is not in {folder}{also}; install ptx-predict's wheel")


def load(path: str) -> Any:
    """The library at `path`. ImportError if it cannot be loaded or is of another version."""
    try:
        library: Any = CDLL(path)
    except OSError as error:
        raise ImportError(f"{NAME} cannot be loaded: {error}") from error
    try:
        for name, result, arguments in _SIGNATURES:
            function = getattr(library, f"ptxpredict{name}")
            function.restype = result
            function.argtypes = arguments
            if name == "Version":
                check(path, library.ptxpredictInterface(), library.ptxpredictVersion().decode())
    except AttributeError as error:
        raise ImportError(f"{path} is no {NAME}: {error}") from error
    return library


def check(path: str, interface: int, version: str) -> None:
    """ImportError that names both versions if the library is of another one than this package."""
    if (interface, version) != (INTERFACE, __version__):
        theirs = f"{version} with C interface {interface}"
        raise ImportError(f"this is ptx_predict {__version__} with C interface {INTERFACE}, but {path} is version {theirs}; install both anew")


PATH = place()
_LIBRARY = load(PATH)


def _text(data: bytes) -> str:
    return data.decode("utf-8", "surrogateescape")


def _bytes(text: str) -> bytes:
    data = os.fsencode(text)
    if b"\0" in data:
        raise ValueError("a name, path or value has no byte 0")
    return data


class _Run:
    """One run's handle, as long as a `with` lasts."""

    __slots__ = ("handle",)

    def __init__(self, subcommand: str) -> None:
        self.handle = _LIBRARY.ptxpredictRunCreate(_bytes(subcommand))
        if not self.handle:
            raise ValueError(f"there is no subcommand '{subcommand}'")

    def __enter__(self) -> _Run:
        return self

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        _LIBRARY.ptxpredictRunDispose(self.handle)

    def add(self, what: str, text: str, *arguments: object) -> None:
        """Calls RunAdd`what`."""
        code: int = getattr(_LIBRARY, f"ptxpredictRunAdd{what}")(self.handle, _bytes(text), *arguments)
        if code == -2:
            raise MemoryError
        if code:
            raise ValueError(f"'{text}' can be no option" if what == "Option" else f"'{text}' can be no file's name, or stands for two texts")

    def output(self) -> bytes:
        size = c_size_t()
        data: int = _LIBRARY.ptxpredictRunOutput(self.handle, byref(size))
        return string_at(data, size.value)

    def messages(self) -> list[Message]:
        found: list[Message] = []
        m = _Message()
        for index in range(_LIBRARY.ptxpredictRunNumMessages(self.handle)):
            _LIBRARY.ptxpredictRunMessage(self.handle, index, byref(m))
            severity: int = m.severity
            texts: tuple[bytes, bytes, bytes] = (m.path, m.text, m.shown)
            path, text, shown = (_text(part) for part in texts)
            found.append(Message(_SEVERITIES[severity], path, m.line, m.column, text, shown))
        return found

    def columns(self) -> Columns:
        rows: int = _LIBRARY.ptxpredictRunNumRows(self.handle)
        result: Columns = {}
        for index in range(_LIBRARY.ptxpredictRunNumColumns(self.handle)):
            name = _text(_LIBRARY.ptxpredictRunColumnName(self.handle, index))
            numbers = _LIBRARY.ptxpredictRunColumnNumbers(self.handle, index)
            if numbers:
                result[name] = numbers[:rows]
            else:
                texts: list[bytes] = _LIBRARY.ptxpredictRunColumnTexts(self.handle, index)[:rows]
                result[name] = [_text(text) for text in texts]
        return result


def _file(path: str) -> str:
    """`path` as no option and no list of arguments."""
    if path == "-":
        raise ValueError("standard input is no file here; read it, and make a ptx_predict.Code of it")
    return "./" + path if path.startswith(("-", "@")) else path


def _callback(progress: Callable[[int, int], None]) -> Any:
    def call(_: object, done: int, of: int) -> None:
        progress(done, of)

    return _Progress(call)


def run(
    subcommand: str,
    options: Sequence[tuple[str, str | None]],
    files: Iterable[str | Code],
    named: Mapping[str, bytes] | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Outcome:
    """Runs `subcommand` ("predict", "lint", …) with these options and files. `named` are texts that options name in place of files.

    Other threads go on meanwhile. Inputs that only ptx-predict-ir reads go there. ImportError if it is not installed.
    """
    listed = list(files)
    if any(name == "--" for name, _ in options):
        return _elsewhere(subcommand, options, listed, named)
    with _Run(subcommand) as handle:
        for name, value in options:
            handle.add("Option", name, None if value is None else _bytes(value))
        for file in listed:
            if isinstance(file, Code):
                handle.add("Text", file.name, file.data, len(file.data))
            else:
                handle.add("File", _file(file))
        for name, data in (named or {}).items():
            handle.add("NamedText", name, data, len(data))
        if progress is not None:
            callback = _callback(progress)  # lives until the run is over
            _LIBRARY.ptxpredictRunSetProgress(handle.handle, callback, None)
        code: int = _LIBRARY.ptxpredictRunExecute(handle.handle)
        if code != _outcome.NEEDS_IR:
            columns = handle.columns() if ("format", "csv") in options else None
            return Outcome(code, handle.output(), handle.messages(), columns)
    return _elsewhere(subcommand, options, listed, named)


def _elsewhere(subcommand: str, options: Sequence[tuple[str, str | None]], files: list[str | Code], named: Mapping[str, bytes] | None) -> Outcome:
    """The run by ptx-predict-ir, which is found beside the library, among the interpreter's programs or on PATH."""
    from . import _process

    folder = os.path.dirname(os.path.abspath(PATH))
    program = _process.find("ptx-predict-ir", [folder, os.path.join(os.path.dirname(folder), "bin")])
    if program is None:
        raise ImportError(
            "LLVM IR, CUDA and OpenCL source need ptx-predict-ir, which is not installed: build it from ptx-predict's sources, which needs LLVM, "
            "and put it on PATH; or compile to PTX, such as with 'nvcc -ptx' or 'clang -S --cuda-device-only', and predict that"
        )
    return _process.run(program, subcommand, options, files, named or {})
