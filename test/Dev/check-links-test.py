#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests of check-links.py."""

import os
import subprocess
import sys
import tempfile
import unittest

SCRIPT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "check-links.py")


def run(pages):
    """Exit code and output for a tree of these pages."""
    with tempfile.TemporaryDirectory() as root:
        for name, text in pages.items():
            path = os.path.join(root, name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
        os.makedirs(os.path.join(root, "docs"), exist_ok=True)
        done = subprocess.run([sys.executable, SCRIPT, root], capture_output=True, encoding="utf-8", check=False)
        return done.returncode, done.stdout + done.stderr


class CheckLinks(unittest.TestCase):
    def test_takes_pages_folders_headings_and_other_sites(self):
        pages = {
            "README.md": "[a](docs/a/Page.md) [b](docs) [c](https://example.org/x#y)\n",
            "docs/a/Page.md": "# Of `x`, and [y](../b/Other.md#same-1)\n[z](#of-x-and-y)\n",
            "docs/b/Other.md": "## Same\n## Same\n```\n[no](link.md)\n```\n",
        }
        self.assertEqual(run(pages), (0, ""))

    def test_refuses_a_page_that_is_not_there(self):
        code, output = run({"docs/a/Page.md": "one\n[x](Gone.md)\n"})
        self.assertEqual((code, output), (1, "docs/a/Page.md:2: 'Gone.md' does not exist\n"))

    def test_refuses_a_heading_that_is_not_there(self):
        code, output = run({"README.md": "[x](docs/Page.md#gone)\n", "docs/Page.md": "# Here\n"})
        self.assertEqual((code, output), (1, "README.md:1: 'docs/Page.md#gone' has no such heading\n"))

    def test_takes_sources_by_any_end_of_their_path(self):
        pages = {
            "README.md": "`lib/Graph/CFG.cpp`, `Graph/CFG.cpp`, `CFG.cpp`, `NAME.cpp`, `llvm/IR/Core.h`\n",
            "lib/Graph/CFG.cpp": "",
        }
        self.assertEqual(run(pages), (0, ""))

    def test_refuses_a_source_that_is_not_there(self):
        code, output = run({"README.md": "see `Graph/Cfg.h`\n", "lib/Graph/CFG.cpp": ""})
        self.assertEqual((code, output), (1, "README.md:1: the source 'Graph/Cfg.h' does not exist\n"))


if __name__ == "__main__":
    unittest.main()
