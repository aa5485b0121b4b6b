# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`keep=`: what stays, what goes, and that a slip loses nothing."""

import io
import math
import os
import pathlib
import random
import sys
import tempfile
import unittest
import warnings

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "python"))

from ptx_predict import Estimate
from ptx_predict.keeping import Keep, KeepingWarning, Refused, checked, choose


def estimate(value, low, high):
    return Estimate(value, "estimated", low, high, "time_us")


def times(*values):
    """A prediction of candidate i: the i-th value, raised if it is an exception."""

    def predict(index):
        value = values[index]
        if isinstance(value, Exception):
            raise value
        return value

    return range(len(values)), predict


def quietly(*args, **more):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return choose(*args, **more)


class What(unittest.TestCase):
    """What `keep=` may be."""

    def test_number(self):
        self.assertEqual(Keep(3).count(10), 3)
        self.assertEqual(Keep(30).count(10), 10)
        for keep in (0, -1):
            with self.assertRaisesRegex(ValueError, f"keep is at least one, not {keep}"):
                Keep(keep)

    def test_share(self):
        for share, of, count in ((0.1, 60, 6), (0.07, 100, 7), (0.1, 61, 7), (0.001, 60, 1), (1.0, 60, 60), (1e-9, 1, 1), (0.5, 0, 0)):
            self.assertEqual(Keep(share).count(of), count, (share, of))

    def test_share_in_other_units(self):
        """A percentage, a number with a fraction, and what is no number: none of them is guessed at."""
        for keep, says in (
            (10.0, "keep=10 is a share, .*; for a number of candidates write 10, for 10 % of them 0.1"),
            (1.5, "for a number of candidates write 1 or 2, for 1.5 % of them 0.015"),
            (200.0, "write 200$"),
            (0.0, "keep=0 is a share"),
            (-0.1, "keep=-0.1 is a share"),
            (math.nan, "keep=nan is a share"),
            (math.inf, "keep=inf is a share"),
            ("10%", "not '10%'; 10% is 0.1"),
            ("10", "not '10'"),
            ("intervals", "keep is a number, a share or 'interval', not 'intervals'"),
        ):
            with self.subTest(keep=keep), self.assertRaisesRegex(ValueError, says):
                Keep(keep)

    def test_no_number(self):
        for keep in (True, False, None, [3], {}, 1j):
            with self.subTest(keep=keep), self.assertRaisesRegex(TypeError, "keep is a number, a share or 'interval', not"):
                Keep(keep)

    def test_numbers_of_numpy(self):
        try:
            import numpy
        except ImportError:
            self.skipTest("numpy is not installed")
        self.assertEqual(Keep(numpy.int64(3)).count(10), 3)
        self.assertEqual(Keep(numpy.float32(0.5)).count(10), 5)
        with self.assertRaises(TypeError):
            Keep(numpy.True_)


class Chosen(unittest.TestCase):
    """What stays."""

    def test_best_first(self):
        self.assertEqual(quietly(*times(5.0, 3.0, 4.0, 1.0, 2.0), 3), [3, 4, 1])

    def test_equal_times_keep_their_order(self):
        self.assertEqual(quietly(*times(2.0, 1.0, 2.0, 1.0, 2.0), 4), [1, 3, 0, 2])

    def test_interval(self):
        found = times(estimate(10, 8, 12), estimate(20, 12, 30), estimate(13, 12.5, 14), estimate(50, 3, 99))
        self.assertEqual(quietly(*found, "interval"), [0, 1, 3])

    def test_open_interval(self):
        """Nothing bounds the best one's time from above: all others may be better."""
        self.assertEqual(quietly(*times(estimate(10, 8, math.inf), estimate(500, 400, 600)), "interval"), [0, 1])
        self.assertEqual(quietly(*times(estimate(10, 8, 12), estimate(500, -math.inf, 600)), "interval"), [0, 1])

    def test_exact_times(self):
        """Without bounds an interval is its number."""
        self.assertEqual(quietly(*times(5.0, 4.0, 4.0), "interval"), [1, 2])

    def test_never_empty(self):
        """Whatever is predicted, and whatever goes wrong."""
        choice = random.Random(0)
        for _ in range(500):
            found = [
                choice.choice([1.0, 2.0, estimate(3, 2, 4), None, math.nan, 0.0, -1.0, Refused("no"), ValueError("?"), KeyError("k")])
                for _ in range(choice.randrange(1, 6))
            ]
            for keep in (1, 0.01, "interval"):
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    self.assertTrue(choose(*times(*found), keep))
        self.assertEqual(quietly([], float, 1), [])

    def test_refused(self):
        self.assertEqual(quietly(*times(Refused("too large"), 2.0, 1.0), 1.0), [2, 1])

    def test_all_refused(self):
        with self.assertWarnsRegex(KeepingWarning, "none of 2 candidates fits the device, so all are kept; the first: a$"):
            self.assertEqual(choose(*times(Refused("a"), Refused("b")), 1), [0, 1])

    def test_fails_open(self):
        """What cannot be predicted stays beside what is kept, with one warning."""
        with warnings.catch_warnings(record=True) as warned:
            warnings.simplefilter("always")
            kept = choose(*times(KeyError("loop"), 2.0, None, 1.0, RuntimeError("a\nb")), 1)
        self.assertEqual(kept, [3, 0, 2, 4])
        self.assertEqual([str(w.message) for w in warned], ["3 of 5 candidates cannot be predicted and are kept; the first: not predicted: KeyError: 'loop'"])
        self.assertEqual(warned[0].filename, __file__)

    def test_interrupt_is_no_failure(self):
        def interrupted(_):
            raise KeyboardInterrupt

        with self.assertRaises(KeyboardInterrupt):
            choose([1], interrupted, 1)


class Units(unittest.TestCase):
    """Numbers that have another unit than they should count as not known: a winner among them would be lost."""

    def test_checked(self):
        self.assertEqual(checked(estimate(2, 1, 3)), (2, 1, 3))
        self.assertEqual(checked(2), (2, 2, 2))
        for time, says in (
            (Estimate(2e-6, "known", key="time_s"), "its time is in s, not in us"),
            (Estimate(300.0, "known", key="power_w"), "its time is in W, not in us"),
            (estimate(2000, 1, 3), "its interval, 1 to 3, does not hold its time, 2000: they have different units"),
            (estimate(0.002, 1, 3), "does not hold its time, 0.002"),
            (Estimate(2.0, "unknown", key="time_us"), "its time is not known"),
            (0.0, "0 us is no time"),
            (-1.0, "-1 us is no time"),
            (math.nan, "nan us is no time"),
            (math.inf, "inf us is no time"),
            (None, "it has no predicted time"),
            (True, "it has no predicted time"),
        ):
            with self.subTest(time=repr(time)), self.assertRaisesRegex(ValueError, says):
                checked(time)

    def test_one_in_seconds(self):
        """It would be the best one, and alone."""
        found = times(estimate(10, 8, 12), Estimate(11e-6, "estimated", 9e-6, 13e-6, "time_s"), estimate(30, 20, 40))
        with self.assertWarnsRegex(KeepingWarning, "1 of 3 .* in s, not in us"):
            self.assertEqual(choose(*found, 1), [0, 1])


class Explained(unittest.TestCase):
    """Why each went or stayed."""

    FOUND = (estimate(10, 8, 12), Refused("200 bytes too many"), estimate(20, 15, 25), estimate(11, 9, 13))

    def test_verdicts(self):
        verdicts = []
        quietly(*times(*self.FOUND), "interval", explain=verdicts.append, name="number {}".format)
        self.assertEqual(
            [str(v) for v in verdicts],
            [
                "kept  number 0: 10 us, place 1 of 3",
                "left  number 1: 200 bytes too many",
                "left  number 2: 20 us, place 3 of 3; from 15 us on, above the best one's 12 us",
                "kept  number 3: 11 us, place 2 of 3; from 9 us on, within the best one's 12 us",
            ],
        )
        self.assertEqual([(v.candidate, v.place, v.time_us) for v in verdicts], [(0, 1, 10), (1, None, None), (2, 3, 20), (3, 2, 11)])
        self.assertIsInstance(verdicts[0].time_us, Estimate)

    def test_file(self):
        expected = "kept  0: 1 us, place 1 of 2\nleft  1: 2 us, place 2 of 2; 1 is kept\n"
        into = io.StringIO()
        quietly(*times(1.0, 2.0), 1, explain=into)
        self.assertEqual(into.getvalue(), expected)
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "why.txt"
            quietly(*times(1.0, 2.0), 1, explain=path)
            quietly(*times(1.0, 2.0), 1, explain=str(path))
            self.assertEqual(path.read_text(), expected * 2, "lines are added")

    def test_goes_wrong(self):
        """That is no reason to stop."""

        def explain(verdict):
            raise OSError("disk full")

        for into, says in ((explain, "disk full"), (os.path.join(os.devnull, "x"), "explain: .*[Nn]ot a directory")):
            with self.assertWarnsRegex(KeepingWarning, says):
                self.assertEqual(choose(*times(2.0, 1.0), 1, explain=into), [1])


if __name__ == "__main__":
    unittest.main()
