//===- TraceCode.cpp - Which code a kernel of a profile is ----------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Scenario/Trace/TraceCode.h"
#include "Scenario/Trace/TraceKernelNames.h"
#include "llvm/ADT/STLExtras.h"

using namespace ptxpredict;

TraceCodeFinder::TraceCodeFinder(ArrayRef<TraceCode> Codes) {
  for (const TraceCode &C : Codes) {
    KernelNames Names(C.Kernel);
    std::string Comparable = comparableName(Names.Demangled);
    std::vector<Candidate> &Of = ByFunction[functionNameOf(Names.Demangled)];
    if (llvm::none_of(Of, [&](const Candidate &Other) {
          return Other.Names.Mangled == Names.Mangled;
        }))
      Of.push_back({&C, std::move(Names), std::move(Comparable)});
  }
}

const TraceCode *TraceCodeFinder::find(StringRef Name, bool &Near) const {
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
