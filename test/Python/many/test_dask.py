# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""rank over Dask: the same bytes as in one process, also when a worker is killed."""

import importlib.util
import os
import signal
import sys
import unittest

import many_inputs as inputs
from many_case import Case


@unittest.skipIf(importlib.util.find_spec("distributed") is None, "dask[distributed] is not installed")
class Dask(Case):
    def setUp(self):
        super().setUp()
        import distributed

        self.cluster = distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, dashboard_address=":0", local_directory=self.folder, silence_logs=50, preload=[]
        )
        self.addCleanup(self.cluster.close)
        self.client = distributed.Client(self.cluster)
        self.addCleanup(self.client.close)
        self.client.run(sys.path.__setitem__, slice(0, 0), [inputs.HERE])

    def test_a_worker_is_killed(self):
        candidates = [*inputs.launches(400), *inputs.makers(20)]
        killed = []

        def progress(done, _):
            if done > 100 and not killed:
                worker = next(iter(self.cluster.workers.values()))
                killed.append(worker.pid)
                os.kill(worker.pid, signal.SIGKILL)

        found = self.rank(candidates, executor=self.client.get_executor(), chunk=10, progress=progress)
        self.assertEqual((len(killed), found.failed), (1, 0))
        self.assert_same(candidates)

    def test_a_client(self):
        self.rank(inputs.launches(10), executor=self.client)
        self.assert_same(inputs.launches(10))


if __name__ == "__main__":
    unittest.main()
