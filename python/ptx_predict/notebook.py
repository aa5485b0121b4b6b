# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reports and tables in notebooks."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ._tables import Table
    from .report import Report

#: Subcommands whose reports have a page of HTML.
WITH_PAGE = ("predict", "diff", "scenario", "validate")
#: Rows that a notebook shows of a table.
_ROWS = 20


def frame(report: Report) -> str:
    """The report's page, in a frame so that its styles and scripts stay in there; the text of a subcommand that has no page."""
    import html

    if report.subcommand in WITH_PAGE:
        return f'<iframe srcdoc="{html.escape(report.html)}" style="width: 100%; height: 40em; border: 1px solid #8888"></iframe>'
    return f"<pre>{html.escape(report.text)}</pre>"


def rows(table: Table) -> str:
    """The first rows of a table."""
    import html

    def cells(kind: str, values: list[object]) -> str:
        return "<tr>" + "".join(f"<{kind}>{html.escape(str(value))}</{kind}>" for value in values) + "</tr>"

    shown = [cells("td", list(table[row].values())) for row in range(min(len(table), _ROWS))]
    rest = f"<p>{len(table)} rows</p>" if len(table) > _ROWS else ""
    return f"<table>{cells('th', list(table.columns))}{''.join(shown)}</table>{rest}"
