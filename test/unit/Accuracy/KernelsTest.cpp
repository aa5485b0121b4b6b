//===- KernelsTest.cpp - The emulator on the accuracy kernels -------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Every launch of test/accuracy: all buffers must hold what the reference says,
// and the check must find nothing to report.
//===----------------------------------------------------------------------===//
#include "References.h"
#include "ptxpredict/Driver/Inputs/Frontend.h"
#include "ptxpredict/Emulator/Core/Emulator.h"
#include "ptxpredict/Support/InputFile.h"
#include "llvm/Support/FileSystem.h"
#include "gtest/gtest.h"

using namespace ptxpredict;
namespace accuracy = ptxpredict::accuracy;

namespace {

const std::string Folder = PTXPREDICT_SOURCE_DIR "/test/accuracy";

std::string readText(const DiagnosticEngine &Diags) {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  Diags.print(OS, /*Colors=*/false);
  return Text;
}

/// One launch of one PTX file.
struct KernelCase {
  accuracy::Launch Launch;
  std::string PTX; ///< without folder and ".ptx"
};

std::ostream &operator<<(std::ostream &OS, const KernelCase &Case) {
  return OS << Case.Launch.Kernel << " of " << Case.PTX << ".ptx";
}

std::vector<KernelCase> allCases() {
  std::vector<KernelCase> Cases;
  for (const accuracy::Launch &L : accuracy::allLaunches())
    for (const char *Suffix : {"", ".sm_90"})
      if (llvm::sys::fs::exists(Folder + "/ptx/" + L.File + Suffix + ".ptx"))
        Cases.push_back({L, std::string(L.File) + Suffix});
  return Cases;
}

std::string caseName(const ::testing::TestParamInfo<KernelCase> &Info) {
  StringRef PTX = Info.param.PTX;
  return std::string(Info.param.Launch.Kernel) +
         (PTX.ends_with(".sm_90") ? "_sm_90" : "_sm_80");
}

class AccuracyKernels : public ::testing::TestWithParam<KernelCase> {
protected:
  void SetUp() override {
    const KernelCase &Case = GetParam();
    std::string Path = Folder + "/ptx/" + Case.PTX + ".ptx";
    ASSERT_FALSE(readInputFile(Path, InputDiags)) << readText(InputDiags);
    const Frontend *F = findFrontend(InputDiags);
    ASSERT_TRUE(F) << readText(InputDiags);
    Input = F->read(InputDiags, {});
    ASSERT_TRUE(Input) << readText(InputDiags);
    Kernel = Input->module().function(Case.Launch.Kernel);
    ASSERT_TRUE(Kernel);
    Bodies.emplace(*Kernel); // problems point into them

    Path = Folder + "/launch/" + Case.Launch.File + ".yaml";
    LaunchFile Launches;
    ASSERT_FALSE(readInputFile(Path, FileDiags)) << readText(FileDiags);
    ASSERT_FALSE(parseLaunchFile(FileDiags, Launches)) << readText(FileDiags);
    const LaunchFileEntry *Found = Launches.find({Case.Launch.Kernel});
    ASSERT_TRUE(Found);
    Entry = *Found;
  }

  /// Runs the launch and compares all buffers with the reference.
  EmulationResult run(const EmulationOptions &Options) {
    LaunchConfig Config;
    Config.Grid = *Entry.Spec.Grid;
    Config.Block = *Entry.Spec.Block;
    Config.DynamicSharedBytes = Entry.Spec.DynamicSharedBytes.value_or(0);
    for (size_t I = 0; I < Entry.Spec.Args.size(); ++I)
      Config.Args[unsigned(I)] = Entry.Spec.Args[I].Value;
    Emulation Run(*Kernel, Config, Options);
    for (const auto &[Name, Spec] : Entry.Buffers) {
      Error E = Run.addBuffer(Name, Spec, Folder + "/launch");
      EXPECT_FALSE(static_cast<bool>(E)) << toString(std::move(E));
    }
    Expected<EmulationResult> Result = Run.run();
    if (!Result) {
      ADD_FAILURE() << toString(Result.takeError());
      return {};
    }
    EXPECT_FALSE(Result->Fault) << describe(*Result->Fault);
    compare(Run);
    return std::move(*Result);
  }

  static std::string describe(const EmulationProblem &P) {
    return P.Kind + " at line " + std::to_string(P.Where ? P.Where->Line : 0) +
           ": " + P.Message;
  }

private:
  void compare(Emulation &Run) const {
    const accuracy::Launch &L = GetParam().Launch;
    accuracy::Contents Want;
    accuracy::Tolerances Allowed;
    for (const accuracy::Buffer &B : L.Buffers)
      ASSERT_EQ(accuracy::fill(B, Folder + "/launch", Want[B.Name]), "");
    ASSERT_TRUE(accuracy::computeReference(L, Want, Allowed));
    for (const accuracy::Buffer &B : L.Buffers) {
      ArrayRef<uint8_t> Got = Run.buffer(B.Name);
      ASSERT_EQ(Got.size(), Want[B.Name].size()) << B.Name;
      EXPECT_EQ(accuracy::compare(B, Got.vec(), Want[B.Name], Allowed[B.Name]),
                "");
    }
  }

  DiagnosticEngine InputDiags, FileDiags;
  std::unique_ptr<ParsedInput> Input;
  const InstructionGraph *Kernel = nullptr;
  std::optional<HeldBodies> Bodies;
  LaunchFileEntry Entry;
};

TEST_P(AccuracyKernels, ComputesWhatTheReferenceSays) {
  EmulationOptions Options;
  Options.Jobs = 2;
  EmulationResult Result = run(Options);
  uint64_t Lanes = 0;
  for (const InstructionProfile &I : Result.Profile.Instructions)
    Lanes += I.Lanes;
  EXPECT_LT(Lanes, 20000000u) << "so that all of them run in a moment";
  EXPECT_EQ(Result.Printed,
            StringRef(GetParam().Launch.Kernel) == "printThreads"
                ? "thread   0 of block 0: 0.000, 0x00000000, even.\n"
                  "thread  25 of block 0: 12.500, 0x736ae249, odd.\n"
                  "thread  50 of block 0: 25.000, 0xe6d5c492, even.\n"
                  "thread  11 of block 1: 37.500, 0x5a40a6db, odd.\n"
                  "thread  36 of block 1: 50.000, 0xcdab8924, even.\n"
                  "thread  61 of block 1: 62.500, 0x41166b6d, odd.\n"
                : "");
}

TEST_P(AccuracyKernels, HasNothingToReport) {
  EmulationOptions Options;
  Options.Jobs = 2;
  Options.Check = true;
  for (const EmulationProblem &P : run(Options).Problems)
    ADD_FAILURE() << describe(P);
}

INSTANTIATE_TEST_SUITE_P(All, AccuracyKernels, ::testing::ValuesIn(allCases()),
                         caseName);

} // namespace
