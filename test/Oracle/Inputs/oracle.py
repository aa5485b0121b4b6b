# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the scripts beside it share: they run ptx-predict and write a page of docs/measurements from what it says."""

import argparse
import csv
import os
import subprocess
import sys


def run(*command):
    """Standard output of ptx-predict, which must succeed."""
    done = subprocess.run(["ptx-predict", *command], capture_output=True, encoding="utf-8", check=False)
    if done.returncode != 0:
        sys.exit(f"ptx-predict {' '.join(command)}: exit code {done.returncode}\n{done.stderr}")
    return done.stdout


def rows_of(path):
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def row(*cells):
    """A row of a table in Markdown."""
    return "| " + " | ".join(str(c) for c in cells) + " |\n"


def parse_options(*folders, files=None):
    """Options of a script that takes `folders`, the last one to write to, perhaps `files`, and a page."""
    parser = argparse.ArgumentParser()
    for folder in folders:
        parser.add_argument(folder)
    if files:
        parser.add_argument(files, nargs="*")
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--page", help="what stands there must be what is written")
    where.add_argument("--update", help="is written")
    options = parser.parse_args()
    os.makedirs(options.scratch, exist_ok=True)
    return options


def check_page(text, options):
    """Writes the page, or lists what is wrong with it."""
    if options.update:
        with open(options.update, "w", encoding="utf-8") as file:
            file.write(text)
    elif options.page:
        with open(options.page, encoding="utf-8") as file:
            if file.read() != text:
                return [f"{options.page} is out of date: write it anew with --update={options.page}"]
    return []
