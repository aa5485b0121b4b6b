# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs of several threads: at the same time, and as if each were alone. Progress, which other threads tell."""

import os
import threading
import unittest
from concurrent.futures import ThreadPoolExecutor

import ptx_predict as pp
import support
from ptx_predict import progress

FILES = [os.path.join(support.EXAMPLES, name) for name in ("matmul.ptx", "reduce.ptx", "saxpy.ptx", "transpose.ptx", "barriers.ptx", "scale.cubin")]


class ThreadsTest(unittest.TestCase):
    """No interpreter's lock is held while the library runs."""

    def test_at_the_same_time(self):
        """Two runs meet: each waits in the middle until the other one is there, too."""
        together = threading.Barrier(2, timeout=120)
        met = []

        def check(path):
            waited = []

            def told(done, of):
                if not waited:
                    waited.append((done, of))
                    met.append(together.wait())

            return pp.lint(path, FILES[0], no_config=True, no_cache=True, progress=told).json

        with ThreadPoolExecutor(2) as pool:
            answers = list(pool.map(check, FILES[1:3]))
        self.assertEqual(sorted(met), [0, 1])
        for path, answer in zip(FILES[1:3], answers):
            self.assertEqual(answer, pp.lint(path, FILES[0], no_config=True, no_cache=True).json)

    def test_answers_are_those_of_one_thread(self):
        """Options and errors of one run are not another's."""
        calls = [(path, {"device": device, "j": 1 + index % 2}) for index, path in enumerate(FILES) for device in ("v100", "h100-sxm", "t4")]
        want = [pp.predict(path, **options).json for path, options in calls]

        def work(index):
            if index % 5 == 4:
                try:
                    pp.predict(FILES[0], device=f"no-{index}")
                except ValueError as error:
                    assert f"'no-{index}'" in str(error), error
            path, options = calls[index % len(calls)]
            return pp.predict(path, **options).json == want[index % len(calls)]

        with ThreadPoolExecutor(6) as pool:
            self.assertEqual(list(pool.map(work, range(20 * len(calls)))), [True] * 20 * len(calls))


class ProgressTest(unittest.TestCase):
    """Bars and functions."""

    def test_function(self):
        told = []
        found = pp.lint(*FILES[:5], no_config=True, no_cache=True, progress=lambda done, of: told.append((done, of)))
        self.assertEqual(told[-1], (5, 5))
        self.assertEqual(told, sorted(told))
        self.assertEqual(found.json, pp.lint(*FILES[:5], no_config=True, no_cache=True).json)

    def test_errors_of_a_function_come_out(self):
        told = []

        def fail(done, of):
            told.append(done)
            raise KeyError("mine")

        with self.assertRaisesRegex(KeyError, "mine"):
            pp.lint(*FILES[:3], no_config=True, no_cache=True, progress=fail)
        self.assertEqual(len(told), 1)

    def test_bar(self):
        """A stand-in for tqdm's bar."""
        bars = []

        class Bar:
            """Remembers what it is told."""

            def __init__(self, total, desc, leave):
                self.total, self.desc, self.n, self.closed = total, desc, 0, leave
                bars.append(self)

            def update(self, step):
                self.n += step

            def close(self):
                self.closed = True

        before = progress.tqdm
        progress.tqdm = lambda: Bar
        try:
            pp.lint(*FILES[:3], no_config=True, no_cache=True, progress=True)
        finally:
            progress.tqdm = before
        self.assertEqual([(bar.desc, bar.total, bar.n, bar.closed) for bar in bars], [("lint", 3, 3, True)])

    def test_tqdm(self):
        if progress.tqdm() is None:
            self.skipTest("tqdm is not installed")
        with progress.Progress("lint", True) as shown:
            shown.update(1, 3)
            self.assertEqual((shown._bar.n, shown._bar.total), (1, 3))

    def test_no_tqdm(self):
        before = progress.tqdm
        progress.tqdm = lambda: None
        try:
            self.assertEqual(pp.lint(FILES[0], no_config=True, no_cache=True, progress=True).code, 0)
        finally:
            progress.tqdm = before


if __name__ == "__main__":
    unittest.main()
