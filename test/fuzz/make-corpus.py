#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""make-corpus.py ROOT OUTPUT: the fuzzer's first inputs and dictionaries, from what the repository has.

Writes the inputs of each target into OUTPUT/seeds/TARGET and the words of its language to OUTPUT/TARGET.dict. Inputs are
the examples, the inputs and sections of the text tests, and the string literals of the unit tests. PTX of more than LIMIT
bytes is cut into its functions, each with the head of its file: libFuzzer's mutations suit small inputs. What no file has
lies in test/fuzz/seeds/TARGET.
"""

import gzip
import hashlib
import os
import re
import shutil
import subprocess
import sys

LIMIT = 8192
TARGETS = ["ptx", "emulate", "command", "launch", "characteristics", "device", "configuration", "dataset", "microbenchmarks", "power-regression", "system", "scenario", "scaling",
           "ptxas-log", "baseline", "profile", "counters", "measured-kernels", "cache-entry", "gzip", "container", "sass", "lift", "compile-commands",
           "ir"]
SECTION = re.compile(r"^(?:#|//)--- (.*)\n", re.MULTILINE)
PART = "\n//---\n"  # between what stands for several files: splitParts of Targets.h
LITERALS = re.compile(r'"(?:[^"\\\n]|\\.)*"(?:\s*"(?:[^"\\\n]|\\.)*")*|R"(\w*)\((.*?)\)\1"', re.DOTALL)
PIECE = re.compile(r'"((?:[^"\\\n]|\\.)*)"')
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


def sections(path):
    """The sections of a text test as pairs of name and text; first, without a name, what stands before them."""
    parts = SECTION.split(read(path))
    return list(zip([""] + parts[1::2], parts[::2]))


def literals(path, least_lines=2):
    """The string literals of a C++ file that hold at least so many lines, those side by side as one."""
    for match in LITERALS.finditer(read(path)):
        text = match[2]
        if text is None:
            text = "".join(PIECE.findall(match[0]))
            text = re.sub(r"\\(.)", lambda m: ESCAPES.get(m[1], m[1]), text)
        if text.count("\n") >= least_lines - 1:
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
    if re.search(r"^target triple = ", text, re.MULTILINE):
        return "ir"
    if re.search(r"^schema: ptx-predict/link$", text, re.MULTILINE):
        return None  # they stand behind systems
    for schema in ("dataset", "microbenchmarks", "power-regression", "profile", "baseline", "system", "scenario", "scaling"):
        if re.search(r"\bschema\"?: \"?ptx-predict/" + schema, text):
            return schema
    if suffix == ".ptx" or re.search(r"^\s*\.version\s", text, re.MULTILINE):
        return "ptx"
    if re.search(r"^schema: ptx-predict/characteristics", text, re.MULTILINE):
        return "characteristics"
    if re.search(r"^launches:", text, re.MULTILINE):
        return "launch"
    if re.search(r"^(?:name|inherits|compute_capability):", text, re.MULTILINE):
        return "device"
    if suffix == ".yaml" and re.search(r"^(?:devices|rules|severity|thresholds|suppressions|fail_on|launch):", text, re.MULTILINE):
        return "configuration"
    return "ptxas-log" if "ptxas info" in text else None


def with_table(root, text, near):
    """A dataset and the table that it names: a section beside it, or a file of one of the folders with tables."""
    name = re.search(r"^csv: (\S+)", text, re.MULTILINE)
    table = near.get(name[1], "") if name else ""
    for folder in ("docs/examples", "test/Validation/Inputs", "test/accuracy/data"):
        path = os.path.join(root, folder, name[1] if name else "")
        if not table and os.path.isfile(path):
            table = read(path)
    return text + PART + "\n".join(table.split("\n")[:12]) + "\n"


# What stands behind a system, and behind a scenario: a link, and a system.
SECOND = {"system": "lib/Scenario/System/links/gajger-pcie3-x16.yaml", "scenario": "test/Inputs/scenario/fuzz-system.yaml"}


def commands(root):
    """Subcommands and options with examples, some with a launch file."""
    options = ["predict", "predict\n--format=json\n--device=a100-80gb\n--model=all", "predict\n--format=html\n--grid=64,2\n--block=32,4",
               "predict\n--sweep=block=64,128,1024\n--format=csv", "predict\n--dump=values\n--dump=locality\n--arg=0=3",
               "predict\n--dump=characteristics\n--trip-count=L__BB0_2=7", "lint\n--format=sarif", "lint\n--format=json\n--min-gain=1%\n--rules=*,-bank-*",
               "advise\n--verbose\n--device=v100", "rank\n--format=json\n--top=3", "diff\n--format=markdown\n--noise=1", "occupancy\n--registers=65\n--verbose"]
    launches = [read(os.path.join(root, "docs/examples", name)) for name in ("emulate.yaml", "reduce-shapes.yaml")]
    for name in ("saxpy", "reduce", "matmul", "transpose"):
        code = read(os.path.join(root, "docs/examples", name + ".ptx"))
        for number, text in enumerate(options):
            yield text + PART + code + (PART + launches[number % 2] if number % 3 == 0 else "")


def bitcode(text):
    """What the assembler of LLVM 22 makes of IR; nothing without one."""
    program = shutil.which("llvm-as-22") or shutil.which("llvm-as", path="/usr/lib/llvm-22/bin")
    done = program and subprocess.run([program, "-o", "-"], input=text.encode(), capture_output=True, check=False)
    return done.stdout if done and done.returncode == 0 else b""


def instructions(root):
    """Those of each architecture that the unit test has, forty at a time, behind a byte that says it."""
    case = re.compile(r"SASS_CASE\((\d+), 0x(\w+), 0x(\w+),")
    found = {}
    for arch, low, high in case.findall(read(os.path.join(root, "test/unit/Frontend/SASS/SASSCases.def"))):
        found.setdefault(int(arch), []).append(int(low, 16).to_bytes(8, "little") + int(high, 16).to_bytes(8, "little"))
    for arch, codes in found.items():
        for first in range(0, len(codes), 40):
            yield bytes([arch]) + b"".join(codes[first : first + 40])


def seeds(root):
    for target in TARGETS:
        for path in files(root, os.path.join("test/fuzz/seeds", target), ""):
            yield target, read(path)
    for text in commands(root):
        yield "command", text
    for name in ("saxpy.ptx", "emulate.yaml", "saxpy.ll"):
        data = read(os.path.join(root, "docs/examples", name)).encode()
        yield "gzip", gzip.compress(data, mtime=0)
        yield "gzip", gzip.compress(data[:99], 1, mtime=0) + gzip.compress(data[99:], mtime=0)
    yield "gzip", gzip.compress(b"a" * 100000, mtime=0)
    for path in files(root, "test/Inputs/cubins", ".cubin", ".fatbin"):
        with open(path, "rb") as file:
            yield "container", file.read()
    for path in (*files(root, "test/Inputs/cubins", ".cubin"), *files(root, "test/Frontend/SASS/Inputs", ".cubin")):
        if os.path.getsize(path) <= 2 * LIMIT:
            with open(path, "rb") as file:
                yield "lift", file.read()
    for text in instructions(root):
        yield "sass", text
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
            near = dict(sections(path))
            for name, text in sections(path):
                target = target_of(text, os.path.splitext(name)[1] or suffix)
                yield target, with_table(root, text, near) if target == "dataset" else text
    for path in files(root, "test/Inputs", ".yaml"):
        text = read(path)
        yield target_of(text, ".yaml") or "device", text
    for folder in ("docs/examples", "test/accuracy/datasets"):
        for path in files(root, folder, ".yaml"):
            text = read(path)
            if target_of(text, ".yaml") == "dataset" and len(text) < LIMIT:
                yield "dataset", with_table(root, text, {})
    for folder, target in [("docs/examples/scenario", "scenario"), ("docs/examples/scaling", "scaling"), ("lib/Scenario/System/systems", "system")]:
        for path in files(root, folder, ".yaml"):
            if target_of(read(path), ".yaml") == target:
                yield target, read(path)
    yield "microbenchmarks", read(os.path.join(root, "docs/examples/microbenchmarks.yaml"))
    for path in files(root, "docs/examples", ".ll"):
        yield "ir", read(path)
    for path in files(root, "test/unit/Frontend/LLVMIR", ".cpp"):
        for text in literals(path):
            yield target_of(text, ".ll"), text
    for folder, target in [("Frontend", "ptx"), ("Analysis", "ptx"), ("Launch", "launch"), ("Device", "device")]:
        for path in files(root, os.path.join("test", "unit", folder), ".cpp", ".h"):
            for text in literals(path):
                yield "counters" if path.endswith("CounterFileTest.cpp") else target, text
    for path in files(root, "docs/examples", "-counters.csv"):
        yield "counters", read(path)
        yield "measured-kernels", read(path)
    for path in files(root, "docs/examples", "-trace.csv"):
        yield "measured-kernels", read(path)
    for name in ("NsysSummaryTest.cpp", "NsysTraceTest.cpp"):
        for text in literals(os.path.join(root, "test/unit/Scenario/Trace", name)):
            yield "measured-kernels", text
    for text in literals(os.path.join(root, "test/unit/Characteristics/CharacteristicsYAMLTest.cpp")):
        yield "characteristics", text
    for text in literals(os.path.join(root, "test/unit/Driver/Toolchain/PtxasInfoTest.cpp")):
        yield "ptxas-log", text
    for text in literals(os.path.join(root, "test/unit/Review/LintConfigTest.cpp"), least_lines=1):
        if ":" in text:
            yield "configuration", text
    for text in literals(os.path.join(root, "test/unit/Driver/Toolchain/CompileCommandsTest.cpp"), least_lines=1):
        if text.lstrip().startswith("["):
            yield "compile-commands", text


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
    configuration = {w for w in words(root, "lib/Review/LintConfig.cpp") if re.fullmatch(r"[a-z_]+", w)}
    dataset = {w for w in words(root, "lib/Validation/Dataset/Dataset.cpp") if re.fullmatch(r"[a-z_0-9]+", w)}
    benchmarks = words(root, "lib/Device/Calibration.cpp", "include/ptxpredict/Device/Microbenchmarks.def")
    yield "configuration", sorted(configuration) + yaml + numbers
    yield "dataset", sorted(dataset) + ["ceil(", "min(", "log2(", " div ", " mod ", "\\n//---\\n"] + yaml + numbers
    regression = {w for w in words(root, "lib/Model/PowerRegressionFile.cpp", "include/ptxpredict/Model/PowerEvents.def",
                                   "lib/Model/PowerRegression.cpp") if re.fullmatch(r"[A-Za-z_0-9+-]+", w)}
    yield "power-regression", sorted(regression) + ["instructions a core cycle", "MHz", "W"] + yaml + numbers
    system = {w for w in words(root, "lib/Scenario/System/SystemYAML.cpp", "lib/Scenario/System/ComponentReader.cpp",
                               "lib/Scenario/System/LinkYAML.cpp") if re.fullmatch(r"[a-z_0-9]+", w)}
    yield "system", sorted(system) + ["fifo", "half", "pcie4-x16", "v100", "8b/10b", "GB/s", "\\n//---\\n"] + yaml + numbers
    scenario = {w for w in words(root, "lib/Scenario/Plan/ScenarioYAML.cpp", "lib/Scenario/Plan/OperationYAML.cpp",
                                 "include/ptxpredict/Scenario/Plan/Operations.def",
                                 "include/ptxpredict/Model/LittlesLawTerms.def") if re.fullmatch(r"[A-Za-z_0-9]+", w)}
    yield "scenario", sorted(scenario) + ["worker", " == ", " and ", " mod ", "ceil(", "\\n//---\\n"] + yaml + numbers
    scaling = {w for w in words(root, "lib/Scenario/Scaling/ScalingYAML.cpp", "include/ptxpredict/Scenario/Scaling/ScalingNumbers.def")
               if re.fullmatch(r"[A-Za-z_]+", w)}
    yield "scaling", sorted(scaling) + ["log2(", "pow(", "loggp", "pairwise", "time_us", "power_w"] + yaml + numbers
    yield "microbenchmarks", sorted(w for w in benchmarks if not w.endswith(".h")) + yaml + numbers
    json = ['"', '":', ",", "{", "}", "[", "]", "null", "true", "\\\\u0000", "1e999"] + numbers
    yield "baseline", ["schema", "version", "findings", "fingerprint"] + json
    yield "profile", sorted(w for w in words(root, "lib/Launch/Profile.cpp") if re.fullmatch(r"[a-z_0-9]+", w)) + json
    counters = set(re.findall(r'"([^"]+)"', read(os.path.join(root, "include/ptxpredict/Launch/Counters.def"))))
    counters = {w for w in counters if re.fullmatch(r"[\w./% ]+", w) and len(w) <= 100} | words(root, "lib/Launch/CounterForms.cpp")
    yield "counters", sorted(w for w in counters if not w.endswith(".h")) + [",", '"', "\\n", "==1== ", "%", "Kbyte", "usecond"] + numbers
    columns = words(root, "lib/Scenario/Trace/NsysTrace.cpp", "lib/Scenario/Trace/NsysSummary.cpp")
    columns = sorted(w for w in columns if re.fullmatch(r"[\w/]+", w)) + [" (ns)", " (MB)", "1 1 1", ",", '"', "\\n"]
    yield "measured-kernels", ["Instances,Avg (ns),GridXYZ,BlockXYZ,Name\\n", "Start (ns),Duration (ns),Name\\n", "kernel,time\\n"] + columns + numbers
    yield "cache-entry", sorted(w for w in words(root, "lib/Review/RecordJSON.cpp") if re.fullmatch(r"[a-z_A-Z]+", w)) + json
    yield "compile-commands", ["file", "directory", "command", "arguments", "-arch=sm_90", "-gencode", "--options-file", "-x", "-o", "nvcc", "clang++"] + json
    yield "command", sorted(ptx)[::8] + ["--grid=", "--block=", "--device=", "--format=json", "--sweep=", "\\n//---\\n"] + numbers
    yield "gzip", ["\\x1f\\x8b", "\\x1f\\x8b\\x08\\x00", "\\x08", "\\x10", "\\x1f"] + numbers
    yield "sass", [f"\\x{arch:02x}" for arch in (70, 75, 80, 86, 89, 90, 100, 103, 120, 121)]
    yield "container", ["\\x50\\xed\\x55\\xba", "\\x7fELF\\x02\\x01\\x01", "!<arch>\\x0a", "//", "`\\x0a", ".nv_fatbin", "__nv_relfatbin", ".nv.info.k", ".text.k"] + numbers
    intrinsics = {"llvm.nvvm." + w for w in words(root, "lib/Frontend/LLVMIR/NVVMIntrinsics.def") if not re.search(r"[{*]", w)}
    yield "ir", sorted(w for w in intrinsics if re.fullmatch(r"[a-z0-9._]+", w)) + ["i32", "ptr addrspace(3)", "<2 x half>", "align", "getelementptr", "phi"]


def main():
    root, output = sys.argv[1:]
    shutil.rmtree(os.path.join(output, "seeds"), ignore_errors=True)
    for target in TARGETS:
        os.makedirs(os.path.join(output, "seeds", target))
    count = dict.fromkeys(TARGETS, 0)
    def all_data():
        for target, text in seeds(root):
            if target == "ir" and len(text) <= LIMIT:
                yield target, bitcode(text)
            if target in SECOND:
                text += PART + read(os.path.join(root, SECOND[target]))
            if target is not None:
                yield target, text if isinstance(text, bytes) else text.encode()

    for target, data in all_data():
        if not data.strip():
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
        if count[target] == 0 or len(entries) < 10:
            sys.exit(f"too few inputs or words for {target}: has their place changed?")


if __name__ == "__main__":
    main()
