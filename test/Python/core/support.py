# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Where the tests of the package find the command and the examples, and how they call the command."""

import os
import shutil
import subprocess
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(HERE)))
EXAMPLES = os.path.join(ROOT, "docs", "examples")
#: The command whose answers are right, by definition: $PTX_PREDICT, or that of the release build.
COMMAND = os.environ.get("PTX_PREDICT") or os.path.join(ROOT, "build", "release", "bin", "ptx-predict")


def command(*arguments, code=0, folder=EXAMPLES):
    """What the command writes to standard output."""
    done = subprocess.run([COMMAND, *arguments], capture_output=True, check=False, cwd=folder)
    assert done.returncode == code, (arguments, done.returncode, done.stderr.decode())
    return done.stdout


def messages(*arguments, folder=EXAMPLES):
    """What the command writes to standard error."""
    return subprocess.run([COMMAND, *arguments], capture_output=True, check=False, cwd=folder).stderr.decode()


class Folder:
    """A temporary folder that is the working directory for a while, with a copy of the examples or with nothing."""

    def __init__(self, examples=True):
        self.examples = examples

    def __enter__(self):
        self.before = os.getcwd()
        self.holder = tempfile.TemporaryDirectory()
        self.path = os.path.join(os.path.realpath(self.holder.name), "examples")
        if self.examples:
            shutil.copytree(EXAMPLES, self.path)
        else:
            os.mkdir(self.path)
        os.chdir(self.path)
        return self.path

    def __exit__(self, *_):
        os.chdir(self.before)
        self.holder.cleanup()


def package_elsewhere(folder):
    """Copies the package without its library into `folder`, and returns the environment of a Python that finds that copy alone."""
    import ptx_predict

    source = os.path.dirname(os.path.abspath(ptx_predict.__file__))
    shutil.copytree(source, os.path.join(folder, "ptx_predict"), ignore=shutil.ignore_patterns("*.so*", "__pycache__", "bin"))
    return {**os.environ, "PYTHONPATH": folder}
