# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A Triton kernel as PTX: bound, specialised and lowered as its JIT does it, without its driver and without ptxas."""

from __future__ import annotations

import threading

from . import _arguments
from ._package import TESTED, inner, module, triton, version

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

#: Of PTX, where there is no ptxas whose version Triton could ask for: the newest that its LLVM writes.
_PTX_VERSION = 90
#: Held while a kernel's source is parsed: of threads that call ast.parse at once, some Pythons (3.11.7 is one) stop one with a SystemError about the
#: depth of its tree. What is done under it is Python for the most part, so threads lose little.
_PARSING = threading.Lock()


class Compiled:
    """A kernel as PTX, with what its launch needs to know."""

    __slots__ = ("arguments", "metadata", "name", "parameters", "ptx")

    def __init__(
        self, name: str, ptx: str | bytes, metadata: Mapping[str, Any], arguments: Mapping[str, Any], parameters: list[tuple[str, str, Any]]
    ) -> None:
        #: Of the kernel in the PTX.
        self.name = name
        #: The PTX; of a CompiledKernel whose PTX was not kept, its cubin.
        self.ptx = ptx
        #: As Triton writes it: "shared" (bytes of a block), "num_warps", "num_ctas", …
        self.metadata = dict(metadata)
        #: All arguments by name, constants too: what a grid that is a function gets.
        self.arguments = dict(arguments)
        #: Name, Triton's type and value of what the kernel takes: neither constants nor what was specialised to 1.
        self.parameters = parameters

    def __repr__(self) -> str:
        return f"<Compiled {self.name}, {len(self.ptx)} bytes>"


def compile(fn: Any, *args: Any, arch: int, **meta: Any) -> Compiled:
    """`fn` for these arguments as PTX for sm_`arch` (90: Hopper).

    `fn` is a function under `@triton.jit` or `@triton.heuristics`, or one under `@triton.autotune` with a single configuration; arguments and
    `meta` are those of its call: parameters, `num_warps`, `num_stages`, … Tensors need not be there: see Tensor. Raises what Triton's
    compiler raises; ValueError for an unknown name, with the nearest; TypeError for a missing argument.
    """
    args = tuple(_arguments.stand_in(value) for value in args)
    meta = {name: _arguments.stand_in(value) for name, value in meta.items()}
    fn, meta = resolve(fn, args, meta)
    target = inner("triton.backends.compiler", "GPUTarget")("cuda", int(arch), 32)
    backend = inner("triton.compiler.compiler", "make_backend")(target)
    if not meta.get("debug"):
        meta["debug"] = bool(getattr(fn, "debug", False)) or bool(triton.knobs.runtime.debug)
    _check_names(fn, backend, meta)

    binder = inner("triton.runtime.jit", "create_function_from_signature")(fn.signature, fn.params, backend)
    try:
        bound, specialization, rest = binder(*args, **meta)
    except TypeError as error:
        raise TypeError(str(error).replace("dynamic_func", fn.__name__)) from None
    options, signature, constants, attributes = _method(fn, "_pack_args")(backend, meta, bound, specialization, rest)
    try:
        name, ptx, metadata = _lower(fn, backend, target, options, signature, constants, attributes)
    except RuntimeError as error:
        if meta.get("ptx_version") is not None or "Cannot find" not in str(error):
            raise
        options = backend.parse_options({**meta, "ptx_version": _PTX_VERSION})
        name, ptx, metadata = _lower(fn, backend, target, options, signature, constants, attributes)
    return Compiled(name, ptx, metadata, bound, _parameters(signature, bound))


def of(kernel: Any, *args: Any, **meta: Any) -> Compiled:
    """A CompiledKernel for these arguments, all in the order of the function or by name; its constants may be left out."""
    source, metadata = kernel.src, kernel.metadata._asdict()
    names: list[str] = list(source.fn.arg_names if hasattr(source, "fn") else source.signature)
    if len(args) > len(names):
        raise TypeError(f"{kernel.name} takes {len(names)} arguments, not {len(args)}")
    constants: dict[tuple[int, ...], Any] = getattr(source, "constants", {})
    bound: dict[str, Any] = {names[path[0]]: value for path, value in constants.items() if len(path) == 1}
    bound.update((name, _arguments.stand_in(value)) for name, value in zip(names, args))
    for name, value in meta.items():
        if name not in names:
            raise ValueError(_unknown(kernel.name, name, names))
        bound[name] = _arguments.stand_in(value)
    missing = [name for name, kind in source.signature.items() if kind != "constexpr" and name not in bound]
    if missing:
        raise TypeError(f"{kernel.name} is missing its argument {', '.join(map(str, missing))}")
    code: str | bytes = kernel.asm["ptx"] if "ptx" in kernel.asm else kernel.asm["cubin"]
    in_order = {name: bound[name] for name in names if name in bound}
    return Compiled(kernel.name, code, metadata, in_order, _parameters(source.signature, bound))


def is_compiled(fn: object) -> bool:
    """Whether it is a CompiledKernel of Triton's."""
    return hasattr(fn, "asm") and hasattr(fn, "metadata")


def resolve(fn: Any, args: tuple[Any, ...], meta: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
    """The function under decorators, and `meta` with what they add."""
    meta = dict(meta)
    while not hasattr(fn, "params"):
        if hasattr(fn, "configs"):
            if len(fn.configs) != 1:
                raise ValueError(f"{_name(fn)} has {len(fn.configs)} configurations: pass its .fn and the parameters of one")
            meta = {**meta, **fn.configs[0].all_kwargs()}
        elif isinstance(getattr(fn, "values", None), dict):
            for name, value in fn.values.items():
                meta[name] = value({**dict(zip(fn.arg_names, args)), **meta})
        elif type(fn).__name__ == "InterpretedFunction":
            raise TypeError(f"{_name(fn)} is interpreted (TRITON_INTERPRET=1), not compiled")
        elif not hasattr(fn, "fn"):
            raise TypeError(f"a kernel is a function under @triton.jit, not {type(fn).__name__}")
        fn = fn.fn
    return fn, meta


def _method(fn: Any, name: str) -> Any:
    """One of the JIT's that is not part of its documentation."""
    try:
        return getattr(fn, name)
    except AttributeError:
        raise ImportError(f"triton {version()}: a function of the JIT has no {name}; {TESTED} has: pip install 'triton=={TESTED}.*'") from None


def _name(fn: Any) -> str:
    while not hasattr(fn, "__name__") and hasattr(fn, "fn"):
        fn = fn.fn
    return str(getattr(fn, "__name__", type(fn).__name__))


def _check_names(fn: Any, backend: Any, meta: Mapping[str, Any]) -> None:
    """ValueError for a keyword that is neither a parameter nor an option of the compiler."""
    known = [*fn.arg_names, *vars(backend.parse_options({}))]
    for name in meta:
        if name not in known:
            raise ValueError(_unknown(_name(fn), name, known))


def _unknown(kernel: str, name: str, known: list[str]) -> str:
    import difflib

    near = difflib.get_close_matches(name, known, 1)
    return f"{kernel} has no argument '{name}'" + (f"; did you mean '{near[0]}'?" if near else "")


def _parameters(signature: Mapping[str, Any], bound: Mapping[str, Any]) -> list[tuple[str, str, Any]]:
    return [part for name, kind in signature.items() if kind != "constexpr" for part in _arguments.flat(name, kind, bound[name])]


def _lower(
    fn: Any, backend: Any, target: Any, options: Any, signature: Any, constants: Any, attributes: Any
) -> tuple[str, str, dict[str, Any]]:
    """The kernel's name, its PTX and metadata: Triton's stages up to PTX."""
    gluon = callable(getattr(fn, "is_gluon", None)) and fn.is_gluon()
    source_class = inner("triton.experimental.gluon._runtime", "GluonASTSource") if gluon else inner("triton.compiler.compiler", "ASTSource")
    source = source_class(fn, signature, constants, attributes)
    ir = module("triton._C.libtriton").ir
    context = ir.context()
    ir.load_dialects(context)
    backend.load_dialects(context)
    stages: dict[str, Any] = {}
    backend.add_stages(stages, options, source.language)
    metadata: dict[str, Any] = {"target": target, **vars(options)}
    implementation = backend.get_codegen_implementation(options)
    with _PARSING:
        code = source.make_ir(target, options, implementation, backend.get_module_map(), context)
    for stage, lower in stages.items():
        code = lower(code, metadata)
        if stage == "ptx":
            return str(metadata["name"]), str(code), metadata
    raise ImportError(f"triton {triton.__version__} has no stage 'ptx' among {', '.join(stages)}")
