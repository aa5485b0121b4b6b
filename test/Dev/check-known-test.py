#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""check-known-test.py PTX-PREDICT: tests tools/dev/generate-kernels, and that tools/dev/check-known finds what is wrong."""

import contextlib
import importlib.machinery
import importlib.util
import io
import os
import re
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
BINARY = os.path.abspath(sys.argv.pop(1))
TOOLS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "tools", "dev")
LOADER = importlib.machinery.SourceFileLoader("check_known", os.path.join(TOOLS, "check-known"))
TESTED = importlib.util.module_from_spec(importlib.util.spec_from_loader("check_known", LOADER))
sys.modules["check_known"] = TESTED  # its processes find what they run by this name
LOADER.exec_module(TESTED)
GENERATE = TESTED.GENERATE


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def generate(folder, *options):
    sys.argv = ["generate-kernels", "-o", folder, *options]
    GENERATE.main()
    return {name: read(os.path.join(folder, name)) for name in sorted(os.listdir(folder))}


def check(*options):
    """What check-known prints, and its exit code."""
    sys.argv = ["check-known", "--jobs=1", *options]
    out = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(io.StringIO()):
        try:
            code = TESTED.main()
        except SystemExit as end:
            code = end.code
    return out.getvalue(), code


def binary_that(folder, command, says, instead):
    """A ptx-predict whose reports say something else."""
    path = os.path.join(folder, "ptx-predict")
    with open(path, "w", encoding="utf-8") as file:
        file.write(f"""#!{sys.executable}
import re, subprocess, sys
done = subprocess.run([{BINARY!r}, *sys.argv[1:]])
if ("emulate" in sys.argv) == {command == "emulate"}:
    path = sys.argv[sys.argv.index("-o") + 1]
    text = open(path).read()
    open(path, "w").write(re.sub({says!r}, {instead!r}, text))
sys.exit(done.returncode)
""")
    os.chmod(path, 0o755)
    return path


class Generator(unittest.TestCase):
    def test_same_seed_same_bytes(self):
        with tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory() as other:
            first = generate(one, "--seed=5", "--count=6", "--per-file=3")
            self.assertEqual(first, generate(other, "--seed=5", "--count=6", "--per-file=3"))
            names = [f"kernels-{n}.{e}" for n in (0, 3) for e in ("cu", "launch-0.yaml", "launch-1.yaml", "launch-2.yaml")]
            self.assertEqual(list(first), names)
            self.assertNotEqual(first["kernels-0.cu"], generate(other, "--seed=6", "--count=3")["kernels-0.cu"])

    def test_kernel_depends_on_its_number_alone(self):
        with tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory() as other:
            all_of_them = generate(one, "--seed=5", "--count=6", "--per-file=3")
            self.assertEqual(all_of_them["kernels-3.cu"], generate(other, "--seed=5", "--first=3", "--count=3")["kernels-3.cu"])

    def test_kernels_have_what_they_are_made_for(self):
        kernels = [GENERATE.Kernel("1", n) for n in range(300)]
        text = "".join(k.print() for k in kernels)
        for word in ("BARRIER", "SHUFFLE", "BALLOT", "ATOMIC_CAS", "switch", "goto", "continue;", "break;", "while", "SHARED", "V4", "return;", "FUNCTION", "? &"):
            self.assertIn(word, text)
        for kind in GENERATE.TYPES:
            self.assertRegex(text, rf"  {kind} i\d+ = 0;")
            for other in GENERATE.TYPES:
                self.assertIn(f"({kind})({other})", text.replace(") (", ")("), f"{other} to {kind}")
        hosted = [k for k in kernels if k.is_host]
        self.assertGreater(len(hosted), 60)
        for kernel in hosted:
            self.assertNotRegex(kernel.print(), r"BARRIER|SHUFFLE|ANY|BALLOT|ATOMIC|all\[")
        for kernel in kernels:
            self.assertGreaterEqual(len(kernel.launches), 3)

    def test_wrong_options(self):
        for options in (["--count=0"], ["--count=1", "--per-file=0"]):
            with tempfile.TemporaryDirectory() as folder, self.assertRaises(SystemExit) as raised:
                with contextlib.redirect_stderr(io.StringIO()):
                    generate(folder, "--seed=1", *options)
            self.assertEqual(raised.exception.code, 2)


class CheckKnown(unittest.TestCase):
    LEVELS = ("--levels=O1",)

    def check_with(self, command, says, instead, *options):
        with tempfile.TemporaryDirectory() as folder:
            binary = binary_that(folder, command, says, instead)
            return check("--binary=" + binary, *self.LEVELS, *options)

    def test_right_numbers(self):
        report, code = check("--binary=" + BINARY, "--seed=sound", "--count=2", *self.LEVELS)
        self.assertEqual(code, 0, report)
        self.assertIn("| clang | O1 | 2 | 6 |", report)
        self.assertEqual(report, check("--binary=" + BINARY, "--seed=sound", "--count=2", *self.LEVELS)[0])

    def test_known_number_that_is_wrong(self):
        says = r'("instructions": {"value": )[\d.]+, "status": .*?}'
        report, code = self.check_with("predict", says, r'\g<1>7777, "status": "known"}', "--seed=sound", "--count=1")
        self.assertEqual(code, 1)
        self.assertRegex(report, r"known, but not so: instructions: 7777, but [\d.]+ ran")

    def test_number_beyond_its_bounds(self):
        says = r'("instructions": {"value": )[\d.]+, "status": .*?}'
        instead = r'\g<1>1, "status": "assumed", "low": 0, "high": 2}'
        report, code = self.check_with("predict", says, instead, "--seed=sound", "--count=1")
        self.assertEqual(code, 1)
        self.assertRegex(report, r"beyond its bounds: instructions: from 0 to 2, but [\d.]+ ran")

    def test_footprint_that_is_wrong(self):
        says = r'("grid_bytes": {"value": )[\d.]+, "status": .*?}'
        report, code = self.check_with("predict", says, r'\g<1>3, "status": "known"}', "--seed=sound", "--count=1")
        self.assertEqual(code, 1)
        self.assertIn("footprint.grid_bytes: 3, but", report)

    def test_reduces_a_kernel(self):
        says = r'("atomic": {"value": )[\d.]+, "status": .*?}'
        with tempfile.TemporaryDirectory() as folder:
            number = next(n for n in range(50) if "ATOMIC" in GENERATE.Kernel("r", n).print() and len(GENERATE.Kernel("r", n).print()) < 4000)
            options = ["--seed=r", f"--first={number}", "--count=1", "--reduce=" + folder, "--reductions=1"]
            report, code = self.check_with("predict", says, r'\g<1>7777, "status": "known"}', *options)
            self.assertEqual(code, 1)
            self.assertEqual([re.sub(".*atomic[.]", "", name) for name in sorted(os.listdir(folder))], ["cu", "launch-0.yaml", "ptx"])
            source = next(name for name in os.listdir(folder) if name.endswith(".cu"))
            kernel = read(os.path.join(folder, source)).split("KERNEL void")[-1].split("#endif")[0]
            self.assertEqual(kernel.count("ATOMIC_"), 1)
            self.assertNotRegex(kernel, r"\bfor|while|switch|\bif")
            self.assertIn(kernel.strip(), report)

    def test_memory_as_on_the_host(self):
        number = next(n for n in range(50) if GENERATE.Kernel("h", n).is_host)
        options = ["--seed=h", f"--first={number}", "--count=1", "--host"]
        report, _ = check("--binary=" + BINARY, *self.LEVELS, *options)
        self.assertIn("6 buffers compared with the host's, 0 differ", report)
        # A host that computes something else.
        right = GENERATE.Kernel.print_host
        try:
            GENERATE.Kernel.print_host = lambda kernel: right(kernel).replace("    write(", "    out[1] ^= 1;\n    write(", 1)
            report, code = check("--binary=" + BINARY, *self.LEVELS, *options)
        finally:
            GENERATE.Kernel.print_host = right
        self.assertEqual(code, 1)
        self.assertIn("6 buffers compared with the host's, 1 differ", report)
        self.assertRegex(report, r"launch 0, `\w+`: other memory: out\[1\] is \S+, on the host \S+")

    def test_files_of_a_folder(self):
        with tempfile.TemporaryDirectory() as folder:
            generate(folder, "--seed=sound", "--count=2")
            report, code = check("--binary=" + BINARY, *self.LEVELS, folder)
            self.assertEqual(code, 0, report)
            self.assertIn("| clang | O1 | 2 | 6 |", report)
            source = os.path.join(folder, "kernels-0")
            self.assertEqual(TESTED.compile_for("clang", "O1", source + ".cu", source + ".ptx").returncode, 0)
            os.remove(source + ".cu")
            report, code = check("--binary=" + BINARY, *self.LEVELS, folder)
            self.assertEqual(code, 0, report)
            self.assertIn("| given |  | 2 | 6 |", report)
            with open(source + ".ptx", "w", encoding="utf-8") as file:
                file.write("nothing\n")
            report, code = check("--binary=" + BINARY, *self.LEVELS, folder)
            self.assertEqual(code, 1)
            self.assertIn("- kernels-0.ptx, launch 0, `-`: failed: kernels-0.ptx:1:1: error", report)

    def test_nothing_to_read(self):
        with tempfile.TemporaryDirectory() as folder:
            for options in ([folder], [folder, "--seed=1"], ["--seed=1"], [], ["--seed=1", "--count=1", "--levels=O9"],
                            ["--seed=1", "--count=1", "--compiler=none"], [folder, "--reduce=x"]):  # fmt: skip
                self.assertEqual(check("--binary=" + BINARY, *options)[1], 2, options)
            self.assertEqual(check("--binary=" + folder + "/none", "--seed=1", "--count=1")[1], 2)


if __name__ == "__main__":
    unittest.main()
