//===- sweep.cpp - The slowest clocks that cost no time -------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// sweep FILE.ptx: analyses each kernel of FILE once and predicts it on every
// device with every number of SMs at 30 core clocks. Prints for each device
// the slowest clock, with the fewest SMs, that takes at most 1 % more time than
// the best point, and from how many points it was chosen.
//===----------------------------------------------------------------------===//
#include "ptxpredict/Driver/Pipeline/Driver.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace ptxpredict;

static void sweep(const KernelCharacteristics &K, const Device &D) {
  // What depends on neither clocks nor SMs is computed here, once.
  std::unique_ptr<PreparedModel> M = findModel("mwp-cwp")->prepare({K, D}, {});

  const DevicePoint Full = DevicePoint::of(D);
  struct Choice {
    DevicePoint Point;
    PointPrediction Says;
  };
  std::vector<Choice> Choices;
  for (unsigned Clock = 1; Clock <= 30; ++Clock)
    for (unsigned SMs = 1; SMs <= Full.ActiveSMs; ++SMs) {
      DevicePoint At{Full.CoreMHz * Clock / 30, Full.MemMHz, SMs};
      if (std::optional<PointPrediction> Says = M->at(At))
        Choices.push_back({At, *Says});
    }
  llvm::outs() << K.Demangled << " on " << D.Name << ": ";
  if (Choices.empty()) { // such as a block that the device does not take
    llvm::outs() << M->check(Full).Notes.front() << '\n';
    return;
  }

  auto Faster = [](const Choice &A, const Choice &B) {
    return A.Says.TimeUs.Value < B.Says.TimeUs.Value;
  };
  double Best = llvm::min_element(Choices, Faster)->Says.TimeUs.Value;
  // The order of the points makes the first good one the cheapest.
  auto IsGood = [&](const Choice &C) {
    return C.Says.TimeUs.Value <= Best * 1.01;
  };
  const Choice &Cheapest = *llvm::find_if(Choices, IsGood);
  llvm::outs() << Cheapest.Point.ActiveSMs << " of " << Full.ActiveSMs
               << " SMs at "
               << llvm::format("%.0f MHz: %.1f us, ", Cheapest.Point.CoreMHz,
                               Cheapest.Says.TimeUs.Value)
               << toString(Cheapest.Says.Limiter) << ", of " << Choices.size()
               << " points\n";
}

int main(int Argc, char **Argv) {
  if (Argc != 2) {
    llvm::errs() << "usage: sweep FILE.ptx\n";
    return 2;
  }
  DriverOptions Options;
  Options.Launch.Grid = Dim3{4096, 1, 1};
  Options.Launch.Block = Dim3{256, 1, 1};
  Driver D(Options);
  bool Ready = D.prepare() && D.read(Argv[1]);
  Report R = Ready ? D.run() : Report();
  for (const DiagnosticEngine *E : D.diagnostics())
    E->print(llvm::errs(), /*Colors=*/false);
  if (!Ready)
    return 2;

  DeviceRegistry Devices;
  for (const KernelReport &K : R.Kernels)
    for (StringRef Name : embeddedDeviceNames())
      sweep(*K.Characteristics, *llvm::cantFail(Devices.find(Name)));
}
