#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""races-test.py BIN ROOT: runs what ptx-predict does in several threads, in a build with ThreadSanitizer. It fails at what
that reports. LLVM's archives are not built for it, and nothing is suppressed."""

import os
import subprocess
import sys
import tempfile
import unittest

BIN, ROOT = (os.path.abspath(argument) for argument in sys.argv[1:3])
EXAMPLES = os.path.join(ROOT, "docs", "examples")
KERNELS = os.path.join(ROOT, "test", "Lint", "Inputs", "pairs")
RACE = 66


class Races(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        # The command takes another thread for each 128 KiB.
        cls.large = []
        for name in "saxpy", "matmul", "reduce", "barriers":
            with open(os.path.join(EXAMPLES, name + ".ptx"), encoding="utf-8") as small:
                text = small.read()
            for copy in "a", "b":
                cls.large.append(os.path.join(cls.folder.name, f"{name}-{copy}.ptx"))
                with open(cls.large[-1], "w", encoding="utf-8") as large:
                    large.write(text + "// and nothing more\n" * 8000)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def run_clean(self, *arguments):
        environment = {
            "PATH": os.environ["PATH"], "LC_ALL": "C", "HOME": self.folder.name,
            "TSAN_OPTIONS": f"exitcode={RACE}:die_after_fork=0:history_size=4",
        }
        done = subprocess.run([os.path.join(BIN, "ptx-predict"), *arguments], cwd=EXAMPLES, env=environment,
                              stdin=subprocess.DEVNULL, capture_output=True, check=False)
        self.assertIn(done.returncode, (0, 1), done.stderr.decode()[:8000])
        self.assertNotIn(b"ThreadSanitizer", done.stderr)
        print(" ".join(arguments[:6]), "…" if len(arguments) > 6 else "", "is clean", flush=True)

    def test_races_are_found(self):
        done = subprocess.run([os.path.join(BIN, "PtxPredictRace")], env={"TSAN_OPTIONS": f"exitcode={RACE}"},
                              capture_output=True, check=False)
        self.assertEqual(done.returncode, RACE)
        self.assertIn(b"data race", done.stderr)

    def test_predictions(self):
        for form in "text", "json", "html", "csv":
            self.run_clean(*self.large, "-j4", "--device=all", f"--format={form}")
        self.run_clean(*self.large, "-j4", "--sweep=core-mhz=600:1400:100", "--time-report")
        self.run_clean(*self.large, "-j4", "--dump=characteristics")

    def test_emulations(self):
        for more in (), ("--check",), ("--profile-out=" + os.path.join(self.folder.name, "profile.json"),):
            self.run_clean("emulate", "matmul.ptx", "saxpy.ptx", "reduce.ptx", "--launch=emulate.yaml", "-j4", *more)

    def test_ranking(self):
        self.run_clean("rank", "reduce.ptx", "--launch=reduce-shapes.yaml", "-j4")
        self.run_clean("rank", *self.large, "-j4", "--kernel=saxpy")

    def test_findings(self):
        for _ in "cold", "warm":
            self.run_clean("lint", self.folder.name, "-j4")
            self.run_clean("lint", KERNELS, "-j4")
        self.run_clean("advise", *self.large, "-j4")

    def test_differences(self):
        self.run_clean("validate", "times.yaml", "-j4")
        self.run_clean("diff", EXAMPLES, self.folder.name, "-j4")

    def test_llvm(self):
        self.run_clean("saxpy.ll", "saxpy.ll", "-j4")
        self.run_clean("saxpy.ll", *self.large, "-j4", "--lower=ptx")


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
