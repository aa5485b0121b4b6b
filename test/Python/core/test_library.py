# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The library that the package loads: where it is found, and which versions are refused."""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

import ptx_predict
import support
from ptx_predict import _library

#: A library of another version, all of whose functions are there.
FAKE = """
#include "ptxpredict-c/ptxpredict.h"
uint32_t ptxpredictInterface(void) { return INTERFACE; }
const char *ptxpredictVersion(void) { return VERSION; }
"""
IMPORT = "try:\n  import ptx_predict\nexcept ImportError as e:\n  print(e)"


def compile_fake(folder, interface, version, text=FAKE):
    """Such a library's path."""
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if not compiler:
        raise unittest.SkipTest("there is no C compiler")
    source = os.path.join(folder, "fake.c")
    with open(source, "w", encoding="utf-8") as file:
        file.write(text)
    path = os.path.join(folder, "libfake.so")
    include = os.path.join(support.ROOT, "include")
    subprocess.run([compiler, "-shared", "-fPIC", f"-I{include}", f"-DINTERFACE={interface}", f'-DVERSION="{version}"', "-o", path, source], check=True)
    return path


class LibraryTest(unittest.TestCase):
    """Versions and places."""

    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = os.path.realpath(holder.name)

    def refused(self, environment):
        """What the import of the package says in a process of its own."""
        done = subprocess.run([sys.executable, "-c", IMPORT], env=environment, capture_output=True, encoding="utf-8", check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout.strip()

    def test_versions(self):
        with open(os.path.join(support.ROOT, "CMakeLists.txt"), encoding="utf-8") as file:
            version = re.search(r"project\(PtxPredict VERSION ([\d.]+)", file.read())[1]
        with open(os.path.join(support.ROOT, "include", "ptxpredict-c", "ptxpredict.h"), encoding="utf-8") as file:
            header = file.read()
        self.assertEqual(ptx_predict.__version__, version)
        self.assertEqual(_library.INTERFACE, int(re.search(r"#define PTXPREDICT_C_INTERFACE (\d+)", header)[1]))
        self.assertEqual(ptx_predict._outcome.NEEDS_IR, int(re.search(r"PTXPREDICT_NEEDS_IR = (\d+)", header)[1]))

    def test_functions_are_those_of_the_header(self):
        with open(os.path.join(support.ROOT, "include", "ptxpredict-c", "ptxpredict.h"), encoding="utf-8") as file:
            header = re.sub(r"/\*.*?\*/", "", file.read(), flags=re.DOTALL)
        declared = {}
        for name, parameters in re.findall(r"\bptxpredict(\w+)\(([^)]*)\)", header):
            declared[name] = 0 if parameters.strip() == "void" else parameters.count(",") + 1
        called = {name: len(arguments) for name, _, arguments in _library._SIGNATURES}
        self.assertEqual(called, {name: declared[name] for name in called})

    def test_another_version_is_refused(self):
        path = compile_fake(self.folder, _library.INTERFACE, "9.8.7")
        with self.assertRaises(ImportError) as caught:
            _library.load(path)
        for part in (ptx_predict.__version__, "9.8.7", path):
            self.assertIn(part, str(caught.exception))

    def test_another_interface_is_refused(self):
        path = compile_fake(self.folder, 77, ptx_predict.__version__)
        with self.assertRaisesRegex(ImportError, f"C interface {_library.INTERFACE}, but .* with C interface 77"):
            _library.load(path)

    def test_another_version_is_refused_at_import(self):
        path = compile_fake(self.folder, _library.INTERFACE, "9.8.7")
        environment = {**support.package_elsewhere(self.folder), "PTX_PREDICT_LIBRARY": path}
        self.assertIn(f"this is ptx_predict {ptx_predict.__version__} with C interface {_library.INTERFACE}, but {path} is version 9.8.7", self.refused(environment))

    def test_no_library(self):
        environment = support.package_elsewhere(self.folder)
        environment.pop("PTX_PREDICT_LIBRARY", None)
        self.assertIn("libptxpredict.so is not in ", self.refused(environment))
        environment["PTX_PREDICT_LIBRARY"] = "/nothing/x.so"
        self.assertIn("and '/nothing/x.so' of $PTX_PREDICT_LIBRARY is not there; install", self.refused(environment))

    def test_no_library_of_ours(self):
        path = compile_fake(self.folder, 1, "1", "int nothing;")
        with self.assertRaisesRegex(ImportError, "is no libptxpredict.so: .*ptxpredictInterface"):
            _library.load(path)
        with open(os.path.join(self.folder, "text.so"), "w", encoding="utf-8") as file:
            file.write("no library")
        with self.assertRaisesRegex(ImportError, "libptxpredict.so cannot be loaded: "):
            _library.load(file.name)

    def test_the_package_s_own_goes_first(self):
        environment = support.package_elsewhere(self.folder)
        shutil.copy(_library.PATH, os.path.join(self.folder, "ptx_predict", "libptxpredict.so"))
        environment["PTX_PREDICT_LIBRARY"] = compile_fake(self.folder, _library.INTERFACE, "9.8.7")
        self.assertEqual(self.refused(environment), "")


class ImportTest(unittest.TestCase):
    """What an import loads."""

    def test_modules(self):
        """Nothing beyond ctypes that takes long: the time itself is printed, as it depends on the machine."""
        code = "import sys; before = set(sys.modules); import ptx_predict; print(*sorted(set(sys.modules) - before))"
        loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, encoding="utf-8", check=True).stdout.split()
        others = {name.split(".")[0] for name in loaded} - {"ptx_predict"}
        allowed = {"__future__", "ctypes", "_ctypes", "struct", "_struct", "os", "stat", "_stat", "posixpath", "genericpath", "_collections_abc", "collections"}
        for slow in ("json", "re", "typing", "dataclasses", "inspect", "subprocess", "csv", "difflib", "tempfile", "importlib", "html"):
            self.assertNotIn(slow, others)
        self.assertIn("ctypes", others)
        self.assertLessEqual(len(others - allowed), 12, others - allowed)
        done = subprocess.run([sys.executable, "-X", "importtime", "-c", "import ptx_predict"], capture_output=True, encoding="utf-8", check=True)
        times = [line for line in done.stderr.splitlines() if re.search(r"\| +ptx_predict", line)]
        print("\n" + "\n".join(times))
        self.assertTrue(times[-1].endswith("| ptx_predict"), times)


if __name__ == "__main__":
    unittest.main()
