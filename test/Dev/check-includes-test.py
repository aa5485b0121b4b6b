#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Feeds check-includes.py wrong and right arrows."""

import os
import subprocess
import sys
import tempfile
import unittest

SCRIPT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "check-includes.py")


def run(files):
    """Exit code and output for a tree of these files."""
    with tempfile.TemporaryDirectory() as root:
        for path, text in files.items():
            path = os.path.join(root, path)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
        done = subprocess.run([sys.executable, SCRIPT, root], capture_output=True, text=True, check=False)
        return done.returncode, done.stdout


class Includes(unittest.TestCase):
    def refused(self, path, line, expected):
        code, output = run({path: "// a banner\n" + line + "\n"})
        self.assertEqual(code, 1, output)
        self.assertIn(f"{path}:2: {expected}", output)

    def accepted(self, path, line, **more):
        code, output = run({path: line + "\n", **more})
        self.assertEqual(code, 0, output)

    def test_arrows_against_the_flow(self):
        self.refused("lib/Graph/Builder.cpp", '#include "ptxpredict/Device/Device.h"', "Graph may not include Device")
        self.refused("lib/Support/Text.cpp", '#include "ptxpredict/ISA/ISA.h"', "Support may not include ISA")
        self.refused(
            "include/ptxpredict/Model/Model.h", '  # include <ptxpredict/Report/View.h>', "Model may not include Report"
        )
        self.refused(
            "lib/Characteristics/Build.cpp",
            '#include "ptxpredict/Device/Device.h"',
            "Characteristics may not include Device",
        )
        self.refused("lib/Analysis/Mix.cpp", '#include "ptxpredict/Frontend/PTX/Parser.h"', "Analysis may not include")
        self.refused("lib/Driver/Pipeline/Driver.cpp", '#include "ptxpredict/Frontend/LLVMIR/L.h"', "Driver may not include")
        self.refused("tools/ptx-predict/main.cpp", '#include "ptxpredict/Frontend/LLVMIR/L.h"', "tools may not include")

    def test_neighbours_do_not_know_each_other(self):
        self.refused(
            "lib/Frontend/PTX/Parser.cpp",
            '#include "ptxpredict/Frontend/LLVMIR/Lower.h"',
            "Frontend/PTX may not include Frontend/LLVMIR",
        )

    def test_llvm_ir_outside_its_two_folders(self):
        self.refused("lib/Graph/Graph.cpp", '#include "llvm/IR/Module.h"', "Graph may not include 'llvm/IR/Module.h'")
        self.refused("lib/Driver/Pipeline/Driver.cpp", '#include "llvm/Passes/PassBuilder.h"', "Driver may not include")
        self.accepted("lib/Frontend/LLVMIR/Lower.cpp", '#include "llvm/IR/Module.h"')
        self.accepted("lib/Plugin/Plugin.cpp", '#include "llvm/Plugins/PassPlugin.h"')

    def test_private_files_of_others(self):
        self.refused("lib/Graph/Graph.cpp", '#include "../ISA/Table.h"', "'../ISA/Table.h' climbs out")
        code, output = run({"lib/Graph/G.cpp": '#include "ISA/Table.h"\n', "lib/ISA/Table.h": "\n"})
        self.assertEqual(code, 1)
        self.assertIn("lib/Graph/G.cpp:1: 'ISA/Table.h' reaches into", output)

    def test_unknown_folders(self):
        self.refused("lib/Graph/Graph.cpp", '#include "ptxpredict/Nowhere/X.h"', "'ptxpredict/Nowhere/X.h' is in no")
        code, output = run({"lib/Nowhere/X.cpp": "\n"})
        self.assertEqual(code, 1)
        self.assertIn("lib/Nowhere/X.cpp:1: lies in no folder", output)

    def test_right_arrows(self):
        self.accepted("lib/ISA/ISA.cpp", '#include "ptxpredict/Support/LLVM.h"')
        self.accepted("lib/Model/M.cpp", '#include "ptxpredict/Support/LLVM.h"')  # through Device
        self.accepted("lib/Report/R.cpp", '#include "ptxpredict/Graph/Graph.h"')  # far to the left
        self.accepted("lib/Driver/D.cpp", '#include "ptxpredict/Frontend/PTX/Parser.h"')
        self.accepted("lib/Graph/G.cpp", '#include "llvm/ADT/StringRef.h"\n#include <vector>\n#include "Private.h"')
        self.accepted("tools/ptx-predict/main.cpp", '#include "ptxpredict/Version.h"')
        self.accepted("lib/Support/S.cpp", '// #include "ptxpredict/Driver/Pipeline/Driver.h"')

    def test_an_empty_tree_is_no_success(self):
        code, output = run({"README.md": ""})
        self.assertEqual(code, 1)
        self.assertIn("no source found", output)


if __name__ == "__main__":
    unittest.main()
