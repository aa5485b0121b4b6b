#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""check-dockerfile.py DOCKERFILE SOURCE: what a build of the image would do, as far as that shows without an engine.

Reads the instructions, joined over their line ends. Every RUN is right for the shell; the packages are those that tools/dev/setup.sh
says the command needs; cmake's options are options of CMakeLists.txt; files that are copied exist; and the last stage copies the
package that cpack's configuration names, and starts the command. Prints a line a stage.
"""

import json
import os
import re
import subprocess
import sys


def main():
    path, source = sys.argv[1:]
    with open(path, encoding="utf-8") as file:
        text = "".join(line for line in file if not line.startswith("#"))
    with open(os.path.join(source, "tools", "dev", "setup.sh"), encoding="utf-8") as file:
        needed = set(re.search(r"CommandPackages=\(([^)]*)\)", file.read())[1].split())
    with open(os.path.join(source, "CMakeLists.txt"), encoding="utf-8") as file:
        options = set(re.findall(r"option\((\w+)", file.read()))
    with open(os.path.join(source, "CMakePresets.json"), encoding="utf-8") as file:
        presets = {preset["name"] for preset in json.load(file)["configurePresets"]}

    stages, users = [], {}
    for instruction in re.sub(r"\\\n", " ", text).split("\n"):
        if not instruction.strip():
            continue
        word, rest = instruction.split(None, 1)
        if word == "FROM":
            stages.append({"image": rest.split()[0], "run": [], "name": rest.split()[-1]})
            continue
        stage = stages[-1]
        if word == "RUN":
            stage["run"].append(rest)
            checked = subprocess.run(["bash", "-n", "-c", rest], capture_output=True, text=True, check=False)
            if checked.returncode:
                sys.exit(f"{rest}: {checked.stderr}")
        elif word == "COPY":
            *files, _ = rest.split()
            if files[0].startswith("--from="):
                if files[0].removeprefix("--from=") not in [other["name"] for other in stages[:-1]]:
                    sys.exit(f"there is no stage {files[0]}")
                stage["package"] = files[1]
            elif not all(os.path.exists(os.path.join(source, name)) for name in files):
                sys.exit(f"{files} do not exist")
        elif word in ("ENTRYPOINT", "CMD", "SHELL"):
            users[word] = json.loads(rest)
        elif word == "USER":
            users[word] = rest
        elif word not in ("WORKDIR", "ENV"):
            sys.exit(f"{word} is not known here")

    commands = " && ".join(stages[0]["run"])
    installed = set(re.search(r"--no-install-recommends(.*?)&&", commands, re.S)[1].split())
    if missing := needed - installed:
        sys.exit(f"packages that the build needs: {sorted(missing)}")
    for option in re.findall(r"-D(\w+)=", commands):
        if option not in options:
            sys.exit(f"-D{option} is no option of CMakeLists.txt")
    for preset in re.findall(r"--preset (\S+)", commands):
        if preset not in presets:
            sys.exit(f"--preset {preset} is none of CMakePresets.json")
    if "cpack -G DEB" not in commands or not re.fullmatch(r"/packages/ptx-predict_\*\.deb", stages[-1]["package"]):
        sys.exit("the package is not made, or not copied")
    if users["ENTRYPOINT"] != ["ptx-predict"] or users["USER"].split(":")[0] in ("0", "root"):
        sys.exit(f"{users}")
    for stage in stages:
        print(f"{stage['image']}: {len(stage['run'])} commands")


main()
