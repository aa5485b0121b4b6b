# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Small spaces that were measured on an H100 (test/accuracy/data/h100/large.csv), tuned in simulation mode by what is predicted of them.

tools/dev/tune-spaces does the same with large spaces of others: docs/measurements/Tuners.md.
"""

import csv
import itertools
import json
import os
import tempfile
import unittest

try:
    import kernel_tuner
    from ptx_predict.kernel_tuner import Predicted
except ImportError as error:
    raise unittest.SkipTest(f"kernel_tuner: {error}") from None

TREE = os.path.join(os.path.dirname(os.path.abspath(__file__)), *[os.pardir] * 3)


def measured(chosen):
    """Rows of the table by kernel and entry, as numbers: grid, block, and the time in ms."""
    with open(os.path.join(TREE, "test", "accuracy", "data", "h100", "large.csv")) as file:
        rows = {(row["kernel"], int(row["entry"])): row for row in csv.DictReader(file)}
    return [rows[each] for each in chosen]


def shape(text):
    return tuple(int(part) for part in text.split("x"))


class Space:
    """Kernels that do the same work, which one parameter numbers."""

    def __init__(self, code, entries, arg, dynamic_smem=None):
        self.rows = measured(entries)
        self.times = {(number,): float(row["time_us"]) / 1000 for number, row in enumerate(self.rows)}
        self.code = code
        self.options = {"arg": arg}
        if dynamic_smem is not None:
            self.options["dynamic_smem"] = lambda p: dynamic_smem(shape(self.row(p)["block"])[0])

    def row(self, params):
        return self.rows[params["variant"]]

    def tune(self, keep):
        """The times of what ran, ms, in its order."""
        parameters = {"variant": list(range(len(self.rows)))}
        cache = {"device_name": "NVIDIA H100 80GB HBM3", "kernel_name": "space", "problem_size": 1, "objective": ["time"]}
        cache.update(tune_params_keys=["variant"], tune_params=parameters)
        cache["cache"] = {str(number): {"variant": number, "time": time} for (number,), time in self.times.items()}
        strategy = Predicted(
            keep,
            code=lambda p: os.path.join(TREE, self.code(self.row(p))),
            kernel=lambda p: self.row(p)["kernel"],
            grid=lambda p: shape(self.row(p)["grid"]),
            block=lambda p: shape(self.row(p)["block"]),
            **self.options,
        )
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "cache.json")
            with open(path, "w") as file:
                json.dump(cache, file, indent="")
            results, _ = kernel_tuner.tune_kernel(
                "space", "__global__ void space() {}", 1, [], parameters, block_size_names=["threads"], lang="CUDA", strategy=strategy, cache=path,
                simulation_mode=True, quiet=True,
            )  # fmt: skip
        assert len(strategy.predictions) == len(self.rows), strategy.predictions
        return [result["time"] for result in results]

    def at_random(self, count):
        """How far the best of so many is behind in the mean of all choices."""
        best = [min(chosen) for chosen in itertools.combinations(self.times.values(), count)]
        return sum(best) / len(best) / min(self.times.values()) - 1


# Sums of 32Mi numbers; the last way with 2,112 and with 132 blocks.
REDUCTIONS = Space(
    lambda row: "test/accuracy/ptx/reduce.ptx",
    [("reduce1", 1), ("reduce1", 2), ("reduce2", 1), ("reduce2", 2), ("reduce3", 1), ("reduce3", 2)]
    + [("reduce4", 1), ("reduce5", 1), ("reduce6", 1), ("reduce7", 1), ("reduce7", 2)],
    {2: 32 << 20},
    lambda threads: 4 * threads,
)
# Products of matrices of 2,048 x 2,048.
PRODUCTS = Space(
    lambda row: f"test/measured/ptx/{row['file']}.ptx",
    [("sgemmNaive", 1), ("sgemmTiled", 1), ("sgemmColumn", 2), ("sgemmRegisters", 2), ("sgemmVector", 2), ("sgemmDouble", 2)],
    {0: 2048, 1: 2048, 2: 2048},
)


class Spaces(unittest.TestCase):
    def best_of(self, space, keep):
        ran = space.tune(keep)
        self.assertEqual(len(ran), keep)
        return min(ran) / min(space.times.values()) - 1

    def test_a_third_of_the_reductions(self):
        behind = self.best_of(REDUCTIONS, 3)
        self.assertLessEqual(behind, 0.03)
        self.assertLess(behind, REDUCTIONS.at_random(3))

    def test_a_third_of_the_products(self):
        behind = self.best_of(PRODUCTS, 2)
        self.assertLessEqual(behind, 0.03)
        self.assertLess(behind, PRODUCTS.at_random(2))

    def test_what_runs_first_is_near_the_optimum(self):
        for space in (REDUCTIONS, PRODUCTS):
            self.assertLessEqual(self.best_of(space, 1), 0.03)


if __name__ == "__main__":
    unittest.main()
