# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The examples of docs/guide/Python*.md run and print what the pages show.

The ```python blocks of a page run in order in one namespace, in a copy of docs/examples. If the block that follows one is ```text, that is what it
prints, to the byte; a line `...` stands for any lines. A page that needs packages names them: `<!-- needs: triton, numpy -->`; without them it is
skipped by name. PTXPREDICT_UPDATE_PAGES=1 writes what is printed into the pages.
"""

import glob
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(HERE)))
PAGES = sorted(glob.glob(os.path.join(ROOT, "docs", "guide", "Python*.md")))
FENCE = re.compile(r"^```(\w+)[^\n]*\n(.*?)^```$", re.MULTILINE | re.DOTALL)


class Block:
    """A block of Python in a page, and the span of the text that follows it, if one does."""

    def __init__(self, page, match, shown):
        self.line = page.count("\n", 0, match.start(2))
        self.text = match[2]
        self.shown = shown


def blocks_of(page):
    """All blocks of Python."""
    found = list(FENCE.finditer(page))
    pairs = zip(found, [*found[1:], None])
    return [Block(page, match, after if after is not None and after[1] == "text" else None) for match, after in pairs if match[1] == "python"]


def needs_of(page):
    """Packages that the page needs."""
    match = re.search(r"<!-- needs: (.*?) -->", page)
    return re.split(r",\s*", match[1]) if match else []


def agrees(shown, printed):
    """Whether this is what was printed."""
    pattern = "".join("(?:.*\n)*?" if line == "...\n" else re.escape(line) for line in shown.splitlines(keepends=True))
    return re.fullmatch(pattern, printed) is not None


def run(name, blocks):
    """What each block printed, and the message of a run that failed."""
    with tempfile.TemporaryDirectory() as folder:
        examples = os.path.join(folder, "examples")
        shutil.copytree(os.path.join(ROOT, "docs", "examples"), examples)
        path = os.path.join(folder, "blocks.json")
        with open(path, "w", encoding="utf-8") as file:
            json.dump([[name, block.line, block.text] for block in blocks], file)
        done = subprocess.run([sys.executable, os.path.join(HERE, "page.py"), path], cwd=examples, capture_output=True, encoding="utf-8", check=False)
        if done.returncode:
            return [], done.stderr
        with open(path, encoding="utf-8") as file:
            return json.load(file), ""


class ExamplesTest(unittest.TestCase):
    """One test for each page."""

    maxDiff = None

    def check(self, path):
        """Runs a page."""
        with open(path, encoding="utf-8") as file:
            page = file.read()
        for package in needs_of(page):
            spec = importlib.util.find_spec(package)
            if spec is None or spec.origin is None:  # the folder of a topic here
                self.skipTest(f"{package} is not installed")
        blocks = blocks_of(page)
        self.assertTrue(blocks, "a page without examples")
        printed, problem = run(os.path.basename(path), blocks)
        if problem:
            self.fail("\n".join([problem.strip().splitlines()[-1], problem]))
        wrong = [(block, text) for block, text in zip(blocks, printed) if not agrees(block.shown[2] if block.shown else "", text)]
        if os.environ.get("PTXPREDICT_UPDATE_PAGES") == "1":
            for block, text in reversed(wrong):
                if block.shown:
                    page = page[: block.shown.start(2)] + text + page[block.shown.end(2) :]
            with open(path, "w", encoding="utf-8") as file:
                file.write(page)
        for block, text in wrong:
            self.assertEqual(block.shown[2] if block.shown else "", text, f"{os.path.basename(path)}:{block.line + 1}")

    def test_there_are_pages(self):
        self.assertIn("Python.md", [os.path.basename(path) for path in PAGES])

    def test_reader(self):
        """What the other tests rest on."""
        page = "<!-- needs: a, b -->\n```python\nprint(1)\n```\nprints\n```text\n1\n```\n\n```python\nx = 1\n```\n```console\n$ ls\n```\n```text\n2\n```\n"
        first, second = blocks_of(page)
        self.assertEqual((first.text, first.line, first.shown[2]), ("print(1)\n", 2, "1\n"))
        self.assertEqual((second.text, second.shown), ("x = 1\n", None))
        self.assertEqual(needs_of(page), ["a", "b"])
        self.assertTrue(agrees("a\n...\nb\n", "a\n1\n2\nb\n"))
        self.assertFalse(agrees("a\n...\nb\n", "a\n1\n2\n"))
        self.assertFalse(agrees("a.c\n", "abc\n"))
        self.assertEqual(run("x.md", [first])[0], ["1\n"])
        broken = blocks_of("```python\n1 / 0\n```\n")
        self.assertIn('File "x.md", line 2', run("x.md", broken)[1])


def _test(path):
    return lambda self: self.check(path)


for _path in PAGES:
    setattr(ExamplesTest, f"test_{os.path.splitext(os.path.basename(_path))[0]}", _test(_path))


if __name__ == "__main__":
    unittest.main()
