# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The wheel: made of the build that is tested, installed into a new environment of each Python that is there."""

import glob
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import zipfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
BUILD = os.environ.get("PTX_PREDICT_BUILD", os.path.join(ROOT, "build", "release"))
EXAMPLES = os.path.join(ROOT, "docs", "examples")
KERNEL = os.path.join(EXAMPLES, "matmul.ptx")
TAG = "py3-none-manylinux_2_34_x86_64"
MAX_BYTES = 10_000_000
NEWEST_GLIBC = (2, 34)


def run(arguments, **options):
    """What a program prints; an error with its messages if it fails."""
    done = subprocess.run(arguments, capture_output=True, check=False, **options)
    if done.returncode:
        raise AssertionError(f"{arguments}: {done.returncode}\n{done.stdout.decode()}\n{done.stderr.decode()}")
    return done.stdout


def pythons():
    """Each Python from 3.10 on that is installed, by its version."""
    found = {}
    folders = os.environ.get("PATH", "").split(os.pathsep)
    folders += glob.glob(os.path.expanduser("~/.pyenv/versions/*/bin"))
    for folder in folders:
        for minor in range(10, 20):
            program = os.path.join(folder, f"python3.{minor}")
            if not os.access(program, os.X_OK) or f"3.{minor}" in found:
                continue
            check = "import sys, venv, ensurepip; print('%d.%d' % sys.version_info[:2])"
            done = subprocess.run([program, "-c", check], capture_output=True, encoding="utf-8", check=False)
            if done.returncode == 0 and done.stdout.strip() == f"3.{minor}":
                found[f"3.{minor}"] = program
    return found


class WheelTest(unittest.TestCase):
    """One wheel for all tests."""

    @classmethod
    def setUpClass(cls):
        """Makes it."""
        for tool in ("cmake", "ninja"):
            if not shutil.which(tool):
                raise unittest.SkipTest(f"{tool} is not installed")
        if importlib.util.find_spec("scikit_build_core") is None:
            raise unittest.SkipTest("scikit-build-core is not installed")
        cls.folder = tempfile.mkdtemp()
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        run([sys.executable, "-m", "pip", "wheel", "--quiet", "--disable-pip-version-check", "--no-deps", "--no-build-isolation", "--wheel-dir", cls.folder,
             "--config-settings", f"cmake.define.PTXPREDICT_BUILT_IN={BUILD}", "--config-settings", f"wheel.tags={TAG}", ROOT])
        (cls.wheel,) = glob.glob(os.path.join(cls.folder, "*.whl"))

    def test_is_one_small_file_for_every_python(self):
        """Its tag and size."""
        self.assertRegex(os.path.basename(self.wheel), r"^ptx_predict-[0-9.]+-py3-none-manylinux_2_34_x86_64\.whl$")
        self.assertLess(os.path.getsize(self.wheel), MAX_BYTES)
        with zipfile.ZipFile(self.wheel) as file:
            names = file.namelist()
        for name in ("ptx_predict/libptxpredict.so", "ptx_predict/ptx-predict", "ptx_predict/py.typed"):
            self.assertIn(name, names)
        self.assertFalse([name for name in names if "__pycache__" in name])

    def test_needs_an_old_c_library_alone(self):
        """Versions of symbols, and libraries that are needed."""
        if not shutil.which("readelf"):
            self.skipTest("readelf is not installed")
        with zipfile.ZipFile(self.wheel) as file:
            file.extractall(os.path.join(self.folder, "unpacked"))
        for name in ("libptxpredict.so", "ptx-predict"):
            path = os.path.join(self.folder, "unpacked", "ptx_predict", name)
            versions = set(re.findall(r"\b(GLIBC[A-Z]*)_([0-9.]+|[A-Z_]+)", run(["readelf", "--version-info", "--wide", path]).decode()))
            print(f"{name}: {', '.join(sorted('_'.join(v) for v in versions))}")
            self.assertTrue(versions)
            for library, version in versions:
                self.assertEqual(library, "GLIBC")
                self.assertLessEqual(tuple(int(part) for part in version.split(".")), NEWEST_GLIBC)
            needed = set(re.findall(r"\(NEEDED\).*\[(.*)\]", run(["readelf", "--dynamic", "--wide", path]).decode()))
            self.assertLessEqual(needed, {"libc.so.6", "libm.so.6", "libz.so.1", "ld-linux-x86-64.so.2", "libptxpredict.so"})

    def test_exports_nothing_but_its_own_names(self):
        """LLVM and the C++ library stay inside."""
        if not shutil.which("nm"):
            self.skipTest("nm is not installed")
        library = os.path.join(BUILD, "portable", "libptxpredict.so")
        defined = re.findall(r" [A-TV-Z] (\w+)", run(["nm", "--dynamic", "--defined-only", library]).decode())
        self.assertTrue(defined)
        self.assertEqual([name for name in defined if not name.startswith(("ptxpredict", "PTXPREDICT"))], [])

    def test_predicts_as_the_command_in_each_python(self):
        """Bytes of the package, of the installed command and of the built one."""
        expected = run([os.path.join(BUILD, "bin", "ptx-predict"), "--format=json", "--grid=64,64", "--device=h100-sxm", "matmul.ptx"], cwd=EXAMPLES)
        found = pythons()
        self.assertTrue(found)
        environment = {name: value for name, value in os.environ.items() if not name.startswith(("PTX_PREDICT", "PYTHON"))}
        code = ("import sys, ptx_predict as pp\n"
                "sys.stdout.buffer.write(pp.predict('matmul.ptx', grid=(64, 64), device='h100-sxm').json)\n")
        for version, program in found.items():
            with self.subTest(version):
                folder = os.path.join(self.folder, version)
                run([program, "-m", "venv", folder])
                python = os.path.join(folder, "bin", "python")
                run([python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-index", self.wheel])
                self.assertEqual(run([python, "-c", code], cwd=EXAMPLES, env=environment), expected)
                command = os.path.join(folder, "bin", "ptx-predict")
                self.assertEqual(run([command, "--format=json", "--grid=64,64", "--device=h100-sxm", "matmul.ptx"], cwd=EXAMPLES, env=environment), expected)
        print(f"Python {', '.join(found)}")


if __name__ == "__main__":
    unittest.main()
