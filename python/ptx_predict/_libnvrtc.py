# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""libnvrtc by ctypes: where it is, and the calls of it that make PTX."""

from __future__ import annotations

import ctypes
import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

_loaded: dict[str, Library] = {}

_MISSING = (
    "CUDA C++ is compiled by libnvrtc, which is not here: 'pip install nvidia-cuda-nvrtc' or 'nvidia-cuda-nvrtc-cu12', or a CUDA toolkit, "
    "with CUDA_HOME or PTX_PREDICT_NVRTC (the library itself) saying where"
)


def _packages() -> Iterator[str]:
    """Folders of NVIDIA's wheels that may hold libraries."""
    for folder in sys.path:
        nvidia = os.path.join(folder or ".", "nvidia")
        if os.path.isdir(nvidia):
            for part in sorted(os.listdir(nvidia), reverse=True):
                yield os.path.join(nvidia, part, "lib")


def _toolkits() -> Iterator[str]:
    for variable in ("CUDA_HOME", "CUDA_PATH"):
        root = os.environ.get(variable)
        if root:
            yield os.path.join(root, "lib64")
            yield os.path.join(root, "lib")
    yield "/usr/local/cuda/lib64"


def _of(folder: str) -> str | None:
    """The newest libnvrtc in a folder."""
    try:
        names = os.listdir(folder)
    except OSError:
        return None
    versions = [n for n in names if n.startswith("libnvrtc.so")]
    return os.path.join(folder, max(versions, key=_version)) if versions else None


def _version(name: str) -> tuple[list[int], int]:
    numbers = [int(part) for part in name.removeprefix("libnvrtc.so").split(".") if part.isdigit()]
    return numbers, -len(name)


def candidates() -> Iterator[str]:
    """What to load, first what was asked for: PTX_PREDICT_NVRTC; then wheels, toolkits, and what the loader finds."""
    asked = os.environ.get("PTX_PREDICT_NVRTC")
    if asked:
        yield asked
        return
    for folders in (_packages(), _toolkits()):
        for folder in folders:
            path = _of(folder)
            if path:
                yield path
    yield from ("libnvrtc.so", "libnvrtc.so.13", "libnvrtc.so.12")


def load() -> Library:
    """The library. ImportError if there is none."""
    key = os.environ.get("PTX_PREDICT_NVRTC", "")
    if key not in _loaded:
        reasons: list[str] = []
        for path in candidates():
            try:
                _loaded[key] = Library(path)
                break
            except (OSError, AttributeError) as error:
                reasons.append(str(error))
        else:
            asked = f"{reasons[0]}; " if key else ""
            raise ImportError(asked + _MISSING)
    return _loaded[key]


class CompileError(Exception):
    """The compiler refused; `log` is what it wrote."""

    def __init__(self, log: str) -> None:
        self.log = log
        super().__init__(log)


class Library:
    """libnvrtc at `path`. Any number of threads may compile with it."""

    def __init__(self, path: str) -> None:
        """OSError if it cannot be loaded, AttributeError if it is another library."""
        self.path = path
        self._lib = ctypes.CDLL(path)
        self._lib.nvrtcGetErrorString.restype = ctypes.c_char_p
        for name in ("nvrtcCreateProgram", "nvrtcCompileProgram", "nvrtcGetPTX", "nvrtcGetSupportedArchs"):
            getattr(self._lib, name)

    def _check(self, result: int) -> None:
        if result:
            text: bytes = self._lib.nvrtcGetErrorString(result)
            raise RuntimeError(f"libnvrtc: {text.decode()}")

    @property
    def version(self) -> tuple[int, int]:
        """Of the toolkit that it belongs to: (13, 0)."""
        major, minor = ctypes.c_int(), ctypes.c_int()
        self._check(self._lib.nvrtcVersion(ctypes.byref(major), ctypes.byref(minor)))
        return major.value, minor.value

    def architectures(self) -> list[tuple[int, int]]:
        """The compute capabilities that it compiles for."""
        count = ctypes.c_int()
        self._check(self._lib.nvrtcGetNumSupportedArchs(ctypes.byref(count)))
        values = (ctypes.c_int * count.value)()
        self._check(self._lib.nvrtcGetSupportedArchs(values))
        return [divmod(value, 10) for value in values]

    def _bytes(self, program: ctypes.c_void_p, what: str) -> bytes:
        size = ctypes.c_size_t()
        self._check(getattr(self._lib, f"nvrtcGet{what}Size")(program, ctypes.byref(size)))
        buffer = ctypes.create_string_buffer(max(size.value, 1))
        self._check(getattr(self._lib, f"nvrtcGet{what}")(program, buffer))
        return buffer.value

    def ptx(self, source: str, name: str, options: Sequence[str], headers: Mapping[str, str], names: Sequence[str]) -> tuple[bytes, list[str]]:
        """PTX of `source`, called `name`, and the mangled names of the name expressions `names`. CompileError if it is wrong."""
        program = ctypes.c_void_p()
        count = len(headers)
        texts = (ctypes.c_char_p * count)(*(text.encode() for text in headers.values()))
        files = (ctypes.c_char_p * count)(*(file.encode() for file in headers))
        self._check(self._lib.nvrtcCreateProgram(ctypes.byref(program), source.encode(), name.encode(), count, texts, files))
        try:
            for expression in names:
                self._check(self._lib.nvrtcAddNameExpression(program, expression.encode()))
            given = (ctypes.c_char_p * len(options))(*(option.encode() for option in options))
            result: int = self._lib.nvrtcCompileProgram(program, len(options), given)
            if result:
                log = self._bytes(program, "ProgramLog").decode(errors="replace")
                if log.strip():
                    raise CompileError(log)
                self._check(result)
            lowered: list[str] = []
            for expression in names:
                text = ctypes.c_char_p()
                self._check(self._lib.nvrtcGetLoweredName(program, expression.encode(), ctypes.byref(text)))
                lowered.append((text.value or b"").decode())
            return self._bytes(program, "PTX"), lowered
        finally:
            self._lib.nvrtcDestroyProgram(ctypes.byref(program))
