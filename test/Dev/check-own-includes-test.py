#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Feeds check-own-includes.py sources with and without the headers that they need."""

import os
import subprocess
import sys
import tempfile
import unittest

SCRIPT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "check-own-includes.py")
MODEL, MODULE = "include/ptxpredict/Model/Model.h", "include/ptxpredict/Graph/Module.h"
TREE = {
    MODEL: '#include "ptxpredict/Graph/Module.h"\nclass TimeModel : public Base {\n};\n',
    MODULE: "struct GraphModule {\n};\nstd::vector<int> callersOf(const GraphModule &M);\n",
    "lib/Model/Helper.h": '#include "ptxpredict/Model/Model.h"\n',
    "of-llvm/llvm/ADT/SmallSet.h": "#include <llvm/ADT/StringExtras.h>\ntemplate <typename T, unsigned N>\nclass SmallSet {\n};\n",
    "of-llvm/llvm/ADT/StringExtras.h": "inline bool isAlnum(char C) {\n}\n",
}


class OwnIncludes(unittest.TestCase):
    def run_on(self, text):
        """Exit code and output for a tree with a source of this text."""
        with tempfile.TemporaryDirectory() as root:
            for path, content in {**TREE, "lib/Model/A.cpp": text}.items():
                path = os.path.join(root, path)
                os.makedirs(os.path.dirname(path), exist_ok=True)
                with open(path, "w", encoding="utf-8") as file:
                    file.write(content)
            done = subprocess.run([sys.executable, SCRIPT, root, os.path.join(root, "of-llvm")], capture_output=True, encoding="utf-8", check=False)
            return done.returncode, done.stdout

    def accepted(self, text):
        code, output = self.run_on(text)
        self.assertEqual(code, 0, output)

    def refused(self, text, name, header):
        code, output = self.run_on(text)
        self.assertEqual(code, 1, output)
        self.assertIn(f"lib/Model/A.cpp: includes nothing that declares '{name}', as {header} does", output)

    def test_missing(self):
        self.refused("void f(const TimeModel &M) {}\n", "TimeModel", MODEL)
        self.refused('#include "ptxpredict/Graph/Module.h"\nTimeModel *M;\n', "TimeModel", MODEL)
        self.refused("void f() { GraphModule M; }\n", "GraphModule", MODULE)
        self.refused("int f() { return callersOf(M).size(); }\n", "callersOf", MODULE)
        self.refused("llvm::SmallSet<int, 4> Seen;\n", "SmallSet", "llvm/ADT/SmallSet.h")
        self.refused("bool f() { return llvm::isAlnum('a'); }\n", "isAlnum", "llvm/ADT/StringExtras.h")

    def test_included(self):
        self.accepted('#include "ptxpredict/Model/Model.h"\nTimeModel *M;\nGraphModule *G;\n')
        self.accepted('#include "Helper.h"\nTimeModel *M;\n')
        self.accepted('#include "../Model/Helper.h"\nGraphModule *G;\nint N = callersOf(*G).size();\n')
        self.accepted('#include "llvm/ADT/SmallSet.h"\nllvm::SmallSet<int, 4> Seen;\nbool B = llvm::isAlnum(C);\n')

    def test_another_of_the_name(self):
        self.accepted("class TimeModel;\nvoid f(TimeModel *M);\n")
        self.accepted("struct GraphModule {\n};\nGraphModule G;\n")
        self.accepted("int GraphModule = 1;\nint N = GraphModule;\n")
        self.accepted("std::optional<int> GraphModule;\n")
        self.accepted("static std::vector<int>\ncallersOf(int N) {\n}\nint M = callersOf(1).size();\n")
        self.accepted("int N = M.callersOf(1) + Other::callersOf(2);\n")
        self.accepted("TEST(TimeModel, Works) {}\n")
        self.accepted('// A TimeModel\nconst char *Text = "a TimeModel";\nconst char *Page = R"(\na TimeModel)";\n')


if __name__ == "__main__":
    unittest.main()
