//===- Spills.cpp - What registers in memory cost a warp ------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Model/Spills.h"
#include "ptxpredict/ISA/MachineUnits.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace ptxpredict;

Spills ptxpredict::spillsOf(const KernelCharacteristics &K,
                            double Estimate::*Which) {
  Spills S;
  if (K.TotalInstructions == 0)
    return S;
  // Those of machine code stand in it, and are counted there.
  const auto IsSpill = [](const auto &M) { return M.IsSpill; };
  if (llvm::any_of(K.Memory, IsSpill))
    return S;
  const double Runs = K.Instructions.*Which / K.TotalInstructions;
  const ResourceCharacteristics &R = K.Resources;
  if (R.SpillBytes)
    S.Stores = R.SpillBytes->Value / RegisterBytes * Runs;
  if (R.SpillLoadBytes)
    S.Loads = R.SpillLoadBytes->Value / RegisterBytes * Runs;
  return S;
}

double ptxpredict::spilledBytes(const KernelCharacteristics &K) {
  const ResourceCharacteristics &R = K.Resources;
  const double Stored = R.SpillBytes ? R.SpillBytes->Value : 0;
  // A place may be stored to several times.
  return R.LocalBytes != 0 ? std::min(Stored, double(R.LocalBytes)) : Stored;
}
