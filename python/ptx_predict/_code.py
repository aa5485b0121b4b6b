# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Inputs that are no files."""

from __future__ import annotations


class Code:
    """Code in memory, or another text that a run takes in place of a file, such as a launch file.

    `data` is PTX, a cubin, LLVM IR or source; a str is encoded as UTF-8. `name` stands for its path in results and messages, and says by its
    ending what it is: "kernel.ptx", "kernel.cubin", "kernel.ll", "shapes.yaml". The Codes of one run have names of their own.
    """

    __slots__ = ("data", "name")

    def __init__(self, data: str | bytes | bytearray | memoryview, name: str = "kernel.ptx") -> None:
        self.data = data.encode() if isinstance(data, str) else bytes(data)
        self.name = name

    def __repr__(self) -> str:
        return f"Code(<{len(self.data)} bytes>, name={self.name!r})"
