# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs of an installed program: ptx-predict-ir, which reads LLVM IR and compiles CUDA and OpenCL source."""

from __future__ import annotations

import os

from ._code import Code
from ._outcome import Outcome
from .errors import Message

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence


def find(program: str, beside: Sequence[str]) -> str | None:
    """The path of `program`: in one of the folders `beside`, where the interpreter's own programs are, or on PATH."""
    import shutil
    import sys

    for folder in (*beside, os.path.dirname(sys.executable)):
        path = os.path.join(folder, program)
        if os.access(path, os.X_OK) and not os.path.isdir(path):
            return path
    return shutil.which(program)


def messages_of(text: str) -> list[Message]:
    """The messages that the command printed as `text`."""
    import re

    found: list[Message] = []
    first = re.compile(r"(.*?)(?::(\d+)(?::(\d+))?)?: (error|warning|note): (.*)")
    for line in text.splitlines():
        match = first.fullmatch(line)
        if match and not line.startswith(" "):
            path, row, column, severity, what = match.groups()
            level: object = severity
            assert level in ("error", "warning", "note")
            found.append(Message(level, "" if path == "ptx-predict" else path, int(row or 0), int(column or 0), what, line + "\n"))
        elif found:
            found[-1].shown += line + "\n"
        else:
            found.append(Message("note", "", 0, 0, line, line + "\n"))
    return found


class _Folder:
    """Files for Codes, as long as the process runs."""

    def __init__(self, folder: str) -> None:
        self.folder = folder
        self.names: dict[str, str] = {}

    def write(self, name: str, data: bytes) -> str:
        place = os.path.join(self.folder, str(len(self.names)))
        os.mkdir(place)
        path = os.path.join(place, os.path.basename(name) or "code")
        with open(path, "wb") as file:
            file.write(data)
        self.names[path] = name
        return path

    def renamed(self, text: str, *, in_json: bool) -> str:
        """`text` with the names of Codes in place of the paths of their files."""
        import json

        for path, name in self.names.items():
            if in_json:
                path, name = (json.dumps(part, ensure_ascii=False)[1:-1] for part in (path, name))
            text = text.replace(path, name)
        return text


def run(
    program: str,
    subcommand: str,
    options: Sequence[tuple[str, str | None]],
    files: Iterable[str | Code],
    named: Mapping[str, bytes],
) -> Outcome:
    """What the program says of these options and files."""
    import subprocess
    import tempfile

    with tempfile.TemporaryDirectory(prefix="ptx-predict-") as name:
        folder = _Folder(name)
        paths = [folder.write(file.name, file.data) if isinstance(file, Code) else file for file in files]
        texts = {text: folder.write(text, data) for text, data in named.items()}
        spelled: list[str] = []
        flags: list[str] = []
        for option, value in options:
            if option == "--":
                flags.append(value or "")
            elif len(option) == 1:
                spelled += [f"-{option}", *([] if value is None else [value])]
            else:
                spelled.append(f"--{option}" + ("" if value is None else f"={texts.get(value, value)}"))
        arguments = [program, *([] if subcommand == "predict" else [subcommand]), *spelled, *paths, *(["--", *flags] if flags else [])]
        done = subprocess.run(arguments, capture_output=True, check=False, stdin=subprocess.DEVNULL)
        output = done.stdout
        if folder.names:
            text = folder.renamed(output.decode(errors="surrogateescape"), in_json=("format", "json") in options)
            output = text.encode(errors="surrogateescape")
        return Outcome(done.returncode, output, messages_of(folder.renamed(done.stderr.decode(errors="replace"), in_json=False)))
