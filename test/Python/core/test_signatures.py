# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The typed keyword arguments are the options that the command's --help names."""

import os
import unittest

import option_types
import ptx_predict
import support

FILE = os.path.join(support.ROOT, "python", "ptx_predict", "_signatures.py")


class SignaturesTest(unittest.TestCase):
    """The file in the tree."""

    def test_file(self):
        want = option_types.module(support.COMMAND)
        if os.environ.get("PTXPREDICT_UPDATE_PAGES") == "1":
            with open(FILE, "w", encoding="utf-8") as file:
                file.write(want)
        with open(FILE, encoding="utf-8") as file:
            self.assertEqual(file.read(), want, "run with PTXPREDICT_UPDATE_PAGES=1 and look at the difference")

    def test_all_subcommands_are_there(self):
        named = [line.split()[0] for line in support.command("--help").decode().split("SUBCOMMANDS")[1].split("\n\n")[0].splitlines()[1:] if line[2:3] != " "]
        self.assertEqual(set(named) | {"predict"}, set(option_types.SUBCOMMANDS) | {"help"})

    def test_each_function_has_its_options(self):
        with open(ptx_predict.__file__, encoding="utf-8") as file:
            source = file.read()
        for name in ("predict", "advise", "lint", "diff", "emulate", "occupancy", "devices", "clocks", "rank"):
            functions = [text for text in source.split("\ndef ") if text.startswith(f"{name}(")]
            self.assertTrue(functions)
            for text in functions[:-1] or functions:  # the last one of several is for all of them
                self.assertIn(f"**options: Unpack[s.{name.capitalize()}Options]", text)

    def test_options_of_the_help(self):
        """Against another reader of the same: completion."""
        for subcommand in option_types.SUBCOMMANDS:
            lines = support.command("--complete", *([] if subcommand == "predict" else [subcommand]), "--").decode().splitlines()
            completed = {line.split("\t")[0].lstrip("-").rstrip("=") for line in lines}
            shown = {name for name, _, _ in option_types.options(support.COMMAND, subcommand)}
            self.assertEqual(shown - completed, {name for name in shown if len(name) == 1}, subcommand)
            self.assertEqual(completed - shown, set(), subcommand)


if __name__ == "__main__":
    unittest.main()
