# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""tools/dev/tune-spaces over a folder of made-up times and code: what its tables say."""

import csv
import itertools
import os
import subprocess
import sys
import tempfile
import unittest

try:
    import kernel_tuner  # noqa: F401
except ImportError as error:
    raise unittest.SkipTest(f"kernel_tuner: {error}") from None

TREE = os.path.abspath(os.path.join(os.path.dirname(os.path.abspath(__file__)), *[os.pardir] * 3))
COLUMNS = ["block_size_x", "block_size_y", "tile_size_x", "tile_size_y", "use_padding", "read_only"]
#: The last ones have no code.
CONFIGURATIONS = [(x, y, 1, 1, 0, 0) for x, y in itertools.product((32, 64, 128), (1, 2, 4))] + [(256, 1, 1, 1, 0, 0), (256, 2, 1, 1, 0, 0)]
#: Where blocks of 32 threads, which fill no SM, take longest, as they are predicted to.
TIMES = [10.0 if x * y == 32 else 4.0 if x * y == 64 else 2.1 if (x, y) == (128, 1) else 2.0 + x * y / 1000 for x, y, *_ in CONFIGURATIONS]


class Script(unittest.TestCase):
    def run_script(self, folder, *options):
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)}
        script = os.path.join(TREE, "tools", "dev", "tune-spaces")
        command = [sys.executable, "-W", "ignore", script, f"--data={folder}", f"--code={folder}", *options]
        return subprocess.run(command, env=environment, capture_output=True, encoding="utf-8", check=False)

    def write(self, folder):
        with open(os.path.join(TREE, "docs", "examples", "saxpy.ptx")) as file:
            code = file.read().replace("saxpy", "convolution_kernel")
        os.mkdir(os.path.join(folder, "convolution"))
        with open(os.path.join(folder, "autotune_convolution.csv"), "w", newline="") as file:
            table = csv.writer(file)
            table.writerow(["device", *COLUMNS, "median_ms"])
            for configuration, time in zip(CONFIGURATIONS, TIMES):
                table.writerow(["A100-PCIE-40GB", *configuration, time])
        for configuration in CONFIGURATIONS[:9]:
            with open(os.path.join(folder, "convolution", "_".join(map(str, configuration)) + ".ptx"), "w") as file:
                file.write(code)

    def test_tables(self):
        with tempfile.TemporaryDirectory() as folder:
            self.write(folder)
            page = os.path.join(folder, "page.md")
            with open(page, "w") as file:
                file.write("before\n<!-- tune-spaces convolution -->\nold\n<!-- end of tune-spaces -->\nafter\n")
            done = self.run_script(folder, "--keep=0.34", "--samples=400", f"--page={page}", "convolution")
            self.assertEqual(done.returncode, 0, done.stderr)
            with open(page) as file:
                written = file.read()
        self.assertEqual(written, f"before\n<!-- tune-spaces convolution -->\n{done.stdout}<!-- end of tune-spaces -->\nafter\n")
        rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in done.stdout.splitlines() if line.startswith("| convolution")]
        first, second = rows
        self.assertEqual(first[:4], ["convolution", "A100-PCIE-40GB", "9 of 11", "4"])
        times = TIMES[:9]
        best = min(times)
        chosen = [min(each) / best - 1 for each in itertools.combinations(times, 4)]
        self.assertAlmostEqual(float(first[5].strip("+ %")), 100 * sum(chosen) / len(chosen), delta=0.5)
        self.assertEqual(first[6], f"+{100 * sorted(chosen)[int(0.95 * len(chosen))]:.1f} %")
        good = sum(best / time >= 0.95 for time in times)
        self.assertEqual(first[8], f"{10 / (good + 1):.0f}")
        self.assertEqual(first[9], f"{1 - int(first[7]) / (10 / (good + 1)):.0%}".replace("%", " %"))
        # The kept four are not those of few threads.
        self.assertLess(float(first[4].strip("+ %")), 5)
        self.assertGreaterEqual(int(second[2]), 1)

    def test_what_is_missing(self):
        with tempfile.TemporaryDirectory() as folder:
            done = self.run_script(folder, "convolutions")
            self.assertEqual(done.returncode, 2)
            self.assertIn("'convolutions' is no space; there are convolution, gemm", done.stderr)
            self.write(folder)
            for name in os.listdir(os.path.join(folder, "convolution")):
                os.remove(os.path.join(folder, "convolution", name))
            done = self.run_script(folder, "convolution")
            self.assertNotEqual(done.returncode, 0)
            self.assertIn("there is no code, such as", done.stderr)


if __name__ == "__main__":
    unittest.main()
