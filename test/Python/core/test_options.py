# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Keyword arguments become the command's options."""

import collections
import pathlib
import unittest

import ptx_predict as pp
import support
from ptx_predict import _options


def spelled(**options):
    """Names and values, without the texts in memory."""
    return _options.spell(options)[0]


class SpellingTest(unittest.TestCase):
    """What each kind of value becomes."""

    def test_values(self):
        self.assertEqual(spelled(device="v100", registers=40, core_mhz=1500.5), [("device", "v100"), ("registers", "40"), ("core-mhz", "1500.5")])
        self.assertEqual(spelled(published=True, verbose=False, model=None), [("published", None)])
        self.assertEqual(spelled(grid=(64, 64), block=256), [("grid", "64,64"), ("block", "256")])
        self.assertEqual(spelled(device=["v100", "t4"]), [("device", "v100"), ("device", "t4")])
        self.assertEqual(spelled(arg={"n": 1024, 3: 2.5}), [("arg", "n=1024"), ("arg", "3=2.5")])
        self.assertEqual(spelled(launch=pathlib.Path("a/b.yaml")), [("launch", "a/b.yaml")])
        self.assertEqual(spelled(sweep={"block": [128, (16, 16)], "core-mhz": "1:2"}), [("sweep", "block=128,16x16"), ("sweep", "core-mhz=1:2")])
        self.assertEqual(spelled(lambda_=0.9, j=1), [("lambda", "0.9"), ("j", "1")])
        self.assertEqual(spelled(device=[]), [])
        self.assertEqual(spelled(arg=collections.ChainMap({"n": 1})), [("arg", "n=1")])
        self.assertEqual(spelled(flags=["-nocudainc", "-DX"]), [("--", "-nocudainc"), ("--", "-DX")])

    def test_numbers_of_other_types(self):
        class Whole:
            """As numpy.int64: an index that prints in its own way."""

            def __index__(self):
                return 7

        class Real:
            """As numpy.float32."""

            def __float__(self):
                return 0.5

        self.assertEqual(spelled(registers=Whole(), core_mhz=Real()), [("registers", "7"), ("core-mhz", "0.5")])
        self.assertEqual(spelled(core_mhz=pp.Estimate(1500, "known", key="core_mhz")), [("core-mhz", "1500.0")])

    def test_texts_in_memory(self):
        options, named = _options.spell({"launch": pp.Code("launches: []", "l.yaml")})
        self.assertEqual(options, [("launch", "l.yaml")])
        self.assertEqual(named, {"l.yaml": b"launches: []"})

    def test_what_is_no_option(self):
        for keyword, value, why in (
            ("format", "csv", "'format' is no option here: a report has all forms"),
            ("o", "x", "'o' is no option here: write the report's .json"),
            ("dump", "graph", r"'dump' is no option here: ptx_predict.text\(subcommand"),
            ("color", True, "'color' is no option here"),
        ):
            with self.assertRaisesRegex(ValueError, why):
                pp.predict("saxpy.ptx", **{keyword: value})

    def test_what_is_no_value(self):
        for value in (object(), b"256", {1, 2}):
            with self.assertRaisesRegex(TypeError, f"an option takes numbers, texts and paths, not {type(value).__name__}"):
                spelled(block=value)


class EffectTest(unittest.TestCase):
    """Options do what the command's do."""

    def test_same_as_the_command(self):
        with support.Folder():
            for options, arguments in (
                ({"kernel": "matmul", "grid": (32, 32), "arg": {3: 512}, "registers": 48}, ["--kernel=matmul", "--grid=32,32", "--arg=3=512", "--registers=48"]),
                ({"device": ["v100", "a100-80gb"], "model": "all", "j": 1}, ["--device=v100", "--device=a100-80gb", "--model=all", "-j1"]),
                ({"grid": "64x64", "dynamic_smem": "1Ki", "work_limit": "100k"}, ["--grid=64x64", "--dynamic-smem=1Ki", "--work-limit=100k"]),
                ({"published": True, "mwp_case": "literal"}, ["--published", "--mwp-case=literal"]),
            ):
                with self.subTest(options):
                    self.assertEqual(pp.predict("matmul.ptx", **options).json, support.command("matmul.ptx", *arguments, "--format=json"))


if __name__ == "__main__":
    unittest.main()
