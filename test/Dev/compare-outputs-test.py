#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests tools/dev/compare-outputs with stand-ins for the two builds."""

import os
import subprocess
import sys
import tempfile
import unittest

SCRIPT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "tools", "dev", "compare-outputs")
# Prints its arguments, a line each, behind what it is fed; notes each call.
STAND_IN = """#!/bin/sh
echo "$*" >>"$0.calls"
[ "$1" = --version ] && {{ echo "ptx-predict {version}"; exit 0; }}
[ "$1" = - ] && cat
for word; do echo "$word"; done
{behaviour}
"""


class Outputs(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = folder.name
        self.write("ptx/a.ptx")
        self.make("old")
        self.make("new")

    def path(self, *parts):
        return os.path.join(self.root, *parts)

    def write(self, name, text=""):
        os.makedirs(os.path.dirname(self.path(name)), exist_ok=True)
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)

    def make(self, build, behaviour="", version="0.1.0"):
        self.write(f"{build}/bin/ptx-predict", STAND_IN.format(behaviour=behaviour, version=version))
        os.chmod(self.path(build, "bin", "ptx-predict"), 0o755)

    def calls(self, build):
        """Runs of a build so far, but for the question for its version."""
        with open(self.path(build, "bin", "ptx-predict.calls"), encoding="utf-8") as file:
            return [line for line in file.read().splitlines() if line != "--version"]

    def run_on(self, *arguments, folder="ptx"):
        command = [sys.executable, SCRIPT, self.path("old"), self.path("new"), self.path(folder), *arguments]
        done = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
        return done.returncode, done.stdout + done.stderr

    def equal(self, *arguments):
        code, output = self.run_on(*arguments)
        self.assertEqual(code, 0, output)
        self.assertNotIn("Differences", output)
        return output

    def different(self, *arguments):
        code, output = self.run_on(*arguments)
        self.assertEqual(code, 1, output)
        return output

    def test_equal(self):
        output = self.equal()
        self.assertIn("| json | 1 | 1 | 1 | 0 |\n", output)
        self.assertIn("| text | 4 | 4 | 4 | 0 |\n", output)  # one run a device
        self.assertIn("| devices | 1 | 1 | 1 | 0 |\n", output)
        self.assertNotIn("at a launch", output)
        self.assertNotIn("| diff |", output)  # there is nothing before the only input
        a = self.path("ptx/a.ptx")
        devices = "--device=k20 --device=v100 --device=a100-80gb --device=h100-sxm"
        self.assertIn(f"{a} {devices} -j 1 --format=json", self.calls("new"))

    def test_difference_has_the_name_of_its_device(self):
        self.make("new", 'case "$*" in *--device=v100*--format=json*) [ "$1" = lint ] || echo 2;; esac')
        output = self.different("--form=json", "--form=lint-json")
        self.assertIn("| json | 1 | 1 | 0 | 1 |\n", output)
        self.assertIn("| lint-json | 1 | 1 | 1 | 0 |\n", output)
        self.assertIn("| all | 2 | 2 | 1 | 1 |\n", output)
        a = self.path("ptx/a.ptx")
        # Behind a line for each argument.
        self.assertIn(f"1. {a}, json: `ptx-predict {a} --device=v100 -j 1 --format=json`: ", output)
        self.assertIn(": line 6, 10 lines became 11\n   ```diff\n   -\n   +2\n   ```\n", output)

    def test_difference_of_several_devices_at_once(self):
        self.make("new", 'case "$*" in *--device=v100*--device=a100-80gb*) echo 2;; esac')
        output = self.different("--form=csv")
        self.assertIn("--device=k20 --device=v100 --device=a100-80gb --device=h100-sxm -j 1 --format=csv`", output)

    def test_difference_has_the_name_of_its_dump(self):
        self.make("new", 'case "$*" in *--dump=forms*) echo 2;; esac')
        output = self.different("--form=dumps", "--device=t4")
        self.assertIn("--device=t4 --dump=forms -j 1`", output)

    def test_lines(self):
        self.make("old", "echo same; echo 1 2 3; echo same")
        self.make("new", "echo same; echo 1 2 4; echo same")
        output = self.different("--form=default")
        self.assertIn(": line 3, 1 of 9 differ\n   ```diff\n   -1 2 3\n   +1 2 4\n   ```\n", output)

    def test_a_long_line_is_shown_where_it_differs(self):
        self.make("old", "printf '%0500d%s%0500d\\n' 0 old 0")
        self.make("new", "printf '%0500d%s%0500d\\n' 0 new 0")
        output = self.different("--form=default")
        self.assertRegex(output, r"-\.\.\.0{30,90}old0{30,150}\n +\+\.\.\.0{30,90}new0{30,150}\n")

    def test_standard_error_and_exit_status_count(self):
        self.make("new", "echo warning >&2")
        self.assertIn("+warning\n", self.different("--form=default"))
        self.make("new", "exit 3")
        output = self.different("--form=default")
        self.assertIn("| default | 1 | 0 | 0 | 1 |\n", output)
        self.assertIn("-[exit status] 0\n   +[exit status] 3\n", output)

    def test_an_error_of_both_is_equal_but_counted(self):
        self.make("old", "exit 2")
        self.make("new", "exit 2")
        self.assertIn("| default | 1 | 0 | 1 | 0 |\n", self.equal("--form=default"))

    def test_what_legitimately_differs(self):
        said = """echo "ptx-predict {0}"; echo '"version": "{0}",'; echo '"semanticVersion": "{0}"'
            echo "no ptx-predict-ir in $(dirname "$0")"
            echo "note: k: 64 thread instructions in {1} s, {1}.5 million a second" """
        self.make("old", said.format("0.1.0", 2), version="0.1.0")
        self.make("new", said.format("0.2.0", 3), version="0.2.0")
        self.equal("--form=default")
        # Another number is none of these.
        self.make("old", "echo 0.1.0 s", version="0.1.0")
        self.make("new", "echo 0.2.0 s", version="0.2.0")
        self.different("--form=default")

    def test_launches(self):
        self.write("launch/a.yaml", "# at\nlaunches:\n")
        self.write("ptx/b.sm_90.ptx")
        self.write("ptx/b.yaml", "launches:\n")
        self.write("ptx/c.ptx")
        self.write("launch/c.yaml", "other:\n")
        output = self.equal("--form=json", "--form=emulate")
        self.assertIn("| json | 3 | 3 | 3 | 0 |\n", output)
        self.assertIn("| json at a launch | 2 | 2 | 2 | 0 |\n", output)
        self.assertIn("| emulate at a launch | 2 | 2 | 2 | 0 |\n", output)
        calls = self.calls("new")
        self.assertTrue(any(f"--launch={self.path('launch/a.yaml')} " in c for c in calls), calls)
        self.assertTrue(any(f"--launch={self.path('ptx/b.yaml')} " in c for c in calls), calls)

    def test_kinds_of_input(self):
        self.write("ptx/b.ptx.gz")
        self.write("ptx/below/c.yaml", "---\nschema: ptx-predict/characteristics\n")
        self.write("ptx/below/d.yaml", "# of\nschema: ptx-predict/dataset\n")
        self.write("ptx/below/e.yaml", "launches:\n")
        self.write("ptx/f.ll")
        self.write("ptx/g.txt")
        output = self.equal("--form=json", "--form=validate", "--form=diff", f"--data={self.root}")
        self.assertIn("LLVM IR is left out", output)
        self.assertIn("| json | 3 | 3 | 3 | 0 |\n", output)
        self.assertIn("| validate | 1 | 1 | 1 | 0 |\n", output)
        self.assertIn("| diff | 1 | 1 | 1 | 0 |\n", output)
        for build in ("old", "new"):
            self.write(f"{build}/bin/ptx-predict-ir")
        self.assertIn("| json | 4 | 4 | 4 | 0 |\n", self.equal("--form=json", "--form=routes"))

    def test_what_old_prints_is_fed(self):
        self.make("old", "echo from old")
        self.make("new", "echo from new")
        output = self.different("--form=characteristics", "--device=t4", "--most=1")
        self.assertIn("--device=t4 --dump=characteristics | ptx-predict - --device=t4 -j 1 --format=json`", output)
        self.assertIn("-from old\n   +from new\n", output)
        self.assertFalse(any("--dump" in c for c in self.calls("new")))

    def test_most(self):
        for name in "bcd":
            self.write(f"ptx/{name}.ptx")
        self.make("new", "echo 2")
        output = self.different("--form=default", "--most=2")
        self.assertIn("## Differences: 2 of 4, in 4 inputs\n", output)
        self.assertIn("\n2. ", output)
        self.assertNotIn("\n3. ", output)

    def test_sample(self):
        for name in "bcdefgh":
            self.write(f"ptx/{name}.ptx")
        self.equal("--form=default", "--sample=3")
        self.assertEqual(sorted(self.calls("new")), [self.path(f"ptx/{n}.ptx") for n in "acf"])

    def test_options_for_the_command(self):
        self.equal("--form=quiet", "--device=t4", "--", "--block=64")
        self.assertEqual(self.calls("new"), [f"{self.path('ptx/a.ptx')} --block=64 --device=t4 -j 1 --quiet"])

    def test_remember(self):
        options = ["--form=default", f"--remember={self.path('digests')}"]
        self.equal(*options)
        self.equal(*options)
        self.assertEqual(len(self.calls("old")), 1)
        self.assertEqual(len(self.calls("new")), 2)
        # A difference is shown, other contents and another OLD are run.
        self.make("new", "echo 2")
        self.assertIn("+2\n", self.different(*options))
        self.make("new")
        self.write("ptx/a.ptx", "other")
        before = len(self.calls("old"))
        self.equal(*options)
        self.assertEqual(len(self.calls("old")), before + 1)
        self.make("old", "echo 3")
        self.different(*options)

    def test_usage(self):
        for arguments, said in [
            (["--form=nothing"], "no form is called 'nothing'"),
            ([self.path("none")], "no input below"),
        ]:
            code, output = self.run_on(*arguments)
            self.assertEqual(code, 2, output)
            self.assertIn(said, output)
        code, output = self.run_on("--form=emulate")
        self.assertEqual(code, 2, output)
        self.assertIn("no input has a form", output)
        os.remove(self.path("new/bin/ptx-predict"))
        code, output = self.run_on()
        self.assertEqual(code, 2, output)
        self.assertIn("is no ptx-predict and has none", output)


if __name__ == "__main__":
    unittest.main()
