#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""run-explorer.py PROPERTIES TOOL PROGRAM SOURCE [ARGUMENT...]: runs a tool as Compiler Explorer's base tool does.

The text of the editor lies as example.EXT in a new folder, which is the working directory; the tool's `options`, then what was typed
into its pane, then the file's full path are the arguments; standard input is empty; more than 7.5 s is an error. What it prints is
read line by line: the file's path becomes `<source>`, and a line that begins with `<source>:LINE` or `NAME:LINE` is tied to that line
of the editor, as an error unless its text begins with `warning` or `note`. Prints the exit code, then the lines, tied ones first.
"""

import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

TIED = re.compile(r"\s*(<source>|[\w.]*)[(:](\d+)(?::?,?(\d+):?)?[):]*\s*(.*)")


def properties_of(path):
    values = {}
    with open(path, encoding="utf-8") as file:
        for line in file:
            line = line.rstrip("\n")
            if line and not line.startswith("#"):
                key, value = line.split("=", 1)
                values[key] = value
    return values


def main():
    path, tool, program, source = sys.argv[1:5]
    values = properties_of(path)
    if tool not in values["tools"].split(":"):
        sys.exit(f"{path} has no tool {tool}")
    known = {"name", "exe", "options", "type", "class", "exclude", "stdinHint"}
    about = {}
    for key, value in values.items():
        if key.startswith(f"tools.{tool}."):
            about[key.removeprefix(f"tools.{tool}.")] = value
    if set(about) != known or about["class"] != "base-tool" or about["type"] != "independent":
        sys.exit(f"{path}: {about}")
    if os.path.basename(about["exe"]) != "ptx-predict" or not os.path.isabs(about["exe"]):
        sys.exit(f"{path}: {about['exe']} is no path of the command")

    folder = tempfile.mkdtemp(prefix="compiler-explorer-compiler")
    file = os.path.join(folder, "example" + os.path.splitext(source)[1])
    shutil.copy(source, file)
    command = [program, *shlex.split(about["options"]), *sys.argv[5:], file]
    environment = {"PATH": os.environ["PATH"], "HOME": folder, "LC_ALL": "C"}
    ran = subprocess.run(command, cwd=folder, env=environment, input=b"", capture_output=True, timeout=7.5, check=False)
    print(f"exit code {ran.returncode}")
    tied, plain = [], []
    for name, data in (("stdout", ran.stdout), ("stderr", ran.stderr)):
        for line in data.decode().splitlines():
            line = line.replace(os.path.dirname(about["exe"]), "").replace(file, "<source>")
            if match := TIED.match(line):
                text = match[4]
                severity = 2 if text.startswith("warning") else 1 if text.startswith("note") else 3
                where = "" if match[1] == "<source>" else f" of {match[1]}"
                tied.append(f"{name}: line {match[2]} column {match[3] or 0}{where} severity {severity}: {text}")
            else:
                plain.append(f"{name}: {line}")
    print("\n".join(tied + plain))
    if os.listdir(folder) != [os.path.basename(file)]:
        sys.exit(f"left behind: {os.listdir(folder)}")
    shutil.rmtree(folder)


main()
