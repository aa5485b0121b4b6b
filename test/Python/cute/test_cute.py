# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The recipe of docs/guide/PythonKernels.md for CuTe DSL: PTX that it writes without a GPU, predicted."""

import os
import tempfile
import unittest

folder = tempfile.TemporaryDirectory()
os.environ.update(CUTE_DSL_ARCH="sm_90a", CUTE_DSL_KEEP="ptx", CUTE_DSL_LINEINFO="1", CUTE_DSL_DUMP_DIR=folder.name)
try:
    import cutlass
    from cutlass import cute
    from cutlass.cute.runtime import make_fake_compact_tensor
except ImportError as error:
    raise unittest.SkipTest(f"nvidia-cutlass-dsl: {error}") from None

import ptx_predict as pp

ROWS, COLUMNS = 512 * 256, 1024


@cute.kernel
def sums_kernel(values: cute.Tensor, out: cute.Tensor):
    thread, _, _ = cute.arch.thread_idx()
    block, _, _ = cute.arch.block_idx()
    size, _, _ = cute.arch.block_dim()
    row = block * size + thread
    total = cutlass.Float32(0.0)
    for k in cutlass.range(values.shape[1]):
        total += values[row, k]
    out[row] = total


@cute.jit
def sums(values: cute.Tensor, out: cute.Tensor):
    sums_kernel(values, out).launch(grid=[ROWS // 256, 1, 1], block=[256, 1, 1])


class Recipe(unittest.TestCase):
    def test_a_kernel(self):
        values = make_fake_compact_tensor(cutlass.Float32, (ROWS, COLUMNS), stride_order=(1, 0))
        compiled = cute.compile(sums, values, make_fake_compact_tensor(cutlass.Float32, (ROWS,)))
        report = pp.predict(pp.Code(compiled.__ptx__, "sums.ptx"), device="h100-sxm", grid=ROWS // 256)
        self.assertEqual(report.kernel.launch.block, [256, 1, 1])  # the kernel says it
        self.assertEqual({loop.trip_count.status for loop in report.kernel.characteristics.loops}, {"known"})
        with open(__file__) as file:
            line = 1 + next(number for number, text in enumerate(file) if "total += values" in text)
        found = [(os.path.basename(f.location.path), f.location.line) for f in report.kernel.findings]
        self.assertIn(("test_cute.py", line), found)


if __name__ == "__main__":
    unittest.main()
