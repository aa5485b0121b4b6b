# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Type checkers accept the package and a program that uses it, in their strict modes, for each Python from 3.10 on.

mypy, and basedpyright: pyright as a package that pip has whole, with the interpreter of JavaScript that it needs.
"""

import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(HERE)))
VERSIONS = ("3.10", "3.11", "3.12", "3.13")
#: Packages that nobody needs to check the types: what comes from them is Any.
OTHERS = "triton numba torch kernel_tuner cupy ray dask distributed mpi4py pyarrow pandas tqdm cuda numpy warp cutlass".split()


class TypesTest(unittest.TestCase):
    """Of a copy of the package and of usage.py beside it."""

    maxDiff = None

    @classmethod
    def setUpClass(cls):
        holder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(holder.cleanup)
        cls.folder = os.path.realpath(holder.name)
        shutil.copytree(os.path.join(ROOT, "python", "ptx_predict"), os.path.join(cls.folder, "ptx_predict"), ignore=shutil.ignore_patterns("__pycache__"))
        shutil.copy(os.path.join(HERE, "usage.py"), cls.folder)
        with open(os.path.join(cls.folder, "usage.py"), encoding="utf-8") as file:
            cls.wrong = {number for number, line in enumerate(file, 1) if line.rstrip().endswith("# wrong")}
        with open(os.path.join(cls.folder, "mypy.ini"), "w", encoding="utf-8") as file:
            file.write("[mypy]\nstrict = True\n")
            for package in OTHERS:
                file.write(f"[mypy-{package},{package}.*]\nignore_missing_imports = True\nfollow_imports = skip\n")

    def checker(self, module):
        """Skips without it."""
        if importlib.util.find_spec(module) is None:
            self.skipTest(f"{module} is not installed")

    def check(self, errors, version):
        """Nothing but usage.py's mistakes, and all of them. `errors`: file, line, text."""
        of_usage = {line for path, line, _ in errors if path == "usage.py"}
        others = [f"{path}:{line}: {text}" for path, line, text in errors if path != "usage.py" or line not in self.wrong]
        self.assertEqual("\n".join(others), "", f"for Python {version}")
        self.assertEqual(self.wrong - of_usage, set(), f"for Python {version}: mistakes that are not seen")
        self.assertGreater(len(self.wrong), 5)

    def test_mypy(self):
        self.checker("mypy")
        for version in VERSIONS:
            with self.subTest(version):
                arguments = ["--python-version", version, "--no-incremental", "--no-error-summary", "--hide-error-context", "-p", "ptx_predict", "-m", "usage"]
                done = subprocess.run([sys.executable, "-m", "mypy", *arguments], cwd=self.folder, capture_output=True, encoding="utf-8", check=False)
                self.assertEqual(done.stderr, "")
                found = re.findall(r"^(.+?):(\d+): error: (.*)$", done.stdout, re.MULTILINE)
                self.check([(path, int(line), text) for path, line, text in found], version)

    def test_pyright(self):
        self.checker("basedpyright")
        for version in VERSIONS:
            with self.subTest(version):
                settings = {"include": ["ptx_predict", "usage.py"], "typeCheckingMode": "strict", "pythonVersion": version}
                settings.update(reportMissingImports=False, reportMissingModuleSource=False)
                settings.update(reportPrivateUsage=False)  # subpackages use modules of the package
                # What comes from packages without types is unknown. Parameters have types all the same.
                settings.update(reportUnknownArgumentType=False, reportUnknownMemberType=False, reportUnknownVariableType=False, reportUnknownLambdaType=False)
                with open(os.path.join(self.folder, "pyrightconfig.json"), "w", encoding="utf-8") as file:
                    json.dump(settings, file)
                arguments = [sys.executable, "-m", "basedpyright", "--outputjson", "-p", self.folder]
                done = subprocess.run(arguments, cwd=self.folder, capture_output=True, encoding="utf-8", check=False)
                found = json.loads(done.stdout)
                self.assertGreater(found["summary"]["filesAnalyzed"], 10)
                errors = [
                    (os.path.relpath(entry["file"], self.folder), entry["range"]["start"]["line"] + 1, entry["message"].splitlines()[0])
                    for entry in found["generalDiagnostics"]
                    if entry["severity"] == "error"
                ]
                self.check(errors, version)


if __name__ == "__main__":
    unittest.main()
