# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""rank over Ray: the same bytes as in one process, also when workers die."""

import functools
import importlib.util
import os
import sys
import unittest

import many_inputs as inputs
from many_case import Case


@unittest.skipIf(importlib.util.find_spec("ray") is None, "Ray is not installed")
class Ray(Case):
    @classmethod
    def setUpClass(cls):
        import ray

        path = os.pathsep.join([inputs.HERE, *sys.path])
        ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, configure_logging=False, runtime_env={"env_vars": {"PYTHONPATH": path}})

    @classmethod
    def tearDownClass(cls):
        import ray

        ray.shutdown()

    def test_a_worker_dies_and_a_candidate_kills(self):
        from ptx_predict.many.ray import RayExecutor

        marker = self.path("marker")
        candidates = list(inputs.launches(60))
        candidates[30] = functools.partial(inputs.kills_once, marker, "saxpy.ptx")
        candidates[40] = inputs.kills
        found = self.rank(candidates, executor=RayExecutor, chunk=6)
        self.assertTrue(os.path.exists(marker))
        self.assertEqual([problem.candidate for problem in found.messages], [40])
        del candidates[40]
        rows = inputs.read(self.out).replace(b"candidate-30.ptx", b"")
        self.assertEqual(rows, self.in_one_process(candidates).replace(b"candidate-30.ptx", b""))


if __name__ == "__main__":
    unittest.main()
