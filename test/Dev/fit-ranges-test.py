#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests tools/dev/fit-ranges on tables that are made up."""

import importlib.machinery
import importlib.util
import io
import math
import os
import sys
import unittest

sys.dont_write_bytecode = True
PATH = os.path.join(os.path.dirname(__file__), "..", "..", "tools", "dev", "fit-ranges")
LOADER = importlib.machinery.SourceFileLoader("fit_ranges", PATH)
TESTED = importlib.util.module_from_spec(importlib.util.spec_from_loader("fit_ranges", LOADER))
LOADER.exec_module(TESTED)

HEAD = (
    "dataset,kernel,device,kind,apart,model,measured_us,time_us,time_us_low,time_us_high,Share_dram,Share_latency\n"
)
FACTORS = [math.log(2), math.log(1.5), math.log(3)]


def table(rows):
    return io.StringIO(HEAD + "".join(",".join(str(cell) for cell in row) + "\n" for row in rows))


def row(kernel, measured, dram=0, latency=0, low=50, high=200, kind="scan"):
    return ("d", kernel, "v100", kind, "", "bottleneck", measured, 100, low, high, dram, latency)


class FitRangesTest(unittest.TestCase):
    def test_parameters_are_those_of_the_program(self):
        with open(TESTED.PARAMETERS, encoding="utf-8") as file:
            found = TESTED.parameters(file.read())
        self.assertEqual(len(found), 3)
        for factor in found:
            self.assertGreater(factor, 0)
            self.assertLess(factor, 1)

    def test_rows_lie_beyond_the_ends_of_counts(self):
        # Bounds from 50 to 200 are the factor 2 alone; from 25 to 200 the low end of the counts is 50.
        rows, kinds, groups = TESTED.read(
            table(
                [
                    row("a", 120),
                    row("a", 40, low=25),
                    row("b", 70, low=25),
                    row("b", 100, high=""),
                    ("d", "a", "v100", "scan", "why", "bottleneck", 1, 1, 1, 1, 0, 0),
                    ("d", "a", "v100", "scan", "", "roofline", 1, 1, "", "", "", ""),
                ]
            ),
            FACTORS,
        )
        self.assertEqual(kinds, {"scan": 4})
        self.assertEqual(groups, {TESTED.DEFAULTS: FACTORS})
        for got, want in zip(rows, (math.log(1.2), math.log(50 / 40), 0.0)):
            self.assertAlmostEqual(got.beyond, want)
        self.assertEqual([got.weight for got in rows], [0.5, 0.5, 1])

    def test_four_of_five_are_held(self):
        # Of each share alone: what lies beyond is one to ten hundredths, twice that and thrice.
        made = []
        for number in range(1, 11):
            for times, (dram, latency) in ((1, (0, 0)), (2, (1, 0)), (3, (0, 1))):
                ends = 100 * math.exp(TESTED.width(FACTORS, (1 - dram - latency, dram, latency)))
                error = 100 * math.exp(times * number / 100)
                made.append(row(f"k{number}", error, dram, latency, 10000 / ends, ends))
        rows, kinds, groups = TESTED.read(table(made), FACTORS)
        fitted = TESTED.fit(rows, FACTORS)
        for got, times in zip(fitted, (1, 2, 3)):
            self.assertGreaterEqual(got, times * 0.0795)
            self.assertLessEqual(got, times * 0.0905)
        lines = TESTED.report(rows, kinds, groups)
        self.assertEqual(lines[2][:40], "| `error_factor` | all others | 2.00 | 1")
        self.assertRegex(lines[-1], r"\| all \| 30 \| 100.0 % \| 100.0 % \| (80|90)\.0 % \| [789]\d\.\d % \|")

    def test_devices_with_own_factors_are_fitted_apart(self):
        own = [math.log(4)] * 3
        made = table([row("a", 150, low=10, high=1000), row("b", 390, low=10, high=1000)])
        rows, _, groups = TESTED.read(made, FACTORS, lambda device: ("sm-00", own) if device == "v100" else None)
        self.assertEqual(groups, {TESTED.DEFAULTS: FACTORS, "sm-00": own})
        # The counts alone leave 250.
        for got, want in zip(rows, (0.0, math.log(390 / 250))):
            self.assertAlmostEqual(got.beyond, want)
        lines = TESTED.report(rows, {"scan": 2}, groups)
        self.assertEqual(lines[2][:35], "| `error_factor` | sm-00 | 4.00 | 1")

    def test_factors_of_devices_stand_in_their_files(self):
        self.assertIsNone(TESTED.own_factors("v100"))
        self.assertIsNone(TESTED.own_factors("none"))


if __name__ == "__main__":
    unittest.main()
