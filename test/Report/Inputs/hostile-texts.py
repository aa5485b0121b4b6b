#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""hostile-texts.py FOLDER [ROUTE...]: whether texts of inputs arrive as texts, in every form of every command.

Writes inputs whose names and texts hold what terminals, spreadsheets, browsers, GitHub and readers of text act upon: kernels,
files, sources, buffers, devices, reasons, rows of a dataset. Runs the commands over them and looks at all that they print.
ROUTE is `ptx` (the program without LLVM IR), `ir` or both, which is the default.
"""

import csv
import html
import html.parser
import io
import json
import os
import re
import subprocess
import sys
import xml.etree.ElementTree

FOLDER = os.path.abspath(sys.argv[1])
ROUTES = sys.argv[2:] or ["ptx", "ir"]
HERE = os.path.dirname(os.path.abspath(__file__))
EXAMPLES = os.path.join(HERE, "..", "..", "..", "docs", "examples")
TOY = os.path.join(HERE, "..", "..", "Inputs", "toy.yaml")

# A title for the terminal, an element, a line that is a command for GitHub's runner, ends of cells and of strings, a mention,
# a link, text that runs from right to left or is not there, a character of two bytes that controls, and what is no UTF-8.
TEXT = (
    "\x1b]0;x\x07<script>alert(1)<!--\n::error::|`=cmd @user \r\"',%25\x7f\x9b[31m{}\\\t\u202e\u2066\u200b\u2028\ufeffwww.x.y".encode()
    + b"\xff"
)
MARK = "<script>alert(1)<!--"  # what is left of it in all forms that are read by a program
FORMULA = b"=cmd|x" + TEXT

UNPRINTABLE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb\U000e0000-\U000e007f]"
)
Failures = []
Runs = 0


def fail(command, what):
    words = " ".join(repr(os.fsencode(word).replace(TEXT, b"<TEXT>"))[2:-1] for word in command)
    Failures.append(f"{words}\n    {what}")


def write(name, text):
    path = os.path.join(os.fsencode(FOLDER), name if isinstance(name, bytes) else name.encode())
    with open(path, "wb") as file:
        file.write(text if isinstance(text, bytes) else text.encode())
    return path


# ---------------------------------------------------------------------------------------------------------------------------
# What each form must be
# ---------------------------------------------------------------------------------------------------------------------------


def check_text(command, text):
    for line in text.split("\n"):
        if line.startswith("::"):
            fail(command, f"a line is a command for GitHub's runner: {line[:80]!r}")


def check_json(command, text):
    json.loads(text)


def check_sarif(command, text):
    def walk(value):
        if isinstance(value, dict):
            for key, inner in value.items():
                if key == "uri" and not re.fullmatch(r"[-A-Za-z0-9._~/+=@,:%]*", inner):
                    fail(command, f"no URI: {inner!r}")
                walk(inner)
        elif isinstance(value, list):
            for inner in value:
                walk(inner)

    walk(json.loads(text))


def check_github(command, text):
    *lines, summary, last = text.split("\n")
    assert last == "" and not summary.startswith("::"), summary
    for line in lines:
        if not re.fullmatch(r"::(error|warning|notice) (file=[^:,]*,)?(line=\d+,)?(col=\d+,)?title=[^:,]*::.*", line):
            fail(command, f"no annotation: {line!r}")
    return len(lines)


def check_junit(command, text):
    root = xml.etree.ElementTree.fromstring(text)
    known = {"testsuites", "testsuite", "testcase", "failure", "error", "system-out"}
    for element in root.iter():
        if element.tag not in known:
            fail(command, f"element {element.tag}")


def is_number(cell):
    try:
        float(cell)
        return True
    except ValueError:
        return False


def check_csv(command, text):
    rows = list(csv.reader(io.StringIO(text, newline="")))
    if len(rows) != text.count("\n") or len({len(row) for row in rows}) != 1:
        fail(command, "rows of different lengths, or of several lines")
    for row in rows:
        for cell in row:
            if cell[:1] in tuple("=+-@\t\r") and cell and not is_number(cell):
                fail(command, f"a formula: {cell[:60]!r}")


class Page(html.parser.HTMLParser):
    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.tags, self.text = set(), ""

    def handle_starttag(self, tag, attributes):
        self.tags.add(tag)
        self.tags.update(name for name, _ in attributes if name.startswith("on"))

    def handle_data(self, data):
        self.text += data

    def handle_comment(self, data):
        self.tags.add("comment")


def check_html(command, text):
    page = Page()
    page.feed(text)
    page.close()
    if page.tags & {"script", "img", "comment", "onerror"}:
        fail(command, f"elements {page.tags}")


def check_markdown(command, text):
    columns = None
    for line in text.split("\n"):
        if not line.startswith("|"):
            columns = None
            continue
        number = len(re.findall(r"(?<!\\)\|", line))
        if columns not in (None, number):
            fail(command, f"a row of {number} columns, not {columns}: {line!r}")
        columns = number
    text = re.sub(r"<summary><code>[^<]*</code></summary>", "", text)
    text = re.sub(r"<!-- -->|</?(details|summary|code|sub)>", "\0", text)
    text = re.sub(r"(?s)(?<![`\\])(`+)(?!`)(.*?)(?<!`)\1(?!`)", "", text)  # code
    for wrong in ("<", "@user", "www.x"):
        if wrong in text:
            fail(command, f"{wrong!r}: {text[max(0, text.index(wrong) - 80):][:160]!r}")


def check_dot(command, text):
    for line in text.split("\n"):
        if re.sub(r"\\.", "", line).count('"') % 2:
            fail(command, f"quotes: {line!r}")


def check_yaml(command, text):
    pass  # read again below


CHECKS = {
    "text": check_text,
    "json": check_json,
    "sarif": check_sarif,
    "github": check_github,
    "codequality": check_json,
    "rdjson": check_json,
    "junit": check_junit,
    "csv": check_csv,
    "html": check_html,
    "markdown": check_markdown,
    "dot": check_dot,
    "yaml": check_yaml,
}


def run(form, *command, codes=(0, 1), named=False):
    """Runs the command and checks its output, which is of a form; `named`: that the hostile text is in it."""
    global Runs
    Runs += 1
    command = [os.fsencode(word) for word in command]
    # Relative paths, so that no text is too long to be shown.
    ran = subprocess.run([b"ptx-predict", *command], cwd=FOLDER, capture_output=True, stdin=subprocess.DEVNULL)
    if ran.returncode not in codes:
        fail(command, f"exit code {ran.returncode}: {ran.stderr[-300:]}")
    result = ""
    for name, data in (("output", ran.stdout), ("errors", ran.stderr)):
        try:
            text = data.decode()
        except UnicodeDecodeError as problem:
            fail(command, f"{name}: {problem}: {data[max(0, problem.start - 60):problem.end + 20]}")
            continue
        shown = text.replace("\t", "") if form == "ptx" else text
        if found := UNPRINTABLE.search(shown.replace("\t", "\x01")):
            at = found.start()
            fail(command, f"{name}: {shown[at]!r} in {shown[max(0, at - 60):at + 20]!r}")
        if name == "output":
            result = text
        else:
            check_text(command, text)
    try:
        if result:
            CHECKS.get(form, check_text)(command, result)
    except (ValueError, AssertionError, xml.etree.ElementTree.ParseError) as problem:
        fail(command, f"not {form}: {problem}")
    if named and MARK not in html.unescape(result).replace("\\", ""):
        fail(command, "the text is not there")
    return result


# ---------------------------------------------------------------------------------------------------------------------------
# Inputs
# ---------------------------------------------------------------------------------------------------------------------------


def quoted(name):
    """A name or text of LLVM IR."""
    return '"' + "".join(f"\\{byte:02x}" for byte in name) + '"'


def ir(name, source, stride):
    return f"""
target triple = "nvptx64-nvidia-cuda"
@{quoted(b"shared" + name)} = internal addrspace(3) global [32 x float] undef
define ptx_kernel void @{quoted(name)}(ptr addrspace(1) %{quoted(b"p" + name)}, i32 %{quoted(b"n" + name)}) #0 !dbg !3 {{
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = mul i32 %t, {stride}
  %e = sext i32 %i to i64
  br label %{quoted(b"loop" + name)}
{quoted(b"loop" + name)}:
  %k = phi i32 [ 0, %entry ], [ %next, %{quoted(b"loop" + name)} ]
  %q = getelementptr float, ptr addrspace(1) %{quoted(b"p" + name)}, i64 %e, !dbg !5
  %v = load float, ptr addrspace(1) %q, !dbg !5
  %s = getelementptr float, ptr addrspace(3) @{quoted(b"shared" + name)}, i64 %e
  store volatile float %v, ptr addrspace(3) %s, !dbg !5
  store volatile float 1.0, ptr addrspace(1) %q, !dbg !5
  %next = add i32 %k, 1
  %more = icmp slt i32 %next, %{quoted(b"n" + name)}
  br i1 %more, label %{quoted(b"loop" + name)}, label %end
end:
  ret void, !dbg !5
}}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
attributes #0 = {{ "target-cpu"="sm_80" }}
!llvm.dbg.cu = !{{!0}}
!llvm.module.flags = !{{!2}}
!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus, file: !1, emissionKind: LineTablesOnly)
!1 = !DIFile(filename: {quoted(source)}, directory: {quoted(os.fsencode(FOLDER))})
!2 = !{{i32 2, !"Debug Info Version", i32 3}}
!3 = distinct !DISubprogram(name: {quoted(name)}, scope: !1, file: !1, line: 1, unit: !0, type: !4, spFlags: DISPFlagDefinition)
!4 = !DISubroutineType(types: !{{}})
!5 = !DILocation(line: 2, column: 3, scope: !3)
"""


# PTX has names of few characters, but comments, and names of sources, of any. A back slash begins an escape there.
def ptx(source):
    with open(os.path.join(EXAMPLES, "transpose.ptx"), "rb") as file:
        text = file.read().replace(b"/src/transpose.cu", source.replace(b'"', b"").replace(b"\n", b"").replace(b"\\", b""))
    return text.replace(b";\n", b"; // " + TEXT.replace(b"\n", b" ") + b"\n")


def yaml_text(text):
    """A text of YAML in quotes; bytes that are no UTF-8 cannot stand there."""
    return json.dumps(text.decode(errors="ignore"))


os.makedirs(FOLDER, exist_ok=True)
NAME = TEXT.replace(b"/", b"")
SOURCE = NAME + b".cu"
with open(os.path.join(EXAMPLES, "transpose.cu"), "rb") as cuda:
    # Every line has a comment, and asks for no findings of a rule, for a reason.
    lines = cuda.read().split(b"\n")
write(
    NAME.replace(b'"', b"").replace(b"\n", b"").replace(b"\\", b"") + b".cu",
    b"\n".join(line + b" // ptx-predict: ignore[bank-conflict] " + TEXT.replace(b"\n", b" ") for line in lines),
)
write(SOURCE, (TEXT.replace(b"\n", b" ") + b" // ptx-predict: ignore[redundant-loads] " + TEXT.replace(b"\n", b" ") + b"\n") * 40)
PTX = NAME + b".ptx"
write(PTX, ptx(SOURCE))
with open(TOY, encoding="utf-8") as toy:
    toy_text = toy.read()
DEVICE = NAME + b".yaml"
write(
    DEVICE,
    toy_text.replace("Made-up device with round numbers", "X")
    .replace("description: X", f"description: {yaml_text(TEXT)}")
    .replace("source: made up", f"source: {yaml_text(TEXT)}"),
)
CODE = {"ptx": [PTX], "ir": [b"a" + NAME + b".ll", FORMULA + b".ll"], }
write(CODE["ir"][0], ir(TEXT, SOURCE, 16))
write(CODE["ir"][1], ir(FORMULA, SOURCE, 32))
KERNEL = {"ptx": "naive", "ir": "*"}
LAUNCH = NAME + b"launch.yaml"
write(
    LAUNCH,
    f"""launches:
  - kernel: "*"
    grid: 2x2
    block: 32x8
    buffers:
      x: {{type: f32, count: 4}}
""",
)
WRONG = NAME + b"wrong.yaml"
write(
    WRONG,
    f"""launches:
  - kernel: {yaml_text(TEXT)}
    {yaml_text(TEXT)}: 1
    args: {{{yaml_text(TEXT)}: {yaml_text(TEXT)}}}
    buffers:
      {yaml_text(TEXT)}: {{type: {yaml_text(TEXT)}, count: 4, fill: {{file: {yaml_text(TEXT)}}}}}
""",
)
EMULATE = NAME + b"emulate.yaml"
write(
    EMULATE,
    """launches:
  - kernel: naive
    grid: 1x1
    block: 32x8
    args: {0: {buffer: x}, 1: {buffer: x}}
    buffers: {x: {type: f32, count: 4, expect: {values: [1, 2]}}}
""",
)
CONFIG = NAME + b"config.yaml"
write(
    CONFIG,
    f"""severity: note
rules: ["*"]
suppressions:
  - rule: low-occupancy
    reason: {yaml_text(TEXT)}
  - rule: narrow-access
    reason: {yaml_text(TEXT)}
""",
)
CELL = TEXT.decode(errors="ignore").replace('"', "").replace("'", "").replace(",", "")
GLOB = re.sub(rb"[\[{}]", b"", TEXT)
DATASET = NAME + b"dataset.yaml"
write(
    DATASET,
    f"""schema: ptx-predict/dataset
version: 1
name: {yaml_text(FORMULA)}
title: {yaml_text(TEXT)}
source: {yaml_text(TEXT)}
csv: rows.csv
devices: {{column: gpu, names: {{{json.dumps(CELL)}: v100}}}}
time_us: time
core_mhz: core
set: [kernel, note]
kernels:
  - where: {{kernel: naive}}
    name: {yaml_text(FORMULA)}
    code: code.ptx
    kernel: naive
    grid: [32, 32]
    block: [32, 8]
  - where: {{kernel: other}}
    name: {yaml_text(TEXT)}
    code: {yaml_text(GLOB)}
    kernel: {yaml_text(GLOB)}
    grid: [32, 32]
    block: [32, 8]
""",
)
table = io.StringIO()
csv.writer(table, lineterminator="\n").writerows(
    [["gpu", "kernel", "core", "time", "note"], [CELL, "naive", 1380, 20, "=" + CELL], [CELL, "other", 1380, 20, CELL]]
)
write("rows.csv", table.getvalue())
write("code.ptx", ptx(SOURCE))
MICRO = NAME + b"micro.yaml"
with open(os.path.join(EXAMPLES, "microbenchmarks.yaml"), encoding="utf-8") as micro:
    write(MICRO, micro.read().replace('"made up"', yaml_text(TEXT)))

# ---------------------------------------------------------------------------------------------------------------------------
# Commands
# ---------------------------------------------------------------------------------------------------------------------------

DUMPS = "ptx graph dot uniformity values frequency memory forms dependence locality roles characteristics prediction".split()
DEVICES = [b"--device-file=" + DEVICE, "--device=toy"]

for route in ROUTES:
    code = CODE[route]
    for form in ("text", "json", "csv", "html"):
        named = form != "text" or route == "ir"
        run(form, *code, *DEVICES, "--model=all", f"--format={form}", named=named)
        run(form, *code, *DEVICES, "--device=v100", "--verbose", "--launch=" + os.fsdecode(LAUNCH), f"--format={form}")
    run("csv", *code, "--sweep=block=64,128", "--format=csv", named=True)
    run("text", *code, "--quiet")
    run("text", *code, "--verbose", "--sweep=core-mhz=500,1000")
    for dump in DUMPS:
        form = {"dot": "dot", "characteristics": "yaml", "prediction": "yaml", "ptx": "ptx"}.get(dump, "text")
        text = run(form, *code, *DEVICES, f"--dump={dump}", named=route == "ir" and form == "dot")
        if dump == "characteristics":
            write("again.yaml", text)
            run("text", "again.yaml", *DEVICES, named=route == "ir")
            run("json", "again.yaml", *DEVICES, "--format=json", named=True)
    for form in ("text", "json"):
        run(form, "advise", *code, *DEVICES, f"--format={form}", named=form == "json" or route == "ir")
        run(form, "occupancy", *code, *DEVICES, f"--format={form}", named=form == "json")
    run("text", "advise", *code, "--verbose")
    run("text", "advise", *code, "--quiet")
    run("text", "occupancy", *code, "--verbose")
    for form in ("text", "json", "csv"):
        run(form, "rank", *code, b"--launch=" + LAUNCH, *DEVICES, f"--format={form}", named=form != "text")
    run("text", "rank", *code, b"--launch=" + LAUNCH, "--verbose", "--top=all")
    run("text", "rank", *code, b"--launch=" + LAUNCH, "--quiet")
    lint = ["lint", "--no-cache", b"--config=" + CONFIG, *DEVICES, *code]
    findings = json.loads(run("json", *lint, "--format=json", named=True) or '{"findings": [], "diagnostics": []}')
    assert findings["findings"], "the inputs have findings"
    for form in ("text", "sarif", "junit", "markdown", "github", "codequality", "rdjson", "compiler-explorer"):
        for more in ([], ["--source-root=."], ["--verbose"]):
            run(form, *lint, f"--format={form}", *more, named=form != "text")
    run("text", *lint, "--quiet")
    written = run("text", *lint, "--write-baseline=-", "-o", os.devnull)
    json.loads(written or "{}")
    write("known.json", written)
    for form in ("text", "sarif", "junit", "markdown", "github", "codequality", "rdjson", "compiler-explorer"):
        run(form, *lint, "--baseline=known.json", "--verbose", f"--format={form}")
    # Through the cache it is the same.
    cached = ["lint", "--cache-dir=cache", b"--config=" + CONFIG, *DEVICES, *code, "--format=sarif"]
    if run("sarif", *cached) != run("sarif", *cached):
        fail(cached, "from the cache it is something else")
    # The same kernels with other code.
    for folder, stride in ((b"old", 16), (b"new", 1)):
        os.makedirs(os.path.join(os.fsencode(FOLDER), folder), exist_ok=True)
        for file in code:
            text = ir(TEXT, SOURCE, stride) if route == "ir" else ptx(SOURCE).replace(b"bra", b"bra" if stride == 1 else b"bra.uni")
            write(folder + b"/" + file, text)
    for form in ("text", "json", "markdown", "html"):
        run(form, "diff", "old", "new", "--no-cache", *DEVICES, f"--format={form}", named=form == "json" or route == "ir")
    run("text", "diff", "old", "new", "--no-cache", "--verbose", *DEVICES)

if "ir" in ROUTES:
    # What a compiler says is its own, but for what sources bring.
    os.chmod(write("compiler", b"#!/bin/sh\ncat text >&2\nexit 1\n"), 0o755)
    write("text", TEXT + b"\nas it is\n")
    write(NAME + b".cu", "")
    run("text", NAME + b".cu", "--compiler=./compiler", codes=(2,))
    # The back end takes no such names.
    run("ptx", *CODE["ir"], "--lower=ptx", "--dump=ptx", codes=(2,))
    for form in ("text", "json"):
        run(form, *CODE["ir"], "--compare=ir,ptx", f"--format={form}", codes=(2,))
if "ptx" in ROUTES:
    for form in ("text", "json"):
        run(form, "emulate", PTX, b"--launch=" + EMULATE, f"--format={form}", codes=(1, 2))
        run(form, "devices", "toy", b"--device-file=" + DEVICE, f"--format={form}", named=True)
    run("text", "emulate", PTX, b"--launch=" + EMULATE, "--quiet", codes=(1, 2))
    run("yaml", "devices", "toy", b"--device-file=" + DEVICE, "--format=yaml", named=True)
    run("text", "devices", b"--device-file=" + DEVICE)
    for form in ("text", "csv", "json", "markdown", "html"):
        run(form, "validate", DATASET, "--code=.", "--sets", "--verbose", f"--format={form}", named=True, codes=(0, 1, 2))
    run("text", "validate", DATASET, "--list")
    calibrated = run("yaml", "calibrate", MICRO, "--device=a100-40gb", "-o", "-", named=True)
    write("calibrated.yaml", calibrated)
    run("text", "devices", "--device-file=calibrated.yaml")
    run("text", "calibrate", MICRO, "--device=a100-40gb", "--verbose")
    run("json", PTX, "--time-report=json", "-o", os.devnull)
    run("text", PTX, "--time-report=text")

# What is wrong: files that are not there, mistakes in files, values of options, names of options, of commands and of findings.
NONE = b"no" + NAME
MISSES = [
    [NONE],
    [NONE + b".ll"],
    [NONE + b".cu"],
    [PTX, b"--launch=" + WRONG],
    [PTX, b"--launch=" + NONE],
    [PTX, b"--device-file=" + WRONG],
    [PTX, b"--profile=" + WRONG],
    [PTX, b"--ptxas-info=" + PTX],
    [PTX, b"-" + TEXT],
    [PTX, b"--" + TEXT + b"=1"],
    [PTX, b"-o", b"none/" + NAME],
    [TEXT + b"/"],
    ["advise", PTX, b"--launch=" + WRONG],
    ["emulate", PTX, b"--launch=" + WRONG],
    ["rank", PTX, b"--launch=" + WRONG],
    ["lint", NONE, "--no-cache"],
    ["lint", PTX, "--no-cache", b"--config=" + WRONG],
    ["lint", PTX, "--no-cache", b"--baseline=" + WRONG],
    ["lint", NAME + b".cuh", "--no-cache", "--compile-commands=rows.csv"],
    ["lint", PTX, "--no-cache", b"--rules=" + TEXT],
    ["diff", NONE, PTX, "--no-cache"],
    ["validate", WRONG],
    ["calibrate", WRONG, "--device=toy"],
    ["explain", TEXT],
    ["devices", TEXT],
]
for option in ("device model format dump grid block kernel args sweep trip-count via color clocks core-mhz registers work-limit j").split():
    MISSES.append([PTX, b"--" + option.encode() + b"=" + TEXT])
for words in MISSES:
    run("text", *words, codes=(2,))
for form in ("json", "sarif", "junit", "markdown", "github", "codequality", "rdjson", "compiler-explorer"):
    run(form, "lint", NONE, PTX, "--no-cache", f"--format={form}", codes=(2,))
    run(form, "lint", PTX, "--no-cache", b"--launch=" + WRONG, f"--format={form}", codes=(2,))

if Failures:
    print("\n".join(Failures))
    raise SystemExit(f"{len(Failures)} problems in {Runs} runs")
print(f"{Runs} runs print texts as texts")
