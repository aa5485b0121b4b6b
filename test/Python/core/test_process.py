# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs of ptx-predict-ir as a process, with a stand-in for it: what it is called with, and how its messages are read."""

import json
import os
import stat
import sys
import tempfile
import unittest

from ptx_predict import _process
from ptx_predict._code import Code

#: Prints its arguments and the files among them as JSON, and writes some messages.
PROGRAM = """#!{python}
import json, os, sys
files = [a for a in sys.argv[1:] if os.path.isfile(a)]
print(json.dumps({{"arguments": sys.argv[1:], "texts": [open(f).read() for f in files]}}))
for f in files:
    sys.stderr.write(f + ":3:9: error: no good\\n  the line\\n    ^\\n")
    sys.stderr.write(f + ": warning: all of it\\n")
sys.stderr.write("ptx-predict: error: --grid: no\\n")
sys.exit(2)
"""


class ProcessTest(unittest.TestCase):
    """A program of our own."""

    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = holder.name
        self.program = os.path.join(self.folder, "ptx-predict-ir")
        with open(self.program, "w", encoding="utf-8") as file:
            file.write(PROGRAM.format(python=sys.executable))
        os.chmod(self.program, os.stat(self.program).st_mode | stat.S_IXUSR)

    def test_arguments(self):
        options = [("format", "json"), ("grid", "64,64"), ("quiet", None), ("j", "1"), ("--", "-nocudainc"), ("--", "-DX=1")]
        outcome = _process.run(self.program, "predict", options, ["nothing.cu"], {})
        found = json.loads(outcome.output)["arguments"]
        self.assertEqual(found, ["--format=json", "--grid=64,64", "--quiet", "-j", "1", "nothing.cu", "--", "-nocudainc", "-DX=1"])
        found = json.loads(_process.run(self.program, "lint", [], [], {}).output)["arguments"]
        self.assertEqual(found, ["lint"])

    def test_texts_and_messages(self):
        """Files for texts are there while it runs, under paths that no answer shows."""
        codes = [Code("first", "a/same.ll"), Code("second", "../same.ll")]
        outcome = _process.run(self.program, "predict", [("format", "json"), ("launch", "l.yaml")], codes, {"l.yaml": b"third"})
        found = json.loads(outcome.output)
        self.assertEqual(found["arguments"], ["--format=json", "--launch=l.yaml", "a/same.ll", "../same.ll"])
        self.assertEqual(found["texts"], ["first", "second"])
        self.assertEqual(outcome.code, 2)
        self.assertEqual(
            [(m.severity, m.path, m.line, m.column, m.text, m.shown) for m in outcome.messages],
            [
                ("error", "a/same.ll", 3, 9, "no good", "a/same.ll:3:9: error: no good\n  the line\n    ^\n"),
                ("warning", "a/same.ll", 0, 0, "all of it", "a/same.ll: warning: all of it\n"),
                ("error", "../same.ll", 3, 9, "no good", "../same.ll:3:9: error: no good\n  the line\n    ^\n"),
                ("warning", "../same.ll", 0, 0, "all of it", "../same.ll: warning: all of it\n"),
                ("error", "", 0, 0, "--grid: no", "ptx-predict: error: --grid: no\n"),
            ],
        )

    def test_names_that_json_quotes(self):
        outcome = _process.run(self.program, "predict", [("format", "json")], [Code("x", 'a "b".ll')], {})
        self.assertEqual(json.loads(outcome.output)["arguments"][-1], 'a "b".ll')

    def test_where_it_is_found(self):
        self.assertEqual(_process.find("ptx-predict-ir", ["/nothing", self.folder]), self.program)
        before = os.environ["PATH"]
        os.environ["PATH"] = self.folder
        try:
            self.assertEqual(_process.find("ptx-predict-ir", []), self.program)
            self.assertIsNone(_process.find("ptx-predict-nothing", []))
        finally:
            os.environ["PATH"] = before


if __name__ == "__main__":
    unittest.main()
