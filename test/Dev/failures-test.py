#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""failures-test.py LIBRARY BIN EXAMPLES [unittest's arguments]: makes calls of ptx-predict to the system fail, one a run,
with the library of inject/FailCalls.cpp.

Whatever fails, the run ends without a signal. It either prints what it prints anyway, or says on one line what failed, with
exit code 2, and a file that it was to write is as before. Nothing is left beside it.
"""

import concurrent.futures
import errno
import os
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import threading
import unittest

from example_commands import COMMANDS

LIBRARY, BIN, EXAMPLES = (os.path.abspath(argument) for argument in sys.argv[1:4])
OUT_OF_MEMORY = b"ptx-predict: error: out of memory; choose fewer kernels with --kernel, or fewer threads with -j\n"
BEFORE = b"what was there before\n"
WORKERS = 2


class Folder:
    """Where one thread's runs write."""

    def __init__(self, parent):
        self.path = tempfile.mkdtemp(dir=parent)
        self.count = os.path.join(self.path, "count")
        self.out = os.path.join(self.path, "out")
        os.mkdir(self.out)
        self.file = os.path.join(self.out, "file")
        self.environment = {
            "PATH": os.environ["PATH"], "LC_ALL": "C", "NO_COLOR": "1", "HOME": self.path, "FAIL_COUNT": self.count,
            "XDG_CACHE_HOME": os.path.join(self.path, "cache"), "LD_PRELOAD": LIBRARY,
        }


class Run:
    """One run of `ptx-predict arguments` ({file} is where results go), and what it left."""

    def __init__(self, arguments, folder, order, cached=False):
        with open(folder.count, "wb") as count:
            count.write(bytes(16))
        with open(folder.file, "wb") as file:
            file.write(BEFORE)
        if not cached:
            shutil.rmtree(folder.environment["XDG_CACHE_HOME"], ignore_errors=True)
        arguments = [argument.format(file=folder.file) for argument in arguments]
        with open(os.path.join(folder.path, "stdout"), "w+b") as out, open(os.path.join(folder.path, "stderr"), "w+b") as err:
            self.code = subprocess.call(
                [os.path.join(BIN, "ptx-predict"), *arguments], cwd=EXAMPLES, close_fds=False, stdin=subprocess.DEVNULL,
                stdout=out, stderr=err, env={**folder.environment, "FAIL_CALLS": order})
            out.seek(0)
            err.seek(0)
            self.output, self.messages = out.read(), err.read()
        self.left = sorted(os.listdir(folder.out))
        with open(folder.file, "rb") as file:
            self.written = file.read()
        with open(folder.count, "rb") as count:
            self.calls, self.failed = struct.unpack("QQ", count.read())


class Failures(unittest.TestCase):
    """Runs in a few threads, each in a folder of its own."""

    @classmethod
    def setUpClass(cls):
        cls.parent = tempfile.TemporaryDirectory()
        cls.own = threading.local()
        # The command takes a second thread from 128 KiB on.
        cls.large = os.path.join(cls.parent.name, "large.ptx")
        with open(os.path.join(EXAMPLES, "saxpy.ptx"), encoding="utf-8") as small, open(cls.large, "w", encoding="utf-8") as large:
            large.write(small.read() + "// and nothing more\n" * 8000)

    @classmethod
    def tearDownClass(cls):
        cls.parent.cleanup()

    def run_once(self, arguments, order):
        if not hasattr(self.own, "folder"):
            self.own.folder = Folder(self.parent.name)
        return Run(arguments, self.own.folder, order)

    def what_is_wrong(self, plain, run, messages):
        """Nothing, or why a run in which a call failed is wrong."""
        if run.left != ["file"]:
            return f"left {run.left}"
        if run.code < 0:
            return f"signal {-run.code}"
        if not run.failed or run.code != 2:
            if run.code != plain.code or run.output != plain.output or run.written != plain.written:
                return f"code {run.code}, but not the output of a run without failures"
            return None
        if run.written not in (BEFORE, plain.written):
            return "code 2, but the file is neither the old one nor the new one"
        if not plain.output.startswith(run.output):
            return "code 2, and other output than a run without failures"
        lines = run.messages.splitlines(keepends=True)
        if not any(message in line for line in lines for message in messages) or not lines[-1].endswith(b"\n"):
            return f"says {run.messages!r}"
        return None

    def check(self, kind, how, arguments, messages, step=1, later=False, at_least=1, first=0):
        """Lets the first calls of the kind, and then each step-th one, fail in a run of its own."""
        plain = self.run_once(arguments, f"{kind}:0")
        self.assertGreaterEqual(plain.calls, at_least, f"{arguments} makes {plain.calls} calls of kind {kind}")
        numbers = [n for n in range(1, plain.calls + 1) if n <= first or n % step == 0]
        orders = [f"{kind}:{n}{'+' * later}:{how}" for n in numbers]
        with concurrent.futures.ThreadPoolExecutor(WORKERS) as pool:
            runs = list(pool.map(lambda order: self.run_once(arguments, order), orders))
        wrong = {order: why for order, run in zip(orders, runs) if (why := self.what_is_wrong(plain, run, messages))}
        ended = sum(run.failed != 0 and run.code == 2 for run in runs)
        print(f"{' '.join(arguments)}: {len(runs)} of {plain.calls} calls of kind {kind} failed; {ended} ended the run", flush=True)
        self.assertFalse(wrong, f"{len(wrong)} of {len(runs)}: {dict(list(wrong.items())[:8])}")
        return ended


class Memory(Failures):
    """Memory that cannot be had."""

    def memory(self, *arguments, step=1, first=0, others=()):
        messages = [OUT_OF_MEMORY, *others]
        self.assertGreater(self.check("memory", errno.ENOMEM, arguments, messages, step, at_least=200, first=first), 0)

    def without_threads(self, *arguments):
        """The others do the work of one that the system refuses."""
        self.assertEqual(self.check("thread", errno.EAGAIN, arguments, []), 0)

    def test_text(self):
        self.memory("saxpy.ptx", "matmul.ptx", "-j1", step=97, first=2000)

    def test_json(self):
        self.memory("saxpy.ptx", "--format=json", "-o", "{file}")

    def test_threads(self):
        arguments = (self.large, "matmul.ptx", "reduce.ptx", "transpose.ptx", "-j2", "--format=json", "-o", "{file}")
        self.memory(*arguments, step=79)
        self.without_threads(*arguments)

    def test_lint(self):
        self.memory("lint", "saxpy.ptx", "transpose.ptx", step=29)

    def test_emulate(self):
        self.memory("emulate", "saxpy.ptx", "--launch=emulate.yaml", "-j2", step=17)
        self.without_threads("emulate", "saxpy.ptx", "--launch=emulate.yaml", "-j2")

    def test_ir(self):
        # Counted from main on in both programs, of which the second soon takes over, and in the process that LLVM compiles in.
        # That process's end is an error of the input.
        self.memory("saxpy.ll", "--lower=ptx", "-o", "{file}", step=499, first=90, others=[b": error: LLVM"])


class Files(Failures):
    """Calls that read, write or replace files."""

    # LLVM ends a run that cannot close the stamp of a cache's last cleaning.
    MESSAGES = (b": error: cannot write ", b": error: cannot read the file: ", b": error: LLVM cannot go on ")
    # Of a process that LLVM compiles in, whose output is a pipe.
    UNWRITTEN = (b": error: cannot write standard output: ", b": IO failure on output stream: No space left on device")
    TO_FILES = (
        ("saxpy.ptx", "--format=json", "-o", "{file}"),
        ("matmul.ptx", "--device=all", "--format=json", "-o", "{file}"),  # more than a buffer
        ("saxpy.ptx", "--format=html", "-o", "{file}"),
        ("lint", "transpose.ptx", "--format=sarif", "-o", "{file}"),
        ("lint", "transpose.ptx", "--write-baseline={file}"),
        ("emulate", "saxpy.ptx", "--launch=emulate.yaml", "--profile-out={file}"),
        ("emulate", "saxpy.ptx", "--launch=emulate.yaml", "--dump-buffer=y={file}"),
        ("calibrate", "microbenchmarks.yaml", "--device=a100-80gb", "-o", "{file}"),
    )

    def test_files(self):
        for arguments in self.TO_FILES:
            with self.subTest(arguments):
                self.opens(arguments)
                for kind, number in ("chmod", errno.EPERM), ("rename", errno.EACCES):
                    self.check(kind, number, arguments, self.MESSAGES)
                for kind, number in ("write", errno.ENOSPC), ("write", errno.EIO), ("close", errno.EIO):
                    self.check(kind, number, arguments, self.MESSAGES)
                    self.check(kind, number, arguments, self.MESSAGES, later=True)
                for how in errno.EINTR, "short":
                    self.assertEqual(self.check("write", how, arguments, self.MESSAGES), 0)

    def opens(self, arguments):
        """An input or a result that cannot be opened. JSON says so; pages and findings do without a source."""
        plain = self.run_once(arguments, "open:0")
        for n in range(1, plain.calls + 1):
            run = self.run_once(arguments, f"open:{n}:{errno.EMFILE}")
            with self.subTest(call=n):
                self.assertEqual(run.left, ["file"])
                self.assertIn(run.code, (plain.code, 2))
                if run.code == 2:
                    self.assertRegex(run.messages, b"error: cannot (read the file|write '[^']*'): Too many open files")
                if run.code == 2 and run.written != BEFORE:
                    self.assertIn(b"cannot read the file", run.written)
                    self.assertTrue(run.written.endswith((b"\n}\n", b"</html>\n")))

    def test_standard_output(self):
        for arguments in COMMANDS:
            with self.subTest(arguments):
                ended = self.check("write", errno.ENOSPC, arguments, self.UNWRITTEN, later=True)
                self.assertGreater(ended, 0)
                self.assertEqual(self.check("write", "short", arguments, []), 0)

    def test_signals(self):
        for number in signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGKILL:
            for kind in "open", "chmod", "write", "close", "rename":
                self.signals(kind, number, self.TO_FILES[1])

    def signals(self, kind, number, arguments):
        """A signal before each call: the file is the old or the new one, and only SIGKILL leaves another."""
        plain = self.run_once(arguments, f"{kind}:0")
        for n in range(1, plain.calls + 1):
            run = self.run_once(arguments, f"{kind}:{n}:signal-{int(number)}")
            for name in run.left[1:]:
                os.remove(os.path.join(self.own.folder.out, name))
            with self.subTest(call=n, kind=kind, signal=number):
                self.assertEqual(run.code, -number)
                self.assertIn(run.written, (BEFORE, plain.written))
                if number != signal.SIGKILL:
                    self.assertEqual(run.left, ["file"])


def call(arguments, out=subprocess.PIPE, **environment):
    return subprocess.run([os.path.join(BIN, "ptx-predict"), *arguments], cwd=EXAMPLES, stdin=subprocess.DEVNULL, stdout=out,
                          stderr=subprocess.PIPE, env={"PATH": os.environ["PATH"], "LC_ALL": "C", **environment}, check=False)


class Outputs(unittest.TestCase):
    """Standard output that takes nothing, for each subcommand and form."""

    def test_full(self):
        with open("/dev/full", "wb") as full:
            for arguments in COMMANDS:
                with self.subTest(arguments):
                    run = call(arguments, full)
                    self.assertEqual(run.returncode, 2)
                    self.assertIn(b"ptx-predict: error: cannot write standard output: No space left on device\n", run.stderr)

    def test_closed_pipe(self):
        for arguments in COMMANDS:
            with self.subTest(arguments):
                reader, writer = os.pipe()
                os.close(reader)
                run = call(arguments, writer)
                os.close(writer)
                self.assertEqual(run.returncode, 0)
                self.assertNotIn(b"error", run.stderr)


class Caches(unittest.TestCase):
    """Records that cannot be kept change no answer."""

    def test_folders(self):
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "file")
            with open(file, "wb"):
                pass
            lint = ["lint", "transpose.ptx", "saxpy.ptx"]
            first = call(lint, XDG_CACHE_HOME=os.path.join(folder, "cache"))
            self.assertEqual(first.returncode, 1)
            # Nobody, not even root, creates anything in /proc.
            for cache in os.path.join(folder, "cache"), file, os.path.join(file, "below"), "/proc", "/dev/full", "relative":
                with self.subTest(cache):
                    run = call(lint, XDG_CACHE_HOME=cache)
                    self.assertEqual((run.returncode, run.stdout, run.stderr), (1, first.stdout, first.stderr))


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[4:]])
