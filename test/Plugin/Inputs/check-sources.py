#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""check-sources.py CLANG PLUGIN CUDA SOURCE...: compiles CUDA sources with an installed toolkit's headers and the plugin.

For sm_75 at -O1, sm_80 at -O2 with -g and sm_90 at -O3: each kernel has a summary at the line of its name, all remarks lie in
the source, and the code is what clang makes of it without the plugin. Prints a line a source; exit 1 if something is wrong.
"""

import re
import subprocess
import sys

REMARK = re.compile(r"^(.*?):(\d+):\d+: remark: .* \[([\w-]+)\] \[-Rpass-analysis=ptx-predict\]$", re.M)


def check(clang, plugin, cuda, source):
    """How many remarks there are, and what is wrong."""
    with open(source, encoding="utf-8") as file:
        lines = file.read().splitlines()
    # The name may stand in the line behind.
    kernels = {number + n for number, line in enumerate(lines, 1) if "__global__" in line for n in (0, 1)}
    count, wrong = 0, []
    for how in (["--offload-arch=sm_75", "-O1"], ["--offload-arch=sm_80", "-O2", "-g"], ["--offload-arch=sm_90", "-O3"]):
        command = [clang, "-x", "cuda", f"--cuda-path={cuda}", "--cuda-device-only", "-S", "-Wno-unknown-cuda-version",
                   *how, source, "-o", "-"]
        plain = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
        done = subprocess.run(command + [f"-fpass-plugin={plugin}", "-Rpass-analysis=ptx-predict"],
                              capture_output=True, encoding="utf-8", check=False)
        found = REMARK.findall(done.stderr)
        count += len(found)
        summaries = [int(line) for _, line, rule in found if rule == "kernel-summary"]
        if plain.returncode or done.returncode or plain.stdout != done.stdout:
            wrong.append(f"{how}: not the same code")
        if not summaries or not set(summaries) <= kernels:
            wrong.append(f"{how}: summaries at {summaries}, kernels at {sorted(kernels)}")
        wrong += [f"{how}: a remark in {path}" for path, _, _ in found if path != source]
    return count, wrong


def main():
    failed = 0
    for source in sys.argv[4:]:
        count, wrong = check(*sys.argv[1:4], source)
        failed += bool(wrong)
        print(f"{source}: {count} remarks", *wrong)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
