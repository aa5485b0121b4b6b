# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""rank over executors: the same bytes as in one process, also when workers die; broken pools; runs that stop and go on."""

import concurrent.futures
import functools
import importlib.util
import json
import multiprocessing
import os
import pickle
import signal
import subprocess
import sys
import time
import unittest

import many_inputs as inputs
from many_case import Case
from ptx_predict import many
from ptx_predict.many import executors

#: Workers of this process' own threads must not be copied into children.
CONTEXT = multiprocessing.get_context("spawn")


def pool():
    """Two processes."""
    return concurrent.futures.ProcessPoolExecutor(2, mp_context=CONTEXT)


class Processes(Case):
    def test_same_bytes(self):
        candidates = [*inputs.launches(150), *inputs.makers(30)]
        self.rank(candidates, executor=pool, chunk=7)
        self.assert_same(candidates)

    def test_instance_lives_on(self):
        with pool() as executor:
            self.rank(inputs.launches(5), executor=executor)
            self.assertEqual(executor.submit(len, "abc").result(), 3)
        self.assert_same(inputs.launches(5))

    def test_threads(self):
        unpicklable = [lambda: inputs.made("saxpy.ptx")]
        with concurrent.futures.ThreadPoolExecutor(2) as executor:
            self.rank([*inputs.launches(20), *unpicklable], executor=executor, chunk=3)
        self.assertEqual(inputs.read(self.out).count(b"\n"), 1 + 26 + 1)

    @unittest.skipIf(importlib.util.find_spec("cloudpickle"), "cloudpickle is installed")
    def test_what_pickle_cannot_carry(self):
        with self.assertRaisesRegex(ValueError, "candidate 1 cannot be sent to another process: .*functools.partial"):
            self.rank([inputs.example("saxpy.ptx"), lambda: inputs.made("saxpy.ptx")], executor=pool)

    def test_a_worker_dies(self):
        """A worker is killed while it has work: the pool is made anew, and nobody sees it in the rows."""
        marker = self.path("marker")
        candidates = list(inputs.launches(60))
        candidates[30] = functools.partial(inputs.kills_once, marker, "saxpy.ptx")
        made = []

        def factory():
            made.append(pool())
            return made[-1]

        found = self.rank(candidates, executor=factory, chunk=5)
        self.assertTrue(os.path.exists(marker))
        self.assertEqual((len(made), found.failed), (2, 0))
        self.assert_same(candidates)

    def test_a_candidate_kills_its_workers(self):
        """The run stops when the pool that was made anew breaks, too. The next call finds the culprit, and goes on without it."""
        candidates = list(inputs.launches(40))
        candidates[20] = inputs.kills
        with self.assertRaises(many.Stopped) as stopped:
            self.rank(candidates, executor=pool, chunk=6)
        self.assertIn("the pool broke again", str(stopped.exception))
        self.assertEqual(stopped.exception.candidates, 18)
        self.assertEqual(str(pickle.loads(pickle.dumps(stopped.exception))), str(stopped.exception))
        found = self.rank(candidates, executor=pool, chunk=6)
        self.assertEqual((found.candidates, found.failed), (40, 1))
        self.assertEqual([problem.candidate for problem in found.messages], [20])
        self.assertIn("its worker died", str(found.messages[0]))
        without = [candidate for candidate in candidates if candidate is not inputs.kills]
        self.assert_same(without)

    def test_a_candidate_kills_its_workers_and_there_are_enough_pools(self):
        candidates = [*inputs.launches(10), inputs.kills, *inputs.launches(10)]
        found = self.rank(candidates, executor=pool, chunk=3, remakes=3)
        self.assertEqual((found.candidates, found.failed), (21, 1))

    def test_a_broken_pool_that_nobody_can_make_anew(self):
        candidates = [*inputs.launches(10), functools.partial(inputs.kills_once, self.path("marker"), "saxpy.ptx"), *inputs.launches(10)]
        with pool() as executor:
            with self.assertRaisesRegex(many.Stopped, "no function that makes another one.*goes on behind them"):
                self.rank(candidates, executor=executor, chunk=2)
        with pool() as executor:
            self.rank(candidates, executor=executor, chunk=2)
        self.assert_same(candidates)

    def test_an_executor_that_fails(self):
        class Fails(concurrent.futures.Executor):
            def submit(self, fn, /, *args, **kwargs):
                raise RuntimeError("the scheduler is gone")

        with self.assertRaisesRegex(many.Stopped, "the scheduler is gone; 0 candidates are done"):
            self.rank(inputs.launches(3), executor=Fails())

    def test_a_pool_that_is_broken_from_the_start(self):
        class Broken(concurrent.futures.Executor):
            def submit(self, fn, /, *args, **kwargs):
                raise concurrent.futures.BrokenExecutor("nobody is there")

        with self.assertRaisesRegex(many.Stopped, "the pool broke again .nobody is there"):
            self.rank(inputs.launches(3), executor=Broken)
        with self.assertRaisesRegex(many.Stopped, "the pool broke again"):
            self.rank(inputs.launches(3), executor=Broken, remakes=2)
        found = self.rank(inputs.launches(3), executor=Broken, remakes=20)
        self.assertEqual((found.candidates, found.failed), (3, 3))

    def test_what_leaves_nothing_behind(self):
        for wrong in ([3], [("a.ptx", 3)]):
            with self.assertRaises(TypeError):
                self.rank(wrong)
        with self.assertRaises(ValueError):
            self.rank(inputs.launches(3), gird=1)
        self.assertEqual(os.listdir(self.folder), [])

    def test_other_version(self):
        class Other(executors.Here):
            def submit(self, fn, /, *args, **kwargs):
                future = super().submit(fn, *args, **kwargs)
                future.result().version = "0.0.0"
                return future

        with self.assertRaisesRegex(ImportError, r"a worker has ptx_predict 0\.0\.0"):
            self.rank(inputs.launches(3), executor=Other())


class GoingOn(Case):
    def interrupted_after(self, count, candidates, error=KeyboardInterrupt):
        """Runs until `count` candidates are done."""

        def progress(done, _):
            if done >= count:
                raise error

        with self.assertRaises(error):
            self.rank(candidates, executor=pool, chunk=5, progress=progress)

    def test_interrupted_at_a_third(self):
        candidates = [functools.partial(inputs.counts, "saxpy.ptx") for _ in range(90)]
        self.addCleanup(os.environ.pop, inputs.LOG, None)
        os.environ[inputs.LOG] = self.path("first.log")
        self.interrupted_after(30, candidates)
        done = json.loads(inputs.read(self.out + ".journal").splitlines()[-1])["candidates"]
        self.assertGreaterEqual(done, 30)
        self.assertLess(inputs.read(self.path("first.log")).count(b"\n"), 70)
        os.environ[inputs.LOG] = self.path("second.log")
        self.rank(candidates, executor=pool, chunk=4)
        self.assertEqual(inputs.read(self.path("second.log")).count(b"\n"), 90 - done)
        self.assertEqual(os.listdir(self.folder).count("rows.csv.part"), 0)
        self.assert_same(candidates)

    def test_process_is_killed(self):
        """What a process that is killed at any moment leaves behind is gone on with."""
        program = f"""
import functools, many_inputs as inputs
from ptx_predict import many
many.rank([functools.partial(inputs.slow, "saxpy.ptx", 0.01)] * 100, device=inputs.DEVICE, out={self.out!r}, chunk=3)
"""
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join([inputs.HERE, *sys.path])}
        candidates = [functools.partial(inputs.slow, "saxpy.ptx", 0.01)] * 100
        with subprocess.Popen([sys.executable, "-c", program], env=environment) as process:
            while not os.path.exists(self.out + ".part") or os.path.getsize(self.out + ".part") < 1000:
                time.sleep(0.01)
                self.assertIs(process.poll(), None)
            process.send_signal(signal.SIGKILL)
        self.assertFalse(os.path.exists(self.out))
        done = []
        self.rank(candidates, progress=lambda count, _: done.append(count))
        self.assertGreater(done[0], 3)
        self.assert_same(candidates)

    def test_torn_files(self):
        candidates = list(inputs.launches(40))
        self.interrupted_after(20, candidates)
        with open(self.out + ".part", "ab") as file:
            file.write(b"half a ro")
        with open(self.out + ".journal", "ab") as file:
            file.write(b'{"candidates":25,"rows"')
        self.interrupted_after(30, candidates)
        self.rank(candidates)
        self.assert_same(candidates)

    def test_rows_that_the_disk_lost(self):
        candidates = list(inputs.launches(40))
        self.interrupted_after(30, candidates)
        os.truncate(self.out + ".part", os.path.getsize(self.out + ".part") // 2)
        self.interrupted_after(35, candidates)
        os.remove(self.out + ".part")
        self.interrupted_after(10, candidates)
        self.rank(candidates)
        self.assert_same(candidates)

    def test_messages_of_the_first_part(self):
        candidates = list(inputs.launches(40))
        candidates[3] = candidates[33] = "nowhere.ptx"
        self.interrupted_after(20, candidates)
        found = self.rank(candidates)
        self.assertEqual([problem.candidate for problem in found.messages], [3, 33])
        self.assertEqual(found.failed, 2)

    def test_another_run(self):
        candidates = list(inputs.launches(20))
        self.interrupted_after(10, candidates)
        with self.assertRaisesRegex(ValueError, "is of another run: its options .*resume=False begins anew"):
            self.rank(candidates, model="mwp-cwp")
        with self.assertRaisesRegex(ValueError, "are not the first of these"):
            self.rank(list(inputs.launches(21))[1:])
        with self.assertRaisesRegex(ValueError, "are not the first of these"):
            self.rank(candidates[:3])
        self.assertTrue(os.path.exists(self.out + ".part"))
        found = self.rank(candidates[:3], resume=False)
        self.assertEqual(found.candidates, 3)
        self.assert_same(candidates[:3])

    def test_disk_is_full(self):
        if not os.path.exists("/dev/full"):
            self.skipTest("there is no /dev/full")
        os.symlink("/dev/full", self.out + ".part")
        with self.assertRaisesRegex(many.Stopped, "No space left on device; 0 candidates are done"):
            self.rank(inputs.launches(5))


if __name__ == "__main__":
    unittest.main()
