//===- TraceKernels.cpp - The kernels of a trace as entries ---------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Scenario/Trace/TraceKernels.h"
#include "Scenario/Trace/TraceKernelNames.h"
#include "ptxpredict/Scenario/Trace/TraceCode.h"
#include "ptxpredict/Support/KernelNames.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include <cmath>
#include <map>
#include <tuple>

using namespace ptxpredict;

/// A name for the function \p Name that is not among \p Taken yet.
static std::string uniqueIdentifier(StringRef Name, llvm::StringSet<> &Taken,
                                    llvm::StringMap<unsigned> &LastNumber) {
  constexpr size_t MostCharacters = 40;
  std::string Base;
  for (char C : functionNameOf(Name).take_front(MostCharacters))
    Base += llvm::isAlnum(C) ? C : '_';
  // The operators are those of formulas.
  if (Base.empty() || !llvm::isAlpha(Base.front()) ||
      llvm::is_contained({"and", "or", "not", "div", "mod"}, Base))
    Base.insert(0, "k");
  std::string Result = Base;
  // Another base may end with a number as well.
  for (unsigned &N = LastNumber.try_emplace(Base, 1).first->second;
       !Taken.insert(Result).second;)
    Result = Base + "_" + std::to_string(++N);
  return Result;
}

/// Gives the mean to those that vary least, as far as \p BudgetNs reaches.
static void chooseMeans(std::vector<TraceKernel> &Kernels, double BudgetNs) {
  std::vector<TraceKernel *> Order;
  Order.reserve(Kernels.size());
  for (TraceKernel &K : Kernels)
    if (!K.Code)
      Order.push_back(&K);
  llvm::stable_sort(Order, [](const TraceKernel *A, const TraceKernel *B) {
    return A->VariesNs < B->VariesNs;
  });
  double Used = 0;
  for (TraceKernel *K : Order) {
    Used += K->VariesNs;
    K->ByMean = K->ShortestNs == K->LongestNs || Used <= BudgetNs;
  }
}

TraceKernels ptxpredict::collectKernels(const NsysTrace &Trace,
                                        const TraceScenarioOptions &Options) {
  TraceKernels Result;
  Result.Of.resize(Trace.Operations.size());
  const TraceCodeFinder Codes(Options.Code);
  struct OfName {
    bool IsKnown = false;
    const TraceCode *Code = nullptr;
  };
  std::vector<OfName> Names(Trace.Names.size());
  using Shape = std::tuple<uint32_t, std::array<uint32_t, 3>,
                           std::array<uint32_t, 3>, double>;
  std::map<Shape, uint32_t> ByShape;
  llvm::StringSet<> Taken;
  llvm::StringMap<unsigned> LastNumber;
  for (size_t N = 0; N != Trace.Operations.size(); ++N) {
    const TraceOperation &O = Trace.Operations[N];
    if (O.Kind != TraceKind::Kernel)
      continue;
    OfName &Name = Names[O.Name];
    StringRef Text = Trace.Names[O.Name];
    if (!Name.IsKnown) {
      bool Near = false;
      Name = {true, Codes.find(Text, Near)};
      if (Near && !Name.Code)
        Result.NotMatched.push_back(Text.str());
    }
    auto [It, New] =
        ByShape.try_emplace(Shape(O.Name, O.Grid, O.Block, O.DynamicShared),
                            uint32_t(Result.Kernels.size()));
    if (New) {
      TraceKernel K;
      K.Identifier =
          uniqueIdentifier(KernelNames(Text).Demangled, Taken, LastNumber);
      K.First = &O;
      // Without a shape nothing can be predicted.
      K.Code = O.Grid[0] && O.Block[0] ? Name.Code : nullptr;
      K.ShortestNs = O.DurationNs;
      Result.Kernels.push_back(std::move(K));
    }
    TraceKernel &K = Result.Kernels[It->second];
    Result.Of[N] = It->second;
    ++K.Launches;
    K.TotalNs += double(O.DurationNs);
    K.ShortestNs = std::min(K.ShortestNs, O.DurationNs);
    K.LongestNs = std::max(K.LongestNs, O.DurationNs);
  }
  for (size_t N = 0; N != Trace.Operations.size(); ++N)
    if (const TraceOperation &O = Trace.Operations[N];
        O.Kind == TraceKind::Kernel) {
      TraceKernel &K = Result.Kernels[Result.Of[N]];
      K.VariesNs += std::abs(double(O.DurationNs) - K.meanNs());
    }
  const double Budget = Options.Tolerance * Trace.seconds() * 1e9;
  chooseMeans(Result.Kernels, Budget > 0 ? Budget : 0);
  return Result;
}
