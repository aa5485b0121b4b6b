# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The recipe of docs/guide/PythonKernels.md for Warp: PTX that it writes without a GPU, predicted."""

import contextlib
import io
import pathlib
import sys
import tempfile
import unittest

try:
    with contextlib.redirect_stdout(io.StringIO()):
        import warp as wp

        wp.config.lineinfo = True
        wp.config.line_directives = True
        wp.init()
except (ImportError, AttributeError) as error:  # this folder has the package's name
    raise unittest.SkipTest(f"warp: {error}") from None

import ptx_predict as pp

ROWS, COLUMNS = 512 * 256, 1024


@wp.kernel(enable_backward=False)
def sums(out: wp.array(dtype=float), values: wp.array2d(dtype=float)):
    row = wp.tid()
    total = float(0.0)
    for k in range(values.shape[1]):
        total += values[row, k]
    out[row] = total


def bounds(parameter, threads):
    """Of the threads of a launch in one dimension."""
    return {f"{parameter}+8:u64": threads, f"{parameter}+16:u64": 1}


def array(parameter, *shape, size=4):
    """Of a contiguous array: pointers to data and gradient, lengths and strides of up to four dimensions."""
    arg, stride = {}, size
    for dimension in reversed(range(len(shape))):
        arg[f"{parameter}+{16 + 4 * dimension}:u32"] = shape[dimension]
        arg[f"{parameter}+{32 + 4 * dimension}:u32"] = stride
        stride *= shape[dimension]
    return arg


class Recipe(unittest.TestCase):
    def test_a_kernel(self):
        with tempfile.TemporaryDirectory() as folder:
            with contextlib.redirect_stdout(io.StringIO()):
                wp.compile_aot_module(sys.modules[__name__], arch=90, use_ptx=True, module_dir=folder, strip_hash=True)
            (path,) = pathlib.Path(folder).glob("*.ptx")
            code = pp.Code(path.read_bytes().rstrip(b"\0"), "sums.ptx")
        arg = {**bounds(0, ROWS), **array(1, ROWS), **array(2, ROWS, COLUMNS)}
        report = pp.predict(code, kernel="sums*", device="h100-sxm", grid=ROWS // 256, block=256, arg=arg)
        counts = [loop.trip_count for loop in report.kernel.characteristics.loops]
        self.assertEqual({count.status for count in counts}, {"known"})
        self.assertIn(max(counts), (COLUMNS, COLUMNS / 2, COLUMNS / 4))  # the compiler unrolls the loop
        (found,) = [f for f in report.kernel.findings if f.id == "uncoalesced-access"]
        with open(__file__) as file:
            line = 1 + next(number for number, text in enumerate(file) if "total += values" in text)
        self.assertRegex(found.location.inlined_at[-1], rf"test_warp\.py:{line}:\d+$")


if __name__ == "__main__":
    unittest.main()
