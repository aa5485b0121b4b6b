# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernel Tuner with the strategy Predicted, in its simulation mode and with its backend for C: no GPU."""

import contextlib
import io
import json
import os
import tempfile
import unittest
import warnings

try:
    import kernel_tuner
    from ptx_predict.kernel_tuner import Predicted, PredictionObserver
except ImportError as error:
    raise unittest.SkipTest(f"kernel_tuner: {error}") from None

import numpy
from ptx_predict import _libnvrtc
from ptx_predict.keeping import KeepingWarning

TREE = os.path.join(os.path.dirname(os.path.abspath(__file__)), *[os.pardir] * 3)
SAXPY = os.path.join(TREE, "docs", "examples", "saxpy.ptx")
N = 1 << 24

#: Blocks of 2048 threads are more than a device has.
PARAMETERS = {"block_size_x": [32, 64, 128, 256, 512, 2048], "per": [1, 2, 4]}
SOURCE = """__global__ void add(int n, float a, const float *x, float *y) {
  int i = blockIdx.x * block_size_x * per + threadIdx.x;
  for (int k = 0; k < per; ++k, i += block_size_x)
    if (i < n)
      y[i] = a * x[i] + y[i];
}
"""
ARGUMENTS = [numpy.int32(N), numpy.float32(2), numpy.zeros(1, "f4"), numpy.zeros(1, "f4")]


def configurations(parameters=PARAMETERS):
    return [(x, per) for x in parameters["block_size_x"] for per in parameters["per"]]


def times_of(time, parameters=PARAMETERS):
    """Measured times, ms, by a formula."""
    return {c: time(*c) for c in configurations(parameters)}


def cache_of(times, parameters=PARAMETERS, device="NVIDIA H100 80GB HBM3", problem=N):
    """What Kernel Tuner would have written after it measured these times."""
    rows = {}
    for c, time in times.items():
        rows[",".join(map(str, c))] = {**dict(zip(parameters, c)), "time": time, "compile_time": 1, "verification_time": 0, "benchmark_time": 2}
    head = {"device_name": device, "kernel_name": "add", "problem_size": problem, "objective": ["time"]}
    return {**head, "tune_params_keys": list(parameters), "tune_params": parameters, "cache": rows}


def simulate(strategy, times, parameters=PARAMETERS, problem=N, source=SOURCE, **more):
    """Tunes in simulation mode; returns results, environment, and the texts of warnings."""
    given = dict(lang="CUDA", grid_div_x=["block_size_x", "per"], quiet=True)
    arguments = more.pop("arguments", ARGUMENTS)
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        path = os.path.join(folder, "cache.json")
        with open(path, "w") as file:
            json.dump(cache_of(times, parameters, problem=problem), file, indent="")
        with contextlib.redirect_stdout(io.StringIO()):
            results, environment = kernel_tuner.tune_kernel(
                "add", source, problem, arguments, parameters, strategy=strategy, cache=path, simulation_mode=True, **{**given, **more}
            )
    return results, environment, [str(w.message) for w in caught if issubclass(w.category, KeepingWarning)]


def ran(results):
    return [(result["block_size_x"], result["per"]) for result in results]


def saxpy(**more):
    """A strategy that needs no compiler: its code is the same for every configuration."""
    return Predicted(**{"keep": 4, "code": lambda params: SAXPY, **more})


MEASURED = times_of(lambda x, per: 0.1 + 1 / x + per / 100)


class Keeping(unittest.TestCase):
    def test_exactly_so_many_run_best_first(self):
        strategy = saxpy()
        results, _, messages = simulate(strategy, MEASURED)
        self.assertEqual(messages, [])
        self.assertEqual(len(results), 4)
        predicted = [strategy.predictions[c] for c in ran(results)]
        self.assertEqual(predicted, sorted(strategy.predictions.values())[:4])

    def test_what_the_device_cannot_hold_does_not_run(self):
        told = []
        results, _, messages = simulate(saxpy(keep=1.0, explain=told.append), MEASURED)
        self.assertEqual(set(ran(results)), {c for c in configurations() if c[0] != 2048})
        self.assertEqual(messages, [])
        refused = [str(v) for v in told if not v.kept]
        self.assertEqual(len(refused), 3)
        self.assertRegex(refused[0], r"left  block_size_x=2048, per=1: 2048 threads a block are more than the 1024 of")

    def test_shared_memory_of_kernel_tuner_counts(self):
        told = []
        shared = {"size": lambda params: 1024 * params["block_size_x"]}
        results, _, _ = simulate(saxpy(keep=1.0, explain=told.append), MEASURED, smem_args=shared)
        self.assertEqual({x for x, _ in ran(results)}, {32, 64, 128})
        self.assertIn("of shared memory a block are", str(next(v for v in told if v.candidate == (256, 1))))

    def test_a_predictor_that_raises_leaves_all(self):
        def code(params):
            raise OSError("no such kernel")

        results, _, messages = simulate(saxpy(code=code), MEASURED)
        # Only what has more threads than a device goes.
        self.assertEqual(set(ran(results)), {c for c in configurations() if c[0] != 2048})
        self.assertEqual(len(messages), 1)
        self.assertRegex(messages[0], "15 of 18 configurations cannot be predicted and are kept.*no such kernel")

    def test_one_that_raises_now_and_then_keeps_those(self):
        def code(params):
            if params["per"] == 2:
                raise OSError("no such kernel")
            return SAXPY

        results, _, messages = simulate(saxpy(code=code, keep=2), MEASURED)
        self.assertEqual({c for c in ran(results) if c[1] == 2}, {(x, 2) for x in (32, 64, 128, 256, 512)})
        self.assertEqual(len(results), 2 + 5)
        self.assertEqual(len(messages), 1)

    def test_the_interval_keeps_the_best(self):
        strategy = saxpy(keep="interval")
        results, _, _ = simulate(strategy, MEASURED)
        best = min(strategy.predictions.values())
        self.assertEqual(set(ran(results)), {c for c, t in strategy.predictions.items() if t == best or t.low <= best.high})

    def test_options_may_be_functions_of_the_configuration(self):
        strategy = saxpy(arg=lambda params: {0: N // params["per"]})
        simulate(strategy, MEASURED)
        self.assertGreater(strategy.predictions[256, 1], 2 * strategy.predictions[256, 4])

    def test_clocks_that_are_tuned(self):
        parameters = {"block_size_x": [256], "per": [1], "nvml_gr_clock": [600, 1980], "nvml_mem_clock": [1000, 2619]}
        strategy = Predicted(4, code=lambda params: SAXPY)
        times = {(256, 1, core, memory): 1.0 for core in (600, 1980) for memory in (1000, 2619)}
        simulate(strategy, times, parameters)
        self.assertGreater(strategy.predictions[256, 1, 1980, 1000], 2 * strategy.predictions[256, 1, 1980, 2619])

    def test_kernel_tuners_own_limit_counts(self):
        results, _, _ = simulate(saxpy(keep=10), MEASURED, strategy_options={"max_fevals": 3})
        self.assertEqual(len(results), 3)


class Results(unittest.TestCase):
    def test_predictions_are_beside_measurements_in_ms(self):
        strategy = saxpy()
        results, environment, _ = simulate(strategy, MEASURED)
        for result in results:
            time = strategy.predictions[result["block_size_x"], result["per"]]
            self.assertAlmostEqual(result["predicted_time"], float(time) / 1000)
            self.assertLessEqual(result["predicted_low"], result["predicted_time"])
            self.assertGreaterEqual(result["predicted_high"], result["predicted_time"])
            self.assertEqual(result["time"], MEASURED[result["block_size_x"], result["per"]])
        self.assertEqual(environment["best_config"]["time"], min(result["time"] for result in results))

    def test_another_unit_is_noticed(self):
        in_us = {c: 1000 * time for c, time in MEASURED.items()}
        self.assertEqual(simulate(saxpy(), MEASURED)[2], [])
        messages = simulate(saxpy(), in_us)[2]
        self.assertEqual(len(messages), 1)
        self.assertRegex(messages[0], "measured times are .* times the predicted ones.*another unit")


class Objectives(unittest.TestCase):
    def test_what_is_made_of_time_is_pruned(self):
        metrics = {"GFLOP/s": lambda params: N / params["time"] / 1e6}
        results, _, messages = simulate(saxpy(), MEASURED, metrics=metrics, objective="GFLOP/s", objective_higher_is_better=True)
        self.assertEqual((len(results), messages), (4, []))

    def test_of_anything_else_nothing_is_pruned(self):
        class Other:
            strategy_options = None
            tune_params = PARAMETERS
            objective = ["nvml_energy"]
            metrics = None

        class Runner:
            def run(self, space, options):
                return [{"time": 1.0} for _ in space]

        class Space:
            def sorted_list(self):
                return configurations()

        with self.assertWarnsRegex(KeepingWarning, "nvml_energy, not a time: nothing is pruned"):
            self.assertEqual(len(saxpy().tune(Space(), Runner(), Other())), len(configurations()))


class OtherHooks(unittest.TestCase):
    def test_they_are_named_and_nothing_is_pruned(self):
        class Options:
            strategy_options = None
            tune_params = PARAMETERS
            objective = ["time"]

        class Runner:  # without kernel_source
            kernel_options = None

            def run(self, space, options):
                return [{"time": 1.0} for _ in space]

        class Space:
            def sorted_list(self):
                return configurations()

        version = kernel_tuner.__version__
        with self.assertWarnsRegex(KeepingWarning, f"kernel_tuner {version} has no runner.kernel_source; 1.5 has: nothing is pruned"):
            self.assertEqual(len(saxpy().tune(Space(), Runner(), Options())), len(configurations()))


class WrongInput(unittest.TestCase):
    def test_keep_and_workers(self):
        for keep in (0, 1.5, "most", None):
            with self.subTest(keep), self.assertRaises((ValueError, TypeError)):
                Predicted(keep)
        with self.assertRaisesRegex(ValueError, "workers is at least one, not 0"):
            Predicted(3, workers=0)

    def test_an_unknown_device(self):
        with self.assertRaisesRegex(ValueError, "h1000"):
            simulate(saxpy(device="h1000"), MEASURED)

    def test_an_unknown_strategy_option(self):
        with self.assertRaisesRegex(ValueError, "popsize"):
            simulate(saxpy(), MEASURED, strategy_options={"popsize": 3})

    def test_a_wrong_option_of_predict_is_said(self):
        results, _, messages = simulate(saxpy(blok=3), MEASURED)
        self.assertEqual(len(results), 15)
        self.assertRegex(messages[0], "blok.*did you mean.*block")


class Compiled(unittest.TestCase):
    """Kernel Tuner's own source, compiled by libnvrtc."""

    @classmethod
    def setUpClass(cls):
        try:
            _libnvrtc.load()
        except ImportError as error:
            raise unittest.SkipTest(f"libnvrtc: {error}") from None

    def test_parameters_and_arguments_reach_the_code(self):
        strategy = Predicted(4)
        results, _, messages = simulate(strategy, MEASURED)
        self.assertEqual(messages, [])
        self.assertEqual(len(results), 4)
        # Blocks of 32 threads with an element each cannot fill an SM.
        self.assertGreater(strategy.predictions[32, 1], 2 * strategy.predictions[256, 4])

    def test_compiler_options(self):
        source = SOURCE.replace("a * x[i]", "SCALE * x[i]")
        results, _, messages = simulate(Predicted(4, compiler_options=["-O3", "-DSCALE=2"]), MEASURED, source=source)
        self.assertEqual((len(results), messages), (4, []))
        results, _, messages = simulate(Predicted(4), MEASURED, source=source)
        self.assertEqual(len(results), 15)
        self.assertRegex(messages[0], 'kernel.cu:5:.*identifier "SCALE" is undefined')

    def test_a_template(self):
        source = SOURCE.replace("__global__", "template <typename T>\n__global__").replace("float", "T")
        strategy = Predicted(4)
        with contextlib.redirect_stdout(io.StringIO()), tempfile.TemporaryDirectory() as folder:
            cache = {**cache_of(MEASURED), "kernel_name": "add<double>"}
            path = os.path.join(folder, "cache.json")
            with open(path, "w") as file:
                json.dump(cache, file, indent="")
            results, _ = kernel_tuner.tune_kernel(
                "add<double>", source, N, ARGUMENTS, PARAMETERS, grid_div_x=["block_size_x", "per"], lang="CUDA", strategy=strategy, cache=path,
                simulation_mode=True, quiet=True,
            )  # fmt: skip
        self.assertEqual(len(results), 4)
        plain = Predicted(4)
        simulate(plain, MEASURED)
        self.assertGreater(strategy.predictions[256, 4], 1.8 * plain.predictions[256, 4])

    def test_another_language_needs_code(self):
        results, _, messages = simulate(Predicted(4), MEASURED, lang="OpenCL")
        self.assertEqual(len(results), 15)
        self.assertRegex(messages[0], "the kernel is in OPENCL; code= says how it becomes PTX")


class Observers(unittest.TestCase):
    """A run that is not simulated: Kernel Tuner's backend for C, whose function says itself how long it took."""

    SOURCE = "extern \"C\" float add(float *c) { return 0.1f + 1.0f / block_size_x + per / 100.0f; }\n"

    def test_the_prediction_is_beside_the_measurement_in_the_cache(self):
        parameters = {"block_size_x": [64, 128, 256], "per": [1, 2]}
        strategy = saxpy(device="h100-sxm", keep=3, arg={0: N})
        with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()):
            path = os.path.join(folder, "cache.json")
            results, _ = kernel_tuner.tune_kernel(
                "add", self.SOURCE, N, [numpy.zeros(1, "f4")], parameters, grid_div_x=["block_size_x", "per"], lang="C", strategy=strategy,
                observers=[PredictionObserver(strategy)], cache=path,
            )  # fmt: skip
            with open(path) as file:
                cached = json.load(file)["cache"]
        self.assertEqual(len(results), 3)
        self.assertEqual(set(cached), {",".join(map(str, c)) for c in ran(results)})
        for key, row in cached.items():
            x, per = map(int, key.split(","))
            self.assertAlmostEqual(row["time"], 0.1 + 1 / x + per / 100, places=5)
            self.assertAlmostEqual(row["predicted_time"], float(strategy.predictions[x, per]) / 1000)

    def test_without_a_prediction_there_is_nothing_beside(self):
        observer = PredictionObserver(saxpy())
        observer.register_configuration({"block_size_x": 64, "per": 1})
        self.assertEqual(observer.get_results(), {})


if __name__ == "__main__":
    unittest.main()
