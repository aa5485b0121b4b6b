# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# How lit runs the text tests: a build's test/lit.site.cfg.py loads this file.
import os
import re
import shutil

import lit.formats

config.name = "ptx-predict"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".test", ".ptx", ".yaml"]
config.excludes = ["Inputs", "Dev", "Python", "unit", "accuracy", "measured", "thesis", "cachesim", "benchmark", "fuzz"]
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
for tool in ["FileCheck", "not", "split-file", "count", "llvm-ar", "llvm-mc", "llvm-objcopy"]:
    config.substitutions.append(
        (r"(?<![-\w./%%])%s(?![-\w./])" % tool, os.path.join(config.llvm_tools_dir, tool))
    )
config.substitutions += [
    ("%bin", os.path.join(config.ptxpredict_binary_dir, "bin")),
    ("%inputs", os.path.join(config.test_source_root, "Inputs")),
    ("%examples", os.path.join(config.ptxpredict_source_dir, "docs", "examples")),
    ("%source_dir", config.ptxpredict_source_dir),
    ("%python", config.python),
    # How many of a few hundred files a test takes that does the same with each: all, or every 18th.
    ("%one_file_in", "18" if config.sanitize else "1"),
]

if config.sanitize:
    # They take longest, and run what shorter tests run: the developers' scripts, and many or large inputs.
    # Nor can they run with little memory.
    config.excludes += ["dev", "characteristics.test", "html-size.test", "ablation.test",
                        "reviewed.test", "compilers-alike.test", "out-of-memory.test", "small-stack.test", "grouped-blocks.test",
                        "work-limit.test", "known-of-nvcc.test", "sampled-launches.test"]
    for name in ["ASAN_OPTIONS", "UBSAN_OPTIONS"]:
        if name in os.environ:
            config.environment[name] = os.environ[name]

# What a machine may lack, one feature a tool: `REQUIRES: git`. tools/dev/test names those that tests did without.
def find(*names):
    return next(filter(None, map(shutil.which, names)), None)


cuda = os.environ.get("CUDA_HOME") or "/usr/local/cuda"
has_headers = os.path.exists(os.path.join(cuda, "include", "cuda_runtime.h"))
libclc = [os.path.join(folder, "nvptx64--nvidiacl.bc") for folder in ("/usr/lib/clc", "/usr/share/clc")]
for feature, substitution, path in [
    ("chromium", "%browser", find("chromium", "chromium-browser", "google-chrome", "chrome")),
    ("clang-22", "%clang", find("clang++-22")),
    ("cuda-headers", "%cuda_home", cuda if has_headers else None),
    ("fish", None, find("fish")),
    ("git", None, find("git")),
    ("libclc-22", "%libclc", next(filter(os.path.exists, libclc), None)),
    # man of man-db, with a troff: it says what is wrong with a page.
    ("man", None, find("man") and find("groff", "troff")),
    # Any LLVM but the one that this is built with.
    ("other-clang", "%other_clang", find(*("clang++-%d" % v for v in range(13, 30) if v != 22))),
    ("pre-commit", None, find("pre-commit")),
    # Counts of instructions are those of one compiler.
    ("valgrind", None, find("valgrind") if re.fullmatch(r"GNU 12\..* Release x86_64", config.build) else None),
    ("zsh", None, find("zsh")),
    ("ptxas", "%ptxas", find("ptxas", os.path.join(cuda, "bin", "ptxas"))),
]:
    if path:
        config.available_features.add(feature)
        if substitution:
            config.substitutions.append((substitution, path))
