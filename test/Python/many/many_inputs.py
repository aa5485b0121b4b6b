# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Candidates of the tests, and functions that are called in workers: a module of its own, so that other processes find them."""

import functools
import os
import signal
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(HERE)))
EXAMPLES = os.path.join(ROOT, "docs", "examples")
COMMAND = os.environ.get("PTX_PREDICT") or os.path.join(ROOT, "build", "release", "bin", "ptx-predict")
DEVICE = "a100-80gb"
#: Names the file that `counts` writes to; workers inherit it.
LOG = "PTX_PREDICT_TEST_LOG"


def command(*arguments, code=0):
    """What the command writes to standard output."""
    done = subprocess.run([COMMAND, *arguments], capture_output=True, check=False, cwd=EXAMPLES)
    assert done.returncode == code, (arguments, done.returncode, done.stderr.decode())
    return done.stdout


def example(name):
    """The path of an example."""
    return os.path.join(EXAMPLES, name)


def launches(count, of=("saxpy.ptx", "reduce.ptx", "transpose.ptx")):
    """`count` candidates: kernels at ever other launches."""
    blocks = (64, 96, 128, 192, 256)
    for number in range(count):
        yield example(of[number % len(of)]), {"grid": 1 + number, "block": blocks[number // len(of) % len(blocks)]}


def variants(folder, count):
    """`count` files with launch files, written into `folder`: its path."""
    with open(example("saxpy.ptx"), encoding="utf-8") as file:
        text = file.read()
    for number in range(count):
        stem = os.path.join(folder, f"saxpy{number:04}")
        with open(stem + ".ptx", "w", encoding="utf-8") as file:
            file.write(text)
        with open(stem + ".yaml", "w", encoding="utf-8") as file:
            file.write(f"launches:\n  - {{kernel: saxpy, grid: {7 * number + 1}, block: {32 * (1 + number % 32)}, args: {{0: 16Mi}}}}\n")
    return folder


def made(name):
    """Makes code where it is called."""
    with open(example(name), encoding="utf-8") as file:
        return file.read()


def made_with_options(name, block):
    """Code and the launch that goes with it."""
    return made(name), {"block": block}


def raises():
    """A compiler that fails."""
    raise RuntimeError("ptxas said no\nand more")


def exits():
    """A compiler that ends its process."""
    sys.exit("no such flag")


def kills_once(marker, name):
    """Kills its worker when it is called for the first time: when there is no file `marker`."""
    try:
        os.close(os.open(marker, os.O_CREAT | os.O_EXCL))
    except FileExistsError:
        return made(name)
    os.kill(os.getpid(), signal.SIGKILL)
    return None


def kills():
    """Kills its worker whenever it is called."""
    os.kill(os.getpid(), signal.SIGKILL)


def counts(name):
    """Writes a line into the file that the environment names when it is called."""
    with open(os.environ[LOG], "a", encoding="utf-8") as file:
        file.write(f"{name}\n")
    return made(name)


def slow(name, seconds):
    """Takes a while."""
    time.sleep(seconds)
    return made(name)


def makers(count, of=("saxpy.ptx", "reduce.ptx")):
    """`count` candidates that are made in workers."""
    return [functools.partial(made_with_options, of[number % len(of)], 32 * (1 + number % 8)) for number in range(count)]


def read(path):
    """The bytes of a file."""
    with open(path, "rb") as file:
        return file.read()
