#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""run-action.py ACTION WORKSPACE [NAME=VALUE...]: runs a composite action of GitHub as its runner does.

Reads `inputs`, evaluates `if` and `${{ }}`, runs each `run` with `bash --noprofile --norc -eo pipefail`, takes outputs and folders
of PATH from the files that GITHUB_OUTPUT and GITHUB_PATH name, and skips what follows a step that failed. A step that `uses`
another action is shown with its inputs, and does nothing. A line break in a VALUE is written as `\\n`. Prints a line a step, its log,
then outputs and summary; exits with 1 if the job failed.
"""

import os
import re
import subprocess
import sys
import tempfile

import yaml

TOKEN = re.compile(r"\s*(?:('(?:[^']|'')*')|(&&|\|\||==|!=|[!()])|([A-Za-z_][\w-]*(?:\.[\w-]+)*)|(\S))")


class Expression:
    """What stands in `${{ }}` or `if`: texts, names, ! == != && || and the functions of a job's state."""

    def __init__(self, text, names, failed):
        self.tokens = [next(filter(None, match)) for match in TOKEN.findall(text)]
        self.names, self.failed = names, failed

    def take(self, *expected):
        return self.tokens.pop(0) if self.tokens and self.tokens[0] in expected else None

    def value(self):
        result = self.either()
        if self.tokens:
            sys.exit(f"expression: unexpected {self.tokens[0]!r}")
        return result

    def either(self):
        result = self.both()
        while self.take("||"):
            result, other = result, self.both()
            result = result or other
        return result

    def both(self):
        result = self.equal()
        while self.take("&&"):
            other = self.equal()
            result = other if result else result
        return result

    def equal(self):
        left = self.single()
        while operator := self.take("==", "!="):
            # Texts are compared without regard to case.
            same = str(left).lower() == str(self.single()).lower()
            left = same == (operator == "==")
        return left

    def single(self):
        if self.take("!"):
            return not self.single()
        if self.take("("):
            result = self.either()
            self.take(")")
            return result
        token = self.tokens.pop(0)
        if token.startswith("'"):
            return token[1:-1].replace("''", "'")
        if self.take("("):
            self.take(")")
            return {"always": True, "success": not self.failed, "failure": self.failed}[token]
        if token not in self.names and not re.fullmatch(r"steps\.[\w-]+\.outputs\.[\w-]+", token):
            sys.exit(f"expression: nothing is called {token}")
        return self.names.get(token, "")


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        action = yaml.safe_load(file)
    given = dict(argument.split("=", 1) for argument in sys.argv[3:])
    names = {}
    for name, about in action["inputs"].items():
        if about.get("required") and name not in given:
            sys.exit(f"the input {name} is required")
        names[f"inputs.{name}"] = given.pop(name, about.get("default", "")).replace("\\n", "\n")
    if given:
        sys.exit(f"there is no input {', '.join(given)}")
    if action["runs"]["using"] != "composite":
        sys.exit("no composite action")

    folder = tempfile.mkdtemp()
    environment = {**os.environ, "GITHUB_WORKSPACE": sys.argv[2], "RUNNER_TEMP": folder, "GITHUB_ACTIONS": "true", "CI": "true"}
    for name in ("GITHUB_OUTPUT", "GITHUB_PATH", "GITHUB_STEP_SUMMARY"):
        environment[name] = os.path.join(folder, name)
        open(environment[name], "w").close()

    failed = False

    def filled(text):
        return re.sub(r"\$\{\{(.*?)\}\}", lambda match: str(Expression(match[1], names, failed).value()), str(text), flags=re.S)

    for step in action["runs"]["steps"]:
        condition = step.get("if", "success()")
        runs = bool(Expression(condition, names, failed).value())
        # A condition that asks for no state holds only while nothing has failed.
        if failed and not re.search(r"\b(always|failure)\(", condition):
            runs = False
        if not runs:
            print(f"== skipped: {step['name']}")
            continue
        print(f"== {step['name']}", flush=True)
        if "uses" in step:
            if not re.fullmatch(r"[\w-]+/[\w./-]+@[\w.]+", step["uses"]):
                sys.exit(f"{step['uses']!r} names no version of an action")
            print("uses", step["uses"], {key: filled(value) for key, value in step.get("with", {}).items()}, flush=True)
            continue
        if "${{" in step["run"]:
            sys.exit("an input would be part of the script")
        script = os.path.join(folder, "script.sh")
        with open(script, "w", encoding="utf-8") as file:
            file.write(step["run"])
        if step["shell"] != "bash":
            sys.exit(f"shell {step['shell']}")
        own = {key: filled(value) for key, value in step.get("env", {}).items()}
        command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", script]
        code = subprocess.run(command, cwd=sys.argv[2], env={**environment, **own}, stdin=subprocess.DEVNULL, check=False).returncode
        if code:
            print(f"step failed: {code}")
            failed = True
        with open(environment["GITHUB_OUTPUT"], encoding="utf-8") as file:
            for line in file:
                key, value = line.rstrip("\n").split("=", 1)
                names[f"steps.{step['id']}.outputs.{key}"] = value
        open(environment["GITHUB_OUTPUT"], "w").close()
        with open(environment["GITHUB_PATH"], encoding="utf-8") as file:
            for line in file:
                environment["PATH"] = line.rstrip("\n") + os.pathsep + environment["PATH"]
        open(environment["GITHUB_PATH"], "w").close()

    print("== outputs")
    for name, about in action["outputs"].items():
        print(f"{name}={filled(about['value'])}")
    print("== summary")
    with open(environment["GITHUB_STEP_SUMMARY"], encoding="utf-8") as file:
        print(file.read())
    sys.exit(failed)


main()
