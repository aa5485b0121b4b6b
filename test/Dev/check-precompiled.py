#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""check-precompiled.py ROOT: refuses a source that needs a precompiled header of the project and does not include it.

Builds with precompiled headers cannot tell, but others fail. A source that names a type which only headers of ROOT's
`ProjectHeaders` (CMakeLists.txt), or headers that these include, declare must include one that does, itself or through
others. Exit 0: all is well; 1: missing includes, one a line, as FILE: TEXT.
"""

import functools
import os
import re
import sys

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*["<]([^">]+)[">]', re.MULTILINE)
TYPE = re.compile(r"^(?:template <[^>]*> )?(?:struct|class|enum|enum class|union) ([A-Z]\w*)(?: final)?(?: :[^:;{]*)?\s*\{"
                  r"|^using ([A-Z]\w*) =", re.MULTILINE)
# What else has the name: a type of its own, a forward declaration, a variable, a suite of tests.
ELSEWHERE = re.compile(r"\b(?:(?:struct|class|enum|union|using|typename)(?: alignas\(\w+\))?|\w+[&*]*) [&*]*([A-Z]\w*)(?=\s*[;={:,)])"
                       r"|\bTEST(?:_F|_P)?\(([A-Z]\w*)")
# Of one word, a name may as well be that of a variable.
TWO_WORDS = re.compile(r"[A-Z][a-z0-9]*[A-Z]\w+")
NO_CODE = re.compile(r'//.*|"(?:[^"\\\n]|\\.)*"')
LIST = re.compile(r"^set\(ProjectHeaders([^)]*)\)", re.MULTILINE)


@functools.lru_cache(maxsize=None)
def text_of(path):
    with open(path, encoding="utf-8", errors="replace") as file:
        return file.read()


@functools.lru_cache(maxsize=None)
def headers(root):
    """The paths of all headers, by the last part of the name."""
    found = {}
    for base in ("include", "lib", "tools", "test"):
        for path in files_below(os.path.join(root, base), (".h", ".inc", ".def")):
            found.setdefault(os.path.basename(path), []).append(path)
    return found


@functools.lru_cache(maxsize=None)
def included(root, path):
    """The headers of the project that a file may include: all whose paths end so, as targets know folders of their own."""
    names = INCLUDE.findall(text_of(path))
    return [there for name in names for there in headers(root).get(os.path.basename(name), [])
            if there.endswith("/" + name.replace("../", ""))]


def closure(root, path):
    """The file and all that it includes."""
    seen, todo = set(), [path]
    while todo:
        path = todo.pop()
        if path not in seen:
            seen.add(path)
            todo += included(root, path)
    return seen


def types_of(path):
    return {a or b for a, b in TYPE.findall(text_of(path))}


def files_below(folder, suffixes):
    for where, folders, files in os.walk(folder):
        folders.sort()
        yield from (os.path.join(where, file) for file in sorted(files) if file.endswith(suffixes))


def check(root):
    """The number of sources and of types, and the problems."""
    names = LIST.search(text_of(os.path.join(root, "CMakeLists.txt")))[1].replace("<", "").replace(">", "").split()
    precompiled = set()
    for name in names:
        precompiled |= closure(root, os.path.join(root, "include", name))
    declared = {}
    for path in sorted(precompiled):
        for name in types_of(path):
            if TWO_WORDS.fullmatch(name):
                declared.setdefault(name, os.path.relpath(path, root))
    words = re.compile(r"(?<![\w.>])(?:" + "|".join(sorted(declared)) + r")\b")
    count, problems = 0, []
    for path in (p for base in ("lib", "tools", "test") for p in files_below(os.path.join(root, base), ".cpp")):
        count += 1
        used = set(words.findall(NO_CODE.sub("", text_of(path))))
        if used:
            used -= {a or b for a, b in ELSEWHERE.findall(text_of(path))}
            used -= set().union(*(types_of(p) for p in closure(root, path)))
        for name in sorted(used):
            problems.append(f"{os.path.relpath(path, root)}: includes nothing that declares '{name}', as {declared[name]} does")
    return count, len(declared), problems


def main():
    count, types, problems = check(os.path.abspath(sys.argv[1]))
    for problem in problems:
        print(problem)
    print(f"{count} sources, {types} types of precompiled headers, {len(problems)} missing includes")
    return 1 if problems or count == 0 or types == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
