#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""check-modern-test.py PTX-PREDICT SIMULATOR: tests tools/dev/check-modern on kernels of test/accuracy."""

import os
import re
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
SCRIPT = os.path.join(ROOT, "tools", "dev", "check-modern")
ACCURACY = os.path.join(ROOT, "test", "accuracy")
BINARY, SIMULATOR = sys.argv[1:3]
HEADER = "id,ptx,kernel,launch,device,time_us,l2_read,dram_read,dram_written,tensor_macs,loops,small_launch,note\n"

LAUNCH = """launches:
  - kernel: transposePadded
    grid: {grid}
    block: 32x8
    args: {{0: {{buffer: in}}, 1: {{buffer: out}}, 2: {size}, 3: {size}}}
    buffers: {{in: {{type: f32, count: {count}}}, out: {{type: f32, count: {count}}}}}
"""


class CheckModern(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        for name, tiles in (("large", 64), ("small", 8)):
            size = 32 * tiles
            with open(self.path(name + ".yaml"), "w", encoding="utf-8") as file:
                file.write(LAUNCH.format(grid=f"{tiles}x{tiles}", size=size, count=size * size))

    def tearDown(self):
        self.folder.cleanup()

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def run_script(self, lines, *options):
        with open(self.path("rows.csv"), "w", encoding="utf-8") as file:
            file.write(lines)
        done = subprocess.run(
            [SCRIPT, self.path("rows.csv"), "--binary=" + BINARY, "--simulator=" + SIMULATOR, *options],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8",
        )  # fmt: skip
        return done.returncode, done.stdout, done.stderr

    def cells(self, output, section, row):
        part = output.split("## " + section)[1].split("\n## ")[0]
        line = re.search(rf"^\| `?{re.escape(row)}`? \|(.*)\|$", part, re.M)
        return [cell.strip() for cell in line[1].split("|")]

    def test_a_tiled_copy(self):
        ptx = os.path.join(ACCURACY, "ptx", "transpose.ptx")
        bytes_ = "2048*2048*4"
        code, output, _ = self.run_script(
            HEADER
            + f"t,{ptx},transposePadded,large.yaml,a100-40gb,30,{bytes_},{bytes_},{bytes_},,,small.yaml,\n"
            + f"twice,{ptx},transposePadded,large.yaml,a100-40gb,0.001,2*{bytes_},8*{bytes_},,,,,by design\n"
        )
        self.assertEqual(code, 0, output)
        found = self.cells(output, "The launches", "t")
        self.assertEqual(found[6:9], ["-", "1.00", "1.00"])
        self.assertEqual(self.cells(output, "The launches", "twice")[7:9], ["0.50", "0.25"])
        run = self.cells(output, "Smaller launches", "t")
        self.assertEqual(run[0], run[1])
        self.assertGreater(int(run[0]), 0)
        self.assertEqual(run[3:], [str(2 * 256 * 256 * 4)] * 2 + ["1.00"])
        self.assertEqual(self.cells(output, "Summary", "L2 reads within 5% of the formula"), ["1", "2"])
        self.assertEqual(self.cells(output, "Summary", "memory moves at least what is compulsory"), ["1", "2"])
        self.assertEqual(self.cells(output, "Summary", "memory within 20% of the simulation"), ["1", "1"])
        self.assertIn("- `twice`: by design", output)
        self.assertNotIn("## Wrong", output)

    def test_multiply_adds(self):
        files = [os.path.join(ACCURACY, where) for where in ("ptx/matmul_tensor.ptx", "launch/matmul_tensor.yaml")]
        row = f"{files[0]},matmulTensor,{files[1]},a100-40gb,,,,,{{}},,,\n"
        code, output, _ = self.run_script(HEADER + "m," + row.format("128*96*64") + "half," + row.format("2*128*96*64"))
        self.assertEqual(code, 0, output)
        self.assertEqual([self.cells(output, "The launches", of)[6] for of in ("m", "half")], ["1.00", "0.50"])
        self.assertEqual(self.cells(output, "Summary", "tensor multiply-adds within 1% of M·N·K"), ["1", "2"])

    def test_loops(self):
        files = [os.path.join(ACCURACY, where) for where in ("ptx/mbarrier.ptx", "launch/mbarrier.yaml")]
        code, output, _ = self.run_script(HEADER + f"m,{files[0]},copyMbarrier,{files[1]},a100-40gb,,,,,,,{files[1]},\n")
        self.assertEqual(code, 0, output)
        self.assertEqual(self.cells(output, "Polling loops", "mbarrier")[2], "1")
        self.assertRegex(self.cells(output, "Smaller launches", "m")[2], r"^([1-9]\d*)/\1$")
        files = [os.path.join(ACCURACY, where) for where in ("ptx/matmul_tiled.ptx", "launch/matmul_tiled.yaml")]
        with open(files[0], encoding="utf-8") as file:
            label = re.search(r"^\$(L__BB0_\d+):", file.read(), re.M)[1]
        row = HEADER + f"m,{files[0]},matmulTiled,{files[1]},a100-40gb,,,,,,{label}=1000 $none=2,,\n"
        code, output, _ = self.run_script(row)
        self.assertEqual(self.cells(output, "The launches", "m")[2], "0/2")

    def test_blocks_of_three_dimensions(self):
        with open(self.path("deep.ptx"), "w", encoding="utf-8") as file:
            file.write(".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k()\n{\nret;\n}\n")
        with open(self.path("deep.yaml"), "w", encoding="utf-8") as file:
            file.write("launches:\n  - {kernel: k, grid: 3, block: 8x2x8}\n")
        code, output, _ = self.run_script(HEADER + "d,deep.ptx,k,deep.yaml,a100-40gb,,,,,,,deep.yaml,\n")
        self.assertEqual(code, 0, output)
        self.assertEqual(self.cells(output, "Smaller launches", "d")[:2], ["12", "12"])

    def test_a_smaller_launch_that_cannot_be_predicted(self):
        script = self.path("fails")
        with open(script, "w", encoding="utf-8") as file:
            file.write(f"#!/bin/sh\ncase \"$*\" in *--device=smaller*) echo wrong >&2; exit 2;; esac\nexec {BINARY} \"$@\"\n")
        os.chmod(script, 0o755)
        ptx = os.path.join(ACCURACY, "ptx", "transpose.ptx")
        row = f"t,{ptx},transposePadded,large.yaml,a100-40gb,,,,,,,small.yaml,\n"
        code, output, errors = self.run_script(HEADER + row, "--binary=" + script)
        self.assertEqual((code, errors), (1, ""))
        self.assertIn("- `t`: the smaller launch: wrong", output)

    def test_what_cannot_be_read(self):
        for lines in ("id,ptx\n", HEADER, HEADER + "a,b,c,d,e,1+x,,,,,,,\n"):
            code, output, errors = self.run_script(lines)
            self.assertEqual((code, output), (2, ""))
            self.assertIn("rows.csv", errors)
        code, output, _ = self.run_script(HEADER + "a,missing.ptx,k,large.yaml,a100-40gb,,,,,,,,\n")
        self.assertEqual(code, 1)
        self.assertIn("- `a`: ", output)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
