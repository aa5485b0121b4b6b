# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What Triton needs of a machine with a GPU, for tests on one without: a driver that launches nothing, a ptxas that logs, a benchmark."""

import contextlib
import hashlib
import os
import pathlib
import stat
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT / "python"), str(ROOT / "test" / "Python" / "triton")]

try:
    import triton
except ImportError:
    raise unittest.SkipTest("triton is not installed") from None
if triton.__file__ is None:  # only this folder
    raise unittest.SkipTest("triton is not installed")

from triton.backends.compiler import GPUTarget

#: Stands for ptxas: writes a line for each file, with its SHA-256, and an empty cubin.
_PTXAS = """#!/bin/sh
[ "$1" = --version ] && echo "Cuda compilation tools, release 13.0, V13.0.0" && exit
while [ $# -gt 0 ]; do
  case "$1" in
  *.ptx) sha256sum "$1" >> '{log}' ;;
  -o) : > "$2" ;;
  esac
  shift
done
"""


class Driver:
    """Triton's driver of a GPU of `arch` that is not there: it loads and launches, and counts both."""

    def __init__(self, arch, shared=166912):
        self.arch, self.shared = arch, shared
        self.loaded, self.launched = [], []
        self.utils = self

    def get_current_device(self):
        return 0

    def get_current_stream(self, device):
        return 0

    def get_current_target(self):
        return GPUTarget("cuda", self.arch, 32)

    def get_device_properties(self, device):
        return {"max_shared_mem": self.shared}

    def load_binary(self, name, kernel, shared, device):
        self.loaded.append((name, shared))
        return None, object(), 32, 0, 1024  # no module to unload

    def launcher_cls(self, source, metadata):
        def launch(x, y, z, stream, function, packed, *rest):
            self.launched.append(((x, y, z), packed, rest[3:]))

        return launch


class Ptxas:
    """The log of a ptxas that is none."""

    def __init__(self, folder):
        self.log = os.path.join(folder, "log")
        self.path = os.path.join(folder, "ptxas")
        with open(self.path, "w") as file:
            file.write(_PTXAS.format(log=self.log))
        os.chmod(self.path, os.stat(self.path).st_mode | stat.S_IXUSR)

    def calls(self):
        """SHA-256 of each PTX that it was given."""
        with contextlib.suppress(FileNotFoundError), open(self.log) as file:
            return [line.split()[0] for line in file]
        return []


def digest(ptx):
    """SHA-256 of a PTX, as in the log."""
    return hashlib.sha256(ptx.encode()).hexdigest()


@contextlib.contextmanager
def machine(arch=80):
    """A machine with a GPU of `arch`: its driver and its ptxas, and nothing in Triton's cache."""
    with tempfile.TemporaryDirectory() as folder:
        ptxas, driver = Ptxas(folder), Driver(arch)
        names = {"TRITON_PTXAS_PATH": ptxas.path, "TRITON_PTXAS_BLACKWELL_PATH": ptxas.path, "TRITON_CACHE_DIR": os.path.join(folder, "cache")}
        before = {name: os.environ.get(name) for name in names}
        os.environ.update(names)
        try:
            triton.runtime.driver.set_active(driver)
            yield driver, ptxas
        finally:
            triton.runtime.driver._active = None  # reset_active() asks for a GPU
            for name, value in before.items():
                if value is None:
                    del os.environ[name]
                else:
                    os.environ[name] = value


def fresh(kernel):
    """The kernel of the JIT without what it compiled before, under another driver."""
    return triton.jit(kernel.fn)
