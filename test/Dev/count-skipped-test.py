#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests count-skipped.py on results as ctest, lit and GoogleTest write them."""

import os
import subprocess
import sys
import tempfile
import unittest

SCRIPT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "count-skipped.py")

CTEST = """<?xml version="1.0" encoding="UTF-8"?>
<testsuite name="Linux" tests="2" failures="0" disabled="0" skipped="1">
  <testcase name="unit.Graph" classname="unit.Graph" time="0.1" status="run"><system-out>needs no more</system-out></testcase>
  <testcase name="unit.Device.CudaOccupancy" classname="unit.Device.CudaOccupancy" time="0" status="notrun">
    <skipped message="SKIP_REGULAR_EXPRESSION_MATCHED"/>
    <system-out>needs cuda-headers
</system-out>
  </testcase>
</testsuite>
"""
MISSING = """<testsuite>
  <testcase name="unit.Graph" status="notrun"><skipped message="Unable to find executable: Graph"/></testcase>
</testsuite>
"""
LIT = """<?xml version="1.0" encoding="UTF-8"?>
<testsuites time="0.10">
<testsuite name="ptx-predict" tests="3" failures="0" skipped="2" time="0.10">
<testcase classname="ptx-predict.Tools" name="diff.test" time="0.10"/>
<testcase classname="ptx-predict.Tools" name="pre-commit.test" time="0.00">
  <skipped message="Missing required feature(s): git, pre-commit"/>
</testcase>
<testcase classname="ptx-predict.Tools" name="diff-git.test" time="0.00">
  <skipped message="Missing required feature(s): git"/>
</testcase>
</testsuite>
</testsuites>
"""
GTEST = """<?xml version="1.0" encoding="UTF-8"?>
<testsuites tests="1" failures="0" disabled="0" errors="0" time="0." name="AllTests">
  <testsuite name="ApproximationTest" tests="1" failures="0" disabled="0" skipped="1" errors="0" time="0.">
    <testcase name="Errors" status="run" result="skipped" time="0." classname="ApproximationTest">
      <skipped message="ApproximationTest.cpp:331&#x0A;%s"><![CDATA[]]></skipped>
    </testcase>
  </testsuite>
</testsuites>
"""


class CountSkippedTest(unittest.TestCase):
    def expect(self, line, **results):
        with tempfile.TemporaryDirectory() as folder:
            for name, text in results.items():
                with open(os.path.join(folder, name + ".xml"), "w", encoding="utf-8") as file:
                    file.write(text)
            done = subprocess.run(
                [sys.executable, SCRIPT, folder], check=True, stdout=subprocess.PIPE, encoding="utf-8"
            )
            self.assertEqual(line, done.stdout)

    def test_all_kinds(self):
        self.expect(
            "4 tests skipped: need cuda-headers, git, libmpfr-dev, pre-commit\n",
            ctest=CTEST,
            tools=LIT,
            emulator=GTEST % "needs libmpfr-dev",
        )

    def test_one(self):
        self.expect("1 test skipped: needs cuda-headers\n", ctest=CTEST)

    def test_no_reason(self):
        self.expect("1 test skipped: needs what Errors does not say\n", emulator=GTEST % "later")

    def test_none(self):
        self.expect("no tests skipped\n", tools='<testsuites><testcase name="a"/></testsuites>')

    def test_failures_are_no_skips(self):
        self.expect("no tests skipped\n", ctest=MISSING)

    def test_nothing_run(self):
        self.expect("")
        self.expect("", ctest="<testsuite/>")


if __name__ == "__main__":
    unittest.main()
