# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Triton's autotuner with `keep=`: what reaches ptxas and the benchmark."""

import ast
import inspect
import os
import sys
import tempfile
import time
import unittest
import warnings
from unittest import mock

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import stand_ins  # noqa: I001  (skips without triton)

import kernels
import triton
from ptx_predict import Estimate
from ptx_predict.keeping import KeepingWarning
from ptx_predict.triton import Tensor, autotune, compile, prune
from triton.tools.tensor_descriptor import TensorDescriptor

SIZE = 2048
ARGUMENTS = (Tensor((SIZE, SIZE), "fp32"), Tensor((SIZE, SIZE), "fp32"), SIZE, SIZE)
NAMES = ("x", "out", "rows", "columns")
PREDICTS = "ptx_predict.triton._choose._predict"


def grid(given):
    return triton.cdiv(SIZE, given["TILE_C"]), triton.cdiv(SIZE, given["TILE_R"])


def config(rows, columns, warps):
    return triton.Config({"TILE_R": rows, "TILE_C": columns}, num_warps=warps)


FITTING = [config(r, c, w) for r in (16, 32, 64, 128) for c in (16, 32, 64, 128) for w in (1, 2, 4)] + [config(8, 64, 2), config(64, 8, 2)]
#: Tiles of 256 KiB: an A100 has 163 for a block.
TOO_LARGE = [config(r, c, w) for r, c in ((256, 256), (128, 512), (256, 512), (512, 256), (1024, 64)) for w in (16, 32)]
SIXTY = [*FITTING[:20], *TOO_LARGE, *FITTING[20:]]


class Bench:
    """A benchmark that runs a kernel once and makes up its time, in ms."""

    def __init__(self):
        self.calls = 0

    def __call__(self, kernel_call, quantiles):
        kernel_call()
        self.calls += 1
        return [float(self.calls)] * len(quantiles)


class Tuned(unittest.TestCase):
    """Must show 3 of issue 36's step."""

    def tune(self, keep, **more):
        """Tunes over sixty configurations; returns the benchmark, what ptxas saw, the tuner and the verdicts."""
        bench, verdicts = Bench(), []
        with stand_ins.machine(80) as (driver, ptxas):
            tuner = autotune(SIXTY, ["rows", "columns"], keep=keep, device="a100", explain=verdicts.append, do_bench=bench, **more)(
                stand_ins.fresh(kernels.transpose)
            )
            tuner[grid](*ARGUMENTS)
            self.assertEqual(len(driver.launched), bench.calls + 1, "each is run once, and then the best")
            return bench, ptxas.calls(), tuner, verdicts

    def test_sixty(self):
        self.assertEqual((len(SIXTY), len(set(SIXTY))), (60, 60))
        bench, seen, tuner, verdicts = self.tune(5)
        self.assertEqual(bench.calls, 5, "the benchmark sees exactly what is kept")
        self.assertEqual(len(seen), 5, "and so does ptxas")

        # Of the ten that are too large none was assembled.
        with stand_ins.machine(80):
            large = {stand_ins.digest(compile(tuner.fn, *ARGUMENTS, arch=80, **c.all_kwargs()).ptx) for c in TOO_LARGE}
        self.assertEqual(len(large & set(seen)), 0)
        self.assertEqual([v.candidate for v in verdicts], SIXTY)
        refused = [v for v in verdicts if "bytes of shared memory a block" in v.why]
        self.assertEqual([v.candidate for v in refused], TOO_LARGE)
        self.assertFalse(any(v.kept for v in refused))

        # The five are those that are predicted best, and they were tried in this order.
        predicted = sorted((v for v in verdicts if v.time_us is not None), key=lambda v: v.time_us)
        self.assertEqual(len(predicted), 50)
        self.assertEqual([v.candidate for v in predicted[:5]], list(tuner.configs_timings))
        self.assertEqual(tuner.best_config, predicted[0].candidate)

    def test_predictor_that_raises(self):
        """Fifty are left: what the device cannot hold does not need a prediction."""
        with mock.patch(PREDICTS, side_effect=RuntimeError("no idea")), warnings.catch_warnings(record=True) as warned:
            warnings.simplefilter("always", KeepingWarning)
            bench, seen, _, verdicts = self.tune(5)
        self.assertEqual((bench.calls, len(seen)), (50, 50))
        self.assertEqual([v.candidate for v in verdicts if not v.kept], TOO_LARGE)
        own = [str(w.message) for w in warned if w.category is KeepingWarning]
        self.assertEqual(own, ["50 of 60 configurations cannot be predicted and are kept; the first: not predicted: RuntimeError: no idea"])


class Pruned(unittest.TestCase):
    """The hooks by themselves."""

    CONFIGS = [*FITTING[:6], TOO_LARGE[0]]

    def hook(self, keep=2, configs=None, device="a100", named=None, **more):
        hooks = prune(kernels.transpose, keep, device=device, **more)
        return hooks["early_config_prune"](configs or self.CONFIGS, named or dict(zip(NAMES, ARGUMENTS)), grid=grid)

    def test_number_share_interval(self):
        self.assertEqual(len(self.hook(2)), 2)
        self.assertEqual(len(self.hook(0.5)), 3, "of the six that fit")
        self.assertEqual(len(self.hook(1.0)), 6)
        self.assertEqual(len(self.hook(100)), 6)
        within = self.hook("interval")
        self.assertGreaterEqual(len(within), 1)
        self.assertEqual(within, self.hook(100)[: len(within)], "intervals have like widths here")

    def test_unpredictable_stays(self):
        """A configuration without a parameter of the kernel."""
        odd = triton.Config({"TILE_R": 32}, num_warps=4)
        with self.assertWarnsRegex(KeepingWarning, "^1 of 8 configurations cannot be predicted and are kept; the first: .*TILE_C"):
            kept = self.hook(2, [*self.CONFIGS, odd])
        self.assertEqual((len(kept), kept[-1]), (3, odd))

    def test_static_assertion(self):
        """What Triton refuses in the kernel itself goes."""
        verdicts = []
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            hook = prune(kernels.even, 1.0, device="a100", explain=verdicts.append)["early_config_prune"]
            x = Tensor(1024, "fp32")
            kept = hook([triton.Config({"BLOCK": 64}), triton.Config({"BLOCK": 128})], {"x": x, "n": 1024}, grid=(8,))
        self.assertEqual([c.kwargs["BLOCK"] for c in kept], [128])
        self.assertRegex(verdicts[0].why, "^Triton refuses it: ")

    def test_none_fits(self):
        with self.assertWarnsRegex(KeepingWarning, "none of 2 configurations fits the device, so all are kept; the first: .*shared memory"):
            self.assertEqual(self.hook(1, TOO_LARGE[:2]), TOO_LARGE[:2])

    def test_grid_in_threads(self):
        """The slip is found, not followed: nothing is left out."""
        hook = prune(kernels.add, 1, device="a100")["early_config_prune"]
        x = Tensor(4096, "fp32")
        configs = [triton.Config({"BLOCK": block}) for block in (128, 256)]
        with self.assertWarnsRegex(KeepingWarning, "2 of 2 .* a grid counts blocks, not threads"):
            self.assertEqual(hook(configs, {"x": x, "y": x, "out": x, "n": 4096}, grid=(4096,)), configs)

    def test_no_grid(self):
        hook = prune(kernels.add, 1, device="a100")["early_config_prune"]
        x = Tensor(4096, "fp32")
        configs = [triton.Config({"BLOCK": 128}), triton.Config({"BLOCK": 256})]
        with self.assertWarnsRegex(KeepingWarning, "the launch has no grid="):
            self.assertEqual(hook(configs, {"x": x, "y": x, "out": x, "n": 4096}), configs)

    def test_other_device(self):
        """A prediction for another GPU than the one that tunes leaves nothing out."""
        with stand_ins.machine(90), self.assertWarnsRegex(KeepingWarning, "all 7 configurations are kept: device=a100-80gb is sm_80, and the GPU here sm_90"):
            self.assertEqual(self.hook(2), self.CONFIGS)
        with self.assertWarnsRegex(KeepingWarning, "all 7 configurations are kept: Triton has no GPU to ask"):
            self.assertEqual(self.hook(2, device=None), self.CONFIGS)
        with self.assertWarnsRegex(KeepingWarning, "all 7 configurations are kept: .*a1000-4"):
            self.assertEqual(self.hook(2, device="a1000-4"), self.CONFIGS)

    def test_limit_in_other_units(self):
        """A limit of shared memory in KiB instead of bytes would take out everything."""
        from ptx_predict import devices
        from ptx_predict.triton import _device

        def in_kibibytes(name, **options):
            report = devices(name, **options)
            report.data["devices"][0]["limits"]["shared_per_block_optin"]["value"] //= 1024
            return report

        with mock.patch.dict(_device._known, clear=True), mock.patch.object(_device, "devices", in_kibibytes):
            with self.assertWarnsRegex(KeepingWarning, "163 bytes of shared memory a block seem to have another unit"):
                self.assertEqual(self.hook(2), self.CONFIGS)

    def test_time_in_other_units(self):
        """Times whose bounds or keys have another unit count as not known."""

        def of(time):
            return mock.patch("ptx_predict.triton._prune.predicted", return_value=time)

        with of(Estimate(5.0, "estimated", 4e-3, 6e-3, "time_us")), self.assertWarnsRegex(KeepingWarning, "7 of 7 .* different units"):
            self.assertEqual(self.hook(1), self.CONFIGS)
        with of(Estimate(5e-6, "estimated", 4e-6, 6e-6, "time_s")), self.assertWarnsRegex(KeepingWarning, "its time is in s, not in us"):
            self.assertEqual(self.hook(1), self.CONFIGS)

    def test_jobs(self):
        self.assertEqual(self.hook(3, jobs=1), self.hook(3, jobs=3))

    def test_parses_in_one_thread_at_a_time(self):
        """Two that call ast.parse at once make some Pythons raise SystemError."""
        inside, most = [], []
        parse = ast.parse

        def slow(*args, **more):
            inside.append(args)
            most.append(len(inside))
            time.sleep(0.01)
            inside.pop()
            return parse(*args, **more)

        with mock.patch.object(ast, "parse", slow):
            self.hook(3, jobs=3)
        self.assertGreater(len(most), 1)
        self.assertEqual(max(most), 1)

    def test_perf_model(self):
        hooks = prune(kernels.transpose, 2, device="a100")
        named = dict(zip(NAMES, ARGUMENTS))
        best, second = hooks["early_config_prune"](self.CONFIGS, named, grid=grid)
        times = [hooks["perf_model"](**named, grid=grid, warmup=False, **c.all_kwargs()) for c in (best, second)]
        self.assertLess(0, times[0])
        self.assertLessEqual(times[0], times[1])
        self.assertEqual(hooks["perf_model"](**named, grid=grid, **TOO_LARGE[0].all_kwargs()), float("inf"))
        with self.assertWarnsRegex(KeepingWarning, "a configuration counts as best: .*TILE_R"):
            self.assertEqual(hooks["perf_model"](**named, grid=grid), 0.0)

    def test_own_top_k(self):
        """`prune` under Triton's own decorator, with another top_k."""
        bench = Bench()
        hooks = {**prune(kernels.transpose, "interval", device="a100"), "top_k": 2}
        with stand_ins.machine(80):
            tuner = triton.autotune(self.CONFIGS, ["rows"], prune_configs_by=hooks, do_bench=bench)(kernels.transpose)
            kept = self.hook("interval")
            tuner[grid](*ARGUMENTS)
        self.assertEqual(bench.calls, 0 if len(kept) == 1 else 2)

    def test_hook_of_ones_own(self):
        """Runs first."""
        bench, asked = Bench(), []

        def own(configs, named, **kwargs):
            asked.append(len(configs))
            return configs[:3]

        with stand_ins.machine(80):
            tuner = autotune(self.CONFIGS, ["rows"], {"early_config_prune": own}, keep=2, device="a100", do_bench=bench)(stand_ins.fresh(kernels.transpose))
            tuner[grid](*ARGUMENTS)
        self.assertEqual((asked, bench.calls), ([7], 2))

    def test_heuristics(self):
        """Between the tuner and the kernel."""
        bench = Bench()
        with stand_ins.machine(80):
            inner = triton.heuristics({"BLOCK": lambda given: 32 * given["num_warps"]})(stand_ins.fresh(kernels.add))
            tuner = autotune([triton.Config({}, num_warps=w) for w in (1, 2, 4, 8)], ["n"], keep=2, device="a100", do_bench=bench)(inner)
            x = Tensor(1 << 20, "fp32")
            tuner[lambda given: (triton.cdiv(given["n"], given["BLOCK"]),)](x, x, x, 1 << 20)
        self.assertEqual(bench.calls, 2)

    def test_block_of_descriptors(self):
        """Hooks of configurations write their block into the tensor descriptors of the call; predictions do not."""

        def set_block(named):
            for name in ("a", "b"):
                named[name].block_shape = [32, named["TILE"]]

        a, b = (TensorDescriptor(Tensor((1024, 1024), "fp16"), [1024, 1024], [1024, 1], [1, 1]) for _ in range(2))
        hook = prune(kernels.double_tiles, 1.0, device="h100")["early_config_prune"]
        call = {"a": a, "b": b, "columns": 1024}
        with warnings.catch_warnings():
            warnings.simplefilter("error", KeepingWarning)
            self.assertEqual(len(hook([triton.Config({"TILE": tile}, pre_hook=set_block) for tile in (32, 64)], call, grid=(32,))), 2)
        self.assertEqual((a.block_shape, b.block_shape), ([1, 1], [1, 1]))
        with self.assertWarnsRegex(KeepingWarning, "1 of 1 configurations cannot be predicted"):
            hook([triton.Config({"TILE": 32})], call, grid=(32,))

    def test_keeps_no_tensor(self):
        """A tuner lives long: it must not hold memory of a GPU."""
        import gc
        import weakref

        class Memory(Tensor):
            __slots__ = ("__weakref__",)

        x = Memory(4096, "fp32")
        gone = weakref.ref(x)
        hooks = prune(kernels.add, 1, device="a100")
        configs = [triton.Config({"BLOCK": 128}), triton.Config({"BLOCK": 256}), triton.Config({})]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            hooks["early_config_prune"](configs, {"x": x, "y": x, "out": x, "n": 4096}, grid=lambda given, x=x: (x.numel() // given["BLOCK"],))
        del x
        gc.collect()
        self.assertIsNone(gone())

    def test_explain_file(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "why.txt")
            self.hook(1, explain=path)
            with open(path) as file:
                lines = file.read().splitlines()
        self.assertEqual([line.split()[0] for line in lines].count("kept"), 1)
        self.assertEqual(len(lines), 7)
        self.assertRegex(lines[-1], r"^left  TILE_R: 256, TILE_C: 256, num_warps: 16, num_stages: 3: 262144 bytes of shared memory")

    def test_wrong_keep(self):
        """Found where the tuner is made, not when it runs."""
        for keep, error in ((0, ValueError), (1.5, ValueError), ("all", ValueError), (None, TypeError), (True, TypeError)):
            with self.subTest(keep=keep), self.assertRaises(error):
                prune(kernels.transpose, keep, device="a100")
            with self.subTest(keep=keep), self.assertRaises(error):
                autotune(self.CONFIGS, ["rows"], keep=keep, device="a100")
        with self.assertRaisesRegex(TypeError, "explain is a function, a path or an open file, not a int"):
            autotune(self.CONFIGS, ["rows"], keep=1, explain=3)


class OtherVersions(unittest.TestCase):
    """Tritons whose hooks are others: named, and nothing is pruned."""

    def test_other_call(self):
        hook = prune(kernels.transpose, 1, device="a100")["early_config_prune"]
        configs = FITTING[:3]
        for args, kwargs in (((configs,), {}), ((configs, [1]), {}), ((configs, {}, 3), {}), ((), {"configs": configs, "named_args": {}})):
            with self.subTest(args=args), self.assertWarnsRegex(KeepingWarning, rf"^triton {triton.__version__}: .*nothing is pruned"):
                self.assertEqual(hook(*args, **kwargs), configs)

    def test_no_hooks(self):
        made = []

        def without(configs, key, do_bench=None):
            made.append((configs, key, do_bench))
            return lambda fn: fn

        with mock.patch.object(triton, "autotune", without), self.assertWarnsRegex(KeepingWarning, "takes no prune_configs_by; nothing is pruned"):
            self.assertIs(autotune(FITTING[:3], ["rows"], keep=1, device="a100", do_bench=abs)(kernels.transpose), kernels.transpose)
        self.assertEqual(made, [(FITTING[:3], ["rows"], abs)])

    def test_arguments_of_autotune(self):
        """All of triton.autotune's are taken, by name and in their order."""
        names = list(inspect.signature(triton.autotune).parameters)
        self.assertEqual(names[:3], ["configs", "key", "prune_configs_by"])
        fn = autotune(FITTING[:3], ["rows"], None, ["out"], ["x"], keep=1, device="a100", cache_results=True)(kernels.transpose)
        self.assertEqual((fn.reset_to_zero, fn.restore_value, fn.cache_results), (["out"], ["x"], True))
        with self.assertRaisesRegex(TypeError, "cache_result"):
            autotune(FITTING[:3], ["rows"], keep=1, device="a100", cache_result=True)(kernels.transpose)


if __name__ == "__main__":
    unittest.main()
