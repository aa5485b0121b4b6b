#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the commands that the documents show, and compares what they print.

    run-doc-commands.py --root SOURCE --bin FOLDER-OF-ptx-predict [--plugin FILE] [--update] [DOCUMENT...]

Reads ```console blocks of README.md and docs/**/*.md. In them, a line `$ COMMAND` is a command (a `\\` at its end goes on in
the next line) and the lines up to the next one are what it prints, errors included. Run are the commands that begin with
one of RUN, perhaps behind variables of the environment, and with --plugin clang's, for which the plugin is ./PtxPredict.so; others are only shown, and so are those
that name OpenCL C where there is no libclc, and CUDA source, without -nocudainc, where there is no toolkit. The commands of one
document run one after the other in a copy of docs/examples, so that a later one may read what an earlier one wrote.

A command must exit with 0, or with N in a block that begins ```console exit=N. If output is shown, it must be what is
printed; a line `...` stands for any number of lines. If none is shown, anything may be printed. --update writes what is
printed into the documents, except where `...` stands.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile

RUN = {"ptx-predict", "measure", "cat", "echo", "gzip", "printf", "sed"}
PLUGIN = []
# Whether there is what OpenCL C is compiled with; lit.cfg.py looks there, too.
HAS_LIBCLC = any(os.path.exists(f"/usr/{folder}/clc/nvptx64--nvidiacl.bc") for folder in ("lib", "share"))
# Where clang looks for a toolkit.
HAS_TOOLKIT = os.path.exists("/usr/local/cuda") or shutil.which("ptxas") is not None
FENCE = re.compile(r"^```console(?:[ \t]+exit=(\d+))?[ \t]*$")


class Command:
    def __init__(self, text, line, exit_code):
        self.text = text
        self.line = line  # of `$`, from 1
        self.exit_code = exit_code
        self.output = []
        self.first = self.last = line  # lines of the output in the document: [first, last), from 0

    def is_run(self):
        words = self.text.split()
        if not HAS_LIBCLC and any(word.endswith(".cl") for word in words):
            return False
        command = next((word for word in words if not re.match(r"[A-Z_]+=", word)), "")
        if not HAS_TOOLKIT and command == "ptx-predict" and any(word.endswith(".cu") for word in words) and "-nocudainc" not in words:
            return False
        return command in RUN


def read_commands(lines, path):
    commands, index = [], 0
    while index < len(lines):
        if not lines[index].startswith("```"):
            index += 1
            continue
        fence = FENCE.match(lines[index])
        opened = index
        index += 1
        current = None
        while index < len(lines) and not lines[index].startswith("```"):
            line = lines[index]
            index += 1
            if fence is None:
                continue
            if line.startswith("$ "):
                number, text = index, line[2:]
                while text.endswith("\\") and index < len(lines):
                    text = text[:-1].rstrip() + " " + lines[index].strip()
                    index += 1
                current = Command(text, number, int(fence[1] or 0))
                current.first = current.last = index
                commands.append(current)
            elif current is None:
                sys.exit(f"{path}:{index}: a console block begins with '$ COMMAND'")
            else:
                current.output.append(line)
                current.last = index
        if index == len(lines):
            sys.exit(f"{path}:{opened + 1}: this block is not closed")
        index += 1
    return commands


def matches(shown, printed):
    """Whether the printed lines are those shown, where '...' is any number of lines."""
    parts, part = [], []
    for line in shown:
        if line == "...":
            parts.append(part)
            part = []
        else:
            part.append(line)
    parts.append(part)
    if len(parts) == 1:
        return shown == printed
    first, last = parts[0], parts[-1]
    if printed[: len(first)] != first or len(printed) < len(first) + len(last):
        return False
    if last and printed[-len(last) :] != last:
        return False
    at, end = len(first), len(printed) - len(last)
    for part in parts[1:-1]:
        while at + len(part) <= end and printed[at : at + len(part)] != part:
            at += 1
        if at + len(part) > end:
            return False
        at += len(part)
    return True


def run_document(path, root, environment, update):
    """The number of commands run, and the problems."""
    with open(path, encoding="utf-8") as file:
        lines = file.read().split("\n")
    name = os.path.relpath(path, root)
    commands = [c for c in read_commands(lines, name) if c.is_run()]
    problems, changes = [], []
    if not commands:
        return 0, problems
    with tempfile.TemporaryDirectory() as scratch:
        folder = os.path.join(scratch, "examples")
        shutil.copytree(os.path.join(root, "docs", "examples"), folder)
        # As there, they belong to one project.
        os.mkdir(os.path.join(scratch, ".git"))
        for plugin in PLUGIN:
            os.symlink(plugin, os.path.join(folder, "PtxPredict.so"))
        for command in commands:
            done = subprocess.run(
                ["bash", "-o", "pipefail", "-c", command.text],
                cwd=folder,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                timeout=120,
                check=False,
            )
            # Markdown has no trailing spaces.
            text = done.stdout.decode("utf-8", "replace")
            printed = [line.rstrip() for line in text.split("\n")]
            while printed and not printed[-1]:
                printed.pop()
            shown = [line.rstrip() for line in command.output]
            while shown and not shown[-1]:
                shown.pop()
            place = f"{name}:{command.line}: `{command.text}`"
            if done.returncode != command.exit_code:
                problems.append(f"{place} exits with {done.returncode}, not {command.exit_code}:\n" + text)
            elif shown and not matches(shown, printed):
                if update and "..." not in shown:
                    changes.append((command.first, command.last, printed))
                else:
                    problems.append(f"{place} prints something else:\n" + "\n".join(printed))
    if changes:
        for first, last, printed in reversed(changes):
            lines[first:last] = printed
        with open(path, "w", encoding="utf-8") as file:
            file.write("\n".join(lines))
        print(f"{name}: {len(changes)} outputs written")
    return len(commands), problems


def documents(root):
    yield os.path.join(root, "README.md")
    for where, folders, files in os.walk(os.path.join(root, "docs")):
        folders.sort()
        for file in sorted(files):
            if file.endswith(".md"):
                yield os.path.join(where, file)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--root", required=True)
    parser.add_argument("--bin", required=True)
    parser.add_argument("--plugin")
    parser.add_argument("--update", action="store_true")
    parser.add_argument("documents", nargs="*")
    options = parser.parse_args()
    environment = dict(os.environ, NO_COLOR="1", LC_ALL="C")
    environment["PATH"] = os.path.abspath(options.bin) + os.pathsep + environment["PATH"]
    root = os.path.abspath(options.root)
    if options.plugin:
        RUN.add("clang++-22")
        PLUGIN.append(os.path.abspath(options.plugin))
    count, problems = 0, []
    for path in options.documents or documents(root):
        if os.path.exists(path):
            run, found = run_document(os.path.abspath(path), root, environment, options.update)
            count += run
            problems += found
    for problem in problems:
        print(problem)
    print(f"{count} commands run, {len(problems)} not as shown")
    return 1 if problems or count == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
