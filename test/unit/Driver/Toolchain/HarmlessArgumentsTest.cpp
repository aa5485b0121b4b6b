//===- HarmlessArgumentsTest.cpp ------------------------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Driver/Toolchain/HarmlessArguments.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace ptxpredict;
using testing::ElementsAre;
using testing::IsEmpty;

namespace {

enum : bool { Clang = false, NVCC = true };

TEST(HarmlessArguments, OwnCompiler) {
  std::vector<std::string> Used = {"-I/a",
                                   "-I",
                                   "b",
                                   "-isystem",
                                   "c",
                                   "-include",
                                   "d.h",
                                   "-DX=\"a b\"",
                                   "-UY",
                                   "-std=c++17",
                                   "-O3",
                                   "-Wall",
                                   "-Wno-vla",
                                   "-Wx=3",
                                   "-ffast-math",
                                   "-fgpu-rdc",
                                   "-w",
                                   "-nocudalib",
                                   "-g",
                                   "-fvisibility=hidden",
                                   "--offload-arch=sm_80,sm_90",
                                   "-cl-std=CL1.2",
                                   "-cl-ext=-all,+cl_khr_fp64",
                                   "-cl-fast-relaxed-math"};
  HarmlessArguments A = keepHarmless(Used, Clang, Clang);
  EXPECT_EQ(A.Kept, Used);
  EXPECT_THAT(A.LeftOut, IsEmpty());

  Used = {"-I=a",
          "--include-path=b",
          "-isystem=c",
          "-gencode",
          "arch=compute_80,code=[sm_80,compute_80]",
          "-arch=sm_80",
          "-use_fast_math",
          "-fmad=false",
          "--maxrregcount",
          "32",
          "-rdc=true",
          "--std=c++17",
          "--expt-relaxed-constexpr",
          "-lineinfo",
          "-diag-suppress=177,550"};
  A = keepHarmless(Used, NVCC, NVCC);
  EXPECT_EQ(A.Kept, Used);
  EXPECT_THAT(A.LeftOut, IsEmpty());
}

/// What loads code, runs a program, writes a file or reads arguments.
TEST(HarmlessArguments, Harm) {
  for (const char *Text : {"-fplugin=x.so",
                           "-fplugin",
                           "-fpass-plugin=x.so",
                           "-Xclang",
                           "-load",
                           "-mllvm",
                           "-B.",
                           "-B",
                           "@x.rsp",
                           "--config=x.cfg",
                           "--config",
                           "-Wl,-plugin",
                           "-Wa,x",
                           "-Wp,-load",
                           "-Xassembler",
                           "-Xlinker",
                           "-ftime-trace",
                           "-ftime-trace=x",
                           "-fmodules-cache-path=x",
                           "-fmodule-file=x",
                           "-fcrash-diagnostics-dir=x",
                           "-fprofile-use=x",
                           "-fsave-optimization-record",
                           "-save-temps",
                           "-fuse-ld=x",
                           "--ptxas-path=x",
                           "--cuda-path=x",
                           "-o",
                           "-ofile",
                           "-MFx",
                           "--sysroot=x",
                           "-isysroot",
                           "-resource-dir=x",
                           "-cc1",
                           "-fproc-stat-report=x",
                           "-I",
                           "-D",
                           "-include",
                           "-O3,x",
                           "-std=c++17 x",
                           "-Wx y",
                           "x.cu",
                           "",
                           "-gsplit-dwarf=single -o x",
                           "-ffast-math=1",
                           "-FFAST-MATH",
                           "-cl-std=CL1.2 x",
                           "-cl-std",
                           "-cl-unknown",
                           "-cl-mad-enable=x",
                           "--libclc-lib=x",
                           "-mlink-builtin-bitcode",
                           "--hip-link",
                           "-dumpdir",
                           "-fdump-record-layouts-complete"}) {
    HarmlessArguments A = keepHarmless({Text}, Clang, Clang);
    EXPECT_THAT(A.Kept, IsEmpty()) << Text;
    EXPECT_THAT(A.LeftOut, ElementsAre(Text));
  }
  for (const char *Text : {"--options-file=x",
                           "-optf",
                           "@x",
                           "-ccbin=x",
                           "-Xcicc",
                           "-keep",
                           "-keep-dir=x",
                           "-objtemp",
                           "--run",
                           "-run",
                           "--dryrun",
                           "-t=2",
                           "-ldir=x",
                           "--libdevice-directory=x",
                           "-odir=x",
                           "-Xcudafe=x",
                           "-time=x",
                           "-dlink-time-opt",
                           "-I`x`",
                           "-D$(x)",
                           "-DX=\\",
                           "-DX=\"",
                           "-DX=\n",
                           "-gencode",
                           "-arch=sm_80;x",
                           "-optf=x",
                           "--compiler-bindir=x"}) {
    HarmlessArguments A = keepHarmless({Text}, NVCC, NVCC);
    EXPECT_THAT(A.Kept, IsEmpty()) << Text;
    EXPECT_THAT(A.LeftOut, ElementsAre(Text));
  }
}

TEST(HarmlessArguments, ValuesAreNoOptions) {
  for (const char *Value : {"@x.rsp", "-fplugin=x.so"}) {
    HarmlessArguments A = keepHarmless({"-I", Value, "-I/y"}, Clang, Clang);
    EXPECT_THAT(A.Kept, ElementsAre("-I/y"));
    EXPECT_THAT(A.LeftOut, ElementsAre("-I", Value));
  }
}

TEST(HarmlessArguments, OtherCompiler) {
  HarmlessArguments A = keepHarmless(
      {"-isystem=/x", "--system-include", "y", "-rdc=true", "--std=c++17",
       "-std=c++20", "-DY", "--define-macro=Z", "--include-path", "w", "-keep"},
      NVCC, Clang);
  EXPECT_THAT(A.Kept,
              ElementsAre("-isystem", "/x", "-isystem", "y", "-std=c++17",
                          "-std=c++20", "-DY", "-DZ", "-Iw"));
  EXPECT_THAT(A.LeftOut, ElementsAre("-keep"));
  A = keepHarmless({"-ffast-math", "-I", "i", "-DX=`x`", "-include", "a.h"},
                   Clang, NVCC);
  EXPECT_THAT(A.Kept, ElementsAre("-Ii", "-include", "a.h"));
  EXPECT_THAT(A.LeftOut, ElementsAre("-DX=`x`"));
}

TEST(HarmlessArguments, NVCCsShell) {
  for (const char *Text : {"a.cu", "/a b/c;d&e|f.cu", "x'y", "(a)[b]{c}!#~*?"})
    EXPECT_TRUE(isSafeForNVCC(Text)) << Text;
  for (const char *Text : {"$(x)", "`x`", "a\\b", "a\"b", "a\nb", "a\x7f"})
    EXPECT_FALSE(isSafeForNVCC(Text)) << Text;
}

} // namespace
