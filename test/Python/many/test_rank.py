# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""rank in one process: against the command, forms of `out`, kinds of candidates, what is wrong with some."""

import concurrent.futures
import csv
import functools
import importlib.util
import io
import json
import os
import tempfile
import unittest

import many_inputs as inputs
import ptx_predict
from ptx_predict import many
from ptx_predict.many import finish


def table(data):
    """Rows of CSV as dicts."""
    return list(csv.DictReader(io.StringIO(data.decode())))


class AgainstTheCommand(unittest.TestCase):
    def setUp(self):
        self.holder = tempfile.TemporaryDirectory()
        self.addCleanup(self.holder.cleanup)
        self.folder = self.holder.name
        self.out = os.path.join(self.folder, "rows.csv")

    def assert_as_command(self, files, *options, **keywords):
        """The rows of our file, by rank, are the command's but for their reasons."""
        found = many.rank(files, device=inputs.DEVICE, out=self.out, **keywords)
        asked = (f"--device={inputs.DEVICE}", "--format=csv", "--top=all", *options)
        ours, theirs = table(inputs.read(self.out)), table(inputs.command("rank", *files, *asked))
        self.assertEqual(list(ours[0]), list(theirs[0]))
        order = {}
        for row in theirs:
            order.setdefault((row["device"], row["model"]), len(order))
        ours.sort(key=lambda row: (order[row["device"], row["model"]], int(row["rank"])))
        for row in (*ours, *theirs):
            row["reasons"] = ""
        self.assertEqual(ours, theirs)
        self.assertEqual(found.rows, len(theirs))
        return found

    def test_folder_with_launch_files(self):
        space = os.path.join(self.folder, "space")
        os.mkdir(space)
        inputs.variants(space, 60)
        found = self.assert_as_command([space])
        files = [row["file"] for row in table(inputs.read(self.out))]
        self.assertEqual(files, sorted(files))  # in the order of the candidates
        best = found.best(3)
        self.assertEqual([place["rank"] for place in best], [1, 2, 3])
        self.assertLessEqual(best[0]["time_us"], best[1]["time_us"])

    def test_several_models_devices_and_kernels(self):
        files = [inputs.example(name) for name in ("transpose.ptx", "saxpy.ptx", "reduce.ptx", "scale.cubin")]
        found = many.rank(files, device=[inputs.DEVICE, "t4"], model=["bottleneck", "mwp-cwp"], block=128, out=self.out)
        asked = (f"--device={inputs.DEVICE}", "--device=t4", "--model=bottleneck", "--model=mwp-cwp", "--block=128", "--format=csv", "--top=all")
        theirs = table(inputs.command("rank", *files, *asked))
        ours = table(inputs.read(self.out))
        key = lambda row: (row["device"], row["model"], int(row["rank"]))
        for row in (*ours, *theirs):
            row["reasons"] = ""
        self.assertEqual(sorted(ours, key=key), sorted(theirs, key=key))
        with self.assertRaisesRegex(ValueError, "4 rankings"):
            found.best()
        self.assertEqual(found.best(1, device="t4", model="mwp-cwp")[0]["rank"], 1)
        with self.assertRaisesRegex(ValueError, "no such ranking; there are bottleneck on"):
            found.best(device="h100-sxm")

    def test_launch_files(self):
        self.assert_as_command([inputs.example("reduce-shapes.yaml"), inputs.example("saxpy.ptx")])

    def test_by_energy(self):
        self.assert_as_command([inputs.example(name) for name in ("saxpy.ptx", "transpose.ptx", "reduce-shapes.yaml")], "--by=energy", by="energy")

    def test_numbers_are_written_as_the_command_does(self):
        for value, text in (
            (0.0, "0"), (1.0, "1"), (-2.0, "-2"), (0.1, "0.1"), (1e15, "1000000000000000"), (1.5e-5, "0.000015"), (1e16, "1e+16"),
            (123456.75, "123456.75"), (1e-7, "1e-07"), (1.25e300, "1.25e+300"), (-0.0, "-0"), (float("inf"), ""), (float("nan"), ""),
        ):  # fmt: skip
            self.assertEqual(finish.shortest_decimal(value), text)


class Forms(unittest.TestCase):
    def setUp(self):
        self.holder = tempfile.TemporaryDirectory()
        self.addCleanup(self.holder.cleanup)
        self.folder = self.holder.name

    def rows_in(self, name):
        return list(many.rank(inputs.launches(40), device=inputs.DEVICE, out=os.path.join(self.folder, name)))

    def test_all_forms_have_the_same_rows(self):
        by_csv = self.rows_in("rows.csv")
        self.assertEqual(len(by_csv), 53)  # transpose.ptx has two kernels
        self.assertIsInstance(by_csv[0]["time_us"], float)
        self.assertIsInstance(by_csv[0]["rank"], int)
        self.assertIs(by_csv[0]["launch_line"], None)
        self.assertIsInstance(by_csv[0]["tie"], bool)
        self.assertEqual(self.rows_in("rows.jsonl"), by_csv)
        with open(os.path.join(self.folder, "rows.jsonl"), encoding="utf-8") as file:
            self.assertEqual(json.loads(file.readline()), by_csv[0])
        if importlib.util.find_spec("pyarrow") is None:
            self.skipTest("pyarrow is not installed")
        self.assertEqual(self.rows_in("rows.parquet"), by_csv)

    def test_unknown_form(self):
        with self.assertRaisesRegex(ValueError, r"\.csv, \.jsonl, \.parquet; not '.*rows\.txt'"):
            self.rows_in("rows.txt")

    def test_parquet_without_pyarrow(self):
        if importlib.util.find_spec("pyarrow") is not None:
            self.skipTest("pyarrow is installed")
        with self.assertRaisesRegex(ImportError, "pip install pyarrow"):
            self.rows_in("rows.parquet")

    def test_without_out(self):
        found = many.rank(inputs.launches(6), device=inputs.DEVICE)
        self.assertEqual(len(list(found)), len(found))
        path = found.out
        self.assertTrue(os.path.exists(path))
        del found
        self.assertFalse(os.path.exists(path))

    def test_nothing_is_left_beside_out(self):
        self.rows_in("rows.csv")
        self.assertEqual(os.listdir(self.folder), ["rows.csv"])


class Candidates(unittest.TestCase):
    def test_kinds(self):
        path, text = inputs.example("saxpy.ptx"), inputs.made("saxpy.ptx")
        found = list(
            many.rank(
                [
                    path,
                    ptx_predict.Code(text, "mine.ptx"),
                    functools.partial(inputs.made, "saxpy.ptx"),
                    (path, {"block": 512}),
                    functools.partial(inputs.made_with_options, "saxpy.ptx", 512),
                    (functools.partial(inputs.made_with_options, "saxpy.ptx", 512), {"block": 64}),  # what is made knows better
                ],
                device=inputs.DEVICE,
                grid=1000,
                block=128,
            )
        )
        self.assertEqual([row["file"] for row in found], [path, "mine.ptx", "candidate-2.ptx", path, "candidate-4.ptx", "candidate-5.ptx"])
        self.assertEqual([row["block"] for row in found], ["128", "128", "128", "512", "512", "512"])
        self.assertEqual(len({row["time_us"] for row in found[:3]}), 1)
        self.assertEqual(len({row["time_us"] for row in found[3:]}), 1)

    def test_no_candidates(self):
        found = many.rank([], device=inputs.DEVICE)
        self.assertEqual((found.candidates, found.rows, list(found), found.best()), (0, 0, [], []))

    def test_no_candidate(self):
        with self.assertRaisesRegex(TypeError, "not int"):
            many.rank([3], device=inputs.DEVICE)
        with self.assertRaisesRegex(TypeError, "is a pair"):
            many.rank([("a.ptx", {}, {})], device=inputs.DEVICE)

    def test_iterator_is_read_no_further_than_needed(self):
        read, done, most = 0, 0, 0

        def candidates():
            nonlocal read, most
            for candidate in inputs.launches(200):
                read += 1
                most = max(most, read - done)
                yield candidate

        def progress(so_far, _):
            nonlocal done
            done = so_far

        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            many.rank(candidates(), device=inputs.DEVICE, executor=pool, chunk=4, window=3, progress=progress)
        self.assertEqual((read, done), (200, 200))
        self.assertLessEqual(most, 3 * 4 + 4)

    def test_rows_do_not_depend_on_chunks(self):
        with tempfile.TemporaryDirectory() as folder:
            files = [os.path.join(folder, f"{chunk}.csv") for chunk in (1, 7, 100)]
            for file, chunk in zip(files, (1, 7, 100)):
                many.rank(inputs.launches(50), device=inputs.DEVICE, out=file, chunk=chunk)
            self.assertEqual(inputs.read(files[0]), inputs.read(files[1]))
            self.assertEqual(inputs.read(files[0]), inputs.read(files[2]))


class Wrong(unittest.TestCase):
    def setUp(self):
        self.holder = tempfile.TemporaryDirectory()
        self.addCleanup(self.holder.cleanup)
        self.bad = os.path.join(self.holder.name, "bad.ptx")
        with open(self.bad, "w", encoding="utf-8") as file:
            file.write("garbage {\n")

    def test_candidates_that_cannot_be_ranked(self):
        log = os.path.join(self.holder.name, "log.jsonl")
        saxpy = inputs.example("saxpy.ptx")
        found = many.rank(
            [saxpy, self.bad, "nowhere.ptx", inputs.raises, (saxpy, {"block": 2048}), (saxpy, {"blok": 3}), (saxpy, {"format": "csv"}), inputs.exits, saxpy],
            device=inputs.DEVICE,
            messages=log,
        )
        self.assertEqual([row["rank"] for row in found], [1, 2])
        self.assertEqual((found.candidates, found.failed, found.num_messages), (9, 7, 7))
        self.assertEqual([problem.candidate for problem in found.messages], [1, 2, 3, 4, 5, 6, 7])
        first = found.messages[0]
        self.assertEqual((first.path, first.line, first.column, first.severity), (self.bad, 1, 1, "error"))
        for problem, text in zip(
            found.messages,
            (
                "a PTX module starts with",
                "No such file or directory",
                "candidate-3.ptx: error: RuntimeError: ptxas said no",
                "2048 threads a block",
                "unknown option '--blok'",
                "'format' is no option here",
                "SystemExit: no such flag",
            ),
        ):
            self.assertIn(text, str(problem))
        with open(log, encoding="utf-8") as file:
            self.assertEqual([json.loads(line)["candidate"] for line in file], [1, 2, 3, 4, 5, 6, 7])

    def test_what_a_device_cannot_run(self):
        found = many.rank([inputs.example("saxpy.ptx")], device=inputs.DEVICE, dynamic_smem="1Mi")
        self.assertEqual(found.failed, 1)
        self.assertIn("shared memory", str(found.messages[0]))

    def test_options(self):
        saxpy = inputs.example("saxpy.ptx")
        with self.assertRaisesRegex(ValueError, "did you mean 'a100-80gb'"):
            many.rank([saxpy] * 3, device="a100-80bg")
        with self.assertRaisesRegex(ValueError, "unknown option '--gird'"):
            many.rank([saxpy], gird=3)
        with self.assertRaisesRegex(ValueError, "'top' is no option here"):
            many.rank([saxpy], top=3)
        with self.assertRaisesRegex(ValueError, "'power'"):
            many.rank([saxpy], by="power")
        with self.assertRaisesRegex(ValueError, "numbers from 1"):
            many.rank([saxpy], chunk=0)
        with self.assertRaisesRegex(TypeError, "function that makes one"):
            many.rank([saxpy], executor=3)

    def test_an_argument_that_some_kernels_have(self):
        files = [inputs.example("saxpy.ptx"), inputs.example("matmul.ptx")]
        for chunk in (1, 2):
            found = many.rank(files, device=inputs.DEVICE, arg={"saxpy_param_0": 1000}, chunk=chunk)
            self.assertEqual((found.options, found.rows), ([], 2))
            found = many.rank(files, device=inputs.DEVICE, arg={"nobody": 1000}, chunk=chunk)
            self.assertEqual(len(found.options), 1)
            self.assertIn("has a parameter 'nobody'", found.options[0])

    def test_empty_folder(self):
        with tempfile.TemporaryDirectory() as folder:
            with self.assertRaisesRegex(ValueError, "no \\*.ptx"):
                many.rank([folder], device=inputs.DEVICE)


if __name__ == "__main__":
    unittest.main()
