//===- LaunchesTest.cpp - The table of launches ---------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// test/accuracy/Launches.inc says what the launch files beside it say. With
// PTXPREDICT_UPDATE_LAUNCHES in the environment it is written instead.
//===----------------------------------------------------------------------===//
#include "ptxpredict/Driver/Inputs/Frontend.h"
#include "ptxpredict/Launch/LaunchFile.h"
#include "ptxpredict/Support/InputFile.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "gtest/gtest.h"
#include <charconv>
#include <cstdlib>
#include <set>

using namespace ptxpredict;

namespace {

const std::string TestFolder = PTXPREDICT_SOURCE_DIR "/test/accuracy";

/// The shortest text that reads as \p Value again.
std::string literal(double Value) {
  if (Value != Value)
    return "NAN";
  char Text[32];
  return std::string(
      Text, std::to_chars(std::begin(Text), std::end(Text), Value).ptr);
}

std::string literal(const Dim3 &D) {
  return "{" + std::to_string(D.X) + ", " + std::to_string(D.Y) + ", " +
         std::to_string(D.Z) + "}";
}

std::string inQuotes(StringRef Text) { return ("\"" + Text + "\"").str(); }

std::string literal(const BufferFill &F) {
  switch (F.Kind) {
  case BufferFill::KindTy::Zeros:
    return "zeros()";
  case BufferFill::KindTy::Iota:
    return "iota()";
  case BufferFill::KindTy::Constant:
    return "constant(" + literal(F.Constant) + ")";
  case BufferFill::KindTy::Random:
    return "random(" + std::to_string(F.Seed) + ", " + literal(F.Low) + ", " +
           literal(F.High) + ")";
  case BufferFill::KindTy::File:
    return "file(" + inQuotes(F.File) + ")";
  }
  return "";
}

std::string literal(const Parameter &P, const ArgumentValue &V) {
  if (V.Kind == ArgumentValue::KindTy::Buffer)
    return "address(" + inQuotes(V.Buffer) + ")";
  return "number(" + inQuotes(toString(P.Type)) + ", " + literal(V.Float) + ")";
}

/// One entry of a launch file as a line of the table.
std::string literal(StringRef File, const LaunchFileEntry &E,
                    const InstructionGraph &Kernel) {
  const LaunchSpec &Spec = E.Spec;
  // What the table has no place for.
  EXPECT_TRUE(Spec.Grid && Spec.Block && !Spec.Cluster) << E.Kernel;
  EXPECT_TRUE(Spec.TripCounts.empty() && Spec.BranchProbabilities.empty());
  EXPECT_EQ(Spec.Args.size(), Kernel.Parameters.size()) << E.Kernel;
  if (::testing::Test::HasFailure())
    return "";

  std::vector<std::string> Arguments, Buffers;
  for (size_t I = 0; I < Spec.Args.size(); ++I) {
    EXPECT_EQ(Spec.Args[I].Parameter, std::to_string(I)) << E.Kernel;
    Arguments.push_back(literal(Kernel.Parameters[I], Spec.Args[I].Value));
  }
  for (const auto &[Name, B] : E.Buffers) {
    EXPECT_TRUE(B.Align == 256 && !B.Expect) << E.Kernel << ": " << Name;
    Buffers.push_back("{" + inQuotes(Name) + ", " + inQuotes(B.Type) + ", " +
                      std::to_string(B.Count) + ", " + literal(B.Fill) + "}");
  }
  return "LAUNCH(" + E.Kernel + ", {" + inQuotes(File) + ", " +
         inQuotes(E.Kernel) + ", " + literal(*Spec.Grid) + ", " +
         literal(*Spec.Block) + ", " +
         std::to_string(Spec.DynamicSharedBytes.value_or(0)) + ",\n  {" +
         llvm::join(Arguments, ", ") + "},\n  {" +
         llvm::join(Buffers, ",\n   ") + "}})\n";
}

std::vector<std::string> launchFiles() {
  std::vector<std::string> Paths;
  std::error_code EC;
  for (llvm::sys::fs::directory_iterator It(TestFolder + "/launch", EC), End;
       It != End && !EC; It.increment(EC))
    Paths.push_back(It->path());
  EXPECT_FALSE(EC);
  llvm::sort(Paths);
  return Paths;
}

std::string tableOfLaunchFiles() {
  std::string Table = "// Made from the files in launch/: see "
                      "docs/measurements/AccuracyKernels.md.\n"
                      "// clang-format off\n";
  for (const std::string &Path : launchFiles()) {
    StringRef Name = llvm::sys::path::stem(Path);
    DiagnosticEngine FileDiags, InputDiags;
    LaunchFile Launches;
    EXPECT_FALSE(readInputFile(Path, FileDiags)) << Path;
    EXPECT_FALSE(parseLaunchFile(FileDiags, Launches)) << Path;
    EXPECT_FALSE(
        readInputFile((TestFolder + "/ptx/" + Name + ".ptx").str(), InputDiags))
        << Path;
    const Frontend *F = findFrontend(InputDiags);
    std::unique_ptr<ParsedInput> Input = F ? F->read(InputDiags, {}) : nullptr;
    if (!Input) {
      ADD_FAILURE() << "no PTX for " << Path;
      return "";
    }
    std::set<std::string> Kernels;
    for (const LaunchFileEntry &E : Launches.Launches) {
      const InstructionGraph *Kernel = Input->module().function(E.Kernel);
      if (!Kernel) {
        ADD_FAILURE() << Path << ": no kernel " << E.Kernel;
        return "";
      }
      Table += literal(Name, E, *Kernel);
      Kernels.insert(E.Kernel);
    }
    for (const auto &G : Input->module().Functions)
      EXPECT_TRUE(!G->IsKernel || Kernels.count(G->Name.str()))
          << Path << ": no launch of " << G->Name.str();
  }
  return Table;
}

TEST(AccuracyLaunches, TableSaysWhatTheLaunchFilesSay) {
  std::string Table = tableOfLaunchFiles(), Path = TestFolder + "/Launches.inc";
  if (std::getenv("PTXPREDICT_UPDATE_LAUNCHES")) {
    std::error_code EC;
    llvm::raw_fd_ostream(Path, EC) << Table;
    EXPECT_FALSE(EC) << EC.message();
    return;
  }
  DiagnosticEngine Diags;
  ASSERT_FALSE(readInputFile(Path, Diags));
  EXPECT_EQ(Diags.text().str(), Table)
      << "Run this test with PTXPREDICT_UPDATE_LAUNCHES=1.";
}

} // namespace
