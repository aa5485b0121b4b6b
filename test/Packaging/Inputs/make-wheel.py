#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""make-wheel.py FOLDER PROGRAM: a wheel called ptx-predict whose command is PROGRAM, for what installs it with pip.

It stands in for the real one, which takes minutes to build and has tests of its own; what the tests of packaging/ look at is
whether a host installs a package of that name and then runs its command.
"""

import base64
import hashlib
import os
import sys
import zipfile

FOLDER, PROGRAM = sys.argv[1:]
NAME = "ptx_predict-0.1.0"

os.makedirs(FOLDER, exist_ok=True)
files = {
    f"{NAME}.data/scripts/ptx-predict": f'#!/bin/sh\necho "the installed command" >&2\nexec "{PROGRAM}" "$@"\n',
    f"{NAME}.dist-info/METADATA": "Metadata-Version: 2.1\nName: ptx-predict\nVersion: 0.1.0\n",
    f"{NAME}.dist-info/WHEEL": "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
}
record = ""
with zipfile.ZipFile(os.path.join(FOLDER, f"{NAME}-py3-none-any.whl"), "w") as wheel:
    for name, text in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).rstrip(b"=").decode()
        record += f"{name},sha256={digest},{len(text)}\n"
        entry = zipfile.ZipInfo(name)
        entry.external_attr = 0o100755 << 16  # a regular file that runs
        wheel.writestr(entry, text)
    wheel.writestr(f"{NAME}.dist-info/RECORD", record + f"{NAME}.dist-info/RECORD,,\n")
