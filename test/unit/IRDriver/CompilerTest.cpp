//===- CompilerTest.cpp - Tests of what compilers are called with ---------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "IRDriver/Compiler.h"
#include "llvm/ADT/StringExtras.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace ptxpredict;
using testing::ElementsAre;

namespace {

CompilerCall callOf(StringRef Path, const ReadOptions &Options,
                    StringRef Libclc = {}) {
  return callFor({"/bin/clang", /*IsNVCC=*/false, /*IsOurClang=*/true}, Path,
                 Options, Libclc);
}

std::string argumentsOf(const CompilerCall &Call) {
  return llvm::join(Call.Arguments, " ");
}

TEST(CompilerCall, OfOpenCL) {
  ReadOptions Options;
  Options.ComputeCapability = 90;
  Options.CompilerArguments = {"-cl-std=CL1.2", "-DX=1", "-O1", "-c", "-o",
                               "k.bc"};
  CompilerCall Call = callOf("k.cl", Options, "/clc/x.bc");
  EXPECT_EQ(argumentsOf(Call),
            "-x cl -O3 -gline-tables-only -fno-discard-value-names "
            "-cl-std=CL3.0 -cl-std=CL1.2 -DX=1 -O1 --cuda-feature=+ptx88 "
            "-target nvptx64--nvidiacl -march=sm_90 -emit-llvm -c -Xclang "
            "-mlink-builtin-bitcode -Xclang /clc/x.bc -o - k.cl");
  EXPECT_EQ(Call.Architecture, "sm_90");
  // Without a library: the user's arguments name it.
  EXPECT_EQ(argumentsOf(callOf("-k.CL", ReadOptions())),
            "-x cl -O3 -gline-tables-only -fno-discard-value-names "
            "-cl-std=CL3.0 --cuda-feature=+ptx88 -target nvptx64--nvidiacl "
            "-march=sm_80 -emit-llvm -c -o - ./-k.CL");
}

/// clang asks the toolkit for the version of PTX.
TEST(CompilerCall, WithoutToolkit) {
  auto Feature = [](std::vector<std::string> Arguments, StringRef Path) {
    ReadOptions Options;
    Options.CompilerArguments = std::move(Arguments);
    const std::string All = argumentsOf(callOf(Path, Options));
    return StringRef(All).count("--cuda-feature=+ptx88");
  };
  EXPECT_EQ(Feature({"-nocudainc", "-nocudalib"}, "k.cu"), 1U);
  EXPECT_EQ(Feature({"-nogpulib", "-DX", "-nogpuinc"}, "k.cu"), 1U);
  EXPECT_EQ(Feature({}, "k.cl"), 1U);
  // The toolkit says it, or the user does.
  EXPECT_EQ(Feature({}, "k.cu"), 0U);
  EXPECT_EQ(Feature({"-nocudainc"}, "k.cu"), 0U);
  EXPECT_EQ(Feature({"-nocudainc", "-nocudalib", "--cuda-path=/cuda"}, "k.cu"),
            0U);
  EXPECT_EQ(
      Feature({"-nocudainc", "-nocudalib", "--cuda-feature=+ptx75"}, "k.cu"),
      0U);
  EXPECT_EQ(Feature({"--cuda-feature=+ptx75"}, "k.cl"), 0U);
  // Another clang may not know it.
  EXPECT_EQ(argumentsOf(callFor({"/bin/clang", false}, "k.cl", {}))
                .find("--cuda-feature"),
            std::string::npos);
}

TEST(CompilerCall, ArchitecturesOfOpenCL) {
  ReadOptions Options;
  Options.CompilerArguments = {"-march=sm_75", "-mcpu=sm_90",
                               "--offload-arch=sm_75,sm_86"};
  CompilerCall Call = callOf("k.cl", Options);
  EXPECT_EQ(Call.Architecture, "sm_75");
  EXPECT_THAT(Call.LeftOut, ElementsAre("sm_90", "sm_86"));
  EXPECT_EQ(argumentsOf(Call).find("-mcpu"), std::string::npos);
  // Of CUDA the host has these.
  Options.CompilerArguments = {"-march=native"};
  Call = callOf("k.cu", Options);
  EXPECT_EQ(Call.Architecture, "sm_80");
  EXPECT_NE(argumentsOf(Call).find(" -march=native "), std::string::npos);
}

/// nvcc compiles CUDA alone, whichever compiler a project names.
TEST(CompilerCall, OfNVCC) {
  ReadOptions Options;
  Options.Project = ProjectCommand{"nvcc", {"-use_fast_math", "-DX", "-keep"}};
  CompilerCall Call = callFor({"/bin/nvcc", true}, "k.cu", Options);
  EXPECT_EQ(argumentsOf(Call), "-x cu -lineinfo -use_fast_math -DX -ptx "
                               "-arch=sm_80 -o - k.cu");
  EXPECT_THAT(Call.Refused, ElementsAre("-keep"));
  Call = callOf("k.cl", Options);
  EXPECT_EQ(argumentsOf(Call).find("-use_fast_math"), std::string::npos);
  EXPECT_NE(argumentsOf(Call).find(" -DX "), std::string::npos);
  EXPECT_THAT(Call.Refused, ElementsAre("-keep"));
}

std::string problemOf(Expected<SourceCompiler> Found) {
  return Found ? "found " + Found->Path : llvm::toString(Found.takeError());
}

TEST(SourceCompiler, NVCCCompilesNoOpenCL) {
  EXPECT_EQ(problemOf(SourceCompiler::find("nvcc", /*OfOpenCL=*/true)),
            "nvcc does not compile OpenCL C; leave --compiler away, or name a "
            "clang");
  EXPECT_EQ(problemOf(SourceCompiler::find("/none/clang", /*OfOpenCL=*/true)),
            "--compiler: there is no program '/none/clang'");
}

} // namespace
