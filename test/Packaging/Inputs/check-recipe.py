#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""check-recipe.py RECIPE VERSION: reads a conda recipe with rattler-build's own parser and renders it for Linux.

The parser refuses unknown keys and wrong types, the rendering what jinja does not know. Then looks for what conda-forge's linter asks
of a recipe besides: a summary, a licence with its file, maintainers, tests, a build number, and the tree's version.
"""

import os
import sys

import rattler_build
import yaml


def main():
    path, version = sys.argv[1:]
    recipe = rattler_build.Stage0Recipe.from_file(path)
    config = rattler_build.VariantConfig({"c_compiler": ["gcc"], "cxx_compiler": ["gxx"], "c_stdlib": ["sysroot"]})
    platform = rattler_build.PlatformConfig(build_platform="linux-64", host_platform="linux-64", target_platform="linux-64")
    render = rattler_build.RenderConfig(platform)
    rendered = recipe.render(config, render)
    print(f"{len(rendered)} output of {type(recipe).__name__}")
    for variant in rendered:
        package = variant.recipe.package
        print(f"{package.name} {package.version}")
        if package.version != version:
            sys.exit(f"the tree has version {version}")

    with open(path, encoding="utf-8") as file:
        plain = yaml.safe_load(file)
    missing = [f"about: {key}" for key in ("summary", "license", "license_file") if not plain["about"].get(key)]
    if not plain["extra"].get("recipe-maintainers"):
        missing.append("extra: recipe-maintainers")
    if not plain.get("tests"):
        missing.append("tests")
    if "number" not in plain["build"]:
        missing.append("build: number")
    for test in plain["tests"]:
        for name in test.get("files", {}).get("source", []):
            if not os.path.exists(os.path.join(os.path.dirname(path), plain["source"]["path"], name)):
                missing.append(f"tests: {name}")
    if missing:
        sys.exit(f"missing: {', '.join(missing)}")


main()
