# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Times that Triton's autotuner measures, as a dataset."""

import csv
import json
import os
import pathlib
import sys
import tempfile
import unittest
import warnings
from unittest import mock

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import stand_ins  # noqa: I001  (skips without triton)

import kernels
import triton
from ptx_predict import _library
from ptx_predict.keeping import KeepingWarning
from ptx_predict.triton import Tensor, autotune, listen, predict

SIZE = 1 << 22
CONFIGS = [triton.Config({"BLOCK": block}, num_warps=warps) for block, warps in ((128, 1), (512, 4), (1024, 4))]
#: Of the configurations, in ms; the last one fails.
TIMES = (0.04, 0.02, float("inf"))


def grid(given):
    return (triton.cdiv(given["n"], given["BLOCK"]),)


def bench():
    """A benchmark with the made-up times, one after the other."""
    times = iter(TIMES)

    def measure(kernel_call, quantiles):
        kernel_call()
        time = next(times)
        return [time, time * 0.9, time * 1.1]

    return measure


def add(tuner, size=SIZE):
    x = Tensor(size, "fp32")
    tuner[grid](x, x, Tensor(size, "fp32"), size)


class Listens(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.path = self.folder / "times.yaml"

    def plain(self):
        return triton.autotune(CONFIGS, ["n"], do_bench=bench())(stand_ins.fresh(kernels.add))

    def rows(self):
        with open(self.folder / "times.csv", newline="") as file:
            return list(csv.DictReader(file))

    def validate(self):
        outcome = _library.run("validate", [("format", "json"), ("model", "bottleneck")], [str(self.path)])
        self.assertEqual([m.text for m in outcome.messages if m.severity == "error"], [])
        self.assertEqual(outcome.code, 0)
        return json.loads(outcome.output)

    def test_tuner_of_tritons_own(self):
        with stand_ins.machine(80):
            tuner = self.plain()
            with listen(self.path, tuner, device="a100") as listener:
                add(tuner)
            self.assertEqual(listener.rows, 2, "the configuration that failed has no time")
            self.assertIsNone(tuner.early_config_prune)
        rows = self.rows()
        self.assertEqual([(r["kernel"], r["device"], float(r["time_ms"])) for r in rows], [("add", "a100-80gb", 0.04), ("add", "a100-80gb", 0.02)])
        self.assertEqual(self.validate()["datasets"][0]["rows"]["predicted"], 2)

    def test_what_is_predicted(self):
        """The dataset's launches are those of `predict`."""
        with stand_ins.machine(80):
            tuner = self.plain()
            with listen(self.path, tuner, device="a100"):
                add(tuner)
            x = Tensor(SIZE, "fp32")
            own = [predict(kernels.add, x, x, Tensor(SIZE, "fp32"), SIZE, grid=grid, device="a100", **c.all_kwargs()).prediction.time_us for c in CONFIGS[:2]]
        outcome = _library.run("validate", [("format", "csv"), ("model", "bottleneck")], [str(self.path)])
        table = list(csv.DictReader(outcome.output.decode().splitlines()))
        table = [row for row in table if row["model"] == "bottleneck"]
        self.assertEqual([float(row["measured_us"]) for row in table], [40, 20])
        for row, time in zip(table, own):
            self.assertAlmostEqual(float(row["time_us"]), time, delta=time * 1e-3)

    def test_tuner_that_prunes(self):
        """Nobody needs to name it."""
        with stand_ins.machine(80):
            tuner = autotune(CONFIGS, ["n"], keep=2, device="a100", do_bench=bench())(stand_ins.fresh(kernels.add))
            with listen(self.path, device="a100"):
                add(tuner)
        self.assertEqual(len(self.rows()), 2)

    def test_grows(self):
        for size, there in ((SIZE, 2), (2 * SIZE, 4)):
            with stand_ins.machine(80):
                tuner = self.plain()
                with listen(self.path, tuner, device="a100"):
                    add(tuner, size)
            self.assertEqual(len(self.rows()), there)
        self.assertEqual(len({row["code"] for row in self.rows()}), 4)
        self.assertEqual(len({row["arguments"] for row in self.rows()}), 2)
        self.assertEqual(self.validate()["datasets"][0]["rows"]["predicted"], 4)

    def test_unknown_call(self):
        """Triton does not tell of the arguments, and nobody else did."""
        with stand_ins.machine(80), listen(self.path, device="a100") as listener:
            with self.assertWarnsRegex(KeepingWarning, "the arguments of add are not known: name its tuner, as in listen"):
                add(self.plain())
        self.assertEqual(listener.rows, 0)
        self.assertFalse(self.path.exists())

    def test_closes(self):
        knobs = triton.knobs.autotuning
        told = []
        before, knobs.listener = knobs.listener, lambda **what: told.append(what)
        try:
            with stand_ins.machine(80):
                tuner = self.plain()
                with listen(self.path, tuner, device="a100"):
                    add(tuner)
                self.assertEqual(len(told), 1, "who listened before still hears")
                add(self.plain())
            self.assertEqual(len(told), 2)
            self.assertEqual(len(self.rows()), 2)
        finally:
            knobs.listener = before

    def test_wrong(self):
        with self.assertRaisesRegex(TypeError, "a tuner is a kernel under triton.autotune, not JITFunction"):
            listen(self.path, kernels.add, device="a100")
        self.assertIsNone(triton.knobs.autotuning.listener)
        (self.folder / "times.csv").write_text("a,b\n1,2\n")
        with self.assertRaisesRegex(ValueError, "times.csv is there and no table of measured times"):
            listen(self.path, device="a100")
        with self.assertRaisesRegex(ValueError, "Triton has no GPU to ask"):
            listen(self.path)

    def test_other_versions(self):
        with mock.patch.object(triton.knobs, "autotuning", object()), self.assertRaisesRegex(ImportError, rf"triton {triton.__version__} has no knobs.autotuning.listener"):
            listen(self.path, device="a100")
        listener = listen(self.path, device="a100")
        try:
            with self.assertWarnsRegex(KeepingWarning, f"Triton {triton.__version__} measured are not in .*: KeyError: 'fn'"):
                triton.knobs.autotuning.listener(kernel=kernels.add, times={})
        finally:
            listener.close()

    def test_disk(self):
        """A time that cannot be written does not stop the tuner."""
        with stand_ins.machine(80):
            tuner = self.plain()
            (self.folder / "no").touch()
            with listen(self.folder / "no" / "times.yaml", tuner, device="a100"):
                with self.assertWarnsRegex(KeepingWarning, "are not in .*/no/times.yaml: .*Not a directory"):
                    add(tuner)
            self.assertEqual(tuner.best_config, CONFIGS[1])


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    unittest.main()
