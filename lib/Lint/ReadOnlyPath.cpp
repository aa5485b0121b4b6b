//===- ReadOnlyPath.cpp - Loads that do not say that nobody writes --------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Rules.h"
#include "ptxpredict/ISA/MachineUnits.h"
#include "ptxpredict/Model/MemoryTraffic.h"
#include "llvm/ADT/MapVector.h"

using namespace ptxpredict;

/// The first compute capability that has such loads (PTX ISA, ld.global.nc).
static constexpr unsigned FirstWithPath = 35;
/// Pointers that are named.
static constexpr unsigned MostNames = 4;

namespace {

/// What goes through one pointer.
struct PointerLoads {
  std::vector<size_t> Accesses; ///< numbers in KernelCharacteristics::Memory
  double Requests = 0;
  size_t NumBehindStores = 0;
};

} // namespace

/// Makes them loads of that path.
static void usePath(KernelVariant &V, ArrayRef<size_t> Accesses) {
  for (size_t I : Accesses)
    V.memory(I).Opcode += ".nc";
}

/// Without a launch nobody knows what is used again. A request that asks for
/// just the bytes of its sectors leaves nothing for others.
static bool maySharePieces(const MemoryCharacteristics &M) {
  return M.Sectors && M.Sectors->Status <= Status::Estimated &&
         M.Sectors->Value * SectorBytes != M.ActiveLanes.Value * M.BytesPerLane;
}

/// What the device keeps of such loads, and not of others, is used again.
static bool isCachedMore(const KernelCharacteristics &K, LintContext &C,
                         const KernelThere &There, const PointerLoads &Loads) {
  if (looksInL1(There.dev(), K.Memory[Loads.Accesses.front()]))
    return false;
  if (!K.Reuse)
    return llvm::any_of(Loads.Accesses,
                        [&](size_t I) { return maySharePieces(K.Memory[I]); });
  return C.gainOn(There, [&](KernelVariant &V) {
            usePath(V, Loads.Accesses);
          }).value_or(0) > 0;
}

void ptxpredict::checkReadOnlyPath(const Rule &R, LintContext &C) {
  const KernelCharacteristics &K = C.kernel();
  llvm::MapVector<StringRef, PointerLoads> ByPointer;
  for (size_t I = 0; I != K.Memory.size(); ++I) {
    const MemoryCharacteristics &M = K.Memory[I];
    if (M.ReadOnlyPointer.empty() || M.Requests.Value <= 0)
      continue;
    PointerLoads &P = ByPointer[M.ReadOnlyPointer];
    P.Accesses.push_back(I);
    P.Requests += M.Requests.Value;
    P.NumBehindStores += M.IsBehindStore;
  }
  // All that can be told: the fix is one, the head of the kernel.
  PointerLoads All;
  std::string Names;
  unsigned NumPointers = 0;
  bool IsCached = false;
  for (const auto &[Pointer, Loads] : ByPointer) {
    bool HasPath = false, IsCachedHere = false;
    for (const KernelThere &There : C.devices())
      if (There.dev().ComputeCapability >= FirstWithPath) {
        HasPath = true;
        IsCachedHere |= isCachedMore(K, C, There, Loads);
      }
    // From Volta on L1 keeps all loads: what is left is their order.
    if (!HasPath || !(IsCachedHere || Loads.NumBehindStores > 0))
      continue;
    IsCached |= IsCachedHere;
    if (NumPointers++ < MostNames)
      Names += (Names.empty() ? "" : ", ") + Pointer.str();
    llvm::append_range(All.Accesses, Loads.Accesses);
    All.Requests += Loads.Requests;
    All.NumBehindStores += Loads.NumBehindStores;
  }
  if (All.Accesses.empty())
    return;
  if (NumPointers > MostNames)
    Names += " and " + std::to_string(NumPointers - MostNames) + " more";
  llvm::sort(All.Accesses);
  Finding F = C.start(R, K.Memory[All.Accesses.front()].Place);
  F.Message = "nothing is written where " + Names +
              (NumPointers > 1 ? " point, but the " : " points, but the ") +
              std::to_string(All.Accesses.size()) +
              (All.Accesses.size() > 1 ? " loads do" : " load does") +
              " not say so:";
  if (IsCached)
    F.Message += " the cache that would keep them is passed by";
  if (All.NumBehindStores > 0)
    F.Message += std::string(IsCached ? ", and " : " ") +
                 std::to_string(All.NumBehindStores) +
                 " cannot be moved up over stores";
  F.add("loads", double(All.Accesses.size()));
  F.add("loads_behind_stores", double(All.NumBehindStores));
  F.add("requests", All.Requests);
  F.Help = "declare the kernel's pointers __restrict__, and const where it "
           "does not write, or load with __ldg";
  C.price(F, [&](KernelVariant &V) { usePath(V, All.Accesses); });
  C.report(std::move(F));
}
