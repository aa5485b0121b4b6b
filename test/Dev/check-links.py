#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""check-links.py ROOT: refuses a link of a document that leads nowhere, and a source that it names and that does not exist.

Reads the Markdown files in ROOT and below ROOT/docs. A link to a place in the repository must name a file or folder, and its
anchor a heading of that page, as GitHub writes it. Links to other sites are not followed. A source in backquotes, such as
`lib/Graph/CFG.cpp` or `CFG.h`, must exist; a path may lack include/ptxpredict/. Exit 0: all is well; 1: what is wrong, one a
line, as FILE:LINE: TEXT.
"""

import os
import re
import sys

LINK = re.compile(r"\]\(([^)\s]*)\)")
# Not `NAME.cpp`, which stands for any.
SOURCE = re.compile(r"`((?:[\w-]+/)*[A-Z]\w*[a-z]\w*\.(?:h|cpp|def))`")


def anchors(path):
    """The anchors of a page's headings; those of equal headings are numbered from the second on."""
    found, times, in_code = set(), {}, False
    with open(path, encoding="utf-8") as file:
        for line in file:
            if line.startswith("```"):
                in_code = not in_code
            heading = re.match(r"#+ (.*)", line)
            if not heading or in_code:
                continue
            text = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading[1]).strip().lower()
            anchor = re.sub(r"[^\w\- ]", "", text).replace(" ", "-")
            number = times[anchor] = times.get(anchor, -1) + 1
            found.add(f"{anchor}-{number}" if number else anchor)
    return found


def documents(root):
    for file in sorted(os.listdir(root)):
        if file.endswith(".md"):
            yield os.path.join(root, file)
    for folder, folders, files in os.walk(os.path.join(root, "docs")):
        folders.sort()
        yield from (os.path.join(folder, file) for file in sorted(files) if file.endswith(".md"))


def sources(root):
    """The sources of the tree, by every end of their paths: Graph/CFG.h, CFG.h."""
    ends = set()
    for top in ["include", "lib", "test", "tools"]:
        for folder, _, files in os.walk(os.path.join(root, top)):
            for file in files:
                parts = os.path.relpath(os.path.join(folder, file), root).split(os.sep)
                ends.update("/".join(parts[i:]) for i in range(len(parts)))
    return ends


def problems(path, known):
    in_code = False
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            if line.startswith("```"):
                in_code = not in_code
            for target in [] if in_code else LINK.findall(line):
                if re.match(r"[a-z]+:", target):
                    continue
                name, _, anchor = target.partition("#")
                file_of_target = os.path.normpath(os.path.join(os.path.dirname(path), name)) if name else path
                if not os.path.exists(file_of_target):
                    yield number, f"'{target}' does not exist"
                elif anchor and (not file_of_target.endswith(".md") or anchor not in anchors(file_of_target)):
                    yield number, f"'{target}' has no such heading"
            for source in [] if in_code else SOURCE.findall(line):
                if source not in known and not source.startswith("llvm/"):
                    yield number, f"the source '{source}' does not exist"


def main():
    root = sys.argv[1]
    known = sources(root)
    bad = [(os.path.relpath(path, root), *problem) for path in documents(root) for problem in problems(path, known)]
    for name, number, text in bad:
        print(f"{name}:{number}: {text}")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
