#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""check-spack.py PACKAGE SOURCE: loads a recipe of Spack as Spack does, against a stand-in for its package module.

Spack is no Python package, so the directives are those of its documentation: each is recorded, and what it is given is looked at.
Then: the class is named after the package, the versions have the tree's, conditions name variants that there are, and the options
that CMake is given are options of SOURCE/CMakeLists.txt. Also Spack's own style: 99 columns, a docstring, no unused import.
"""

import ast
import importlib.util
import os
import re
import sys
import types

Directives = []


def directive(name, *positional, **named):
    """Takes what Spack's directive of that name takes, and no more."""

    def take(*arguments, **options):
        if len(arguments) > len(positional) and "*" not in positional or not set(options) <= set(named):
            sys.exit(f"{name}: arguments {arguments} {sorted(options)}")
        for key, value in options.items():
            if not isinstance(value, named[key]):
                sys.exit(f"{name}: {key}={value!r}")
        Directives.append((name, arguments, options))

    return take


class CMakePackage:
    """Of Spack's class what a recipe calls."""

    @staticmethod
    def define(name, value):
        return f"-D{name}={value}"

    def define_from_variant(self, name, variant):
        return f"-D{name}={dict(self.variants)[variant]}"


def stand_in():
    module = types.ModuleType("spack.package")
    text = str
    module.maintainers = directive("maintainers", "*")
    module.license = directive("license", "name", when=text, checked_by=text)
    module.version = directive("version", "name", branch=text, tag=text, commit=text, sha256=text, preferred=bool, deprecated=bool)
    module.variant = directive("variant", "name", default=(bool, str), description=text, values=tuple, multi=bool, when=text)
    module.depends_on = directive("depends_on", "spec", type=(str, tuple), when=text, patches=object)
    module.conflicts = directive("conflicts", "spec", when=text, msg=text)
    module.which = lambda path: (lambda *arguments, output: f"ptx-predict {Version}")
    for name in ("spack", "spack_repo", "spack_repo.builtin", "spack_repo.builtin.build_systems"):
        sys.modules[name] = types.ModuleType(name)
    sys.modules["spack.package"] = module
    cmake = types.ModuleType("spack_repo.builtin.build_systems.cmake")
    cmake.CMakePackage = CMakePackage
    cmake.generator = directive("generator", "*", default=text)
    sys.modules[cmake.__name__] = cmake


def style(path):
    with open(path, encoding="utf-8") as file:
        text = file.read()
    for number, line in enumerate(text.split("\n"), 1):
        if len(line) > 99:
            sys.exit(f"{path}:{number}: {len(line)} columns")
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.ClassDef, ast.FunctionDef)) and node.name != "cmake_args" and not ast.get_docstring(node):
            sys.exit(f"{path}:{node.lineno}: {node.name} has no docstring")


def main():
    global Version
    path, source = sys.argv[1:]
    with open(os.path.join(source, "CMakeLists.txt"), encoding="utf-8") as file:
        lists = file.read()
    Version = re.search(r"project\(PtxPredict VERSION ([\d.]+)", lists)[1]
    style(path)
    stand_in()
    spec = importlib.util.spec_from_file_location("package", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    package = module.PtxPredict()  # Spack's name of the package ptx-predict
    of = {name: [(arguments, options) for kind, arguments, options in Directives if kind == name] for name, _, _ in Directives}
    if Version not in [arguments[0] for arguments, _ in of["version"]]:
        sys.exit(f"no version {Version}")
    package.variants = [(arguments[0], options["default"]) for arguments, options in of["variant"]]
    for name, arguments, options in Directives:
        for variant in re.findall(r"[+~](\w+)", options.get("when", "")):
            if variant not in dict(package.variants):
                sys.exit(f"{name} {arguments}: there is no variant {variant}")
    known = set(re.findall(r"option\((\w+)", lists))
    for argument in package.cmake_args():
        if argument.startswith("-DCMAKE_"):
            continue
        if not (match := re.fullmatch(r"-D(\w+)=(True|False)", argument)) or match[1] not in known:
            sys.exit(f"{argument} is no option of CMakeLists.txt")
    module.PtxPredict.spec = types.SimpleNamespace(version=Version)
    module.PtxPredict.prefix = types.SimpleNamespace(bin=types.SimpleNamespace(join=lambda name: name))
    package.test_version()
    print(f"{len(Directives)} directives, {len(of['depends_on'])} dependencies, version {Version}")


main()
