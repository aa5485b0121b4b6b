#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests tools/dev/fit-power on boards whose powers are known, because they are made up."""

import csv
import importlib.machinery
import importlib.util
import os
import random
import sys
import tempfile
import unittest
import unittest.mock

sys.dont_write_bytecode = True
PATH = os.path.join(os.path.dirname(__file__), "..", "..", "tools", "dev", "fit-power")
LOADER = importlib.machinery.SourceFileLoader("fit_power", PATH)
TESTED = importlib.util.module_from_spec(importlib.util.spec_from_loader("fit_power", LOADER))
LOADER.exec_module(TESTED)


def device(name="v100", sms=80, tdp=250, idle=25):
    numbers = {
        "limits": {"sms": sms},
        "pipes": {"schedulers": 4, "fp32": 64, "int": 64, "fp64": 32, "sfu": 16},
        "clocks": {"boost": 1380, "memory": 877},
        "memory": {"bandwidth": 898, "l2_to_sm": 32},
        "power": {"tdp": tdp, "idle": idle},
    }
    entry = {section: {key: {"value": v} for key, v in values.items()} for section, values in numbers.items()}
    return TESTED.Device({"name": name, **entry})


def made_up_rows(board, powers, voltage):
    """Kernels of random rates at five clocks, and what they draw."""
    numbers = random.Random(1)
    rows = []
    for kernel in range(40):
        rates = {unit: numbers.random() for unit in TESTED.UNITS}
        for core in (600, 800, 1000, 1200, 1380):
            for memory in (700, 877):
                row = TESTED.Row(board, f"kernel{kernel:02}", 0, core, memory, 1, rates)
                row.watts = sum(a * b for a, b in zip(row.terms(voltage), powers))
                row.held_out = kernel % 4 == 1
                rows.append(row)
    return rows


class FitPower(unittest.TestCase):
    @unittest.mock.patch.object(TESTED, "PULL", 1e-9)
    def test_finds_the_powers_that_made_the_rows(self):
        board = device()
        # Neither what is expected nor in proportion to it, and one unit draws nothing.
        powers = [board.expected(name) * factor for name, factor in zip(TESTED.NAMES, [1, 2, 0.5, 3, 1, 0, 2, 1, 0.5, 1, 2])]
        rows = made_up_rows(board, powers, (0.75, 0.5))
        fitted, held_out = [row for row in rows if not row.held_out], [row for row in rows if row.held_out]
        fit = TESTED.fit_device(fitted, TESTED.VOLTAGES)
        self.assertEqual(fit.voltage, (0.75, 0.5))
        self.assertLess(fit.error(held_out), 0.01)
        for name, got, made in zip(TESTED.NAMES, fit.powers, powers):
            self.assertAlmostEqual(got, made, delta=0.1 * board.expected(name), msg=name)

    def test_leaves_a_unit_that_no_row_uses_as_expected(self):
        board = device()
        powers = [2 * board.expected(name) for name in TESTED.NAMES]
        rows = made_up_rows(board, powers, (0.6, 0))
        for row in rows:
            row.rates["shared"] = 0
            row.watts = sum(a * b for a, b in zip(row.terms((0.6, 0)), powers))
        fit = TESTED.fit_device(rows, [(0.6, 0)])
        self.assertAlmostEqual(fit.powers[TESTED.NAMES.index("shared")], board.expected("shared"), places=6)

    def test_scales_by_what_the_limit_leaves(self):
        fit = TESTED.Fit((0.75, 0.5), [10.0, 20.0])
        other = TESTED.scaled(fit, device(tdp=250, idle=50), device(tdp=450, idle=50))
        self.assertEqual(other.powers, [20.0, 40.0])
        self.assertEqual(other.voltage, fit.voltage)

    def test_counts_accesses_by_the_counters(self):
        columns = {
            "app": "vectorAdd", "device": "Tesla V100", "core_mhz": "690", "mem_mhz": "877", "grid": "100x2x1",
            "block": "48x1x1", "time_ms": "2", "power_w": "125", "inst_per_warp": "50", "l2_rd_trans": "300",
            "l2_wr_trans": "100", "dram_rd_trans": "8000", "dram_wr_trans": "0", "shld_trans": "10", "shst_trans": "6",
            "flop_sp": "6400", "flop_dp": "0", "inst_int": "320", "clock_suspect": "0", "set": "",
        }  # fmt: skip
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, "nvdvfs_real.csv"), "w", newline="", encoding="utf-8") as file:
                writer = csv.DictWriter(file, columns)
                writer.writeheader()
                writer.writerows([columns, {**columns, "clock_suspect": "1"}, {**columns, "device": "Tesla K40"}])
            (row,) = TESTED.read_dvfs(folder, {"v100": device()})
        slots = 2e-3 * 690e6 * 80 * 4
        self.assertEqual((row.watts, row.clock, row.busy), (100, 0.5, 1))
        self.assertAlmostEqual(row.rates["fds"], 50 * 400 / slots)  # two warps a block
        self.assertAlmostEqual(row.rates["fp"], 100 / slots / 0.5)
        self.assertAlmostEqual(row.rates["int"], 10 / slots / 0.5)
        self.assertAlmostEqual(row.rates["shared"], 16 / slots * 4)
        # 256000 bytes in 2 ms of 898 GB/s at the boost clock; at half of it a cycle brings twice as much.
        self.assertAlmostEqual(row.rates["global"], 256000 / 2e-3 / 898e9 * 2)

    def test_says_what_is_missing(self):
        with tempfile.TemporaryDirectory() as folder:
            sys.argv = ["fit-power", folder]
            self.assertEqual(TESTED.main(), 2)


if __name__ == "__main__":
    unittest.main()
