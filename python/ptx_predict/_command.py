# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The command `ptx-predict` of a wheel: the process becomes the program in the package's folder."""

from __future__ import annotations

import os
import sys


def main() -> None:
    """Does not return."""
    program = os.path.join(os.path.dirname(os.path.abspath(__file__)), "ptx-predict")
    try:
        os.execv(program, ["ptx-predict", *sys.argv[1:]])
    except OSError as error:
        sys.exit(f"ptx-predict: error: cannot run '{program}': {error.strerror}; install the package again")
