#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""check-own-includes.py ROOT [LLVM]: refuses a source that names what none of its own includes declares.

Builds with precompiled headers and unity sources cannot tell, but others fail. A source that names a type or a function which a header
of ROOT, or of llvm/ADT and llvm/Support in the folder LLVM, declares must include one that has the name, itself or through others.
`tools/dev/test --label plain` compiles each source by itself and finds the rest. Exit 0: all is well; 1: missing includes, one a line, as
FILE: TEXT.
"""

import functools
import os
import re
import sys

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*["<]([^">]+)[">]', re.MULTILINE)
# What a header declares. Of one word, a type's name may as well be that of a variable, and a function's that of a member.
TYPE = re.compile(r"^(?:template <[^>]*> )?(?:struct|class|enum|enum class|union) ([A-Z][a-z0-9]*[A-Z]\w*)(?: final)?(?: ?:[^:;{]*)?\s*\{"
                  r"|^using ([A-Z][a-z0-9]*[A-Z]\w*) =", re.MULTILINE)
FUNCTION = re.compile(r"^(?!using|return|else|class|struct|#|//|\s)[\w:<>,&* \[\]]*?[\w>&*\]][ \n][&*]*([a-z]\w*[A-Z]\w*)\(", re.MULTILINE)
# A source's own: a type, a forward declaration, a variable, an array, a suite of tests; and a function, behind its type or first in its line.
ELSEWHERE = re.compile(r"(?:\b(?:struct|class|enum|union|using|typename)(?: alignas\(\w+\))?|\b\w+[&*]*|>[&*]*) [&*]*([A-Z]\w*)(?=\s*[;={:,)\[])"
                       r"|\bTEST(?:_F|_P)?\(([A-Z]\w*)"
                       r"|(?:^|(?!return|else|case|co_return)\b[\w:]+[>&*]* [&*]*)([a-z]\w*)\(", re.MULTILINE)
NO_CODE = re.compile(r'//.*|R"(\w*)\([\s\S]*?\)\1"|"(?:[^"\\\n]|\\.)*"')
WORD = re.compile(r"(?<![\w.>:])[A-Za-z]\w*(?![\w:])|(?<![\w.>:])[A-Z]\w*(?=::)|(?<=llvm::)\w+")
OF_LLVM = ("llvm/ADT", "llvm/Support")


@functools.lru_cache(maxsize=None)
def text_of(path):
    with open(path, encoding="utf-8", errors="replace") as file:
        return file.read()


@functools.lru_cache(maxsize=None)
def words_of(path):
    return frozenset(re.findall(r"[A-Za-z]\w*", text_of(path)))


class Tree:
    """The sources and headers of the project, and LLVM's headers that they may include."""

    def __init__(self, root, llvm):
        self.root, self.llvm = root, llvm
        #: The paths of headers, by the last part of the name.
        self.headers = {}
        #: What a header declares: the first that does.
        self.declared = {}
        for base in ("include", "lib", "tools", "test"):
            for path in files_below(os.path.join(root, base), (".h", ".inc", ".def")):
                self.headers.setdefault(os.path.basename(path), []).append(path)
                self.declare(path, os.path.relpath(path, root))
        for folder in OF_LLVM if llvm else ():
            for path in files_below(os.path.join(llvm, folder), (".h",)):
                self.declare(path, os.path.relpath(path, llvm))
        self.closures = {}

    def declare(self, path, name):
        for word in declared_in(path):
            self.declared.setdefault(word, name)

    def included(self, path):
        """The headers that a file may include: of the project all whose paths end so, as targets know folders of their own."""
        for name in INCLUDE.findall(text_of(path)):
            if self.llvm and os.path.exists(os.path.join(self.llvm, name)):
                yield os.path.join(self.llvm, name)
            yield from (there for there in self.headers.get(os.path.basename(name), []) if there.endswith("/" + name.replace("../", "")))

    def closure(self, path):
        """The file and all that it includes."""
        seen, left = set(), [path]
        while left:
            path = left.pop()
            if path not in seen:
                seen.add(path)
                if path not in self.closures:
                    self.closures[path] = list(self.included(path))
                left.extend(self.closures[path])
        return seen

    def missing(self, path):
        """The names in a source that nothing which it includes has."""
        text = text_of(path)
        used = set(WORD.findall(NO_CODE.sub("", text))) & self.declared.keys()
        if not used:
            return []
        used -= {name for names in ELSEWHERE.findall(text) for name in names} | declared_in(path)
        for other in self.closure(path) - {path}:
            used -= words_of(other)
        return sorted(used)


@functools.lru_cache(maxsize=None)
def declared_in(path):
    text = text_of(path)
    return {a or b for a, b in TYPE.findall(text)} | set(FUNCTION.findall(text))


def files_below(folder, suffixes):
    for where, folders, files in os.walk(folder):
        folders.sort()
        yield from (os.path.join(where, file) for file in sorted(files) if file.endswith(suffixes))


def main():
    root, llvm = os.path.abspath(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else None
    tree, count, problems = Tree(root, llvm), 0, []
    for path in (p for base in ("lib", "tools", "test") for p in files_below(os.path.join(root, base), (".cpp",))):
        count += 1
        for name in tree.missing(path):
            problems.append(f"{os.path.relpath(path, root)}: includes nothing that declares '{name}', as {tree.declared[name]} does")
    for problem in problems:
        print(problem)
    print(f"{count} sources, {len(tree.declared)} names of headers, {len(problems)} missing includes")
    return 1 if problems or count == 0 or not tree.declared else 0


if __name__ == "__main__":
    sys.exit(main())
