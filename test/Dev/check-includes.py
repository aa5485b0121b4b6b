#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""check-includes.py ROOT: refuses an #include that goes against the data flow.

Reads the #include lines under ROOT/include/ptxpredict, ROOT/lib and ROOT/tools. A folder may include itself, the folders
that ALLOWED gives it, and all that these may include. docs/Architecture.md explains the order. Exit 0: all is well;
1: wrong arrows, one a line, as FILE:LINE: TEXT.
"""

import os
import re
import sys

# Folder: the folders next to the left of it.
ALLOWED = {
    "Support": [],
    "ISA": ["Support"],
    "Graph": ["ISA"],
    "Frontend/PTX": ["Graph"],
    "Frontend/SASS": ["Graph", "Codegen"],
    "Frontend/LLVMIR": ["Frontend/PTX"],
    "Launch": ["ISA"],
    "MemoryAccess": ["ISA"],
    "Emulator/Lanes": ["MemoryAccess"],
    "Emulator/Memory": ["Launch"],
    "Emulator/Check": ["MemoryAccess"],
    "Emulator/Matrix": ["Emulator/Lanes"],
    "Emulator/Core": ["Graph", "Emulator/Memory", "Emulator/Check", "Emulator/Matrix"],
    "Codegen": ["Graph", "MemoryAccess"],
    "Analysis/Symbolic": ["Graph", "Launch", "Emulator/Lanes"],
    "Analysis/Access": ["Analysis/Symbolic", "Codegen"],
    "Analysis/Locality": ["Analysis/Access"],
    "Analysis/Profile": ["Analysis/Locality"],
    "Analysis/Dependence": ["Analysis/Profile"],
    "Analysis/Dump": ["Analysis/Dependence"],
    "Characteristics": ["Analysis/Dependence"],
    "Device": ["Support"],
    "Model": ["Characteristics", "Device"],
    "Lint": ["Model"],
    "Review": ["Lint"],
    "Report/Writers": ["Device", "Launch"],
    "Report/Prediction": ["Report/Writers", "Lint"],
    "Report/Explain": ["Lint"],
    "Report/Device": ["Report/Writers"],
    "Report/Objects": ["Report/Writers", "Frontend/SASS"],
    "Report/HTML": ["Report/Prediction"],
    "Report/Lint": ["Report/Prediction", "Report/Explain", "Review"],
    "Report/Diff": ["Report/Prediction", "Review"],
    "Report/Occupancy": ["Report/Prediction"],
    "Report/Clocks": ["Report/Prediction"],
    "Report/Ranking": ["Report/Prediction"],
    "Report/Split": ["Report/Prediction"],
    "Report/Emulation": ["Report/Prediction"],
    "Report/Accuracy": ["Report/Writers", "Validation"],
    "Driver/Inputs": ["Frontend/PTX", "Frontend/SASS", "Characteristics"],
    "Driver/Toolchain": ["Driver/Inputs"],
    "Driver/Pipeline": [
        "Driver/Toolchain",
        "Analysis/Dump",
        "Emulator/Core",
        "Report/Emulation",
        "Report/Objects",
        "Report/Prediction",
        "Report/Ranking",
    ],
    "Driver/Records": ["Driver/Pipeline", "Review"],
    "Scenario/Engine": ["Support"],
    "Scenario/System": ["Device"],
    "Scenario/Plan": ["Scenario/Engine", "Scenario/System", "Driver/Pipeline"],
    "Scenario/Scaling": ["Scenario/Plan", "Report/Writers"],
    "Scenario/View": ["Scenario/Plan", "Scenario/Trace", "Report/Writers"],
    "Scenario/Trace": ["Support"],
    "Validation/Dataset": ["Driver/Pipeline", "Scenario/Trace"],
    "Validation/Fit": ["Model"],
    "Validation": ["Validation/Dataset", "Validation/Fit"],
    "IRDriver": ["Driver/Pipeline", "Frontend/LLVMIR"],
    "Plugin": ["IRDriver"],
    "tools": [
        "Driver/Records",
        "Report/Accuracy",
        "Report/Clocks",
        "Report/Device",
        "Report/Diff",
        "Report/Explain",
        "Report/HTML",
        "Report/Lint",
        "Report/Objects",
        "Report/Occupancy",
        "Report/Split",
        "Scenario/Scaling",
        "Scenario/View",
    ],
    "tools/ptx-predict-ir": ["IRDriver", "tools"],
}

# Of LLVM everyone may use what the static Support and Demangle archives implement; those that see IR, everything.
LLVM_FOR_ALL = {"ADT", "Config", "Demangle", "Support"}
# Those that read object files see what describes them.
LLVM_OF_OBJECTS = {"Frontend/SASS": {"BinaryFormat", "DebugInfo", "Object"}, "Support": {"BinaryFormat"}}
LLVM_WHOLE = {"Frontend/LLVMIR", "IRDriver", "Plugin", "tools/ptx-predict-ir"}

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*(?:"([^"]+)"|<([^>]+)>)')
SUFFIXES = (".h", ".cpp", ".def", ".inc", ".c")


def closure(folder, seen=None):
    """All folders that `folder` may include, itself too."""
    seen = set() if seen is None else seen
    if folder not in seen:
        seen.add(folder)
        for next_folder in ALLOWED[folder]:
            closure(next_folder, seen)
    return seen


def folder_of(parts):
    """The longest folder of ALLOWED that a path below include/ptxpredict or lib lies in; None without one."""
    for count in (2, 1):
        if len(parts) > count and "/".join(parts[:count]) in ALLOWED:
            return "/".join(parts[:count])
    return None


def check_line(folder, path, root, name, quoted):
    """What is wrong with one include of a file in `folder`; None if nothing is."""
    if name == "ptxpredict/Version.h":
        return None
    if name.startswith("ptxpredict/"):
        target = folder_of(name.split("/")[1:])
        if target is None:
            return f"'{name}' is in no folder that the architecture knows"
        if target not in closure(folder):
            return f"{folder} may not include {target} ('{name}')"
        return None
    if name.startswith(("llvm/", "llvm-c/", "clang/", "clang-c/", "mlir/")):
        part = name.split("/")[1]
        if folder in LLVM_WHOLE or (name.startswith("llvm/") and part in LLVM_FOR_ALL):
            return None
        if name.startswith("llvm/") and part in LLVM_OF_OBJECTS.get(folder, ()):
            return None
        return f"{folder} may not include '{name}': only {', '.join(sorted(LLVM_WHOLE))} see more of LLVM than its Support"
    if quoted:
        if ".." in name.split("/"):
            return f"'{name}' climbs out of its folder"
        # A private header of the same folder, of another one of its room, or one that the build makes.
        if os.path.exists(os.path.join(root, "include", "ptxpredict", name)):
            return f"'{name}' is to be included as 'ptxpredict/{name}'"
        if os.path.exists(os.path.join(root, "lib", name)):
            target = folder_of(name.split("/"))
            if target is None or target.split("/")[0] != folder.split("/")[0]:
                return f"'{name}' reaches into another room's private files"
            if target not in closure(folder):
                return f"{folder} may not include {target} ('{name}')"
    return None


def check_file(root, path, folder):
    problems = []
    with open(path, encoding="utf-8", errors="replace") as file:
        for number, line in enumerate(file, 1):
            match = INCLUDE.match(line)
            if match:
                problem = check_line(folder, path, root, match[1] or match[2], match[1] is not None)
                if problem:
                    problems.append(f"{os.path.relpath(path, root)}:{number}: {problem}")
    return problems


def sources(base):
    for where, folders, files in os.walk(base):
        folders.sort()
        for file in sorted(files):
            if file.endswith(SUFFIXES):
                yield os.path.join(where, file)


def check(root):
    """The number of files read, and the problems."""
    count, problems = 0, []
    for base in ("include/ptxpredict", "lib"):
        for path in sources(os.path.join(root, base)):
            parts = os.path.relpath(path, os.path.join(root, base)).split(os.sep)
            folder = folder_of(parts)
            if folder is None:
                problems.append(f"{os.path.relpath(path, root)}:1: lies in no folder that the architecture knows")
                continue
            count += 1
            problems += check_file(root, path, folder)
    for path in sources(os.path.join(root, "tools")):
        tool = "/".join(os.path.relpath(path, root).split(os.sep)[:2])
        count += 1
        problems += check_file(root, path, tool if tool in ALLOWED else "tools")
    return count, problems


def main():
    count, problems = check(sys.argv[1])
    for problem in problems:
        print(problem)
    if count == 0:
        print(f"no source found under {sys.argv[1]}")
        return 1
    print(f"{count} files read, {len(problems)} wrong includes")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
