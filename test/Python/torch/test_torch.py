# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Inductor's choices of a matrix product, without a GPU: its Triton templates for the processor, which nobody compiles there."""

import os
import pathlib
import sys
import tempfile
import types
import unittest
import warnings
from unittest import mock

sys.path[:0] = [str(pathlib.Path(__file__).resolve().parents[1] / "triton")]
import stand_ins  # noqa: I001  (skips without triton)

try:
    import torch
except ImportError:
    raise unittest.SkipTest("torch is not installed") from None
if torch.__file__ is None:  # only this folder
    raise unittest.SkipTest("torch is not installed")

import kernels
import ptx_predict.torch
from ptx_predict.keeping import KeepingWarning
from ptx_predict.triton import Tensor, predict
from torch._inductor import config, select_algorithm


def setUpModule():
    """What Inductor writes goes when the tests end."""
    folder = tempfile.TemporaryDirectory()
    unittest.addModuleCleanup(folder.cleanup)
    patch = mock.patch.dict(os.environ, TORCHINDUCTOR_CACHE_DIR=folder.name)
    patch.start()
    unittest.addModuleCleanup(patch.stop)


class Inductor(unittest.TestCase):
    """A product for which Inductor has a choice of its own and 19 templates, or about so many."""

    def choices(self, rows):
        """Compiles a product; returns what Inductor would have benchmarked, and takes its own choice."""
        seen = []

        def last(choices):
            seen.extend(choices)
            return [choice for choice in choices if isinstance(choice, select_algorithm.ExternKernelCaller)]

        def product(a, b):
            return a @ b

        settings = {"max_autotune": True, "max_autotune_gemm_backends": "ATEN,TRITON", "cpu_backend": "triton", "fx_graph_cache": False}
        with stand_ins.machine(80), config.patch(settings):
            select_algorithm.add_preprocessing_fn(last)
            try:
                torch._dynamo.reset()
                a, b = torch.ones(rows, 512), torch.ones(512, 256)
                result = torch.compile(product)(a, b)
            finally:
                select_algorithm.clear_preprocessing_fns()
        self.assertTrue(torch.equal(result, a @ b))
        return seen

    def test_keep(self):
        everything = self.choices(256)
        templates = [choice for choice in everything if isinstance(choice, select_algorithm.TritonTemplateCaller)]
        self.assertGreater(len(templates), 10)

        verdicts = []
        with warnings.catch_warnings():
            warnings.simplefilter("error", KeepingWarning)
            end = ptx_predict.torch.prune(3, device="a100", explain=verdicts.append)
            kept = self.choices(256)
        self.assertEqual([str(v) for v in verdicts if "not predicted" in v.why], [])
        self.assertEqual(len(verdicts), len(templates))
        self.assertEqual(len(kept), len(everything) - len(templates) + 3, "the choice that is no template does not count")
        best = {v.candidate.description for v in sorted((v for v in verdicts if v.place), key=lambda v: v.place)[:3]}
        self.assertEqual({c.description for c in kept if isinstance(c, select_algorithm.TritonTemplateCaller)}, best)
        self.assertLess(1, len({v.time_us for v in verdicts}))
        end()

    def test_predictor_that_raises(self):
        everything = self.choices(192)
        with mock.patch("ptx_predict.triton._choose._predict", side_effect=RuntimeError("no idea")):
            end = ptx_predict.torch.prune(3, device="a100")
            with self.assertWarnsRegex(KeepingWarning, "choices cannot be predicted and are kept; the first: .*no idea"):
                kept = self.choices(192)
        self.assertEqual([c.description for c in kept], [c.description for c in everything])
        end()

    def test_ends(self):
        functions = select_algorithm.get_algorithm_selector_cache().preprocessing_fns
        before = list(functions)
        end = ptx_predict.torch.prune(1, device="a100")
        self.assertEqual(len(functions), len(before) + 1)
        end()
        self.assertEqual(functions, before)


class Tensors(unittest.TestCase):
    """Tensors of PyTorch's as arguments: those of the processor, and those that are nowhere."""

    def test_predict(self):
        stand_in = [Tensor(4096, "fp32"), Tensor((64, 64), "fp32", (128, 1)), Tensor(4096, torch.float32)]
        expected = predict(kernels.add, *stand_in, 4096, grid=(32,), device="a100", BLOCK=128)
        for device in ("cpu", "meta"):
            whole = torch.empty(64, 128, device=device)
            if whole.data_ptr() % 16:
                self.skipTest("tensors are not aligned here")
            tensors = [torch.empty(4096, device=device), whole[:, :64], torch.empty(4096, device=device)]
            report = predict(kernels.add, *tensors, 4096, grid=(32,), device="a100", BLOCK=128)
            self.assertEqual(report.json, expected.json)


class Hook(unittest.TestCase):
    """What Inductor calls, with choices that only look like its own."""

    def hook(self, **more):
        added = []
        with mock.patch.object(select_algorithm, "add_preprocessing_fn", added.append):
            ptx_predict.torch.prune(1, device="a100", **more)
        return added[0]

    def test_other_choices(self):
        choices = [types.SimpleNamespace(name="mm"), types.SimpleNamespace(name="cutlass", bmreq=types.SimpleNamespace(source="…"))]
        self.assertEqual(self.hook()(choices), choices)
        self.assertEqual(self.hook()([]), [])

    def test_template_that_is_gone(self):
        request = types.SimpleNamespace(
            module_path="/nowhere.py", module_cache_key="nowhere", kernel_name="k", extra_args=[1, 1, 1], input_tensor_meta=[], output_tensor_meta=None
        )
        choices = [types.SimpleNamespace(name=f"triton_{i}", description="", bmreq=request) for i in range(3)]
        with self.assertWarnsRegex(KeepingWarning, "3 of 3 choices cannot be predicted and are kept; the first: .*nowhere"):
            self.assertEqual(self.hook()(choices), choices)

    def test_other_inductor(self):
        with mock.patch.object(select_algorithm, "add_preprocessing_fn", None):
            with self.assertWarnsRegex(KeepingWarning, f"torch {torch.__version__.split('+')[0]}.* takes no preprocessing of choices, so nothing is pruned"):
                end = ptx_predict.torch.prune(1, device="a100")
        end()

    def test_wrong_keep(self):
        with self.assertRaisesRegex(ValueError, "shares lie above 0"):
            ptx_predict.torch.prune(1.5, device="a100")

    def test_no_torch(self):
        with mock.patch.dict(sys.modules, {"torch": None}), self.assertRaisesRegex(ImportError, "ptx_predict.torch needs the package torch: pip install torch"):
            ptx_predict.torch.prune(1)


if __name__ == "__main__":
    unittest.main()
