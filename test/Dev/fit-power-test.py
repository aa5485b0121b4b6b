#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests tools/dev/fit-power on reports that are made up."""

import importlib.machinery
import importlib.util
import os
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
PATH = os.path.join(os.path.dirname(__file__), "..", "..", "tools", "dev", "fit-power")
LOADER = importlib.machinery.SourceFileLoader("fit_power", PATH)
TESTED = importlib.util.module_from_spec(importlib.util.spec_from_loader("fit_power", LOADER))
LOADER.exec_module(TESTED)

FILE = """name: v100
models:
  bottleneck:
    start_us: 2
  ipp:
    source: "old"
    activation: {value: 1, unit: W}
    shared_max: {value: 2, unit: W}
    shared_peak: {value: 0.25, unit: accesses, source: "pipes"}
    memory_low_clock: {value: 100, unit: MHz, source: "seen"}
    memory_energy: {value: 3.9, unit: pJ/bit, source: "HBM2"}
    voltage_knee: 1.0
  mwp-cwp:
    issue_cycles: 1
"""
WRITTEN = """name: v100
models:
  bottleneck:
    start_us: 2
  ipp:
    source: "SOURCE"
    leakage: {value: 6.12, unit: W}
    shared_max: {value: 0.411, unit: W}
    shared_peak: {value: 0.25, unit: accesses, source: "pipes"}
    voltage_knee: 0.7
    bounds: 0.05
    memory_low_clock: {value: 100, unit: MHz, source: "seen"}
    memory_energy: {value: 3.9, unit: pJ/bit, source: "HBM2"}
  mwp-cwp:
    issue_cycles: 1
"""


def power(rows):
    parameters = {"leakage": 6.1234, "shared_max": 0.41119, "voltage_knee": 0.7, "bounds": 0.05}
    return {"device": "v100", "fitted_rows": rows, "parameters": parameters}


def report(error):
    def entry(model, rows, shift):
        return {"model": model, "power_rows": rows, "power_mape": error + shift, "power_coverage": 0.9}

    def group(of, rows, **names):
        models = [entry("bottleneck", rows, 0), entry("bottleneck refitted", rows, 0.01)]
        return {"of": of, "models": models, **names}

    groups = [group("all", 10)]
    for of in ("default of a device", "device"):
        groups += [group(of, 7, device="v100"), group(of, 0, device="k40"), group(of, 3, device="p100")]
    return {"all": {"groups": groups + [group("kernel", 3, kernel="a")]}}


class FitPower(unittest.TestCase):
    def test_writes_what_was_fitted_and_keeps_the_rest(self):
        for rows, source in ((7, TESTED.FITTED.format(datasets="a, b")), (0, TESTED.SCALED)):
            with tempfile.TemporaryDirectory() as folder:
                path = os.path.join(folder, "v100.yaml")
                with open(path, "w", encoding="utf-8") as file:
                    file.write(FILE)
                TESTED.write(path, power(rows), "a, b")
                with open(path, encoding="utf-8") as file:
                    once = file.read()
                self.assertEqual(once, WRITTEN.replace("SOURCE", source))
                TESTED.write(path, power(rows), "a, b")
                with open(path, encoding="utf-8") as file:
                    self.assertEqual(file.read(), once)

    def test_shows_devices_that_have_power(self):
        reports = {"kernel": report(0.1), "device": report(0.2), "kernel-and-device": report(0.3)}
        for of in ("default of a device", "device"):
            lines = TESTED.table(reports, of)
            self.assertEqual(lines[2:], [
                "| `v100` | 7 | 10.0 % | 11.0 % | 90.0 % | 21.0 % | 90.0 % | 31.0 % | 90.0 % |",
                "| `p100` | 3 | 10.0 % | 11.0 % | 90.0 % | 21.0 % | 90.0 % | 31.0 % | 90.0 % |",
                "| mean of boards | 10 | 10.0 % | 11.0 % | 90.0 % | 21.0 % | 90.0 % | 31.0 % | 90.0 % |",
            ])  # fmt: skip

    def test_ends_as_validate_does(self):
        with tempfile.TemporaryDirectory() as folder:
            binary = os.path.join(folder, "ptx-predict")
            with open(binary, "w", encoding="utf-8") as file:
                file.write("#!/bin/sh\nexit 2\n")
            os.chmod(binary, 0o755)
            sys.argv = ["fit-power", "--binary=" + binary]
            with self.assertRaises(SystemExit) as raised:
                TESTED.main()
            self.assertEqual(raised.exception.code, 2)


if __name__ == "__main__":
    unittest.main()
