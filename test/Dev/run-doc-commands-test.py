#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Feeds run-doc-commands.py documents that are right and wrong, with a stand-in for the command."""

import os
import shutil
import subprocess
import sys
import tempfile
import textwrap
import unittest

SCRIPT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "run-doc-commands.py")
STAND_IN = """#!/bin/sh
[ "$1" = fail ] && { echo "error: no" >&2; exit 2; }
[ "$1" = write ] && { echo written >out.txt; exit 0; }
for word; do echo "$word"; done
"""


class Documents(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = folder.name
        self.document = os.path.join(self.root, "docs", "Page.md")
        os.makedirs(os.path.join(self.root, "docs", "examples"))
        os.makedirs(os.path.join(self.root, "bin"))
        tool = os.path.join(self.root, "bin", "ptx-predict")
        with open(tool, "w", encoding="utf-8") as file:
            file.write(STAND_IN)
        os.chmod(tool, 0o755)

    def run_on(self, text, *options):
        with open(self.document, "w", encoding="utf-8") as file:
            file.write(textwrap.dedent(text))
        command = [sys.executable, SCRIPT, "--root", self.root, "--bin", os.path.join(self.root, "bin"), *options]
        done = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
        return done.returncode, done.stdout + done.stderr

    def right(self, text):
        code, output = self.run_on(text)
        self.assertEqual(code, 0, output)

    def wrong(self, text, expected):
        code, output = self.run_on(text)
        self.assertEqual(code, 1, output)
        self.assertIn(expected, output)

    def test_output_as_shown(self):
        self.right("```console\n$ ptx-predict one two\none\ntwo\n```\n")
        self.right("```console\n$ ptx-predict one \\\n    two\none\ntwo\n$ ptx-predict x\nx\n```\n")

    def test_opencl_is_shown_without_libclc(self):
        there = any(os.path.exists(f"/usr/{folder}/clc/nvptx64--nvidiacl.bc") for folder in ("lib", "share"))
        code, output = self.run_on("```console\n$ ptx-predict x\nx\n$ ptx-predict one k.cl\ntwo\n```\n")
        self.assertEqual(code, 1 if there else 0, output)
        self.right("```console\n$ ptx-predict x\nx\n$ ptx-predict one k.cl\none\nk.cl\n```\n")

    def test_cuda_is_shown_without_toolkit(self):
        there = os.path.exists("/usr/local/cuda") or shutil.which("ptxas")
        code, output = self.run_on("```console\n$ ptx-predict x\nx\n$ ptx-predict one k.cu\ntwo\n```\n")
        self.assertEqual(code, 1 if there else 0, output)
        self.wrong("```console\n$ ptx-predict k.cu -- -nocudainc\ntwo\n```\n", "prints something else")

    def test_no_output_shown(self):
        self.right("```console\n$ ptx-predict one two\n```\n")

    def test_other_output(self):
        self.wrong("text\n```console\n$ ptx-predict one\ntwo\n```\n", "docs/Page.md:3: `ptx-predict one` prints something")
        self.wrong("```console\n$ ptx-predict one two\none\n```\n", "prints something else")

    def test_dots(self):
        self.right("```console\n$ ptx-predict a b c d\na\n...\nd\n```\n")
        self.right("```console\n$ ptx-predict a b c d\n...\nc\n...\n```\n")
        self.wrong("```console\n$ ptx-predict a b c d\n...\nx\n...\n```\n", "prints something else")
        self.wrong("```console\n$ ptx-predict a b\na\nb\n...\nb\n```\n", "prints something else")
        self.wrong("```console\n$ ptx-predict a b c\n...\nb\n```\n", "prints something else")

    def test_exit_codes(self):
        self.wrong("```console\n$ ptx-predict fail\n```\n", "exits with 2, not 0")
        self.right("```console exit=2\n$ ptx-predict fail\nerror: no\n```\n")
        self.wrong("```console exit=2\n$ ptx-predict fine\n```\n", "exits with 0, not 2")

    def test_only_known_commands_run(self):
        self.right("```console\n$ nvcc -ptx k.cu\n$ ptx-predict a\na\n```\n```sh\n$ ptx-predict fail\n```\n")
        self.wrong("```console\n$ NAME='1' ptx-predict a\nb\n```\n", "prints something else")

    def test_commands_share_a_folder_that_is_no_part_of_the_tree(self):
        self.right("```console\n$ ptx-predict write\n$ cat out.txt\nwritten\n```\n")
        self.assertEqual(os.listdir(os.path.join(self.root, "docs", "examples")), [])

    def test_nothing_run_is_no_success(self):
        self.wrong("no block\n", "0 commands run")

    def test_update(self):
        code, output = self.run_on("a\n```console\n$ ptx-predict x y\nold\n```\nb\n", "--update")
        self.assertEqual(code, 0, output)
        with open(self.document, encoding="utf-8") as file:
            self.assertEqual(file.read(), "a\n```console\n$ ptx-predict x y\nx\ny\n```\nb\n")


if __name__ == "__main__":
    unittest.main()
