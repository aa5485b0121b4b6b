# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""page.py FILE.json: runs blocks of Python one after the other in one namespace, that of this program's __main__.

The file has a list of [name, line, text]; the program replaces it by a list of what each block printed. A block that raises ends the program with the
traceback.
"""

import contextlib
import io
import json
import sys


def main(path):
    """Runs the blocks of a file."""
    with open(path, encoding="utf-8") as file:
        blocks = json.load(file)
    sys.path.insert(0, "")  # as at the prompt
    printed = []
    for name, line, text in blocks:
        output = io.StringIO()
        with contextlib.redirect_stdout(output):
            exec(compile("\n" * line + text, name, "exec"), sys.modules["__main__"].__dict__)  # noqa: S102: that is what this is for
        printed.append(output.getvalue())
    with open(path, "w", encoding="utf-8") as file:
        json.dump(printed, file)


if __name__ == "__main__":
    main(sys.argv[1])
