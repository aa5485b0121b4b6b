//===- CompileCommands.cpp - Compile databases as inputs of the fuzzer ----===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Driver/Toolchain/CompileCommands.h"
#include "IRDriver/Compiler.h"
#include "Targets.h"
#include "ptxpredict/Driver/Toolchain/HarmlessArguments.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"

using namespace ptxpredict;

/// What a compiler would be called with. None is.
static void makeCalls(const CompileCommand &C) {
  for (StringRef Asked : {"", "clang", "nvcc"}) {
    ReadOptions Base;
    Base.Compiler = Asked.str();
    ReadOptions Options = C.readOptions(std::move(Base));
    fuzz::check(Asked.empty() || Options.Compiler == Asked,
                "another compiler than the one that was asked for");
    for (bool IsNVCC : {false, true}) {
      CompilerCall Call = callFor({"compiler", IsNVCC}, C.File, Options);
      fuzz::check(llvm::is_contained(Call.Arguments, C.File),
                  "a call without the source");
      for (StringRef A : Call.Arguments) {
        fuzz::check(!A.starts_with("@"), "a call with a file of arguments");
        fuzz::check(!IsNVCC || A == C.File || isSafeForNVCC(A),
                    "an argument that a shell would act upon");
      }
    }
  }
}

bool fuzz::runCompileCommands(StringRef Text) {
  auto Diags = makeEngine(Text, "/folder/compile_commands.json");
  CompileCommands All;
  bool Failed = All.read(*Diags);
  check(Failed == Diags->hasErrors(), "an error without a message, or a "
                                      "message without an error");
  if (Failed)
    return false;
  for (const CompileCommand &C : All.commands()) {
    check(llvm::sys::path::is_absolute(C.File), "a file that is not absolute");
    check(All.find(C.File) != nullptr, "a file is not found: " + C.File);
    makeCalls(C);
  }
  return true;
}
