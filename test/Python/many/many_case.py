# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the tests of executors have in common."""

import os
import tempfile
import unittest

import many_inputs as inputs
from ptx_predict import many


class Case(unittest.TestCase):
    def setUp(self):
        self.holder = tempfile.TemporaryDirectory()
        self.addCleanup(self.holder.cleanup)
        self.folder = self.holder.name
        self.out = self.path("rows.csv")

    def path(self, name):
        return os.path.join(self.folder, name)

    def rank(self, candidates, **keywords):
        return many.rank(candidates, device=inputs.DEVICE, out=self.out, **keywords)

    def in_one_process(self, candidates):
        """The bytes of a run without an executor."""
        out = self.path("one.csv")
        many.rank(candidates, device=inputs.DEVICE, out=out)
        return inputs.read(out)

    def assert_same(self, candidates):
        self.assertEqual(inputs.read(self.out), self.in_one_process(candidates))
