# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Spack recipe of ptx-predict: packages/ptx_predict/package.py in a repository of yours."""

from spack_repo.builtin.build_systems.cmake import CMakePackage, generator

from spack.package import *


class PtxPredict(CMakePackage):
    """Predicts run time, power and bottlenecks of GPU kernels without a GPU."""

    homepage = "https://example.org/ptx-predict"
    git = "https://example.org/ptx-predict.git"

    maintainers("ptx-predict")

    license("Apache-2.0 WITH LLVM-exception")

    version("main", branch="main")
    version("0.1.0", tag="v0.1.0")

    variant("tests", default=False, description="Build the suite")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("ninja", type="build")
    depends_on("llvm@22.1+llvm_dylib", type=("build", "link", "run"))
    depends_on("eigen@3.4", type="build")
    depends_on("zlib-api", type=("build", "link"))
    depends_on("zstd", type=("build", "link"))
    depends_on("googletest@1.12:", when="+tests", type="build")
    depends_on("python@3.10:", when="+tests", type="build")

    conflicts("platform=darwin", msg="ptx-predict runs on Linux")
    conflicts("platform=windows", msg="ptx-predict runs on Linux")

    generator("ninja")

    def cmake_args(self):
        return [
            self.define_from_variant("PTXPREDICT_BUILD_TESTS", "tests"),
            self.define("CMAKE_UNITY_BUILD", True),
            self.define("CMAKE_UNITY_BUILD_BATCH_SIZE", 60),
        ]

    def test_version(self):
        """the command prints its version"""
        command = which(self.prefix.bin.join("ptx-predict"))
        assert str(self.spec.version) in command("--version", output=str)
