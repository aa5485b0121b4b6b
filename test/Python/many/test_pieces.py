# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""clocks, validate and scenario in pieces: joined, the bytes of the command's one run."""

import concurrent.futures
import json
import multiprocessing
import os
import tempfile
import unittest

import many_inputs as inputs
import ptx_predict
from ptx_predict import many


def pool():
    """Two processes."""
    return concurrent.futures.ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn"))


class Pieces(unittest.TestCase):
    def setUp(self):
        self.holder = tempfile.TemporaryDirectory()
        self.addCleanup(self.holder.cleanup)
        self.out = os.path.join(self.holder.name, "rows.csv")

    def test_clocks(self):
        files = [inputs.example(name) for name in ("saxpy.ptx", "matmul.ptx", "transpose.ptx", "reduce.ptx")]
        found = many.clocks(files, device="gtx-980", core_mhz="500:1000:100", mem_mhz=(500, 1000), slowdown=20, executor=pool, chunk=1, out=self.out)
        asked = ("--device=gtx-980", "--core-mhz=500:1000:100", "--mem-mhz=500,1000", "--slowdown=20", "--format=csv")
        self.assertEqual(inputs.read(self.out), inputs.command("clocks", *files, *asked))
        self.assertEqual((found.candidates, found.rows), (4, 60))
        self.assertIsInstance(next(iter(found))["time_us"], float)

    def test_clocks_with_options_of_files(self):
        saxpy = inputs.example("saxpy.ptx")
        found = many.clocks([(saxpy, {"block": 64}), (saxpy, {"block": 256}), "nowhere.ptx"], device="gtx-980", core_mhz=1000, mem_mhz=1000)
        times = [row["time_us"] for row in found]
        self.assertEqual((len(times), found.failed), (2, 1))
        self.assertNotEqual(*times)
        self.assertIn("No such file", str(found.messages[0]))

    def test_validate(self):
        with open(inputs.example("times.yaml"), encoding="utf-8") as file:
            text = file.read()
        other = os.path.join(self.holder.name, "other.yaml")
        with open(other, "w", encoding="utf-8") as file:
            file.write(text.replace("name: times", "name: other").replace("ms * 1000", "ms * 1100"))
        files, asked = [inputs.example("times.yaml"), other], ("--data=.", "--code=.", "--model=mwp-cwp", "--model=bottleneck", "--format=csv")
        many.validate(files, data=inputs.EXAMPLES, code=inputs.EXAMPLES, model=["mwp-cwp", "bottleneck"], executor=pool, out=self.out)
        self.assertEqual(inputs.read(self.out), inputs.command("validate", *files, *asked))
        with self.assertRaisesRegex(ValueError, "fits to all datasets together"):
            many.validate(files, refit="kernel")

    def test_scenario(self):
        file = inputs.example("scenario/training.yaml")
        sweep = {"var:grown": (0, 1), "nodes": (1, 2, 4, 8, 16, 32, 64)}
        whole = inputs.command("scenario", file, "--sweep=var:grown=0,1", "--sweep=nodes=1,2,4,8,16,32,64", "--format=csv")
        for chunk in (1, 3, 100):
            found = many.scenario(file, sweep=sweep, executor=pool, chunk=chunk, out=self.out)
            self.assertEqual(inputs.read(self.out), whole)
            self.assertEqual((found.candidates, found.rows), (14, 14))

    def test_scenario_goes_on(self):
        file, sweep = inputs.example("scenario/first.yaml"), "var:N=1Mi:64Mi:1Mi"

        def interrupt(done, of):
            if 3 * done > of:
                raise KeyboardInterrupt

        with self.assertRaises(KeyboardInterrupt):
            many.scenario(file, sweep=sweep, out=self.out, chunk=5, progress=interrupt)
        done = []
        many.scenario(file, sweep=sweep, out=self.out, chunk=5, progress=lambda count, of: done.append((count, of)))
        self.assertEqual((done[0], done[-1]), ((30, 64), (64, 64)))
        self.assertEqual(inputs.read(self.out), inputs.command("scenario", file, f"--sweep={sweep}", "--format=csv"))

    def test_other_forms(self):
        out = os.path.join(self.holder.name, "rows.jsonl")
        found = many.scenario(inputs.example("scenario/first.yaml"), sweep={"system": ("workstation-pcie4", "dgx-h100")}, out=out)
        with open(out, encoding="utf-8") as file:
            rows = [json.loads(line) for line in file]
        self.assertEqual([row["on"] for row in rows], ["workstation-pcie4", "dgx-h100"])
        self.assertEqual([row["point"] for row in rows], [0, 1])
        self.assertEqual(list(found), rows)

    def test_what_is_wrong(self):
        first = inputs.example("scenario/first.yaml")
        for text, keywords in (
            ("no device named 'gtx-981'", {"device": "gtx-981"}),
            ("clocks are chosen for one board", {}),
            ("unknown option '--cores'", {"device": "gtx-980", "cores": 3}),
        ):
            with self.assertRaisesRegex(ValueError, text):
                many.clocks([inputs.example("saxpy.ptx")], **keywords)
        with self.assertRaisesRegex(ValueError, "--points are of a --sweep"):
            many.scenario(first)
        with self.assertRaisesRegex(ValueError, "'best' is no option here"):
            many.scenario(first, sweep="nodes=1,2", best="ed")
        with self.assertRaisesRegex(ptx_predict.PTXError, "cannot read the file|No such file"):
            many.scenario("nowhere.yaml", sweep="nodes=1,2")


if __name__ == "__main__":
    unittest.main()
