# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes PTX that says the same with other registers and labels, and with blocks in another order.

What another version of a compiler, or the same one after a change elsewhere, does to code without changing what it computes:
every register that a `.reg` declares gets another name, every label as well, and the runs of blocks that fall through from one
into the next trade places; the entry stays first. No instruction is added, taken away or moved within its block.

    vary-ptx.py IN.ptx OUT.ptx [--seed N] [--no-rename] [--no-order]
    vary-ptx.py FOLDER FOLDER                                       every *.ptx and *.ptx.gz in it
"""

import argparse
import gzip
import pathlib
import random
import re

NAME = r"[A-Za-z_$%][\w$]*"
# What ends a run of blocks: control does not go on behind it.
ENDS = re.compile(r"^(bra|brx\.idx|ret|exit|trap)\b")


def statements(body):
    """The statements of a function's body, each with what stands before it; `{ ... }` and strings are one piece."""
    pieces, start, depth, i = [], 0, 0, 0
    while i < len(body):
        c = body[i]
        if body.startswith("//", i):
            i = body.find("\n", i)
            if i < 0:
                break
            continue
        if body.startswith("/*", i):
            i = body.find("*/", i) + 2
            continue
        if c == '"':
            i = body.find('"', i + 1)
        elif c == "{":
            depth += 1
        elif c == "}":
            depth -= 1
            # A scope ends a statement; the braces of operands and initialisers do not.
            if depth == 0 and code(body[start : i + 1]).startswith("{"):
                pieces.append(body[start : i + 1])
                start = i + 1
        elif depth == 0 and c == ";":
            pieces.append(body[start : i + 1])
            start = i + 1
        elif depth == 0 and c == "\n" and code(body[start:i]).startswith(".loc"):
            pieces.append(body[start:i])
            start = i
        elif depth == 0 and c == ":" and re.fullmatch(NAME, code(body[start:i])) and body[i + 1 : i + 2] != ":":
            pieces.append(body[start : i + 1])
            start = i + 1
        i += 1
    return pieces, body[start:]


def code(text):
    return re.sub(r"//[^\n]*|/\*.*?\*/", "", text, flags=re.S).strip()


def with_jumps(pieces):
    """The same with a jump wherever control falls into a label: every block may then stand anywhere."""
    result, ended, seen = [], True, False
    for i, piece in enumerate(pieces):
        text = code(piece)
        if text.endswith(":"):
            if seen and not ended and not is_table(pieces, i):
                result.append(f"\n\tbra.uni {text[:-1].strip()};")
                ended = True
        elif not text.startswith("."):
            ended, seen = bool(ENDS.match(text)), True
        result.append(piece)
    return result


def is_table(pieces, i):
    """The label at \p i is that of a list of targets."""
    following = code(pieces[i + 1]) if i + 1 < len(pieces) else ""
    return bool(re.match(r"\.(branchtargets|calltargets|callprototype)\b", following))


def reordered(body, rand, jumps):
    """The body with its runs of blocks in another order."""
    pieces, tail = statements(body)
    if jumps:
        pieces = with_jumps(pieces)
    first = 0  # declarations stay in front
    while first < len(pieces) and re.match(r"\.(reg|local|shared|param|loc|pragma)\b", code(pieces[first])):
        first += 1
    runs, run, ended = [], [], False
    for i in range(first, len(pieces)):
        text = code(pieces[i])
        is_label = text.endswith(":")
        if is_label and ended:
            if not is_table(pieces, i):
                runs.append(run)
                run, ended = [], False
        run.append(pieces[i])
        if not is_label and not text.startswith("."):
            ended = bool(ENDS.match(text))  # a guarded one begins with @
    if not ended or not runs:
        return body
    runs.append(run)
    rest = runs[1:]
    rand.shuffle(rest)
    return "".join(pieces[:first]) + "".join(p for r in [runs[0]] + rest for p in r) + tail


def bodies(text):
    """(start, end) of what stands between the braces of each function."""
    depth, start, i, braces = 0, 0, 0, []
    while i < len(text):
        if text.startswith("//", i):
            i = text.find("\n", i)
            if i < 0:
                break
        elif text.startswith("/*", i):
            i = text.find("*/", i) + 1
        elif text[i] == '"':
            i = text.find('"', i + 1)
        elif text[i] == "{":
            if depth == 0:
                start = i + 1
            depth += 1
        elif text[i] == "}":
            depth -= 1
            if depth == 0:
                braces.append((start, i))
        i += 1
    heads = [text[(braces[n - 1][1] if n else 0) : b[0]] for n, b in enumerate(braces)]
    return [b for b, head in zip(braces, heads) if re.search(r"\.(entry|func)\b", head)]


def renamed(body, rand):
    """The body with other names of registers and labels."""
    new, declared = {}, {}
    # Those without a number are mostly of inline assembly, whose scopes may declare a name again.
    found = re.findall(r"(?<![.\w$%])(" + NAME + r")\s*<\s*(\d+)\s*>", " ".join(re.findall(r"\.reg\s[^;]*;", body)))
    for name, count in sorted(set(found)):
        numbers = list(range(int(count)))
        rand.shuffle(numbers)
        declared[name] = f"%n{len(declared)}_"
        for n, other in enumerate(numbers):
            new[f"{name}{n}"] = f"{declared[name]}{other}"
    labels = re.findall(r"^[ \t]*(" + NAME + r")[ \t]*:(?!:)", body, flags=re.M)
    numbers = list(range(len(labels)))
    rand.shuffle(numbers)
    for label, n in zip(labels, numbers):
        if not label.startswith(("$L__tmp", "$L__func", "$L__info", "$L__section")):
            new[label] = f"$block_{n}_{rand.randrange(1000)}"

    def token(match):
        text = match.group(0)
        if match.group(1) is None:
            return text  # a comment or a string
        if match.group(2) is not None:
            return declared.get(match.group(1), match.group(1)) + match.group(2)
        # A swizzle such as .x stays behind the name.
        return new.get(text, text)

    pattern = r'//[^\n]*|/\*.*?\*/|"[^"]*"|(?<![\w.$%])(' + NAME + r")(\s*<\s*\d+\s*>)?"
    return re.sub(pattern, token, body, flags=re.S)


def varied(text, seed, rename, order, jumps):
    rand = random.Random(seed)
    result, at = [], 0
    for start, end in bodies(text):
        body = text[start:end]
        if order:
            body = reordered(body, rand, jumps)
        if rename:
            body = renamed(body, rand)
        result += [text[at:start], body]
        at = end
    return "".join(result) + text[at:]


def read(path):
    return gzip.open(path, "rt", encoding="utf-8").read() if path.suffix == ".gz" else path.read_text(encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("input", type=pathlib.Path)
    parser.add_argument("output", type=pathlib.Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--no-rename", action="store_true")
    parser.add_argument("--no-order", action="store_true")
    parser.add_argument("--jumps", action="store_true", help="jumps in place of falling through, for more orders")
    options = parser.parse_args()
    pairs = [(options.input, options.output)]
    if options.input.is_dir():
        options.output.mkdir(parents=True, exist_ok=True)
        inputs = sorted(p for p in options.input.iterdir() if p.name.endswith((".ptx", ".ptx.gz")))
        pairs = [(p, options.output / p.name.removesuffix(".gz")) for p in inputs]
    for source, target in pairs:
        target.write_text(varied(read(source), options.seed, not options.no_rename, not options.no_order, options.jumps), encoding="utf-8")


if __name__ == "__main__":
    main()
