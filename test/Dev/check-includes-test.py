#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Feeds check-includes.py wrong and right arrows."""

import importlib.util
import os
import re
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
SCRIPT = os.path.join(HERE, "check-includes.py")
SPEC = importlib.util.spec_from_file_location("check_includes", SCRIPT)
INCLUDES = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(INCLUDES)


def run(files):
    """Exit code and output for a tree of these files."""
    with tempfile.TemporaryDirectory() as root:
        for path, text in files.items():
            path = os.path.join(root, path)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
        done = subprocess.run([sys.executable, SCRIPT, root], capture_output=True, encoding="utf-8", check=False)
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
            "include/ptxpredict/Model/Model.h",
            "  # include <ptxpredict/Report/Prediction/View.h>",
            "Model may not include Report/Prediction",
        )
        self.refused(
            "lib/Characteristics/Build.cpp",
            '#include "ptxpredict/Device/Device.h"',
            "Characteristics may not include Device",
        )
        self.refused(
            "lib/Analysis/Profile/Mix.cpp",
            '#include "ptxpredict/Frontend/PTX/Parser.h"',
            "Analysis/Profile may not include Frontend/PTX",
        )
        self.refused("lib/Driver/Pipeline/Driver.cpp", '#include "ptxpredict/Frontend/LLVMIR/L.h"', "Driver/Pipeline may not include")
        self.refused("tools/ptx-predict/main.cpp", '#include "ptxpredict/Frontend/LLVMIR/L.h"', "tools may not include")

    def test_neighbours_do_not_know_each_other(self):
        self.refused(
            "lib/Frontend/PTX/Parser.cpp",
            '#include "ptxpredict/Frontend/LLVMIR/Lower.h"',
            "Frontend/PTX may not include Frontend/LLVMIR",
        )

    def test_llvm_ir_outside_its_two_folders(self):
        self.refused("lib/Graph/Graph.cpp", '#include "llvm/IR/Module.h"', "Graph may not include 'llvm/IR/Module.h'")
        self.refused("lib/Driver/Pipeline/Driver.cpp", '#include "llvm/Passes/PassBuilder.h"', "Driver/Pipeline may not")
        self.accepted("lib/Frontend/LLVMIR/Lower.cpp", '#include "llvm/IR/Module.h"')
        self.accepted("lib/Plugin/Plugin.cpp", '#include "llvm/Plugins/PassPlugin.h"')

    def test_private_files_of_others(self):
        self.refused("lib/Graph/Graph.cpp", '#include "../ISA/Table.h"', "'../ISA/Table.h' climbs out")
        code, output = run({"lib/Graph/G.cpp": '#include "ISA/Table.h"\n', "lib/ISA/Table.h": "\n"})
        self.assertEqual(code, 1)
        self.assertIn("lib/Graph/G.cpp:1: 'ISA/Table.h' reaches into", output)

    def test_private_files_of_the_room(self):
        here, there = "lib/Analysis/Profile/P.cpp", "lib/Analysis/Access/A.h"
        code, output = run({here: '#include "Analysis/Access/A.h"\n', there: "\n"})
        self.assertEqual(code, 0, output)
        code, output = run({there: '#include "Analysis/Profile/P.h"\n', "lib/Analysis/Profile/P.h": "\n"})
        self.assertEqual(code, 1)
        self.assertIn(f"{there}:1: Analysis/Access may not include Analysis/Profile", output)
        code, output = run({"lib/Model/M.cpp": '#include "Analysis/Access/A.h"\n', there: "\n"})
        self.assertEqual(code, 1)
        self.assertIn("lib/Model/M.cpp:1: 'Analysis/Access/A.h' reaches into", output)

    def test_every_arrow(self):
        """Each folder may include what its row leads to, and no other one; the rows have no circle."""
        for folder in INCLUDES.ALLOWED:
            for target in INCLUDES.ALLOWED:
                if target.startswith("tools"):
                    continue
                line = INCLUDES.check_line(folder, "", os.curdir, f"ptxpredict/{target}/X.h", True)
                if target in INCLUDES.closure(folder):
                    self.assertIsNone(line)
                    if folder != target:
                        self.assertNotIn(folder, INCLUDES.closure(target))
                else:
                    self.assertIn(f"{folder} may not include {target}", line)

    def test_the_table_of_the_architecture(self):
        """docs/Architecture.md and the checker name the same folders."""
        room, folders = None, set()
        with open(os.path.join(ROOT, "docs", "Architecture.md"), encoding="utf-8") as page:
            for row in re.findall(r"^\| (–)? ?(`[^|]*`) \|[^|]*\| *(.*?) *\|$", page.read(), re.MULTILINE):
                names = re.findall(r"`([^`]*)`", row[1])
                if not row[0]:
                    room = names[0]
                    if row[2] or room == "ISA":
                        folders.add(room)
                else:
                    folders |= {f"{room}/{name}" for name in names}
        known = {name for name in INCLUDES.ALLOWED if not name.startswith("tools")}
        self.assertEqual(folders, known)

    def test_unknown_folders(self):
        self.refused("lib/Graph/Graph.cpp", '#include "ptxpredict/Nowhere/X.h"', "'ptxpredict/Nowhere/X.h' is in no")
        code, output = run({"lib/Nowhere/X.cpp": "\n"})
        self.assertEqual(code, 1)
        self.assertIn("lib/Nowhere/X.cpp:1: lies in no folder", output)

    def test_right_arrows(self):
        self.accepted("lib/ISA/ISA.cpp", '#include "ptxpredict/Support/LLVM.h"')
        self.accepted("lib/Model/M.cpp", '#include "ptxpredict/Support/LLVM.h"')  # through Device
        self.accepted("lib/Report/HTML/R.cpp", '#include "ptxpredict/Graph/Graph.h"')  # far to the left
        self.accepted("lib/Driver/Pipeline/D.cpp", '#include "ptxpredict/Frontend/PTX/Parser.h"')
        self.accepted("lib/Graph/G.cpp", '#include "llvm/ADT/StringRef.h"\n#include <vector>\n#include "Private.h"')
        self.accepted("tools/ptx-predict/main.cpp", '#include "ptxpredict/Version.h"')
        self.accepted("lib/Support/S.cpp", '// #include "ptxpredict/Driver/Pipeline/Driver.h"')

    def test_an_empty_tree_is_no_success(self):
        code, output = run({"README.md": ""})
        self.assertEqual(code, 1)
        self.assertIn("no source found", output)


if __name__ == "__main__":
    unittest.main()
