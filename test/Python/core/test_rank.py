# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rankings are the command's rows as columns."""

import csv
import importlib.util
import io
import math
import pathlib
import unittest

import ptx_predict as pp
import support
from ptx_predict._tables import Table, columns_of


class RankTest(unittest.TestCase):
    """In a copy of the examples."""

    def setUp(self):
        folder = support.Folder()
        folder.__enter__()
        self.addCleanup(folder.__exit__)

    def test_rows(self):
        found = pp.rank("reduce-shapes.yaml", device="a100-80gb")
        want = support.command("rank", "reduce-shapes.yaml", "--device=a100-80gb", "--top=all", "--format=csv")
        self.assertEqual(found.csv, want)
        rows = list(csv.DictReader(io.StringIO(want.decode())))
        self.assertEqual(len(found), 5)
        self.assertEqual(list(found.columns), list(rows[0]))
        for row, its in zip(rows, found):
            for name, text in row.items():
                value = its[name]
                self.assertEqual(value, text if isinstance(value, str) else float(text or "nan"), name)
        self.assertEqual(found[0]["grid"], "4096")
        self.assertEqual(found[0]["rank"], 1)
        self.assertIsInstance(found[0]["time_us"], float)

    def test_texts_are_texts(self):
        """Also where all of them look like numbers or are empty."""
        found = pp.rank("saxpy.ptx", device="v100", grid=64, block=256)
        self.assertEqual((found[0]["grid"], found[0]["block"], found[0]["launch_file"], found[0]["reasons"]), ("64", "256", "", ""))
        self.assertEqual(found[0]["slower"], 0)

    def test_candidates(self):
        want = pp.rank("transpose.ptx", "transpose_padded.ptx", device="v100").csv
        for candidates in (
            (["transpose.ptx", "transpose_padded.ptx"],),
            (iter(["transpose.ptx", "transpose_padded.ptx"]),),
            (pathlib.Path("transpose.ptx"), "transpose_padded.ptx"),
        ):
            self.assertEqual(pp.rank(*candidates, device="v100").csv, want)
        with open("transpose.ptx", "rb") as first, open("transpose_padded.ptx", "rb") as second:
            codes = [pp.Code(first.read(), "transpose.ptx"), pp.Code(second.read(), "transpose_padded.ptx")]
        self.assertEqual(pp.rank(codes, device="v100").csv, want)

    def test_options(self):
        self.assertEqual(len(pp.rank("reduce-shapes.yaml", device="a100-80gb", top=2)), 2)
        self.assertEqual(len(pp.rank("reduce-shapes.yaml", device=["a100-80gb", "t4"], by="energy")), 10)
        with self.assertRaisesRegex(ValueError, "did you mean 'a100-80gb'"):
            pp.rank("reduce-shapes.yaml", device="a100-80b")
        with self.assertRaises(FileNotFoundError):
            pp.rank("nothing.ptx")


class TableTest(unittest.TestCase):
    """Columns of any CSV."""

    def test_columns(self):
        found = columns_of(b'a,b,c\n1,x,\n,"y,z",\n')
        self.assertEqual(found["b"], ["x", "y,z"])
        self.assertEqual(found["a"][0], 1)
        self.assertTrue(math.isnan(found["a"][1]))
        self.assertTrue(all(math.isnan(value) for value in found["c"]))
        self.assertEqual(columns_of(b""), {})

    def test_library_s_columns_are_the_csv_s(self):
        path = f"{support.EXAMPLES}/saxpy.ptx"
        table = pp.predict(path, device="v100", sweep={"core-mhz": "1000:1400:100"}).table
        other = columns_of(table.csv)
        self.assertEqual(list(other), list(table.columns))
        for name, values in table.columns.items():
            if isinstance(values[0], float):
                self.assertEqual([str(value) for value in values], [str(value) for value in other[name]], name)

    def test_no_rows(self):
        table = Table({})
        self.assertEqual((len(table), list(table), repr(table)), (0, [], "<Table of 0 rows: >"))

    def test_pandas(self):
        table = Table({"a": [1.0, 2.0], "b": ["x", "y"]})
        if importlib.util.find_spec("pandas") is None:
            with self.assertRaisesRegex(ImportError, "to_pandas needs pandas: pip install pandas"):
                table.to_pandas()
            self.skipTest("pandas is not installed")
        self.assertEqual(list(table.to_pandas()["b"]), ["x", "y"])


if __name__ == "__main__":
    unittest.main()
