# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""runner.py FOLDER RESULTS: runs the tests of a folder, and writes what came of each as JSON: "passed", "failed" or "skipped", and why."""

import json
import os
import sys
import unittest


class Result(unittest.TextTestResult):
    """Also remembers each test by name."""

    def __init__(self, *arguments, **options):
        super().__init__(*arguments, **options)
        self.found = {}

    def startTest(self, test):
        super().startTest(test)
        self.found[test.id()] = ["passed", ""]

    def addSkip(self, test, reason):
        super().addSkip(test, reason)
        self.found[test.id()] = ["skipped", reason]

    def addSubTest(self, test, subtest, err):
        super().addSubTest(test, subtest, err)
        if err:
            self.found[test.id()] = ["failed", str(err[1]).splitlines()[0] if str(err[1]) else err[0].__name__]

    def addFailure(self, test, err):
        super().addFailure(test, err)
        self.fail(test, err)

    def addError(self, test, err):
        super().addError(test, err)
        self.fail(test, err)

    def addUnexpectedSuccess(self, test):
        super().addUnexpectedSuccess(test)
        self.found[test.id()] = ["failed", "it should have failed"]

    def fail(self, test, err):
        """Remembers the first line of why."""
        self.found[test.id()] = ["failed", (str(err[1]).splitlines() or [err[0].__name__])[0]]


def main(folder, results):
    """Runs and writes."""
    os.chdir(folder)
    sys.path[0] = folder  # in place of this one, whose folders have names of packages
    suite = unittest.defaultTestLoader.discover(folder, top_level_dir=folder)
    result = unittest.TextTestRunner(resultclass=Result, verbosity=2).run(suite)
    with open(results, "w", encoding="utf-8") as file:
        json.dump(result.found, file)
    return 0 if result.wasSuccessful() and result.found else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
