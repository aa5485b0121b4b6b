//===- AccessRules.cpp - The rule families by name ------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/MemoryAccess/AccessRules.h"
#include "ptxpredict/ISA/MachineUnits.h"
#include "llvm/Support/ErrorHandling.h"
#include <algorithm>
#include <cmath>

using namespace ptxpredict;

static constexpr StringRef RuleNames[] = {"cc10", "cc12", "cc20", "sector"};

StringRef ptxpredict::toString(AccessRule R) { return RuleNames[unsigned(R)]; }

std::optional<AccessRule> ptxpredict::parseAccessRule(StringRef Name) {
  for (unsigned I = 0; I != std::size(RuleNames); ++I)
    if (RuleNames[I] == Name)
      return AccessRule(I);
  return std::nullopt;
}

Transactions ptxpredict::countTransactions(AccessRule R, const WarpAccess &A) {
  switch (R) {
  case AccessRule::CC10:
    return countCC10(A);
  case AccessRule::CC12:
    return countCC12(A);
  case AccessRule::CC20:
    return countCC20(A);
  case AccessRule::Sector:
    return countSectorTransactions(A);
  }
  llvm_unreachable("unknown access rule");
}

unsigned ptxpredict::fewestTransactions(AccessRule R, double ActiveLanes,
                                        unsigned BytesPerLane) {
  // A file may say that there are more.
  double Requested =
      std::clamp(ActiveLanes, 0.0, double(WarpSize)) * BytesPerLane;
  auto Units = [](double Bytes, unsigned UnitBytes) {
    return std::max(1u, unsigned(std::ceil(Bytes / UnitBytes)));
  };
  switch (R) {
  case AccessRule::CC10:
  case AccessRule::CC12: // half-warps, each for itself
    return 2 * Units(Requested / 2, 128);
  case AccessRule::CC20:
    return Units(Requested, 128);
  case AccessRule::Sector:
    return Units(Requested, 32);
  }
  llvm_unreachable("unknown access rule");
}
