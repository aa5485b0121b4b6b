# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels of Numba: findings at lines of their Python source, and arguments as the parameters that Numba makes of them."""

import inspect
import re
import unittest

import ptx_predict as pp


def nothing(out):
    pass


try:
    import numba
    import numpy
    from ptx_predict import numba as of_numba

    of_numba.compile(nothing, (numba.float32[::1],))  # libNVVM is there
except ImportError as error:
    raise unittest.SkipTest(f"numba: {error}") from None

from numba import cuda


def sums(out, values):
    row = cuda.grid(1)
    total = numpy.float32(0)
    for k in range(values.shape[1]):
        total += values[row, k]
    out[row] = total


def scale(out, factor, shift, count):
    i = cuda.grid(1)
    if i < count:
        out[i] = out[i] / factor + shift[0]


SUMS = "void(float32[::1], float32[:, ::1])"
LAUNCH = {"device": "h100-sxm", "grid": 512, "block": 256}
ROWS = 512 * 256


def line_of(function, text):
    """The line of this file that holds a text in a function."""
    lines, first = inspect.getsourcelines(function)
    return first + next(i for i, line in enumerate(lines) if text in line)


def places(report, rule):
    """Where findings of a rule are."""
    return [(f.location.path, f.location.line) for f in report.kernel.findings if f.id == rule]


def code(function, types, **more):
    """PTX without the number of the compilation, which Numba writes into names."""
    return re.sub(rb"B\dv\d+B", b"", of_numba.compile(function, types, **more).data)


def loops(report):
    """The trip counts of a kernel's loops."""
    return [loop.trip_count for loop in report.kernel.characteristics.loops]


class Functions(unittest.TestCase):
    def test_findings_are_at_lines_of_the_source(self):
        report = of_numba.predict(sums, SUMS, args=((ROWS,), (ROWS, 1024)), **LAUNCH)
        self.assertIn((inspect.getsourcefile(sums), line_of(sums, "total += values")), places(report, "uncoalesced-access"))
        self.assertGreater(report.prediction.time_us, 0)

    def test_shapes_say_how_often_loops_run(self):
        counts = {columns: loops(of_numba.predict(sums, SUMS, args=((ROWS,), (ROWS, columns)), **LAUNCH)) for columns in (1024, 2048)}
        for trips in counts.values():
            self.assertEqual({count.status for count in trips}, {"known"})
        self.assertEqual(max(counts[2048]), 2 * max(counts[1024]))
        self.assertNotEqual({count.status for count in loops(of_numba.predict(sums, SUMS, **LAUNCH))}, {"known"})

    def test_a_decorated_function_and_its_arrays(self):
        arrays = numpy.zeros(ROWS, "f4"), numpy.zeros((ROWS, 8), "f4")
        decorated = of_numba.predict(cuda.jit(sums), args=arrays, **LAUNCH)
        plain = of_numba.predict(sums, args=arrays, **LAUNCH)
        shapes = of_numba.predict(sums, SUMS, args=((ROWS,), (ROWS, 8)), **LAUNCH)
        self.assertEqual(float(decorated.prediction.time_us), float(plain.prediction.time_us))
        self.assertEqual(float(shapes.prediction.time_us), float(plain.prediction.time_us))

    def test_strides_are_those_of_the_array(self):
        by_rows = numpy.zeros((ROWS, 8), "f4")
        by_columns = numpy.asfortranarray(by_rows)
        out = numpy.zeros(ROWS, "f4")
        rule = "uncoalesced-access"
        line = line_of(sums, "total += values")
        self.assertIn(line, [at for _, at in places(of_numba.predict(sums, args=(out, by_rows), **LAUNCH), rule)])
        self.assertNotIn(line, [at for _, at in places(of_numba.predict(sums, args=(out, by_columns), **LAUNCH), rule)])

    def test_options_of_the_decorator_change_the_code(self):
        types = "void(float32[::1], float32, UniTuple(float32, 2), int64)"
        decorated = code(cuda.jit(scale, fastmath=True), types)
        self.assertNotEqual(code(scale, types), decorated)
        self.assertEqual(code(scale, types, fastmath=True), decorated)

    def test_tuples_and_numbers_are_parameters_one_by_one(self):
        types = (numba.float32[::1], numba.float32, numba.types.UniTuple(numba.float32, 2), numba.int64)
        few = of_numba.predict(scale, types, args=((ROWS,), 2.0, (1.0, 3.0), 256), **LAUNCH)
        all_of_them = of_numba.predict(scale, types, args=((ROWS,), 2.0, (1.0, 3.0), ROWS), **LAUNCH)
        # 7 parameters of the array, 1 of factor, 2 of shift, then count.
        by_hand = pp.predict(of_numba.compile(scale, types, cc=(9, 0)), arg={10: 256}, **LAUNCH)
        self.assertLess(float(few.prediction.time_us), float(all_of_them.prediction.time_us))
        self.assertEqual(few.kernel.characteristics.instructions, by_hand.kernel.characteristics.instructions)

    def test_older_devices(self):
        report = of_numba.predict(sums, SUMS, device="v100", grid=512, block=256)
        self.assertEqual(report.prediction.device, "v100")


class WrongInput(unittest.TestCase):
    def test_what_there_is_no_type_for(self):
        with self.assertRaisesRegex(ValueError, "signature or args"):
            of_numba.predict(sums, **LAUNCH)
        with self.assertRaisesRegex(ValueError, "shape in place of an array needs a signature"):
            of_numba.predict(sums, args=((ROWS,), (ROWS, 8)), **LAUNCH)

    def test_arguments_of_another_shape(self):
        with self.assertRaisesRegex(ValueError, r"neither such an array nor its shape"):
            of_numba.predict(sums, SUMS, args=((ROWS,), (ROWS,)), **LAUNCH)

    def test_code_that_numba_does_not_compile(self):
        def wrong(out):
            out[0] = open("x")

        with self.assertRaisesRegex(Exception, "Untyped global name 'open'"):
            of_numba.predict(wrong, "void(float32[::1])", **LAUNCH)


if __name__ == "__main__":
    unittest.main()
