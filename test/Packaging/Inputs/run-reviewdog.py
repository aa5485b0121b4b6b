#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""run-reviewdog.py CONFIGURATION FOLDER: runs each runner of a .reviewdog.yml as reviewdog does, and prints what it would say.

reviewdog runs `cmd` with `sh -c` in the repository's root, reads its standard output as `format` says, and shows what is at least as
severe as `level`. A command that fails and says nothing is an error of the runner.
"""

import json
import subprocess
import sys

import yaml

LEVELS = ["info", "warning", "error"]


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        runners = yaml.safe_load(file)["runner"]
    for key, runner in runners.items():
        if unknown := set(runner) - {"cmd", "format", "errorformat", "name", "level"}:
            sys.exit(f"{key}: {unknown} are not known")
        if runner["format"] != "rdjson" or runner["level"] not in LEVELS:
            sys.exit(f"{key}: format {runner['format']}, level {runner['level']}")
        ran = subprocess.run(["sh", "-c", runner["cmd"]], cwd=sys.argv[2], stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, check=False)
        if ran.returncode and not ran.stdout:
            sys.exit(f"{key}: failed with {ran.returncode}")
        for diagnostic in json.loads(ran.stdout)["diagnostics"]:
            place = diagnostic["location"]
            start = place.get("range", {}).get("start", {})
            if LEVELS.index(diagnostic["severity"].lower()) >= LEVELS.index(runner["level"]):
                first = diagnostic["message"].split("\n")[0]
                print(f"{place['path']}:{start.get('line')}:{start.get('column')}: [{runner['name']}] {first} ({diagnostic['code']['value']})")


main()
