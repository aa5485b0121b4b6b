#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests the arithmetic of tools/dev/compare-benchmarks, on the output of Google Benchmark as it was recorded."""

import contextlib
import importlib.machinery
import importlib.util
import io
import itertools
import os
import sys
import tempfile
import unittest
import unittest.mock

sys.dont_write_bytecode = True
PATH = os.path.join(os.path.dirname(__file__), "..", "..", "tools", "dev", "compare-benchmarks")
LOADER = importlib.machinery.SourceFileLoader("compare_benchmarks", PATH)
TESTED = importlib.util.module_from_spec(importlib.util.spec_from_loader("compare_benchmarks", LOADER))
LOADER.exec_module(TESTED)

# One run, without the fields that are not read.
RECORDED = {
    "context": {"num_cpus": 2, "library_build_type": "debug"},
    "benchmarks": [
        {"name": "Lex/saxpy", "run_type": "iteration", "iterations": 7542, "real_time": 9.2706,
         "cpu_time": 9.2660, "time_unit": "us"},
        {"name": "Lex/kernels/1", "run_type": "iteration", "iterations": 8, "real_time": 8871.5,
         "cpu_time": 8868.2, "time_unit": "ns"},
        {"name": "Lex/kernels_BigO", "run_type": "aggregate", "aggregate_name": "BigO", "cpu_coefficient": 1.6,
         "real_coefficient": 1.6, "big_o": "N", "time_unit": "us"},
        {"name": "Lex/kernels_RMS", "run_type": "aggregate", "aggregate_name": "RMS", "rms": 0.01},
        {"name": "Whole/corpus/real_time", "run_type": "iteration", "iterations": 5, "real_time": 131.5,
         "cpu_time": 64.25, "time_unit": "ms"},
    ],
}


def scaled(noise, factor=1.0, name=None):
    """The recorded run with all times NOISE as long, and those of one benchmark, or all, FACTOR more."""
    run = {"benchmarks": [dict(entry) for entry in RECORDED["benchmarks"]]}
    for entry in run["benchmarks"]:
        if "cpu_time" in entry:
            times = noise * (factor if name in (None, entry["name"]) else 1)
            entry["cpu_time"] *= times
            entry["real_time"] *= times
    return run


class Times(unittest.TestCase):
    def test_iterations_alone_in_nanoseconds(self):
        times = TESTED.times(RECORDED)
        self.assertEqual(list(times), ["Lex/saxpy", "Lex/kernels/1", "Whole/corpus/real_time"])
        self.assertAlmostEqual(times["Lex/saxpy"], 9266.0)
        self.assertAlmostEqual(times["Lex/kernels/1"], 8868.2)

    def test_the_clock_on_the_wall_where_the_name_says_so(self):
        self.assertAlmostEqual(TESTED.times(RECORDED)["Whole/corpus/real_time"], 131.5e6)


class MannWhitney(unittest.TestCase):
    def test_counts_of_orders(self):
        # Against counting them one by one.
        for n, m in [(1, 1), (2, 3), (4, 4)]:
            counts = [0] * (n * m + 1)
            for places in itertools.combinations(range(n + m), n):
                counts[sum(place - i for i, place in enumerate(places))] += 1
            self.assertEqual(TESTED.ways(n, m), counts)

    def test_exact(self):
        # All of one sample below the other: 2 of the 70 orders of 4 and 4.
        self.assertAlmostEqual(TESTED.mann_whitney([1, 2, 3, 4], [5, 6, 7, 8]), 2 / 70)
        self.assertAlmostEqual(TESTED.mann_whitney([5, 6, 7, 8], [1, 2, 3, 4]), 2 / 70)
        # U = 1 of 3 and 3: 2 * (1 + 1) of 20.
        self.assertAlmostEqual(TESTED.mann_whitney([1, 2, 4], [3, 5, 6]), 0.2)
        self.assertEqual(TESTED.mann_whitney([1, 4], [2, 3]), 1.0)

    def test_ties(self):
        self.assertEqual(TESTED.mann_whitney([1, 1, 1], [1, 1, 1]), 1.0)
        # U = 2 where 8 is even; the variance is 16/12 * (9 - 12/56), so z = (6 - 0.5) / 3.4226 = 1.607.
        self.assertAlmostEqual(TESTED.mann_whitney([1, 2, 3, 4], [3, 4, 5, 6]), 0.1081, places=4)


class Compare(unittest.TestCase):
    def runs(self, factor, name=None):
        """Runs of two builds; of the second, the benchmark NAME or all take FACTOR times as long."""
        noise = [1.00, 1.01, 0.99, 1.02, 0.98, 1.005, 0.995, 1.015, 0.985]
        return [scaled(n) for n in noise], [scaled(1.0001 * n, factor, name) for n in noise]

    def test_the_same(self):
        comparisons = TESTED.compare(*self.runs(1.0))
        self.assertEqual(len(comparisons), 3)
        for c in comparisons:
            self.assertFalse(c.counts())
            self.assertEqual(c.verdict(5), "")
            self.assertLess(abs(c.change), 0.1)

    def test_one_is_slower(self):
        comparisons = {c.name: c for c in TESTED.compare(*self.runs(1.2, "Lex/saxpy"))}
        slow = comparisons["Lex/saxpy"]
        self.assertAlmostEqual(slow.change, 20.0, places=1)
        self.assertTrue(slow.is_regression(5))
        self.assertEqual(slow.verdict(5), "SLOWER")
        self.assertFalse(slow.is_regression(25))
        self.assertEqual(slow.verdict(25), "slower")
        self.assertFalse(comparisons["Lex/kernels/1"].counts())

    def test_faster_is_no_regression(self):
        for c in TESTED.compare(*self.runs(0.8)):
            self.assertEqual(c.verdict(5), "faster")
            self.assertFalse(c.is_regression(5))

    def test_what_one_build_lacks_is_left_out(self):
        a, b = self.runs(1.0)
        for run in b:
            run["benchmarks"].pop(0)
        self.assertEqual([c.name for c in TESTED.compare(a, b)], ["Lex/kernels/1", "Whole/corpus/real_time"])

    def test_table(self):
        lines = TESTED.table(TESTED.compare(*self.runs(1.2, "Lex/saxpy")), 5).split("\n")
        self.assertEqual(lines[0].split(), ["benchmark", "A", "B", "change", "p"])
        self.assertEqual(lines[1].split()[:7], ["Lex/saxpy", "9.266", "us", "11.12", "us", "+20.0", "%"])
        self.assertTrue(lines[1].endswith("SLOWER"))


class Instructions(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.builds = [os.path.join(self.folder.name, name) for name in "AB"]
        for build in self.builds:
            os.makedirs(os.path.join(build, "bin"))
            with open(os.path.join(build, "bin", "ptx-predict"), "w", encoding="utf-8") as file:
                file.write("#!/bin/bash\n")
            os.chmod(file.name, 0o755)
        self.table = os.path.join(self.folder.name, "runs.txt")
        with open(self.table, "w", encoding="utf-8") as file:
            file.write("# a comment\n1000 saxpy.ptx\n2000 'a b.ptx' --format=json\n")

    def tearDown(self):
        self.folder.cleanup()

    def counted(self, numbers):
        """The runs of the table, of which each takes what NUMBERS says by build and arguments."""
        tool = TESTED.counter()
        tool.count = lambda binary, run: numbers[os.path.relpath(binary, self.folder.name)[0], run[0]]
        with unittest.mock.patch.object(TESTED, "counter", lambda: tool):
            return TESTED.count_runs(self.builds, self.table)

    def test_both_builds(self):
        counts = self.counted({("A", "saxpy.ptx"): 1000, ("B", "saxpy.ptx"): 1060,
                               ("A", "a b.ptx"): 2000, ("B", "a b.ptx"): 1000})
        self.assertEqual([c.name for c in counts], ["saxpy.ptx", "'a b.ptx' --format=json"])
        self.assertEqual([c.is_regression(5) for c in counts], [True, False])
        self.assertEqual([c.is_regression(6.5) for c in counts], [False, False])
        lines = TESTED.counts_table(counts, 5).split("\n")
        self.assertEqual(lines[1].split(), ["saxpy.ptx", "1,000", "1,060", "+6.00", "%", "MORE"])
        self.assertEqual(lines[2].split()[-2:], ["-50.00", "%"])

    def test_a_build_without_the_program(self):
        os.remove(os.path.join(self.builds[1], "bin", "ptx-predict"))
        with self.assertRaises(SystemExit), contextlib.redirect_stderr(io.StringIO()) as said:
            TESTED.count_runs(self.builds, self.table)
        self.assertIn("build the target ptx-predict", said.getvalue())


if __name__ == "__main__":
    unittest.main()
