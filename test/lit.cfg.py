# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# How lit runs the text tests: a build's test/lit.site.cfg.py loads this file.
import os
import shutil

import lit.formats

config.name = "ptx-predict"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".test", ".ptx", ".yaml"]
config.excludes = ["Inputs", "Dev", "unit", "accuracy", "measured", "thesis", "cachesim", "benchmark", "fuzz"]
config.test_source_root = os.path.join(config.ptxpredict_source_dir, "test")
config.test_exec_root = os.path.join(config.ptxpredict_binary_dir, "test")

# The command as built, found by its name like a user's; LLVM's tools by their full path.
config.environment["PATH"] = os.pathsep.join(
    [os.path.join(config.ptxpredict_binary_dir, "bin"), config.environment["PATH"]]
)
# Output must not depend on where and how the tests are run.
config.environment["LC_ALL"] = "C"
config.environment["NO_COLOR"] = "1"
config.environment.pop("CLICOLOR_FORCE", None)
# Nor may tests use, or fill, the user's cache.
config.environment["XDG_CACHE_HOME"] = os.path.join(config.test_exec_root, "cache")
for tool in ["FileCheck", "not", "split-file", "count"]:
    config.substitutions.append(
        (r"(?<![-\w./%%])%s(?![-\w./])" % tool, os.path.join(config.llvm_tools_dir, tool))
    )
config.substitutions += [
    ("%bin", os.path.join(config.ptxpredict_binary_dir, "bin")),
    ("%inputs", os.path.join(config.test_source_root, "Inputs")),
    ("%examples", os.path.join(config.ptxpredict_source_dir, "docs", "examples")),
    ("%source_dir", config.ptxpredict_source_dir),
    ("%python", config.python),
]

# `REQUIRES: asan` or `UNSUPPORTED: asan` for what depends on the build.
if config.sanitize:
    config.available_features.add("asan")
    for name in ["ASAN_OPTIONS", "UBSAN_OPTIONS"]:
        if name in os.environ:
            config.environment[name] = os.environ[name]

# `REQUIRES: browser`, at %browser, for what loads pages in a Chromium.
for name in ["chromium", "chromium-browser", "google-chrome", "chrome"]:
    browser = shutil.which(name)
    if browser:
        config.available_features.add("browser")
        config.substitutions.append(("%browser", browser))
        break

# `REQUIRES: clang`, for what compiles CUDA source by the clang of the LLVM that this is built with.
if shutil.which("clang++-22"):
    config.available_features.add("clang")

# `REQUIRES: git`, and `REQUIRES: pre-commit` for the framework of that name.
for name in ["git", "pre-commit"]:
    if shutil.which(name):
        config.available_features.add(name)

# `REQUIRES: ptxas`, at %ptxas, for what runs the assembler of an installed CUDA toolkit.
ptxas = shutil.which("ptxas") or shutil.which(
    os.path.join(os.environ.get("CUDA_HOME") or "/usr/local/cuda", "bin", "ptxas")
)
if ptxas:
    config.available_features.add("ptxas")
    config.substitutions.append(("%ptxas", ptxas))

# `REQUIRES: clang-22`, at %clang, for what compiles with the plugin or for CUDA.
clang = shutil.which("clang++-22")
if clang:
    config.available_features.add("clang-22")
    config.substitutions.append(("%clang", clang))

# `REQUIRES: other-clang`, at %other_clang, for what happens in a compiler of another LLVM.
for version in range(13, 30):
    other = shutil.which("clang++-%d" % version)
    if version != 22 and other:
        config.available_features.add("other-clang")
        config.substitutions.append(("%other_clang", other))
        break

# `REQUIRES: cuda-headers`, at %cuda_home, for what needs the headers of an installed CUDA toolkit.
cuda_home = os.environ.get("CUDA_HOME") or "/usr/local/cuda"
if os.path.exists(os.path.join(cuda_home, "include", "cuda_runtime.h")):
    config.available_features.add("cuda-headers")
    config.substitutions.append(("%cuda_home", cuda_home))
