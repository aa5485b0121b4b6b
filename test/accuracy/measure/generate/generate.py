#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""generate.py [--check]

Writes the PTX of the microbenchmarks, test/accuracy/measure/ptx/*.ptx, and the table that says what each kernel measures,
test/accuracy/measure/Benchmarks.inc. With --check nothing is written, and files that would change are named: exit code 1.
"""

import argparse
import os
import sys

sys.dont_write_bytecode = True
import arithmetic  # noqa: E402
import memory  # noqa: E402
import mixes  # noqa: E402
import tensor  # noqa: E402
import transfer  # noqa: E402
import warpgroup  # noqa: E402

HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def table(modules):
    lines = [
        "// What the kernels of ptx/ measure. Made by generate/generate.py.",
        "// clang-format off",
    ]
    for module in modules:
        for row in module.rows:
            grid = row["grid"] if row["grid"] != "EverySM" else 0
            lines.append(
                f'BENCHMARK("{row["group"]}", "{row["name"]}", "{row["unit"]}", "{module.name}", "{row["kernel"]}", {row["rule"]}, '
                f'{row["work"]}.0, {grid}, {row["threads"]}, {row["cluster"]}, {row["dynamic"]}, {row["rounds"]}, {row["a"]}, {row["b"]}, '
                f'{row["in_bytes"]}, {row["box_inner"]}, {row["box_outer"]})'
            )
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    check = parser.parse_args().check
    modules = [module for part in (arithmetic, memory, tensor, warpgroup, transfer, mixes) for module in part.modules()]
    files = {os.path.join(HERE, "ptx", module.name + ".ptx"): module.text() for module in modules}
    files[os.path.join(HERE, "Benchmarks.inc")] = table(modules)
    old = {os.path.join(HERE, "ptx", name) for name in os.listdir(os.path.join(HERE, "ptx"))} - set(files)
    changed = sorted(old)
    for path, text in files.items():
        if not os.path.exists(path) or open(path, encoding="utf-8").read() != text:
            changed.append(path)
            if not check:
                with open(path, "w", encoding="utf-8") as out:
                    out.write(text)
    if not check:
        for path in old:
            os.remove(path)
        return
    for path in changed:
        print(os.path.relpath(path, HERE) + " is not what generate.py makes", file=sys.stderr)
    sys.exit(1 if changed else 0)


if __name__ == "__main__":
    main()
