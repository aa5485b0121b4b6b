#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""run-component.py TEMPLATE PROJECT [NAME=VALUE...]: runs the job of a GitLab component as its runner does.

Reads `spec: inputs:`, puts values for `$[[ inputs.NAME ]]`, and runs the lines of `before_script` and `script` one after the other
in one shell that stops at the first failure, in PROJECT, with the job's variables. Then looks for the reports that `artifacts`
names. Prints the log and the reports' paths; exits with the job's code.
"""

import os
import re
import subprocess
import sys
import tempfile

import yaml


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        header, text = file.read().split("\n---\n")
    inputs = yaml.safe_load(header)["spec"]["inputs"]
    values = {name: about["default"] for name, about in inputs.items() if "default" in about}
    for argument in sys.argv[3:]:
        name, value = argument.split("=", 1)
        if name not in inputs:
            sys.exit(f"there is no input {name}")
        values[name] = value
    if missing := set(inputs) - set(values):
        sys.exit(f"inputs are required: {missing}")

    def value_of(match):
        if match[1] not in values:
            sys.exit(f"nothing is called {match[0]}")
        return values[match[1]]

    jobs = yaml.safe_load(re.sub(r"\$\[\[\s*inputs\.([\w-]+)\s*\]\]", value_of, text))
    if len(jobs) != 1:
        sys.exit("a component of several jobs")
    (name, job), = jobs.items()
    known = {"stage", "image", "variables", "cache", "before_script", "script", "artifacts"}
    if unknown := set(job) - known:
        sys.exit(f"{unknown} of the job are not known here")
    for line in job["before_script"] + job["script"]:
        if "$[[" in line or not isinstance(line, str):
            sys.exit(f"no line of a script, or an input that is part of one: {line!r}")

    folder = tempfile.mkdtemp()
    variables = {"CI": "true", "CI_PROJECT_DIR": os.path.abspath(sys.argv[2]), "CI_BUILDS_DIR": folder, "GITLAB_CI": "true"}
    for key, value in job["variables"].items():
        # Variables may name others.
        variables[key] = re.sub(r"\$(\w+)", lambda match: variables.get(match[1], match[0]), value)
    print(f"== job {name} in {job['image']}, stage {job['stage']}", flush=True)
    script = "set -eo pipefail\n" + "\n".join(job["before_script"] + job["script"]) + "\n"
    ran = subprocess.run(["bash", "-c", script], cwd=sys.argv[2], env={**os.environ, **variables}, stdin=subprocess.DEVNULL, check=False)
    print(f"== exit code {ran.returncode}")
    if ran.returncode and job["artifacts"].get("when") != "always":
        sys.exit("no artifacts of a job that failed")
    for kind, path in job["artifacts"]["reports"].items():
        there = os.path.exists(os.path.join(sys.argv[2], path))
        print(f"== report {kind}: {path}{'' if there else ' is not there'}")
    sys.exit(ran.returncode)


main()
