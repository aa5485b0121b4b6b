//===- Model.cpp - The models by name -------------------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Model/Model.h"
#include "ptxpredict/Model/BSP.h"
#include "ptxpredict/Model/BottleneckModel.h"
#include "ptxpredict/Model/IPP.h"
#include "ptxpredict/Model/LittlesLaw.h"
#include "ptxpredict/Model/MWPCWP.h"
#include "ptxpredict/Model/NoUpperBound.h"
#include "ptxpredict/Model/Song.h"
#include "ptxpredict/Model/ThroughputModel.h"
#include "ptxpredict/Model/WangChu.h"
#include "ptxpredict/Support/Text.h"
#include <algorithm>
#include <array>
#include <cmath>

using namespace ptxpredict;

std::string ptxpredict::describeMeasured(const ScaledTime &S) {
  return shortTime(S.MeasuredUs) + " measured at core " +
         shortNumber(S.CoreMHz) + " MHz, memory " + shortNumber(S.MemMHz) +
         " MHz";
}

std::optional<double> Prediction::term(StringRef Name) const {
  for (const Term &T : Terms)
    if (T.Name == Name)
      return T.Value;
  return std::nullopt;
}

Applicability PreparedModel::check(const DevicePoint &P,
                                   StringRef Refusal) const {
  if (On.Dev.IsCPU && !servesCPUs())
    return {
        false,
        {(Name + " is a model of GPUs, " + On.Dev.Name + " is a CPU").str()}};
  if (On.Occ.BlocksPerSM == 0)
    return {false, {On.Occ.Reason}};
  if (!Refusal.empty())
    return {false, {Refusal.str()}};
  // CPUs have none.
  double MostWarps = On.Dev.MaxWarpsPerSM.Value.value_or(0);
  if (P.WarpsPerSM > MostWarps)
    return {
        false,
        {("an SM of " + On.Dev.Name + " holds " + Twine(unsigned(MostWarps)) +
          " warps; 'warps' asks for " + Twine(uint64_t(P.WarpsPerSM)))
             .str()}};
  if (!isPossible(P))
    return {false,
            {(On.Dev.Name + " has " + Twine(unsigned(*On.Dev.NumSMs)) +
              " SMs; --active-sms asks for " + Twine(P.ActiveSMs))
                 .str()}};
  return reservations(P);
}

void PreparedModel::noteLaunch(const DevicePoint &P, StringRef DoWhat,
                               Applicability &A) const {
  const KernelCharacteristics &K = On.Kernel;
  if (K.Launch.blocks() < P.ActiveSMs)
    A.Notes.push_back(
        "the launch is small: " + std::to_string(K.Launch.blocks()) + " of " +
        std::to_string(P.ActiveSMs) + (On.Dev.IsCPU ? " cores" : " SMs") +
        " get a block");
  if (!K.UnknownOpcodes.empty())
    A.Notes.push_back(("instructions of unknown opcode " + DoWhat + ": " +
                       Twine(K.TotalInstructions - K.ModelledInstructions))
                          .str());
}

Prediction PreparedModel::predict(const DevicePoint &P,
                                  StringRef Refusal) const {
  Prediction Result;
  Result.On = &On.Dev;
  Result.Point = P;
  Result.Device = On.Dev.Name;
  Result.Model = Name.str();
  Result.CoreMHz = P.CoreMHz;
  Result.MemMHz = P.MemMHz;
  Result.Registers = On.Registers;
  Result.Occ = On.Occ;
  Result.OccEnds = On.OccEnds;
  Result.Applies = check(P, Refusal);
  if (!Result.Applies.Ok)
    return Result;
  answer(P, Result);
  if (Result.TimeUs && std::isfinite(Result.TimeUs->Value) &&
      !std::isfinite(Result.TimeUs->High)) {
    Result.NoUpperBound = whyNoUpperBound(On.Kernel);
    // First: readers may see only a few.
    Result.Applies.Notes.insert(Result.Applies.Notes.begin(),
                                "no upper bound: " + Result.NoUpperBound);
    ++Result.Applies.NumUsual; // said with the time
  }
  return Result;
}

/// In the order of reports.
static constexpr const Model &(*Models[])() = {
    mwpcwpModel,     ippModel, throughputModel, wangChuModel,
    littlesLawModel, bspModel, songModel,       bottleneckModel};

ArrayRef<StringRef> ptxpredict::modelNames() {
  static const auto Names = [] {
    std::array<StringRef, std::size(Models)> Result;
    std::transform(std::begin(Models), std::end(Models), Result.begin(),
                   [](auto *M) { return M().name(); });
    return Result;
  }();
  return Names;
}

const Model *ptxpredict::findModel(StringRef Name) {
  for (auto *M : Models)
    if (M().name() == Name)
      return &M();
  return nullptr;
}
