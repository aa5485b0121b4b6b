//===- RegisterSpill.cpp - Traffic of local memory ------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Rules.h"
#include "ptxpredict/Support/FrontendKind.h"
#include "llvm/ADT/STLExtras.h"

using namespace ptxpredict;

/// Of an array, as far as is known.
static bool isLocal(const MemoryCharacteristics &M) {
  return M.Space == AddressSpace::Local && !M.IsSpill && M.Requests.Value > 0;
}

/// Without these accesses: the array lies in registers.
static void keepInRegisters(KernelVariant &V, const KernelCharacteristics &K,
                            ArrayRef<size_t> Accesses) {
  for (size_t I : Accesses) {
    const MemoryCharacteristics &M = K.Memory[I];
    V.removeWork(M.Access == AccessKind::Store ? SchedClass::Store
                                               : SchedClass::Local,
                 M.Requests.Value);
    V.memory(I).Requests = Estimate::known(0);
  }
}

void ptxpredict::checkRegisterSpill(const Rule &R, LintContext &C) {
  const KernelCharacteristics &K = C.kernel();
  // What is stored and never loaded is what code elsewhere gets, such as
  // printf's arguments: no array that could be in registers.
  bool AreLoaded = !K.Resources.Demand.CallsUnseen ||
                   llvm::any_of(K.Memory, [](const auto &M) {
                     return isLocal(M) && M.Access != AccessKind::Store;
                   });
  // Machine code has both, and not every compiler notes which is which.
  const bool MayBeSpills = K.Code.Frontend == toString(FrontendKind::SASS) &&
                           !K.Resources.SpillBytes;
  std::vector<PlaceOfAccesses> Places;
  if (AreLoaded)
    Places = groupByPlace(K, isLocal);
  std::vector<PricedFinding> Found;
  for (PlaceOfAccesses &Place : Places) {
    double Requests = 0;
    for (size_t I : Place.Accesses)
      Requests += K.Memory[I].Requests.Value;
    const MemoryCharacteristics &First = K.Memory[Place.Accesses.front()];
    PricedFinding P;
    P.Weight = Requests;
    P.Found = C.start(R, First.Place);
    P.Found.Message = First.shownOpcode() + " goes to local memory, " +
                      shortNumber(Requests) +
                      " requests a warp: an array of "
                      "the thread that is indexed by a variable, or whose "
                      "address is taken, cannot lie in registers";
    if (MayBeSpills)
      P.Found.Message += "; or the compiler had no register left, which this "
                         "code does not say";
    P.Found.add("requests", Requests);
    P.Found.add("local_bytes", double(K.Resources.LocalBytes));
    P.Found.Help = "unroll the loops that index the array so that each index "
                   "is a constant, or keep the array in shared memory";
    if (MayBeSpills)
      P.Found.Help += "; for registers, allow more of them";
    P.TakeOut = [&K, Place = std::move(Place)](KernelVariant &V) {
      keepInRegisters(V, K, Place.Accesses);
    };
    Found.push_back(std::move(P));
  }
  C.priceAll(std::move(Found));

  // Spills are the compiler's: no line of the source has them, and one decision
  // made them all.
  if (!K.Resources.SpillBytes || K.Resources.SpillBytes->Value <= 0)
    return;
  Finding F = C.start(R);
  F.Message = "the compiler keeps " +
              shortNumber(K.Resources.SpillBytes->Value) +
              " B of a thread's registers in local memory";
  F.add("spill_bytes", K.Resources.SpillBytes->Value);
  F.add("registers", K.Resources.Registers.Value);
  F.Help = "allow more registers (a larger -maxrregcount, or fewer threads and "
           "blocks in __launch_bounds__), or keep fewer values alive at once";
  C.report(std::move(F));
}
