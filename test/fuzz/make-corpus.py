#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""make-corpus.py ROOT OUTPUT: the fuzzer's first inputs and dictionaries, from what the repository has.

Writes the inputs of each target into OUTPUT/seeds/TARGET and the words of its language to OUTPUT/TARGET.dict. Inputs are
the examples, the inputs and sections of the text tests, and the string literals of the unit tests. PTX of more than LIMIT
bytes is cut into its functions, each with the head of its file: libFuzzer's mutations suit small inputs.
"""

import gzip
import hashlib
import os
import re
import shutil
import sys

LIMIT = 8192
TARGETS = ["ptx", "launch", "characteristics", "device", "ptxas-log", "emulate"]
SECTION = re.compile(r"^(?:#|//)--- .*\n", re.MULTILINE)
LITERALS = re.compile(r'"(?:[^"\\\n]|\\.)*"(?:\s*"(?:[^"\\\n]|\\.)*")*|R"(\w*)\((.*?)\)\1"', re.DOTALL)
PART = re.compile(r'"((?:[^"\\\n]|\\.)*)"')
ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "0": "\0"}


def files(root, folder, *suffixes):
    for where, folders, names in os.walk(os.path.join(root, folder)):
        folders.sort()
        for name in sorted(names):
            if name.endswith(suffixes):
                yield os.path.join(where, name)


def read(path):
    opened = gzip.open if path.endswith(".gz") else open
    with opened(path, "rb") as file:
        return file.read().decode("utf-8", "replace")


def literals(path):
    """The string literals of a C++ file that hold more than one line, those side by side as one."""
    for match in LITERALS.finditer(read(path)):
        text = match[2]
        if text is None:
            text = "".join(PART.findall(match[0]))
            text = re.sub(r"\\(.)", lambda m: ESCAPES.get(m[1], m[1]), text)
        if "\n" in text:
            yield text


def functions(text):
    """PTX cut into its functions, each below the head of the file."""
    starts = [m.start() for m in re.finditer(r"^(?:\.\w+ )*\.(?:entry|func)\b", text, re.MULTILINE)]
    if not starts:
        return
    head = text[: starts[0]]
    if len(head) > LIMIT // 2:
        head = "".join(re.findall(r"^\.(?:version|target|address_size).*\n", head, re.MULTILINE))
    for start, end in zip(starts, starts[1:] + [len(text)]):
        yield head + text[start:end]


def cut(text):
    return [text] if len(text) <= LIMIT else [part for part in functions(text) if len(part) <= LIMIT]


def target_of(text, suffix):
    """Which target reads a section of a text test; None for none."""
    if suffix == ".log":
        return "ptxas-log"
    if suffix == ".ptx" or re.search(r"^\s*\.version\s", text, re.MULTILINE):
        return "ptx"
    if re.search(r"^schema: ptx-predict/characteristics", text, re.MULTILINE):
        return "characteristics"
    if re.search(r"^launches:", text, re.MULTILINE):
        return "launch"
    if re.search(r"^(?:name|inherits|compute_capability):", text, re.MULTILINE):
        return "device"
    return "ptxas-log" if "ptxas info" in text else None


def seeds(root):
    for path in files(root, "docs/examples", ".ptx"):
        yield "ptx", read(path)
    for path in files(root, "test/Inputs/kernels", ".ptx", ".ptx.gz"):
        for text in cut(read(path)):
            yield "ptx", text
    for path in files(root, "docs/examples", ".ptx"):
        yield "emulate", read(path)
    for path in files(root, "test/Inputs/kernels", ".ptx"):
        if ".sm_75" in path or ".sm_90a" in path:
            for text in cut(read(path)):
                yield "emulate", text
    for path in files(root, "test/accuracy/ptx", ".ptx"):
        for text in cut(read(path)):
            yield "emulate", text
    for path in files(root, "lib/Device/data", ".yaml"):
        yield "device", read(path)
    for area in sorted(os.listdir(os.path.join(root, "test"))):
        if area in ("Inputs", "Dev", "unit", "benchmark", "fuzz", "accuracy", "measured"):
            continue
        for path in files(root, os.path.join("test", area), ".test", ".ptx", ".yaml", ".log"):
            suffix = os.path.splitext(path)[1]
            for text in SECTION.split(read(path)):
                yield target_of(text, suffix), text
    for path in files(root, "test/fuzz/seeds/launch", ".yaml"):
        yield "launch", read(path)
    for path in files(root, "test/Inputs", ".yaml"):
        yield "device", read(path)
    for folder, target in [("Frontend", "ptx"), ("Analysis", "ptx"), ("Launch", "launch"), ("Device", "device")]:
        for path in files(root, os.path.join("test", "unit", folder), ".cpp", ".h"):
            for text in literals(path):
                yield target, text
    for text in literals(os.path.join(root, "test/unit/Characteristics/CharacteristicsYAMLTest.cpp")):
        yield "characteristics", text
    for text in literals(os.path.join(root, "test/unit/Driver/Toolchain/PtxasInfoTest.cpp")):
        yield "ptxas-log", text


def words(root, *paths):
    """Words in quotes in the given C++ files."""
    found = set()
    for path in paths:
        found.update(re.findall(r'"([.%@]?[A-Za-z_][\w.: -]{1,30})"', read(os.path.join(root, path))))
    return found


def dictionaries(root):
    isa = "include/ptxpredict/ISA/"
    ptx = {w for w in words(root, "lib/Frontend/PTX/AST.cpp", "lib/Frontend/PTX/ParseDirective.cpp",
                            "lib/Frontend/PTX/ParseBody.cpp", "lib/Frontend/PTX/Parser.cpp") if w[0] == "."}
    ptx |= words(root, isa + "PTXOpcodes.def")
    ptx |= {"." + w for w in words(root, isa + "Types.def", isa + "PTXFormats.def")}
    ptx |= {"%" + w for w in words(root, isa + "PTXSpecialRegisters.def")}
    ptx -= {w for w in ptx if w.endswith((".h", ".def")) or " " in w}
    launch = {w for w in words(root, "lib/Launch/LaunchFile.cpp", "lib/Launch/TensorMap.cpp",
                               "lib/Launch/TensorMapReader.cpp", "lib/Launch/BufferElements.cpp") if re.fullmatch(r"[a-z_0-9]+", w)}
    characteristics = {w for w in words(root, "lib/Characteristics/CharacteristicsYAMLFields.h",
                                        "lib/Characteristics/CharacteristicsYAMLDependence.cpp",
                                        "include/ptxpredict/ISA/OpClasses.def", "include/ptxpredict/Codegen/SchedClasses.def")
                       if re.fullmatch(r"[a-z_0-9-]+", w)}
    device = {w for w in words(root, "include/ptxpredict/Device/DeviceFields.def", "lib/Device/DeviceYAML.cpp")
              if re.fullmatch(r"[a-z_0-9-]+", w)}
    log = ["ptxas info    : Compiling entry function '", "' for 'sm_90'", "Function properties for ",
           "bytes stack frame", "bytes spill stores", "bytes spill loads", "Used ", "registers", "barriers", "bytes smem"]
    numbers = ["0", "1", "4294967295", "4294967296", "9223372036854775807", "18446744073709551615"]
    yaml = [": ", "- ", "[", "]", "{", "}", "\\n", "|", "&a", "*a", "? ", "#", "1e308", "-1", "0x10", "1Ki", ".5", "nan"]
    yield "ptx", sorted(ptx) + numbers
    yield "emulate", sorted(ptx) + numbers
    launch |= {"p.", "p.n", "p.shift.first", "p.stride[1][2]", "p.map_a", "0+", ":u32", ":f64", "[0]"}
    yield "launch", sorted(launch) + yaml + numbers
    yield "characteristics", sorted(characteristics) + ["known", "estimated", "assumed", "null", "---"] + yaml + numbers
    yield "device", sorted(device) + yaml + numbers
    yield "ptxas-log", log + numbers


def main():
    root, output = sys.argv[1:]
    shutil.rmtree(os.path.join(output, "seeds"), ignore_errors=True)
    for target in TARGETS:
        os.makedirs(os.path.join(output, "seeds", target))
    count = dict.fromkeys(TARGETS, 0)
    for target, text in seeds(root):
        data = text.encode()
        if target is None or not data.strip():
            continue
        path = os.path.join(output, "seeds", target, hashlib.sha256(data).hexdigest()[:16])
        if not os.path.exists(path):
            count[target] += 1
            with open(path, "wb") as file:
                file.write(data)
    for target, entries in dictionaries(root):
        with open(os.path.join(output, target + ".dict"), "w", encoding="utf-8") as file:
            for entry in entries:
                file.write('"%s"\n' % entry.replace("\\n", "\\x0a").replace('"', '\\"'))
        print(f"{target}: {count[target]} inputs, {len(entries)} words")
        if count[target] < 4 or len(entries) < 10:
            sys.exit(f"too few inputs or words for {target}: has their place changed?")


if __name__ == "__main__":
    main()
