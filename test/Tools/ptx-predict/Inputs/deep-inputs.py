#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""deep-inputs.py FOLDER PTX SANITIZED: whether what reads JSON or YAML refuses each of many texts with a message that has a place.

SANITIZED other than 1: a build whose checks take more stack, which it gets.
"""

import os
import re
import resource
import subprocess
import sys

FOLDER, PTX, SANITIZED = sys.argv[1], os.path.abspath(sys.argv[2]), sys.argv[3] != "1"
DEEP = 50000

# What reads it, and how the text begins under which it looks at what follows.
READERS = {
    "baseline": (["lint", PTX, "--no-cache", "--baseline=FILE"], '{"schema": "ptx-predict/baseline", "version": 1, "findings": '),
    "commands": (["lint", "FILE", "--no-cache"], '[{"directory": "/", "file": "a.cu", "arguments": '),
    "headers": (["lint", "k.cuh", "--no-cache", "--compile-commands=FILE"], '[{"directory": "/", "file": "a.cu", "command": '),
    "profile": ([PTX, "--profile=FILE"], '{"schema": "ptx-predict/profile", "version": 1, "kernels": '),
    "launch": ([PTX, "--launch=FILE"], "launches: "),
    "device": ([PTX, "--device-file=FILE"], "name: a\ndescription: b\nlimits: "),
    "config": (["lint", PTX, "--no-cache", "--config=FILE"], "suppressions: "),
    "dataset": (["validate", "FILE"], "schema: ptx-predict/dataset\nversion: 1\nname: a\nkernels: "),
    "power-regression": ([PTX, "--power-model=FILE"], "schema: ptx-predict/power-regression\nversion: 1\ndevice: v100\nweights: "),
    "microbenchmarks": (["calibrate", "FILE", "--device=t4"], "schema: ptx-predict/microbenchmarks\nversion: 1\nresults: "),
    "link": (["transfer", "4", "--link=a", "--link-file=FILE"], "schema: ptx-predict/link\nversion: 1\nname: a\nbandwidth: "),
    "system": (["systems", "FILE"], "schema: ptx-predict/system\nversion: 1\nname: a\nnodes: "),
    "characteristics": (["FILE"], "schema: ptx-predict/characteristics\nversion: 1\nname: "),
}
NESTED = {
    "lists": "[" * DEEP,
    "closed lists": "[" * DEEP + "]" * DEEP,
    "mappings": '{"a": ' * DEEP,
    "closed mappings": '{"a": ' * DEEP + "1" + "}" * DEEP,
    "both": '[{"a": ' * DEEP,
    "lists of lines": "\n" + "- " * DEEP + "1\n",
    "keys": "\n" + "? " * DEEP + "1\n",
    "indented": "\n" + "".join(" " * (N + 1) + "a:\n" for N in range(3000)),
    "anchors": "\n a: &a [1, 1]\n" + "".join(f" {chr(98 + N)}: &{chr(98 + N)} [*{chr(97 + N)}, *{chr(97 + N)}]\n" for N in range(20)),
    "an anchor in itself": "&a [*a, *a]\n",
    "tags": "!a " * DEEP,
}
OTHERS = {
    "a large number": b'{"grid": 99999999999999999999999999999999, "a": 1e999999}',
    "a key twice": b'{"a": 1, "a": 2}',
    "a list twice": b'{"a": [1], "a": [2]}',
    "no UTF-8": b'{"a\xff\xc3": "\xed\xa0\x80"}',
    "a byte that is 0": b'{"a": "\x00"}',
    "an open text": b'{"a": "' + b"\\" * DEEP,
    "one byte": b"\xff",
    "nothing": b"",
}


def limit_stack():
    if not SANITIZED:
        resource.setrlimit(resource.RLIMIT_STACK, (256 << 10, resource.RLIM_INFINITY))


def main():
    wrong = []
    with open(os.path.join(FOLDER, "k.cuh"), "w", encoding="ascii"):
        pass
    for reader, (words, head) in READERS.items():
        texts = dict(OTHERS)
        for name, text in NESTED.items():
            texts[name] = text.encode()
            texts[f"{name} in it"] = (head + text).encode()
        for name, text in texts.items():
            suffix = {"commands": ".json", "characteristics": ".yaml"}.get(reader, ".txt")
            file = os.path.join(FOLDER, "deep" + suffix)
            with open(file, "wb") as out:
                out.write(text)
            command = ["ptx-predict", *(word.replace("FILE", file) for word in words)]
            ran = subprocess.run(command, cwd=FOLDER, capture_output=True, preexec_fn=limit_stack)
            said = ran.stderr.decode(errors="replace")
            if ran.returncode != 2 or not re.search(r"^[^\n]*deep\.\w+:(\d+:\d+:)? error: ", said, re.MULTILINE):
                wrong.append(f"{reader}, {name}: exit code {ran.returncode}: {said[:300]}")
        print(f"{reader} {len(texts)} texts refused")
    if wrong:
        raise SystemExit("\n".join(wrong))


main()
