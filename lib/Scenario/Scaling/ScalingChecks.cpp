//===- ScalingChecks.cpp - What a scaling file must have ------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ScalingReader.h"
#include "ptxpredict/Support/NameLists.h"
#include "llvm/ADT/STLExtras.h"

using namespace ptxpredict;
using Number = ScalingNumber;

void ScalingReader::checkForm(const YAMLFields &Fields) {
  if (Result.Form == ScalingForm::Scenario) {
    for (StringRef Key :
         {"machine", "application", "kernels", "memory", "variables", "f"})
      if (Fields.has(Key))
        Nodes.error(RootPlace, "the file has both scenario and " + Key +
                                   "; a scenario says all of that itself");
    return;
  }
  for (StringRef Key : {"machine", "application"})
    if (!Fields.has(Key))
      Nodes.error(RootPlace, "the file needs " + Key + ", or a scenario");
  if (HasKernelKey)
    Result.Form = ScalingForm::Kernels;
  else if (Fields.has("kernels"))
    Nodes.error(RootPlace, "the file has kernels that nobody launches; "
                           "'kernel: NAME' in application does");
}

void ScalingReader::findKernels() {
  SmallVector<StringRef, 8> Known;
  for (const ScenarioKernel &K : Result.Names.Kernels)
    Known.push_back(K.Name);
  for (const auto &[Name, Times] : Launched) {
    const auto *At = llvm::find(Known, Name.Text);
    if (At == Known.end())
      Nodes.error(Name.Loc, "there is no kernel '" + Name.Text + "'" +
                                meantOrListed(Name.Text, Known));
    Result.Kernels.push_back({unsigned(At - Known.begin()), Times});
  }
  if (HasKernelKey && Launched.empty())
    Nodes.error(Result.ApplicationPlace, "'kernel' names no kernel");
}

bool ScalingReader::dependsOnP(FormulaNumber F, ArrayRef<bool> Slots) const {
  return F != NoFormula && llvm::any_of(Result.Names.Formulas[F].Slots,
                                        [&](SlotNumber S) { return Slots[S]; });
}

void ScalingReader::checkNames() {
  const Scenario &S = Result.Names;
  // E_1 is the same for every p, and so is all that it is made of.
  SmallVector<bool, 32> OfP(S.numSlots());
  OfP[ScalingSlotP] = true;
  for (const auto &[Index, V] : llvm::enumerate(S.Variables))
    if (dependsOnP(V.Value, OfP))
      OfP[FirstVariableSlot + Index] = true;
  auto Check = [&](Number N) {
    const ScalingValue &V = Result[N];
    for (FormulaNumber F : {V.Value, V.Fixed, V.Factor, V.Gamma})
      if (dependsOnP(F, OfP))
        Nodes.error(S.Formulas[F].Text.place(),
                    "'" + toString(N) +
                        "' must not depend on p: the sequential program has "
                        "it, too");
  };
  for (Number N :
       {Number::InstructionSeconds, Number::AccessSeconds, Number::IdleW,
        Number::ComputeW, Number::MemoryW, Number::IOW, Number::Alpha,
        Number::Instructions, Number::Accesses, Number::IOSeconds})
    Check(N);
  if (dependsOnP(Result.Gamma, OfP))
    Nodes.error(S.Formulas[Result.Gamma].Text.place(),
                "'gamma' must not depend on p");
}

void ScalingReader::checkNumber(Number Given, Number Needed) {
  if (isGiven(Given) && !isGiven(Needed))
    Nodes.error(Places[size_t(Given)],
                "'" + toString(Given) + "' needs '" + toString(Needed) +
                    "' in machine: " + meaningOf(Needed) + ", in " +
                    unitOf(Needed));
}

void ScalingReader::checkNumbers() {
  if (!MachinePlace.isValid() || !Result.ApplicationPlace.isValid())
    return; // said already, or a scenario
  auto Wrong = [&](Number N, const Twine &Message) {
    Nodes.error(Places[size_t(N)], "'" + toString(N) + "' " + Message);
  };
  if (!isGiven(Number::IdleW))
    Nodes.error(MachinePlace, "'machine' needs 'P_idle': " +
                                  meaningOf(Number::IdleW) + ", in W");
  constexpr Number OfWork[] = {Number::Instructions, Number::Accesses,
                               Number::ExtraInstructions,
                               Number::ExtraAccesses};
  if (Result.Form == ScalingForm::Kernels) {
    for (Number N : OfWork)
      if (isGiven(N))
        Wrong(N, "is what the kernels stand in place of");
  } else {
    if (!isGiven(Number::Instructions) && !isGiven(Number::Accesses))
      Nodes.error(Result.ApplicationPlace,
                  "'application' needs 'W_c' or 'W_m', or 'kernel'");
    for (Number N : {Number::Instructions, Number::ExtraInstructions}) {
      checkNumber(N, Number::InstructionSeconds);
      checkNumber(N, Number::ComputeW);
    }
    for (Number N : {Number::Accesses, Number::ExtraAccesses}) {
      checkNumber(N, Number::AccessSeconds);
      checkNumber(N, Number::MemoryW);
    }
  }
  for (Number N : {Number::Messages, Number::Bytes})
    if (isGiven(N) && isGiven(Number::NetworkSeconds))
      Wrong(N, "and 'T_net' are given; one of them says what messages take");
  constexpr Number OfLogGP[] = {Number::Latency, Number::Overhead, Number::Gap,
                                Number::GapPerByte};
  const bool HasMessages = isGiven(Number::Messages) || isGiven(Number::Bytes);
  for (Number N : OfLogGP) {
    if (Result.Network != ScalingNetwork::LogGP && isGiven(N))
      Wrong(N, "is of 'network: loggp'");
    if (Result.Network == ScalingNetwork::LogGP && HasMessages && !isGiven(N))
      Nodes.error(MachinePlace, "'network: loggp' needs '" + toString(N) +
                                    "': " + meaningOf(N) + ", in s");
  }
  if (Result.Network == ScalingNetwork::LogGP)
    return;
  checkNumber(Number::Messages, Number::MessageSeconds);
  checkNumber(Number::Bytes, Number::ByteSeconds);
}
