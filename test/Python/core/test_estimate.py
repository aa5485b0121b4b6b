# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Estimates calculate as floats and print as the command's reports do."""

import copy
import json
import math
import pickle
import re
import unittest

import ptx_predict as pp
import support
from ptx_predict import units


class EstimateTest(unittest.TestCase):
    """A number with its status, bounds and key."""

    def test_numbers(self):
        time = pp.Estimate(9.5, "estimated", 8.0, 12.0, "time_us")
        self.assertEqual((time.value, float(time), time.low, time.high, time.status, time.unit), (9.5, 9.5, 8.0, 12.0, "estimated", "us"))
        self.assertEqual(time * 2, 19.0)
        self.assertIs(type(time * 2), float)
        self.assertLess(time, pp.Estimate(10))
        self.assertEqual(sorted([pp.Estimate(3), time, 1])[0], 1)
        self.assertEqual(json.dumps(time), "9.5")
        known = pp.Estimate(4)
        self.assertEqual((known.low, known.high, known.status), (4.0, 4.0, "known"))
        with self.assertRaisesRegex(ValueError, "a status is one of known, estimated, assumed, unknown; not 'sure'"):
            pp.Estimate(4, "sure")

    def test_texts(self):
        time = pp.Estimate(9.5, "estimated", 8.0, 12.0, "time_us")
        self.assertEqual(str(time), "9.5 us~")
        self.assertEqual(f"{time}", "9.5 us~")
        self.assertEqual(f"{time:.2f}", "9.50")
        self.assertEqual(repr(time), "Estimate(9.5, 'estimated', low=8.0, high=12.0)")
        self.assertEqual(str(pp.Estimate(32)), "32")
        self.assertEqual(repr(pp.Estimate(32)), "Estimate(32.0, 'known')")
        self.assertEqual(str(pp.Estimate(5, "assumed", 1, 64, "trip_count")), "5?")
        self.assertEqual(str(pp.Estimate(1, "unknown", 0, math.inf, "spill_bytes")), "1 B!")

    def test_infinite_values_are_null_in_json(self):
        endless = pp.Estimate.of({"value": None, "status": "unknown", "low": 3, "high": None}, "time_us")
        self.assertEqual((endless.value, endless.low, endless.high), (math.inf, 3, math.inf))
        self.assertEqual(str(endless), "- s!")
        self.assertEqual(pp.Estimate.of({"value": 3, "status": "assumed", "low": None, "high": 4}).low, -math.inf)

    def test_copies(self):
        time = pp.Estimate(9.5, "estimated", 8.0, 12.0, "time_us")
        for other in (pickle.loads(pickle.dumps(time)), copy.deepcopy(time)):
            self.assertEqual((other, other.low, other.high, other.status, other.key), (9.5, 8.0, 12.0, "estimated", "time_us"))


class UnitsTest(unittest.TestCase):
    """Numbers with their units, as the command prints them."""

    def test_units(self):
        for key, unit in (
            ("time_us", "us"),
            ("energy_j", "J"),
            ("power_w", "W"),
            ("core_mhz", "MHz"),
            ("static_shared_bytes", "B"),
            ("bytes", "B"),
            ("seconds", ""),
            ("registers", ""),
            ("s", ""),
            ("idle_c", "C"),
        ):
            self.assertEqual(units.unit(key), unit, key)

    def test_digits(self):
        for value, text in (
            (0.0, "0"),
            (12.345678, "12.35"),
            (24301, "24301"),
            (24301.7, "24300"),
            (999999999.0, "999999999"),
            (0.5, "0.5"),
            (0.000123456, "0.0001235"),
            (-3.25, "-3.25"),
            (math.nan, "-"),
            (math.inf, "-"),
        ):
            self.assertEqual(units.digits(value), text, value)

    def test_scales(self):
        for value, key, text in (
            (9.6, "time_us", "9.6 us"),
            (999.94, "time_us", "999.9 us"),
            (1000, "time_us", "1 ms"),
            (12345.6, "time_us", "12.35 ms"),
            (999999, "time_us", "1000 ms"),
            (2.5e6, "time_us", "2.5 s"),
            (0.001, "energy_j", "1 mJ"),
            (0.0123456, "energy_j", "12.35 mJ"),
            (12e-6, "energy_j", "12 uJ"),
            (5.5, "energy_j", "5.5 J"),
            (400.04, "power_w", "400 W"),
            (1980, "core_mhz", "1980 MHz"),
        ):
            self.assertEqual(units.show(value, key), text, (value, key))

    def test_as_the_command_prints_a_ranking(self):
        """Times and energies of five launches, from 54 us to 0.5 ms."""
        with support.Folder():
            lines = support.command("rank", "reduce-shapes.yaml", "--device=a100-80gb").decode().splitlines()
            table = pp.rank("reduce-shapes.yaml", device="a100-80gb")
        printed = [match.groups() for line in lines if (match := re.match(r" *\d+ +=? +(\d[\d.]* \w+) +(\d[\d.]* \w+) ", line))]
        shown = [(units.show(row["time_us"], "time_us"), units.show(row["energy_j"], "energy_j")) for row in table]
        self.assertEqual(len(printed), 5)
        self.assertEqual(shown, printed)


if __name__ == "__main__":
    unittest.main()
