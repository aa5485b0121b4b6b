#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""machine-code-tools-test.py BIN INPUTS: tests tools/dev/check-sass, check-scoreboards and learn-sass.

The disassembler is a program of the test's own that shows what ptx-predict prints, in the form that the tools read, once as
it is and once with one instruction changed.
"""

import os
import stat
import subprocess
import sys
import tempfile
import unittest

TOOLS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "tools", "dev")

DISASSEMBLER = """#!%s
import json, subprocess, sys
listed = json.loads(subprocess.run([%r, sys.argv[-1], "--dump=sass", "--format=json"], stdout=subprocess.PIPE).stdout)
for function in listed["files"][0]["functions"]:
    print("\\t.section\\t.text." + function["name"] + ",\\"ax\\",@progbits")
    for i in function["instructions"]:
        text = i["text"].replace(%r, %r)
        low, high = i["encoding"][16:], i["encoding"][:16]
        print("        /*%%04x*/    %%s ;%%s" %% (i["address"], text, "   /* 0x" + low + " */" if "-hex" in sys.argv else ""))
        if "-hex" in sys.argv:
            print("                         /* 0x" + high + " */")
"""

# What is not awaited any more.
HASTY = """#!%s
import json, subprocess, sys
listed = json.loads(subprocess.run([%r] + sys.argv[1:], stdout=subprocess.PIPE).stdout)
for function in listed["files"][0]["functions"]:
    for i in function["instructions"]:
        i.pop("waits", None)
print(json.dumps(listed))
"""


def program(path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    os.chmod(path, stat.S_IRWXU)
    return path


def run(tool, *arguments):
    ran = subprocess.run([sys.executable, os.path.join(TOOLS, tool), *arguments], capture_output=True, text=True, check=False)
    return ran.returncode, ran.stdout + ran.stderr


class Tools(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.cubin = os.path.join(INPUTS, "two-90.cubin")

    def disassembler(self, old="", new=""):
        tested = os.path.join(BIN, "ptx-predict")
        return "--nvdisasm=" + program(
            os.path.join(self.folder.name, "disassembler"), DISASSEMBLER % (sys.executable, tested, old, new)
        )

    def test_texts_that_agree(self):
        for name in ("two-75.cubin", "two-90.cubin", "lines-80.cubin"):
            code, text = run("check-sass", "--bin=" + BIN, self.disassembler(), os.path.join(INPUTS, name))
            self.assertEqual(code, 0, text)
            self.assertRegex(text, r"\| sm_\d+ \| [1-9]\d+ \| 100.000 % \| 0 \| 0 \|")

    def test_a_text_that_does_not(self):
        code, text = run("check-sass", "--bin=" + BIN, self.disassembler("S2R R5", "S2R R6"), self.cubin)
        self.assertEqual(code, 1, text)
        self.assertIn("S2R R6, SR_CTAID.X", text)
        self.assertRegex(text, r"\| sm_90 \| \d+ \| 9\d\.\d+ % \| 1 \| 0 \|")

    def test_scoreboards(self):
        code, text = run("check-scoreboards", "--bin=" + BIN, self.cubin)
        self.assertEqual(code, 0, text)
        self.assertRegex(text, r"two-90.cubin \| [1-9]\d* \| \d+ \| 0 \| 0 \| 0 \|")

    def test_a_result_that_nobody_awaits(self):
        program(os.path.join(self.folder.name, "ptx-predict"), HASTY % (sys.executable, os.path.join(BIN, "ptx-predict")))
        code, text = run("check-scoreboards", "--bin=" + self.folder.name, self.cubin)
        self.assertEqual(code, 1, text)
        self.assertRegex(text, r"two-90.cubin \| \d+ \| \d+ \| [1-9]\d* \|")

    def test_a_row_for_what_is_printed_otherwise(self):
        code, text = run("learn-sass", "--bin=" + BIN, self.disassembler("ULEA", "UNEW"), self.cubin)
        self.assertEqual(code, 1, text)
        self.assertIn("SASS_OPERATION(0x091, \"1\"", text)
        self.assertNotIn("S2R", text)


if __name__ == "__main__":
    BIN, INPUTS = sys.argv[1:3]
    unittest.main(argv=sys.argv[:1])
