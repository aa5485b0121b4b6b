//===- TraceKernels.cpp - The kernels of a trace as entries ---------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Scenario/Trace/TraceKernels.h"
#include "Scenario/Trace/TraceKernelNames.h"
#include "ptxpredict/Support/KernelNames.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include <cmath>
#include <map>
#include <tuple>

using namespace ptxpredict;

namespace {

/// Which of the given codes a kernel of the trace is.
class CodeFinder {
public:
  explicit CodeFinder(ArrayRef<TraceCode> Codes);

  /// Null if none is. \p Near: some have its function's name.
  const TraceCode *find(StringRef Name, bool &Near) const;

private:
  struct Candidate {
    const TraceCode *Code;
    KernelNames Names;
    std::string Comparable; ///< of Names.Demangled
  };
  llvm::StringMap<std::vector<Candidate>> ByFunction;
};

} // namespace

CodeFinder::CodeFinder(ArrayRef<TraceCode> Codes) {
  for (const TraceCode &C : Codes) {
    KernelNames Names(C.Kernel);
    std::string Comparable = comparableName(Names.Demangled);
    std::vector<Candidate> &Of = ByFunction[functionNameOf(Names.Demangled)];
    // The first file that has a kernel goes before others.
    if (llvm::none_of(Of, [&](const Candidate &Other) {
          return Other.Names.Mangled == Names.Mangled;
        }))
      Of.push_back({&C, std::move(Names), std::move(Comparable)});
  }
}

const TraceCode *CodeFinder::find(StringRef Name, bool &Near) const {
  Near = false;
  const KernelNames Names(Name); // the trace may have mangled ones
  auto It = ByFunction.find(functionNameOf(Names.Demangled));
  if (It == ByFunction.end())
    return nullptr;
  Near = true;
  ArrayRef<Candidate> Of = It->second;
  for (const Candidate &C : Of)
    if (C.Names.Mangled == Name)
      return C.Code;
  if (!saysArguments(Names.Demangled))
    return Of.size() == 1 ? Of.front().Code : nullptr;
  const std::string Comparable = comparableName(Names.Demangled);
  const TraceCode *Found = nullptr;
  for (const Candidate &C : Of)
    if (C.Comparable == Comparable) {
      if (Found)
        return nullptr;
      Found = C.Code;
    }
  return Found;
}

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
  const CodeFinder Codes(Options.Code);
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
