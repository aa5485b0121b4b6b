# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a run found, in the command's forms."""

from __future__ import annotations

from .node import Node, attribute

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any, ClassVar

    from ._code import Code
    from ._tables import Table
    from .errors import Message


class Report:
    """What a run of a subcommand found: the JSON's keys as attributes, and the forms that the command prints."""

    __slots__ = ("_data", "_files", "_forms", "_options", "code", "json", "messages", "subcommand")

    #: The classes of the objects under its keys.
    _kinds: ClassVar[Mapping[str, type[Node]]] = {}

    def __init__(
        self,
        subcommand: str,
        options: dict[str, object],
        files: Sequence[str | Code],
        code: int,
        json: bytes,
        messages: Sequence[Message],
    ) -> None:
        self.subcommand = subcommand
        #: 0: done; 1: done, and what was asked about was found, such as findings or a regression; 2: some of it could not be done.
        self.code = code
        #: Exactly what the command writes with --format=json.
        self.json = json
        #: Warnings and notes of the run.
        self.messages = list(messages)
        self._options = options
        self._files = list(files)
        self._forms: dict[str, str] = {}
        self._data: dict[str, Any] | None = None

    @property
    def data(self) -> dict[str, Any]:
        """The JSON as json.loads gives it, by the schema `docs/schemas`."""
        if self._data is None:
            import json

            data: dict[str, Any] = json.loads(self.json)
            self._data = data
        return self._data

    @property
    def found(self) -> bool:
        """Whether what was asked about was found: the command's exit code 1."""
        return self.code == 1

    def form(self, name: str) -> str:
        """What the command prints with `--format=name`. It runs again, once for each form, with the same options and files."""
        if name not in self._forms:
            from ._run import printed

            self._forms[name] = printed(self.subcommand, self._files, self._options, name, partly=self.code not in (0, 1))
        return self._forms[name]

    @property
    def text(self) -> str:
        """What the command prints."""
        return self.form("text")

    @property
    def html(self) -> str:
        """The command's page."""
        return self.form("html")

    @property
    def table(self) -> Table:
        """Its rows as columns: what the command writes with --format=csv. ValueError if the subcommand writes none."""
        from ._run import tabulated

        return tabulated(self.subcommand, self._files, self._options)

    def __getattr__(self, name: str) -> Any:
        if name in Report.__slots__:
            raise AttributeError(name)
        return attribute(self, self.data, self._kinds, name)

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *(key.replace("-", "_") for key in self.data)]

    def __str__(self) -> str:
        return self.text.rstrip("\n")

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of ptx-predict {self.subcommand}, {len(self.json)} bytes of JSON>"

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.subcommand, self._options, self._files, self.code, self.json, self.messages)

    def _repr_html_(self) -> str | None:
        from .notebook import frame

        return frame(self)
